"""Tests, intervals, strengths and clusters against their slow definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.compare import MetricJudge, compare, statistics
from tercet.compare.words import NOT_SHOWN, effect, how_likely
from tercet.corpus import Corpus
from tercet.metrics import ChrF
from tests import world
from tests.oracles import comparison as oracle

MARGINS = np.array([0.3, 0.8, -0.2, 0.5, 0.1, 0.9, -0.4, 0.7])


def test_permutations_agree_with_all_of_them():
    columns = np.stack([MARGINS, -MARGINS, MARGINS - MARGINS.mean()], axis=1)
    found = statistics.permutation_tests(columns, 20_000, 1)
    exact = [oracle.exact_permutation(columns[:, c]) for c in range(3)]
    assert found == pytest.approx(exact, abs=0.02)
    assert found[0] == found[1]
    assert found.tolist() == statistics.permutation_tests(columns, 20_000, 1).tolist()


def test_the_bootstrap_agrees_with_a_slow_one():
    margins = np.random.default_rng(5).normal(0.1, 0.5, size=(60, 2))
    found = statistics.bootstrap_tests(margins, 20_000, 3)
    for column in range(2):
        p_value, low, high = oracle.bootstrap_p(margins[:, column], 20_000, seed=9)
        assert found.p_values[column] == pytest.approx(p_value, abs=0.015)
        assert (found.low[column], found.high[column]) == pytest.approx((low, high), abs=0.01)


def test_equal_systems_and_certain_ones():
    margins = np.stack([np.zeros(30), np.full(30, 0.1)], axis=1)
    assert statistics.permutation_tests(margins, 2000, 1)[0] == 1
    assert statistics.permutation_tests(margins, 2000, 1)[1] < 0.01
    found = statistics.bootstrap_tests(margins, 2000, 1)
    assert found.p_values[0] == 1
    assert found.p_values[1] == pytest.approx(1 / 2001)


def test_strengths_maximise_their_likelihood():
    chance = np.random.default_rng(2)
    probabilities = chance.uniform(0.2, 0.9, size=(25, 3))
    pairs = [(0, 1), (0, 2), (1, 2)]
    found = statistics.strengths(3, pairs, probabilities, samples=200, seed=1)
    wins = np.zeros((3, 3))
    for column, (i, j) in enumerate(pairs):
        wins[i, j] = probabilities[:, column].sum()
        wins[j, i] = 25 - wins[i, j]
    assert found.strength == pytest.approx(oracle.bradley_terry(wins.tolist(), statistics.PENALTY), abs=1e-5)
    best = oracle.log_likelihood(found.strength, wins.tolist(), statistics.PENALTY)
    assert best >= oracle.log_likelihood(found.strength + np.array([0.01, 0, -0.01]), wins.tolist(), statistics.PENALTY)
    assert found.score == pytest.approx(100 * wins.sum(axis=1) / 50)
    assert (found.strength_low <= found.strength).all()
    assert (found.strength <= found.strength_high).all()
    assert (found.score_low <= found.score).all()
    assert (found.score <= found.score_high).all()


def test_intervals_hold_what_a_slow_bootstrap_finds():
    probabilities = np.random.default_rng(4).uniform(0.3, 0.9, size=(50, 1))
    found = statistics.strengths(2, [(0, 1)], probabilities, samples=4000, seed=1)
    _, low, high = oracle.bootstrap_p(probabilities[:, 0], 4000, seed=2)
    assert found.score_low[0] == pytest.approx(100 * low, abs=0.5)
    assert found.score_high[0] == pytest.approx(100 * high, abs=0.5)


def test_a_cluster_ends_where_all_above_beat_all_below():
    assert statistics.clusters([0, 1, 2], {(0, 2), (1, 2)}) == [1, 1, 2]
    assert statistics.clusters([0, 1, 2], {(0, 1), (0, 2)}) == [1, 2, 2]
    assert statistics.clusters([0, 1, 2], {(0, 1), (1, 2)}) == [1, 1, 1]
    assert statistics.clusters([2, 0, 1], {(2, 0), (2, 1), (0, 1)}) == [1, 2, 3]


@settings(max_examples=25)
@given(st.integers(2, 5), st.integers(0, 1000))
def test_pairs_are_corrected_over_all_of_them(number, seed):
    chance = np.random.default_rng(seed)
    references, systems = world.texts(12, seed=seed)
    texts = {f"s{i}": systems[list(systems)[chance.integers(3)]] for i in range(number)}
    found = compare(Corpus(references=[(text,) for text in references], systems=texts), MetricJudge(ChrF()), samples=99)
    for plain, corrected in (("p_value", "p_holm"), ("p_bootstrap", "p_bootstrap_holm")):
        expected = oracle.holm([getattr(pair, plain) for pair in found.pairs])
        assert [getattr(pair, corrected) for pair in found.pairs] == pytest.approx(expected)
    for pair in found.pairs:
        assert pair.win_rate == pytest.approx((pair.wins + pair.ties / 2) / 12)
        assert pair.margin_low <= pair.margin + 1e-9
        assert pair.margin <= pair.margin_high + 1e-9
        assert pair.shown == (max(pair.p_holm, pair.p_bootstrap_holm) < 0.05)
        assert (pair.effect == NOT_SHOWN) != pair.shown
        back = pair.turned().turned()
        assert (back.first, back.wins, back.losses, back.effect) == (pair.first, pair.wins, pair.losses, pair.effect)
        assert back.probability == pytest.approx(pair.probability)


def test_words_for_sizes():
    assert [effect(share, True) for share in (0.52, 0.56, 0.64, 0.71, 0.3, 0.1)] == [
        "barely better",
        "slightly better",
        "clearly better",
        "far better",
        "clearly better",
        "far better",
    ]
    assert effect(0.9, False) == NOT_SHOWN
    assert [how_likely(p) for p in (0.51, 0.55, 0.7, 0.95)] == [
        "hardly better",
        "perhaps better",
        "likely better",
        "very likely better",
    ]
