"""Taus of relative rankings against hand-made cases that tell the forms apart, and against the pair-by-pair twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tercet.agreement import taus
from tercet.errors import OptionError, ShapeError, UndefinedError
from tests.oracles import agreement as oracle

# Ten pairs: 4 in the same order, 2 in opposite orders, 1 tied by the metric, 2 by people, 1 by both.
GOLD = [1, 1, -1, -1, 1, -1, 1, 0, 0, 0]
FIRST = [2, 3, 1, 1, 0, 5, 7, 1, 2, 4]
SECOND = [1, 1, 2, 9, 1, 2, 7, 2, 1, 4]


@pytest.mark.parametrize(
    ("name", "value", "pairs"),
    [
        ("wmt11", (4 - 2 - 1) / 7, 7),
        ("wmt12", (4 - 2 - 1) / 7, 7),
        ("wmt13", (4 - 2) / 6, 6),
        ("wmt14", (4 - 2) / 7, 7),
        ("eq", (4 + 1 - 2 - 1 - 2) / 10, 10),
        ("acc-eq", 5 / 10, 10),
    ],
)
def test_forms_are_told_apart(name: str, value: float, pairs: int) -> None:
    assert taus.tau(GOLD, FIRST, SECOND, name=name) == pytest.approx(value, abs=1e-15)
    assert taus.form(name).pairs(taus.count(GOLD, FIRST, SECOND)) == pairs


def test_a_scorer_that_ties_everything() -> None:
    gold, same = [1, -1, 1, 0], [0.5] * 4
    assert taus.tau(gold, same, same, name="wmt12") == -1.0
    assert taus.tau(gold, same, same, name="wmt14") == 0.0
    assert taus.tau(gold, same, same, name="acc-eq") == 0.25
    with pytest.raises(UndefinedError, match="wmt13 of 4 pairs"):
        taus.tau(gold, same, same, name="wmt13")


def test_a_metric_tie_is_exact_equality() -> None:
    almost = np.nextafter(0.3, 1)
    assert list(taus.cases([1, 1], [almost, 0.3], [0.3, 0.3])) == [0, 2]


@given(
    st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(0, 3), st.integers(0, 3)), min_size=1),
    st.sampled_from(list(taus.TAUS)),
)
def test_agrees_with_the_definition(pairs: list[tuple[int, int, int]], name: str) -> None:
    gold, first, second = zip(*pairs, strict=True)
    try:
        expected = oracle.tau(name, gold, first, second)
    except ZeroDivisionError:
        with pytest.raises(UndefinedError):
            taus.tau(gold, first, second, name=name)
        return
    assert taus.tau(gold, first, second, name=name) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(0, 3), st.integers(0, 3), st.integers(0, 5))))
def test_counts_of_segments_add_up(pairs: list[tuple[int, int, int, int]]) -> None:
    assume(pairs)
    gold, first, second, segments = map(np.array, zip(*pairs, strict=True))
    by_segment = taus.count_by_segment(gold, first, second, segments, size=7)
    assert by_segment.shape == (7, 5)
    for i, row in enumerate(by_segment):
        here = segments == i
        assert list(row) == list(taus.count(gold[here], first[here], second[here]))
    swapped = taus.count_by_segment(-gold, second, first, segments, size=7)
    np.testing.assert_array_equal(by_segment, swapped)  # a pair has no first and second


def test_taus_of_many_counts_at_once() -> None:
    counts = np.array([[3, 1, 0, 0, 0], [0, 0, 0, 4, 0], [1, 1, 2, 0, 0]], float)
    np.testing.assert_array_equal(taus.form("wmt12").of(counts), [0.5, np.nan, -0.5])


@pytest.mark.parametrize(
    ("gold", "first", "problem"),
    [
        ([1, 2], [1, 1], "verdict on pair 2 is 2"),
        ([1, 1], [1, np.nan], "pair 2 has no score"),
        ([1], [1, 1], "shape|scores"),
    ],
)
def test_bad_pairs_are_named(gold: list[float], first: list[float], problem: str) -> None:
    with pytest.raises(ShapeError, match=problem):
        taus.cases(gold, first, [0, 0])


def test_bad_segments_and_names() -> None:
    with pytest.raises(ShapeError, match="segment number 5 where there are 3"):
        taus.count_by_segment([1], [1], [0], [5], size=3)
    with pytest.raises(ShapeError, match="below 0"):
        taus.count_by_segment([1], [1], [0], [-1])
    with pytest.raises(ShapeError, match="whole number"):
        taus.count_by_segment([1], [1], [0], [0.5])
    with pytest.raises(OptionError, match="wmt11, wmt12, wmt13, wmt14"):
        taus.tau([1], [1], [0], name="wmt15")
