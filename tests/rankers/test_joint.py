"""The joint-objective metric: its losses against the definition, what it learns, and where data are odd."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreement.comparisons import Comparisons
from tercet.agreement.system_scores import ExpectedWins
from tercet.errors import InputError, OptionError
from tercet.features.cache import FeatureCache
from tercet.rankers import joint_objectives as objectives
from tercet.rankers.joint import JointOptions, JointRanker
from tercet.rankers.joint_data import examples, expected_wins
from tercet.rankers.joint_fitting import alpha_curve, fit_examples, prepared
from tercet.rankers.judged_data import from_pairs, hold_out
from tercet.rankers.pairs import Pairs
from tests.oracles import joint as oracle
from tests.rankers.judged_world import texts

FAST = JointOptions(epochs=10, batch=64, learning_rate=0.05)
OBJECTIVES = ("sentence", "corpus", "joint")


def fitted(options: JointOptions = FAST, kind: str = "comparison") -> JointRanker:
    return JointRanker(options=options).fit_judged([texts(kind=kind)], [texts(kind=kind, seed=2)])


@pytest.fixture(scope="module")
def ranker() -> JointRanker:
    return fitted()


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, width=32)


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 10**6))
def test_losses_agree_with_the_definition(rows, columns, seed):
    random = np.random.default_rng(seed)
    better, worse = random.normal(size=(2, rows, columns)).astype(np.float32)
    weights, bias, human = random.normal(size=columns).astype(np.float32), np.float32(random.normal()), random.random()
    params = {"linear": weights, "bias": bias, "hidden": np.zeros((columns, 0)), "hidden_bias": np.zeros(0)}
    params = {name: jnp.asarray(value, jnp.float32) for name, value in (params | {"output": np.zeros(0)}).items()}
    found = objectives.sentence_loss(objectives.forward(params, better), objectives.forward(params, worse))
    assert float(found) == pytest.approx(oracle.sentence_loss(better, worse, weights, bias), abs=1e-4)
    scores = [oracle.corpus_score(side, weights, bias) for side in (better, worse)]
    margin = objectives.corpus_loss(jnp.float32(scores[0]), jnp.float32(scores[1]), jnp.float32(human))
    assert float(margin) == pytest.approx(max(0, human - (scores[0] - scores[1])), abs=1e-5)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-1, 0, 1])), min_size=1, max_size=30))
def test_expected_wins_agree_with_the_definition_and_with_the_ranking_of_systems(rows):
    rows = [row for row in rows if row[0] != row[1]] or [(0, 1, 1)]
    first, second, value = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    found = expected_wins(first, second, value.astype(np.float64), 4)
    np.testing.assert_allclose(found, oracle.expected_wins(rows, 4))
    np.testing.assert_allclose(found, ExpectedWins().scores(Comparisons(first, second, value, systems=4)))


@pytest.mark.parametrize(("objective", "hidden"), [("sentence", 0), ("corpus", 0), ("joint", 0), ("joint", 3)])
def test_every_objective_learns_to_tell_good_from_bad(objective, hidden):
    learned = fitted(replace(FAST, objective=objective, hidden=hidden))
    test = texts(seed=3)
    references = list(test.corpus.references)
    scores = [learned.score(list(lines), references) for lines in test.corpus.systems.values()]
    means = [one.mean() for one in scores]
    assert means == sorted(means, reverse=True)  # system0 spoils fewest words
    assert ((np.array(scores) > 0) & (np.array(scores) < 1)).all()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_assessments_train_it_too(objective):
    learned = fitted(replace(FAST, objective=objective), kind="assessment")
    assert learned.score(["the old house"], [("the old house",)]) > learned.score(["blah"], [("the old house",)])
    assert learned.assessment_ is not None
    expected = learned.assessment(["the old house", "blah"], [("the old house",)] * 2)
    assert expected[0] > expected[1]


def test_comparisons_assessments_and_language_pairs_at_once():
    judged = [texts(), texts(pair="de-en"), texts(kind="assessment", pair="fi-en")]
    part = prepared(judged, JointRanker().feature_sets, FAST, FeatureCache())
    assert part.texts == ("news cs-en", "news de-en", "news fi-en")
    assert set(part.sentences.text.tolist()) == set(part.corpora.text.tolist()) == {0, 1, 2}
    for better, worse in zip(*part.corpora.pairs()[:2], strict=True):
        assert part.corpora.text[better] == part.corpora.text[worse]
    rest, held = hold_out(judged, 0.25, 1)
    assert JointRanker(options=FAST).fit_judged(rest, held).card_["training"]["corpora"] == 12


def test_pairs_of_assessments_follow_them():
    part = examples([texts(kind="assessment")], JointRanker().feature_sets)
    assert not len(part.sentences.better)
    drawn = part.with_sentences_of_assessments(5, 1.0, 1)
    value = dict(zip(part.assessed.row.tolist(), part.assessed.value.tolist(), strict=True))
    gaps = np.array([value[b] - value[w] for b, w in zip(drawn.sentences.better, drawn.sentences.worse, strict=True)])
    assert len(gaps)
    assert (gaps >= part.assessed.value.std()).all()


def test_a_margin_turns_with_the_hypotheses(ranker):
    test = texts(seed=4)
    first, second = (list(test.corpus.systems[name]) for name in ("system0", "system3"))
    references = list(test.corpus.references)
    forth, back = ranker.margin(first, second, references), ranker.margin(second, first, references)
    assert (forth == -back).all()
    both = ranker.probability(first, second, references) + ranker.probability(second, first, references)
    np.testing.assert_allclose(both, 1)


def test_pairs_train_it_as_they_train_every_ranker():
    judged = texts()
    pairs = Pairs.from_judgments(judged.judgments, {("news", "cs-en"): judged.corpus})
    again = from_pairs(pairs)
    assert again[0].judgments.frame["value"].to_list() == judged.judgments.frame["value"].to_list()
    one, other = JointRanker(options=FAST).fit(pairs), JointRanker(options=FAST).fit_judged([judged])
    assert one.digest_ == other.digest_


def test_the_same_seed_gives_the_same_model(ranker):
    assert fitted().digest_ == ranker.digest_
    assert fitted(replace(FAST, seed=2)).digest_ != ranker.digest_


def test_the_best_epoch_is_kept():
    learned = fitted()
    scores = learned.card_["validation_scores"]
    assert learned.card_["best_epoch"] == int(np.argmax(scores)) + 1
    validation = learned.card_["validation"]
    assert (validation["tau"] + validation["pearson"]) / 2 == pytest.approx(max(scores), abs=1e-4)


@pytest.mark.parametrize("text", ["", " ", "a", "猫", "\ud800", "👩‍👩‍👧"])
def test_odd_texts_have_a_score(ranker, text):
    scores = ranker.score([text, "a house", text], [("a house",), (text,), (text,)])
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores[2] > max(scores[:2])


def test_scripts_without_spaces_are_told_apart(ranker):
    good, bad = ranker.score(["猫がマットの上に座った", "犬は外で走っていた"], [("猫はマットの上に座った",)] * 2)
    assert good > bad


def test_centred_scores_lie_around_a_half_in_the_same_order():
    part, held = (prepared([one], JointRanker().feature_sets, FAST, FeatureCache()) for one in (texts(), texts(seed=2)))
    options = replace(FAST, objective="sentence", scaling="standard")
    plain, centred = (fit_examples(one, part, held) for one in (options, replace(options, center=True)))
    before, after = plain.weights.forward(part.rows), centred.weights.forward(part.rows)
    np.testing.assert_allclose(before - np.median(before), after, atol=1e-5)
    assert centred.card["validation"]["tau"] == pytest.approx(plain.card["validation"]["tau"], abs=1e-6)
    assert centred.card["validation"]["pearson"] != plain.card["validation"]["pearson"]


def test_corpora_of_one_segment_train():
    one = [texts(1, seed=5), texts(30)]
    assert JointRanker(options=FAST).fit_judged(one, [texts(seed=2)]).weights_ is not None


def test_corpora_of_different_lengths_score_as_the_mean_of_their_own_rows():
    judged = [texts(3), texts(40, pair="de-en")]
    part = examples(judged, JointRanker().feature_sets)
    learned = fit_examples(replace(FAST, objective="corpus"), part, part)
    scores = 1 / (1 + np.exp(-learned.weights.forward(part.rows)))
    rs = []
    for text in (0, 1):
        chosen = np.flatnonzero(part.corpora.text == text)
        means = [scores[part.corpora.start[c] : part.corpora.start[c] + part.corpora.length[c]].mean() for c in chosen]
        rs.append(np.corrcoef(means, part.corpora.human[chosen])[0, 1])
    assert learned.card["validation"]["pearson"] == pytest.approx(np.mean(rs), abs=1e-4)


def test_data_that_an_objective_cannot_use_are_refused():
    with pytest.raises(OptionError, match="no text with 2 systems"):
        JointRanker(options=FAST).fit_judged([texts(systems=1, kind="assessment")], [texts()])
    with pytest.raises(OptionError, match="no text with 3 systems"):
        JointRanker(options=FAST).fit_judged([texts()], [texts(systems=2)])
    tied = texts()
    frame = tied.judgments.frame.with_columns(value=tied.judgments.frame["value"] * 0)
    nobody = replace(tied, judgments=type(tied.judgments).make("comparison", frame))
    with pytest.raises(OptionError, match="no pair of sentences"):
        JointRanker(options=FAST).fit_judged([nobody], [texts()])
    with pytest.raises(OptionError, match="learned nothing"):
        JointRanker().score(["a"], [("a",)])


@pytest.mark.parametrize("wrong", [{"alpha": 1.5}, {"hidden": -1}, {"epochs": 0}, {"l2": -1.0}, {"learning_rate": 0.0}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        JointOptions(**wrong)


def test_alpha_is_measured_on_the_validation_data():
    part, held = (prepared([one], JointRanker().feature_sets, FAST, FeatureCache()) for one in (texts(), texts(seed=2)))
    curve = alpha_curve(FAST, part, held, [0.1, 0.9])
    assert [point.alpha for point, _ in curve] == [0.1, 0.9]
    sentence = fit_examples(replace(FAST, objective="joint", alpha=0.9), part, held)
    assert curve[1][0].tau == sentence.card["validation"]["tau"]


def test_no_reference_is_on_two_sides():
    judged = [texts(), texts(kind="assessment"), texts(pair="de-en")]  # the first two share their references
    rest, held = hold_out(judged, 0.3, 1)
    sides = [{one for part in side for one in part.corpus.references} for side in (rest, held)]
    assert not sides[0] & sides[1]
    assert [len(part.corpus) for part in held][:2] == [len(held[0].corpus)] * 2
    total = sum(len(part.judgments) for part in (*rest, *held))
    assert total == sum(len(one.judgments) for one in judged)


def test_a_saved_model_scores_the_same(ranker, tmp_path):
    ranker.save(tmp_path / "model")
    again = JointRanker.load(tmp_path / "model")
    test = texts(seed=6)
    lines, references = list(test.corpus.systems["system1"]), list(test.corpus.references)
    assert (again.score(lines, references) == ranker.score(lines, references)).all()
    assert str(again.signature) == str(ranker.signature)
    card = (tmp_path / "model" / "README.md").read_text("utf-8")
    assert "news cs-en" in card
    assert "| char5.f1 |" in card


def test_damaged_models_are_refused(ranker, tmp_path):
    folder = tmp_path / "model"
    ranker.save(folder)
    weights, config = folder / "weights.safetensors", folder / "config.json"
    whole, text = weights.read_bytes(), config.read_text("utf-8")
    random = Random(1)
    for _ in range(20):
        damaged = bytearray(whole)
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
        weights.write_bytes(bytes(damaged))
        with pytest.raises(InputError):
            JointRanker.load(folder)
    weights.write_bytes(whole)
    for old, new in (
        ('"version": 1', '"version": 9'),
        ('"tercet-joint"', '"tercet-network"'),
        ('"columns": 57', '"columns": -1'),
        ('"hidden": 0', '"hidden": 999999999'),
        ("tok:13a", "tok:intl"),
    ):
        assert old in text
        config.write_text(text.replace(old, new), "utf-8")
        with pytest.raises(InputError):
            JointRanker.load(folder)


def test_weights_are_shown_from_the_most_helpful_on(ranker):
    shown = ranker.explained()
    effects = [effect for _, _, effect in shown]
    assert len(shown) == 57
    assert effects == sorted(effects, reverse=True)
    weights = dict(zip(ranker.names, ranker.weights_.linear.tolist(), strict=True))
    assert all(weight == pytest.approx(weights[name]) for name, weight, _ in shown)


def test_larger_feature_sets_stand_beside():
    learned = JointRanker(("beer57", "chrf", "bleu.components"), FAST)
    learned.fit_judged([texts()], [texts(seed=2)])
    assert len(learned.names) == len(set(learned.names)) == 57 + 1 + 16
    assert "chrf" in learned.names


def test_applying_needs_no_jax(ranker, tmp_path):
    ranker.save(tmp_path / "model")
    code = (
        "import sys; sys.modules['jax'] = sys.modules['optax'] = sys.modules['yaml'] = None\n"
        "from tercet.metrics.registry import metric\n"
        f"print(metric('joint:model={tmp_path / 'model'}').corpus(['a house'], [('a house',)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 < float(done.stdout) <= 1
