"""Soft matching against its definition, and words matched by their vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.features.fluency import FLUENCY, fluency
from tercet.features.matching import DETAILS, MATCHED, WEIGHTED, batches, equal_or_apart, soft_matches
from tercet.features.registry import feature_set
from tests.oracles import soft_matching as oracle
from tests.strategies import sentences

NAMES = (*MATCHED, *WEIGHTED, *DETAILS)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=5), st.integers(0, 1000))
def test_padded_batches_agree_with_the_definition(sizes, seed):
    random = np.random.default_rng(seed)
    hypothesis, reference = (np.array([size[side] for size in sizes]) for side in (0, 1))
    shape = len(sizes), hypothesis.max(), reference.max()
    # few values, so that the nearest is often not the only one
    similar = (random.integers(-4, 11, shape) / 10).astype(np.float32)
    weights = tuple(random.uniform(0.1, 2, (len(sizes), width)) for width in shape[1:])
    kinds = tuple(random.integers(0, 3, (len(sizes), width)) for width in shape[1:])
    # vectors of which the second side has one a dimension: their products are the similarities
    unit = np.broadcast_to(np.eye(shape[2], dtype=np.float32), (len(sizes), shape[2], shape[2]))
    rows = soft_matches((similar, unit), (hypothesis, reference), weights, kinds)
    for i, (h, r) in enumerate(sizes):
        cut = tuple((weights[side][i][:n].tolist(), kinds[side][i][:n].tolist()) for side, n in enumerate((h, r)))
        expected = oracle.soft_matches(similar[i, :h, :r], (cut[0][0], cut[1][0]), (cut[0][1], cut[1][1]))
        assert dict(zip(NAMES, rows[i], strict=True)) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), max_size=30), st.integers(1, 500))
def test_every_row_is_in_one_batch(sizes, cells):
    hypothesis, reference = (np.array([size[side] for size in sizes], np.int64) for side in (0, 1))
    found = batches(hypothesis, reference, cells)
    assert sorted(i for batch in found for i in batch) == list(range(len(sizes)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * hypothesis[batch].max() * reference[batch].max() <= cells


def test_an_empty_text_matches_another_one_only():
    same, apart = equal_or_apart(np.array([True, False]))
    assert dict(zip(NAMES, same, strict=True))["f1"] == 1
    assert dict(zip(NAMES, apart, strict=True)) | {"below0.5.hypothesis": 0.5, "f1": 0} == dict(
        zip(NAMES, apart, strict=True)
    )


def test_meaning_counts():
    features = feature_set("softmatch")
    hypotheses = [
        "The government plans a new law.",
        "The government plans a new house.",
        "The government plans a qxzzy.",
    ]
    rows = features.transform(hypotheses, [("The government plans a new legislation.",)] * 3)
    f1 = rows[:, features.names.index("f1")]
    assert f1[0] > f1[1] > f1[2]


def test_a_word_without_a_vector_matches_itself():
    features = feature_set("softmatch")
    rows = features.transform(["Qxzzy slept", "Qxzzy slept", ""], [("qxzzy SLEPT",), ("a", "qxzzy slept"), ("",)])
    assert rows[:, features.names.index("f1")] == pytest.approx([1, 1, 1], abs=1e-6)
    assert rows[:, features.names.index("missing.rare.hypothesis")] == pytest.approx([0, 0, 0], abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(sentences(), sentences()), min_size=1, max_size=4))
def test_any_text_has_numbers_that_do_not_depend_on_its_neighbours(pairs):
    features = feature_set("softmatch")
    hypotheses, references = [one for one, _ in pairs], [(other,) for _, other in pairs]
    together = features.transform(hypotheses, references)
    alone = [features.transform([one], [other])[0] for one, other in zip(hypotheses, references, strict=True)]
    assert together == pytest.approx(np.array(alone), abs=1e-5)
    between = features.between(hypotheses, [other for _, other in pairs])
    assert np.array_equal(between, features.between([other for _, other in pairs], hypotheses))


def test_long_texts():
    text = " ".join(f"word{i % 700}" for i in range(10_000))
    row = feature_set("softmatch").transform([text], [(text,)])[0]
    assert row[:6] == pytest.approx(np.ones(6), abs=1e-6)


def test_words_in_their_places_are_fluent():
    features = feature_set("softmatch")
    reference = "the president of the united states said on monday that he will not go"
    shuffled = "monday the go states president not said of that united he on will the"
    rows = features.transform([reference, shuffled, "", "qxzzy"], [(reference,)] * 4)
    column = {name: rows[:, i] for i, name in enumerate(features.names)}
    assert column["fit1.after"][0] > column["fit1.after"][1]
    assert column["fit1.after.difference"][0] == 0
    assert column["unknown"].tolist() == [0, 0, 0, 1]


def test_fluency_by_hand():
    word = np.array([[1, 0], [0, 1], [0, 0]], np.float32)
    context = np.array([[0, 0.5], [0.25, -1], [0, 0]], np.float32)
    # the second text has an unknown word between two known ones; the third is empty
    rows = fluency(np.array([0, 1, 1, 7, 0]), np.array([2, 3, 0]), np.array([1.0, 2, 2, 9, 1]), word, context)
    found = [dict(zip(FLUENCY, row, strict=True)) for row in rows]
    assert found[0] | {"fit1.after": 0.25, "fit1.before": 0.5, "fit1.worst": 0.25, "rarity": 1.5} == found[0]
    assert (
        found[1] | {"fit1.after": 0, "fit2.after": 0.5, "fit2.before": 0.25, "unknown": 1 / 3, "rarity": 4} == found[1]
    )
    assert not rows[2].any()
