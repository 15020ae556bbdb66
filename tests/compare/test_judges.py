"""Judges of every kind, by name and by folder."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tercet.compare import JointJudge, MetricJudge, choose_judge
from tercet.compare.judges import NetworkJudge, judge_of
from tercet.errors import InputError, OptionError, ResourceError
from tercet.metrics import ChrF
from tercet.rankers import loading


def test_a_shipped_model_by_name_and_by_folder(demo):
    by_name, by_folder = choose_judge("joint"), choose_judge(str(loading.find_model("joint")))
    assert isinstance(by_name, JointJudge)
    assert (by_name.name, by_name.kind, by_folder.name) == ("joint", "model", "joint")
    systems = [list(texts) for texts in demo.systems.values()]
    references = list(demo.references)
    margins = by_name.margins(systems, references, None)
    assert margins == pytest.approx(-margins.transpose(1, 0, 2))
    assert margins[0, 1] == pytest.approx(by_name.ranker.margin(systems[0], systems[1], references))
    between = by_name.contributions(systems, references, None)
    for i, j in ((0, 1), (2, 0)):
        assert between(i, j).values.sum(axis=1) == pytest.approx(margins[i, j], abs=1e-9)


def test_without_a_name_the_best_usable_model_decides(monkeypatch):
    assert choose_judge().name in loading.PREFERRED
    monkeypatch.setattr(loading, "shipped", lambda: [])
    assert isinstance(choose_judge(), MetricJudge)
    assert choose_judge(metric="ter").name == "TER"


def test_a_model_whose_features_are_missing_gives_way_to_the_next(monkeypatch):
    load = loading.load_model

    def missing(name):
        if name == "base":
            raise ResourceError("base: its features are not available here: the resource minilm is not installed")
        return load("joint")

    monkeypatch.setattr(loading, "load_model", missing)
    monkeypatch.setattr(loading, "shipped", lambda: ["base", "joint", "lite"])
    judge = choose_judge()
    assert judge.name == "lite"
    assert "minilm is not installed" in judge.notes()[0]
    assert choose_judge("joint").notes() == []
    assert loading.stronger_model("lite")[0] == "base"
    assert loading.stronger_model("base") is None


def test_models_that_are_none(tmp_path):
    with pytest.raises(OptionError, match="choose one"):
        choose_judge("joint", "chrf")
    with pytest.raises(
        InputError, match=r"no such model; give the folder that `tercet train -o` wrote, or one of .*joint"
    ):
        choose_judge("nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file where a model's folder is meant"):
        choose_judge(str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot be read"):
        choose_judge(str(tmp_path))
    for content, message in (
        ("{", "is not JSON"),
        ("[1]", "format 'none'"),
        (json.dumps({"format": "x"}), "format 'x'"),
    ):
        (tmp_path / "config.json").write_text(content)
        with pytest.raises(InputError, match=message):
            choose_judge(str(tmp_path))


def test_a_model_of_an_unknown_kind_is_compared_pair_by_pair(demo):
    joint = choose_judge("joint")

    class Other:
        signature, calibration_ = joint.signature, joint.calibration

        def margin(self, first, second, references, sources=None):
            return joint.ranker.margin(first, second, references, sources)

    judge = judge_of(Other(), "other")
    systems = [list(texts) for texts in demo.systems.values()]
    found = judge.margins(systems, list(demo.references), None)
    assert found == pytest.approx(joint.margins(systems, list(demo.references), None))
    assert np.array_equal(judge.verdict(found), joint.verdict(found))
    assert judge.contributions(systems, list(demo.references), None)(0, 1).values[:, 0] == pytest.approx(found[0, 1])


def test_a_judge_afresh_has_counted_nothing_and_writes_nothing(tmp_path):
    from tercet.features.cache import FeatureCache
    from tercet.rankers.inputs import FeatureSpecs, Inputs
    from tercet.rankers.network import NetworkRanker

    ranker = NetworkRanker(FeatureSpecs(similarity=("beer57",), vectors=()), cache=FeatureCache(tmp_path))
    ranker.inputs_ = Inputs(ranker.features, ranker.cache)
    sets = ranker.inputs_.similarity_sets
    ranker.inputs_.counts.clipped = ranker.inputs_.counts.values = 3
    judge = NetworkJudge(ranker, "network")
    assert judge.notes() == ["3 of 3 feature values lay outside the training data's range"]
    new = judge.afresh(FeatureCache())
    assert isinstance(new, NetworkJudge)
    assert new.notes() == []
    assert new.ranker.inputs_ is not None
    assert new.ranker.inputs_.similarity_sets is sets
    new.ranker.inputs_.side(["a"], ["b"], None)
    assert list(tmp_path.iterdir()) == []
    assert ranker.inputs_.counts.clipped == 3
    metric = MetricJudge(ChrF())
    assert metric.afresh(FeatureCache()) is metric
