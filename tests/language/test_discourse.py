"""The chart against every tree, and what lies beyond its cap."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet import _native
from tercet.language.discourse import JOIN, MOST_UNITS, DiscourseParser, Relation, Span, joined
from tests import strategies
from tests.oracles import discourse as oracle

TEMPLATES = [
    "",
    *(f"word.{place} tag.{place}" for place in oracle.PLACES),
    "chunk.right clause.left",
    "units.left units.right edge",
    "size.left size.right verb.left verbtag.left",
    "verb.right verbtag.right inner.left inner.right",
]
LABELS, SCALE = 3, 16.0


@st.composite
def segmented(draw):
    """Words, columns, and where units start."""
    words = draw(
        st.lists(
            st.one_of(strategies.words, st.text(strategies.characters, min_size=1, max_size=4)), min_size=1, max_size=14
        )
    )
    inside = draw(st.sets(st.integers(1, max(1, len(words) - 1)), max_size=4))
    columns = [[(3 * i + c) % (4 if c < 3 else 2) for i in range(len(words))] for c in range(4)]
    return tuple(words), columns, sorted({0, *(i for i in inside if i < len(words))})


def native_arguments(batch):
    columns = np.array([[x for _, c, _ in batch for x in c[row]] for row in range(4)], np.int32)
    starts = np.array([start for *_, firsts in batch for start in firsts], np.int32)
    return [words for words, *_ in batch], columns, starts, np.array([len(firsts) for *_, firsts in batch], np.int32)


def triples(units):
    return [(b, s, e) for b in range(units) for s in range(b + 1, units) for e in range(s + 1, units + 1)]


@given(st.lists(segmented(), min_size=1, max_size=3))
def test_keys_agree_with_the_definition(batch):
    expected = []
    for words, columns, starts in batch:
        for triple in triples(len(starts)):
            expected += oracle.keys(TEMPLATES, oracle.fields(words, columns, starts, *triple))
    assert _native.span_keys(TEMPLATES, *native_arguments(batch)).tolist() == expected


@settings(max_examples=100)
@given(st.lists(segmented(), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_chart_finds_the_best_of_all_trees(batch, random):
    keys = np.unique(_native.span_keys(TEMPLATES, *native_arguments(batch)))
    weights = [[random.randint(-40, 40) for _ in range(LABELS)] for _ in keys]
    table = _native.WeightTable(
        keys,
        np.arange(0, LABELS * len(keys) + 1, LABELS, dtype=np.uint32),
        np.tile(np.arange(LABELS, dtype=np.uint8), len(keys)),
        np.array(weights, np.int16).ravel(),
    )
    model = _native.DiscourseModel(TEMPLATES, table, LABELS, SCALE)
    nodes = [tuple(row) for row in model.parse(*native_arguments(batch)).reshape(-1, 4).tolist()]
    weight_of = dict(zip(keys.tolist(), weights, strict=True))
    for words, columns, starts in batch:
        scores = {}
        for triple in triples(len(starts)):
            found = oracle.keys(TEMPLATES, oracle.fields(words, columns, starts, *triple))
            scores[triple] = oracle.log_probabilities(
                [sum(weight_of[key][y] for key in found) for y in range(LABELS)], SCALE
            )
        size = len(starts) - 1
        tree, nodes = nodes[:size], nodes[size:]
        assert [node[:3] for node in tree] in list(oracle.trees(0, len(starts)))
        best = max(sum(max(scores[node][:-1]) for node in other) for other in oracle.trees(0, len(starts)))
        assert sum(scores[b, s, e][label] for b, s, e, label in tree) == pytest.approx(best, abs=1e-9)
    assert nodes == []


def flat_parser() -> DiscourseParser:
    none = _native.WeightTable(
        np.empty(0, np.uint32), np.zeros(1, np.uint32), np.empty(0, np.uint8), np.empty(0, np.int16)
    )
    return DiscourseParser((Relation("causal", "NS"),), _native.DiscourseModel([""], none, 2, 1.0))


def test_beyond_the_cap_stretches_are_joined_from_the_right():
    units = 2 * MOST_UNITS + 3
    sentences = [tuple("w" for _ in range(units)), ("a", "b")]
    columns = [np.zeros(units + 2, np.int32)] * 4
    long, short = flat_parser().parse(sentences, [range(units), [0, 1]], columns, offsets=[0, 5])
    assert (long.start, long.end, long.relation) == (0, units, JOIN)
    assert (long.children[0].end, long.children[1].relation, long.children[1].children[0].end) == (20, JOIN, 40)
    assert len(long.spans()) == units - 1
    assert short == Span(5, 7, Relation("causal", "NS"), (Span(5, 6), Span(6, 7)))


def test_joined():
    assert joined([Span(0, 1)]) == Span(0, 1)
    assert joined([Span(0, 1), Span(1, 2), Span(2, 3)]).children[1] == Span(1, 3, JOIN, (Span(1, 2), Span(2, 3)))
    assert Span(0, 2, JOIN, (Span(0, 1), Span(1, 2))).moved(3) == Span(3, 5, JOIN, (Span(3, 4), Span(4, 5)))


@pytest.mark.parametrize(("starts", "counts"), [([1], [1]), ([0, 0], [2]), ([0, 2], [2]), ([0], [2]), ([], [0])])
def test_units_that_do_not_fit(starts, counts):
    with pytest.raises(ValueError, match="do not fit"):
        _native.span_keys(
            [""], [("a", "b")], np.zeros((4, 2), np.int32), np.array(starts, np.int32), np.array(counts, np.int32)
        )


def test_fields_that_mean_nothing():
    with pytest.raises(ValueError, match="unknown field"):
        _native.span_keys(["word.middle"], [], np.zeros((4, 0), np.int32), np.empty(0, np.int32), np.empty(0, np.int32))


def test_spans_are_compared_by_what_they_hold():
    cause = Relation("causal", "NS")
    span = Span(0, 3, JOIN, (Span(0, 1), Span(1, 3, cause, (Span(1, 2), Span(2, 3)))))
    same = Span(0, 3, JOIN, (Span(0, 1), Span(1, 3, cause, (Span(1, 2), Span(2, 3)))))
    assert span == same
    assert hash(span) == hash(same)
    assert span != Span(0, 3, JOIN, (Span(0, 2, cause, (Span(0, 1), Span(1, 2))), Span(2, 3)))
    assert span != Span(0, 3, cause, span.children)
    assert span != "span"
    assert repr(span) == "<Span 0–3 joint NN, 1–3 causal NS>"
    assert repr(Span(4, 5)) == "<Span 4–5>"
    deep = joined([Span(i, i + 1) for i in range(20_000)])
    assert deep == joined([Span(i, i + 1) for i in range(20_000)])
    assert repr(deep).endswith(", …>")
    for one in (span, deep):
        assert copy.deepcopy(one) == one
