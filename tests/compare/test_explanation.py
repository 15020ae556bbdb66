"""Why: contributions sum to margins, words and edits are those of the texts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tercet.compare import MetricJudge, RankerJudge, choose_judge
from tercet.compare.comparison import two_systems
from tercet.compare.explanation import Explainer
from tercet.compare.explanation_text import sentences, text
from tercet.compare.linking import linked
from tercet.compare.words import group_of, groups_of
from tercet.errors import OptionError
from tercet.language.trees import read_one
from tercet.metrics import TER
from tests.compare.conftest import compared


def test_reasons_sum_to_the_margin_and_turn_with_it(demo):
    judge, comparison = compared(demo)
    explainer = Explainer(demo, judge, comparison)
    for segment in (1, 2, 6, 20):
        found = explainer.explain(segment, "careful", "hasty")
        assert sum(reason.contribution for reason in found.reasons) == pytest.approx(found.margin, abs=1e-9)
        assert sum(value for _, value in found.groups) == pytest.approx(found.margin, abs=1e-9)
        back = explainer.explain(segment, "hasty", "careful")
        assert back.margin == -found.margin
        assert back.verdict == -found.verdict
        assert back.probability == pytest.approx(1 - found.probability)
        turned = {reason.feature: -reason.contribution for reason in back.reasons}
        assert turned == pytest.approx({reason.feature: reason.contribution for reason in found.reasons})
        assert found.first.edits.edits == TER().alignment(found.first.text, found.reference).edits or segment % 3 == 1


def test_plain_words_say_what_is_there(demo):
    judge, comparison = compared(demo)
    found = Explainer(demo, judge, comparison).explain(3, "careful", "hasty")
    lines = sentences(found)
    assert lines[0].startswith("careful is ")
    assert lines[0].endswith("of people who prefer one are expected to prefer it.")
    assert "of the reference's 14 words" in lines[1]
    assert any("“rejected”" in line and line.startswith("Only careful has") for line in lines)
    assert any(line.startswith("To become the reference careful takes") for line in lines)
    whole = text(found)
    for part in (
        *lines,
        "What the margin of",
        "TER's edits",
        "Trees:",
        "source     « Segment 2 »",
        "[accepted→rejected]",
    ):
        assert part in whole


def test_an_explanation_as_json(demo):
    judge, comparison = compared(demo)
    content = json.loads(json.dumps(Explainer(demo, judge, comparison).explain(6, "careful", "hasty").as_json()))
    assert content["model"] == "joint"
    assert content["verdict"] in ("first", "second", "tie")
    assert len(content["reasons"]) == len(judge.ranker.names)
    assert sum(group["contribution"] for group in content["groups"]) == pytest.approx(content["margin"])
    for side in ("first", "second"):
        words, reference = content[side]["words"], content["reference_words"]
        for i, j, stage in content[side]["links"]:
            assert stage != "exact" or words[i].lower() == reference[j].lower()
        assert content[side]["tree"].startswith("(")


def test_metrics_and_rankers_of_other_kinds_explain_as_far_as_they_can(demo):
    judge, comparison = compared(demo, MetricJudge(TER()))
    found = Explainer(demo, judge, comparison).explain(3, "careful", "hasty")
    assert [reason.feature for reason in found.reasons] == ["ter"]
    assert found.reasons[0].contribution == pytest.approx(found.margin)
    assert found.reasons[0].second - found.reasons[0].first == pytest.approx(found.margin)
    assert "TER differs by" in sentences(found)[0]

    class Silent:
        """Compares, and says nothing more."""

        def __init__(self, ranker):
            self.margin, self.signature = ranker.margin, ranker.signature

    joint = choose_judge("joint")
    judge, comparison = compared(demo, RankerJudge(Silent(joint.ranker), "silent"))
    found = Explainer(demo, judge, comparison).explain(3, "careful", "hasty")
    assert [(reason.feature, reason.contribution) for reason in found.reasons] == [("silent", found.margin)]
    assert np.isnan(found.reasons[0].first)


def test_what_trees_share_is_told_in_plain_words(demo):
    from tercet.metrics import metric

    judge, comparison = compared(demo, MetricJudge(metric("treekernel")))
    found = Explainer(demo, judge, comparison).explain(3, "careful", "hasty")
    assert sum(reason.contribution for reason in found.reasons) == pytest.approx(found.margin)
    assert {name for name, _ in found.groups} >= {"phrases", "parts of speech", "words in the trees", "clauses"}
    said = "\n".join(sentences(found))
    assert "For hasty speak phrases" in said
    phrases = next(reason for reason in found.reasons if reason.feature == "treekernel/phrases")
    row = next(line for line in text(found).splitlines() if "treekernel/phrases" in line)
    assert row.split()[-2:] == [f"{phrases.first:.4g}", f"{phrases.second:.4g}"]


def test_hostile_texts_are_explained_too(hostile):
    judge, comparison = compared(hostile)
    explainer = Explainer(hostile, judge, comparison)
    first, second = two_systems(comparison)
    for segment in range(1, len(hostile) + 1):
        whole = text(explainer.explain(segment, first, second))
        assert "\x1b" not in whole
        assert "\x00" not in whole


def test_wrong_segments_and_systems_are_one_line(demo):
    judge, comparison = compared(demo)
    explainer = Explainer(demo, judge, comparison)
    for segment, first, second, message in (
        (21, "careful", "hasty", "no segment 21; the corpus has 1 to 20"),
        (0, "careful", "hasty", "no segment 0"),
        (1, "careful", "other", "no system 'other'"),
        (1, "careful", "careful", "against itself"),
    ):
        with pytest.raises(OptionError, match=message):
            explainer.explain(segment, first, second)
    with pytest.raises(OptionError, match="a pair is two systems"):
        two_systems(comparison, ["careful"])


def test_links_of_trees():
    tree = read_one("(S (NP (DT The) (NN dog)) (VP (VBZ sees) (NP (NN it))))")
    other = read_one("(S (NP (NN dog)) (NP (DT the)) (VP (VBZ sees)))")
    assert str(linked(tree, other)) == "(S (✓NP (DT ✓The) (NN ✓dog)) (VP (VBZ ✓sees) (NP (NN it))))"


def test_features_have_groups_in_plain_words():
    assert group_of("beer57/char3.f1") == group_of("beer57/word2.recall") == "letters and words"
    assert group_of("beer57/skip*.f2") == "word order"
    assert group_of("beer57/length.words") == "length"
    assert group_of("4metrics/meteor") == group_of("meteor:language=de") == "stems and synonyms"
    assert group_of("bleu.components/precision1") == group_of("chrf:word_order=2") == "letters and words"
    assert group_of("glove50") == "meaning of the words"
    assert group_of("context:layers=3+6/context.6.f1") == "words in context"
    assert group_of("trees/translation.phrases.shared") == group_of("treekernel/phrases") == "phrases"
    assert group_of("trees/reference.words.missed") == "words in the trees"
    assert group_of("somebody's") == "somebody's"
    assert groups_of(["bleu", "ter", "bleu:lowercase=true"]) == (["letters and words", "edits"], [0, 1, 0])
