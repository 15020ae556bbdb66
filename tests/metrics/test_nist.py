"""NIST against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from tercet.language.tokenizers import tokenize
from tercet.metrics import NIST
from tests import strategies
from tests.oracles import nist as oracle


@given(strategies.corpora)
def test_statistics_agree_with_the_definition(corpus):
    hypotheses, references = zip(*corpus, strict=True)
    rows = NIST(lowercase=False).statistics(hypotheses, references)
    expected = oracle.nist(tokenize(hypotheses), [tokenize(texts) for texts in references], 5)
    for row, (gained, totals, length, mean_length) in zip(rows, expected, strict=True):
        np.testing.assert_allclose(row[:5], gained, rtol=1e-12, atol=1e-12)
        assert row[5:].tolist() == [*totals, length, mean_length]


def test_a_perfect_translation_gains_all_the_information_there_is():
    # a a b c: information log2(4/2) for a, log2(4/1) for b and c; log2(2/1) for "a a" and "a b", 0 for "b c" and longer
    score = NIST().corpus(["a a b c"], ["a a b c"])
    assert score == pytest.approx((1 + 1 + 2 + 2) / 4 + (1 + 1 + 0) / 3)


def test_two_thirds_of_the_length_halve_the_score():
    reference = "a b c d e f"
    whole, part = NIST(max_order=1).segments(["a b c d e f", "a b c d"], [reference, reference])
    assert part == pytest.approx(whole / 2)


def test_information_comes_from_the_whole_test_set():
    alone = NIST().segments(["the cat"], ["the cat"])[0]
    together = NIST().segments(["the cat", "x"], ["the cat", "the the the"])[0]
    assert together != alone


def test_a_prefix_that_is_the_word_0_is_none_to_mteval():
    references = [("0 1 2",)]
    weights = oracle.information([tokenize(texts) for texts in references], 2)
    assert weights["0", "1"] == math.log2(3)
    assert weights["1", "2"] == 0
    assert NIST(max_order=2).statistics(["0 1"], references)[0, 1] == pytest.approx(math.log2(3))


def test_case_is_folded_for_a_to_z_only_as_mteval_does():
    assert NIST().segments(["THE"], ["the"])[0] == NIST().segments(["the"], ["the"])[0]
    assert NIST(max_order=1).statistics(["É a"], [("é b",)])[0, 0] == 0


def test_empty_segments_are_defined():
    assert NIST().segments(["", "a", ""], ["a b", "", ""]).tolist() == [0, 0, 0]


def test_other_references_than_those_of_the_test_set_are_refused():
    metric = NIST().for_references([("a b",)])
    with pytest.raises(ValueError, match="not among those"):
        metric.statistics(["a"], [("c d",)])
