"""Bootstrap, permutation and super-sampling: equal to doing it the long way round, calibrated, and repeatable."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import _native, set_threads, threads
from tercet.agreement import correlation, taus
from tercet.agreement.significance import (
    Bootstrap,
    Matrix,
    bootstrap_agreement,
    bootstrap_taus,
    pair_permutation_matrix,
    permutation_matrix,
    supersample,
    williams_matrix,
)
from tercet.agreement.significance.bootstrap import bootstrap_systems
from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics import BLEU
from tests.oracles import agreement as oracle


def scored(systems: int = 4, segments: int = 30, noise: tuple[float, ...] = (0.3, 1.0, 1.0), missing: float = 0.0):
    """People's scores and scorers of falling quality."""
    random = np.random.default_rng(11)
    quality = random.normal(size=(systems, segments)) + np.arange(systems)[:, None] / 3
    gold = np.round(quality * 2)
    gold[random.random(gold.shape) < missing] = np.nan
    scorers = {
        name: quality + random.normal(scale=scale, size=quality.shape)
        for name, scale in zip("abc", noise, strict=False)
    }
    return gold, scorers


def drawn_segments(segments: int, samples: int, seed: int) -> list[np.ndarray]:
    """Which segments the kernel draws, from how often each is drawn."""
    weights = _native.bootstrap_sums(np.eye(segments), samples, seed)
    return [np.repeat(np.arange(segments), row.astype(int)) for row in weights]


@pytest.mark.parametrize("name", ["wmt12", "wmt13", "wmt14", "eq"])
def test_bootstrapped_taus_are_taus_of_drawn_segments(name: str) -> None:
    random = np.random.default_rng(2)
    gold, segments = random.integers(-1, 2, size=300), random.integers(40, size=300)
    segments[segments == 7] = 8  # nobody judged segment 7
    scores = {scorer: random.integers(4, size=(2, 300)) for scorer in "ab"}
    counts = {s: taus.count_by_segment(gold, *pair, segments, size=40) for s, pair in scores.items()}
    found = bootstrap_taus(counts, name=name, samples=20, seed=5)
    for k, scorer in enumerate("ab"):
        assert found.values[k] == taus.tau(gold, *scores[scorer], name=name)
        judged = np.delete(np.arange(40), 7)
        for s, drawn in enumerate(drawn_segments(39, 20, 5)):
            pairs = np.concatenate([np.flatnonzero(segments == i) for i in judged[drawn]])
            expected = oracle.tau(name, gold[pairs], *(side[pairs] for side in scores[scorer]))
            assert found.sampled[s, k] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("average", ["none", "item", "system"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_bootstrapped_pearson_is_pearson_of_drawn_segments(average: correlation.Averaging, missing: float) -> None:
    gold, scorers = scored(missing=missing)
    found = bootstrap_agreement("pearson", gold, scorers, average=average, samples=25, seed=9)
    assert found.undefined == 0
    for s, drawn in enumerate(drawn_segments(gold.shape[1], 25, 9)):
        for k, scores in enumerate(scorers.values()):
            expected = correlation.pearson(gold[:, drawn], scores[:, drawn], average=average).value
            assert found.sampled[s, k] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("statistic", correlation.STATISTICS)
@pytest.mark.parametrize("average", ["none", "item", "system"])
def test_every_statistic_can_be_bootstrapped(statistic: str, average: correlation.Averaging) -> None:
    gold, scorers = scored(noise=(0.3, 2.0, 1.0), missing=0.1)
    found = bootstrap_agreement(statistic, gold, scorers, average=average, samples=60)
    expected = [correlation.agreement(statistic, gold, s, average=average).value for s in scorers.values()]
    assert list(found.values) == expected
    low, high = found.interval()
    assert (low < high).all()
    assert (low <= found.sampled.mean(axis=0)).all()
    assert (found.sampled.mean(axis=0) <= high).all()
    p_values = found.matrix().p_values
    assert p_values[0, 1] < 0.05 < p_values[1, 0]  # a has far less noise than b
    low, high = found.difference_interval("a", "b")
    assert 0 < low < high


def test_a_vector_can_be_bootstrapped() -> None:
    gold, scorers = scored()
    flat = bootstrap_agreement("spearman", gold.ravel(), {n: s.ravel() for n, s in scorers.items()}, samples=40)
    assert flat.sampled.shape == (40, 3)
    assert flat.values[0] == correlation.spearman(gold, scorers["a"]).value


def test_interval_covers_the_truth() -> None:
    """Of 100 intervals at 95 %, nearly all hold the true r: fewer than 86 would be a chance of 1 in 10,000."""
    random = np.random.default_rng(4)
    held = 0
    for trial in range(100):
        x = random.normal(size=150)
        y = 0.6 * x + 0.8 * random.normal(size=150)
        low, high = bootstrap_agreement("pearson", x, {"y": y}, samples=300, seed=trial).interval()
        held += bool(low[0] <= 0.6 <= high[0])
    assert 86 <= held <= 100


def test_mean_over_test_sets() -> None:
    gold, scorers = scored()
    parts = [bootstrap_agreement("pearson", gold, scorers, samples=30, seed=seed) for seed in (1, 2)]
    mean = Bootstrap.mean(parts)
    np.testing.assert_allclose(mean.sampled, (parts[0].sampled + parts[1].sampled) / 2)
    with pytest.raises(OptionError, match="own seed"):
        Bootstrap.mean([parts[0], parts[0]])


def test_systems_are_scored_by_the_metric_itself() -> None:
    random = np.random.default_rng(6)
    bleu = BLEU()
    matches = random.integers(0, 9, size=(5, 40, 4)).astype(float)
    totals = matches + random.integers(1, 5, size=matches.shape)
    statistics = np.concatenate([totals[..., :1], totals[..., :1] + 1, matches, totals], axis=2)
    gold = random.normal(size=(5, 40))
    gold[1, :10] = np.nan
    found = bootstrap_systems("pearson", gold, {"bleu": statistics}, {"bleu": bleu.score}, samples=8, seed=3)
    for s, drawn in enumerate(drawn_segments(40, 8, 3)):
        human = np.nanmean(gold[:, drawn], axis=1)
        scores = [float(bleu.score(statistics[i, drawn].sum(axis=0))) for i in range(5)]
        assert found.sampled[s, 0] == pytest.approx(correlation.pearson(human, scores).value, abs=1e-10)
    fixed = bootstrap_systems("kendall-b", np.arange(5), {"bleu": statistics}, {"bleu": bleu.score}, samples=8, seed=3)
    scores = [float(bleu.score(rows.sum(axis=0))) for rows in statistics]
    assert fixed.values[0] == correlation.kendall_b(np.arange(5), scores).value


@pytest.mark.parametrize("exchange", ["both", "inputs", "systems"])
def test_permutation_comes_near_all_permutations(exchange: str) -> None:
    gold, scorers = scored(systems=3, segments=3, noise=(0.5, 1.0))
    first, second = ((s - s.mean()) / s.std() for s in scorers.values())
    shape = {"both": (3, 3), "inputs": (1, 3), "systems": (3, 1)}[exchange]
    value = lambda scores: oracle.statistic("pearson", gold.ravel(), scores.ravel())  # noqa: E731
    observed = value(first) - value(second)
    larger = total = 0
    for coins in product([False, True], repeat=shape[0] * shape[1]):
        swap = np.broadcast_to(np.array(coins).reshape(shape), gold.shape)
        larger += value(np.where(swap, second, first)) - value(np.where(swap, first, second)) >= observed - 1e-12
        total += 1
    matrix = permutation_matrix("pearson", gold, scorers, exchange=exchange, samples=4000)  # type: ignore[arg-type]
    assert matrix.test == f"PERM-{exchange.upper()}"
    assert matrix.p_values[0, 1] == pytest.approx(larger / total, abs=0.03)


@pytest.mark.parametrize("statistic", correlation.STATISTICS)
@pytest.mark.parametrize("average", ["none", "item", "system"])
def test_permutation_finds_the_better_scorer(statistic: str, average: correlation.Averaging) -> None:
    gold, scorers = scored(noise=(0.2, 2.0))
    matrix = permutation_matrix(statistic, gold, scorers, average=average, samples=100)
    assert matrix.p_values[0, 1] < 0.05
    assert matrix.p_values[1, 0] > 0.95


def test_permutation_of_systems_scores() -> None:
    gold, scorers = scored(systems=12, noise=(0.2, 6.0), missing=0.1)
    matrix = permutation_matrix("pearson", gold, scorers, level="system", samples=200)
    means = [np.nanmean(np.where(np.isnan(gold), np.nan, s), axis=1) for s in (gold, *scorers.values())]
    expected = [correlation.pearson(means[0], mean).value for mean in means[1:]]
    assert matrix.values == pytest.approx(expected)
    assert matrix.p_values[0, 1] < 0.1 < 0.9 < matrix.p_values[1, 0]


def test_permutation_keeps_its_level() -> None:
    """Scorers of one quality differ at 5 % in about 5 of 100 data sets: more than 13 is a chance of 1 in 1,000."""
    random = np.random.default_rng(8)
    significant = 0
    for trial in range(100):
        quality = random.normal(size=(4, 15))
        scorers = {name: quality + random.normal(size=quality.shape) for name in "ab"}
        gold = quality + random.normal(size=quality.shape)
        significant += bool(permutation_matrix("pearson", gold, scorers, samples=99, seed=trial).p_values[0, 1] <= 0.05)
    assert significant <= 13


def test_pairs_exchanged_against_trying_it() -> None:
    gold, scorers = scored(systems=5, segments=12, noise=(0.4, 1.0), missing=0.2)
    epsilon = {"a": 0.2, "b": 0.3}
    matrix = pair_permutation_matrix(gold, scorers, epsilon=epsilon, samples=5000)
    for name, value in zip("ab", matrix.values, strict=True):
        assert value == pytest.approx(float(oracle.accuracy(gold.T, scorers[name].T, epsilon[name])), abs=1e-12)
    differences = []
    for row, a, b in zip(gold.T, scorers["a"].T, scorers["b"].T, strict=True):
        kept = np.flatnonzero(~np.isnan(row))
        pairs = [(i, j) for i in kept for j in kept if i < j]
        for i, j in pairs:
            both = row[[i, j]]
            right = [oracle.accuracy([both], [m[[i, j]]], epsilon[n]) for n, m in (("a", a), ("b", b))]
            differences.append(float(right[0] - right[1]) / len(pairs))
    flips = np.random.default_rng(1).choice([-1, 1], size=(5000, len(differences)))
    expected = (flips @ np.array(differences) >= sum(differences) - 1e-12).mean()
    assert matrix.p_values[0, 1] == pytest.approx(expected, abs=0.03)


def test_artificial_systems_are_sums_of_drawn_rows() -> None:
    random = np.random.default_rng(1)
    gold = random.normal(size=(3, 20))
    gold[0, :5] = np.nan
    statistics = {"wide": random.random((3, 20, 4)), "mean": random.random((3, 20, 1))}
    score = {"wide": lambda s: s[..., 0] / s[..., 1:].sum(axis=-1), "mean": lambda s: s[..., 0] / 20}
    found = supersample(gold, statistics, score, samples=50, seed=4)
    picks = _native.mixture_sums(np.eye(60).reshape(3, 20, 60), 50, 4).reshape(50, 3, 20)
    assert (picks.sum(axis=1) == 1).all()
    assert (picks.sum(axis=(0, 2)) > 0).all()
    for s, pick in enumerate(picks.astype(bool)):
        assert found.human[s] == pytest.approx(np.nanmean(gold[pick]))
        for k, name in enumerate(statistics):
            assert found.scores[s, k] == pytest.approx(float(score[name](statistics[name][pick].sum(axis=0))))
    expected = williams_matrix(found.human, {"wide": found.scores[:, 0], "mean": found.scores[:, 1]})
    np.testing.assert_array_equal(found.williams().p_values, expected.p_values)
    assert found.correlations() == pytest.approx(expected.values)


def test_supersampling_tells_scorers_apart_that_few_systems_cannot() -> None:
    gold, scorers = scored(systems=5, segments=300, noise=(0.3, 2.0))
    mean = {name: (lambda s: s[..., 0] / 300) for name in scorers}
    found = supersample(gold, {n: s[..., None] for n, s in scorers.items()}, mean, samples=2000)
    assert found.williams().p_values[0, 1] < 1e-6
    systems = williams_matrix(gold.mean(axis=1), {n: s.mean(axis=1) for n, s in scorers.items()})
    assert systems.p_values[0, 1] > 1e-3


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_corrections(p_values: list[float]) -> None:
    table = np.full((3, 3), np.nan)
    for (i, j), p in zip([(0, 1), (0, 2), (1, 2)], p_values, strict=True):
        table[i, j], table[j, i] = p, 1 - p
    matrix = Matrix("any", ("a", "b", "c"), np.array([0.9, 0.5, 0.1]), table)
    holm, bonferroni = matrix.corrected("holm").p_values, matrix.corrected("bonferroni").p_values
    upper = np.triu_indices(3, 1)
    np.testing.assert_allclose(holm[upper], oracle.holm(p_values))
    np.testing.assert_allclose(bonferroni[upper], np.minimum(3 * np.array(p_values), 1))
    assert (holm[upper] <= bonferroni[upper]).all()
    assert (holm[upper] >= p_values).all()
    assert (holm.T[upper] == 1).all()
    assert np.isnan(np.diag(holm)).all()
    assert not matrix.corrected("holm").significant()[np.tril_indices(3)].any()


def test_corrections_follow_the_better_scorer() -> None:
    table = np.array([[np.nan, 0.99], [0.01, np.nan]])
    matrix = Matrix("any", ("worse", "better"), np.array([0.1, 0.2]), table).corrected("holm")
    assert (matrix.p_values[1, 0], matrix.p_values[0, 1]) == (0.01, 1.0)
    assert matrix.significant().tolist() == [[False, False], [True, False]]
    with pytest.raises(OptionError, match="corrected already"):
        matrix.corrected("bonferroni")


def test_seed_decides_and_threads_do_not() -> None:
    gold, scorers = scored(missing=0.1)
    mean = {name: (lambda s: s[..., 0]) for name in scorers}
    tables = {n: s[..., None] for n, s in scorers.items()}

    def everything(seed: int) -> list[np.ndarray]:
        return [
            bootstrap_agreement("pearson", gold, scorers, samples=20, seed=seed).sampled,
            bootstrap_agreement("kendall-b", gold, scorers, samples=20, seed=seed).sampled,
            permutation_matrix("acc-eq", gold, scorers, average="item", samples=20, seed=seed).p_values,
            pair_permutation_matrix(gold, scorers, samples=20, seed=seed).p_values,
            supersample(gold, tables, mean, samples=200, seed=seed).scores,
        ]

    before = threads()
    try:
        set_threads(1)
        one, again, other = everything(1), everything(1), everything(2)
        set_threads(4)
        four = everything(1)
    finally:
        set_threads(before)
    for a, b, c, d in zip(one, again, four, other, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
        assert not np.array_equal(a, d, equal_nan=True)


def test_bad_input_is_named() -> None:
    gold, scorers = scored()
    constant = {**scorers, "constant": np.full(gold.shape, 0.1)}
    with pytest.raises(UndefinedError, match="constant gives the same score"):
        permutation_matrix("pearson", gold, constant)
    with pytest.raises(UndefinedError, match="scorer gives the same score"):
        bootstrap_agreement("pearson", gold, constant)
    with pytest.raises(OptionError, match="0 samples"):
        bootstrap_agreement("pearson", gold, scorers, samples=0)
    with pytest.raises(OptionError, match="exchange 'all'"):
        permutation_matrix("pearson", gold, scorers, exchange="all")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="no systems and segments"):
        permutation_matrix("pearson", [1, 2, 3], {"a": [1, 2, 3], "b": [1, 3, 2]}, exchange="inputs")
    with pytest.raises(ShapeError, match="different pairs"):
        bootstrap_taus({"a": [[1, 0, 0, 0, 0]], "b": [[1, 1, 0, 0, 0]]})
    with pytest.raises(UndefinedError, match="no judged pairs"):
        bootstrap_taus({"a": [[0, 0, 0, 0, 0]]})
    with pytest.raises(ShapeError, match=r"system 1, segment 2"):
        supersample(gold[:, :2], {"a": [[[1], [math.nan]]] * 4}, {"a": lambda s: s[..., 0]})
    with pytest.raises(UndefinedError, match="no judged segment"):
        supersample([[1, np.nan], [np.nan, 1]], {"a": np.ones((2, 2, 1))}, {"a": lambda s: s[..., 0]}, samples=99)
    with pytest.raises(UndefinedError, match="all artificial systems score the same"):
        supersample(gold, {"a": np.ones((*gold.shape, 1))}, {"a": lambda s: s[..., 0]}, samples=9).correlations()
