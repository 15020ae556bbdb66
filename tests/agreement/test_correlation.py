"""Correlations and accuracy with ties: worked examples, the pair-by-pair twin, scipy, and what must be refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tercet import _native, set_threads, threads
from tercet.agreement import correlation
from tercet.agreement.accuracy import pairwise_accuracy, pooled_accuracy, soft_pairwise_accuracy
from tercet.errors import OptionError, ShapeError, UndefinedError
from tests.oracles import agreement as oracle

NONE = math.nan
few_values = st.one_of(st.sampled_from([0.0, 1.0, 2.0, 3.5]), st.floats(-5, 5, width=32))
judged = st.one_of(few_values, st.just(NONE))


def tables(values: st.SearchStrategy[float], *, shape: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.float64, shape, elements=values)


@st.composite
def score_tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 7)))
    return draw(tables(judged, shape=shape)), draw(tables(few_values, shape=shape))


# Worked examples, as mt-metrics-eval's own tests state them: two systems, three segments.
G2, M2 = np.array([[1, 2, 3], [4, 5, 6.0]]), np.array([[2, 1, 4], [3, 3, 7.0]])


@pytest.mark.parametrize(
    ("statistic", "average", "value"),
    [
        ("pearson", "none", 0.776),
        ("pearson", "system", 0.760),
        ("pearson", "item", 1.0),
        ("kendall-b", "none", 0.552),
        ("kendall-b", "system", 0.575),
        ("kendall-b", "item", 1.0),
        ("kendall-c", "none", 0.556),
        ("kendall-c", "system", 0.611),
        ("kendall-c", "item", 1.0),
    ],
)
def test_worked_examples_of_averaging(statistic: str, average: correlation.Averaging, value: float) -> None:
    assert correlation.agreement(statistic, G2, M2, average=average).value == pytest.approx(value, abs=5e-4)


def test_worked_example_of_ties() -> None:
    gold, metric = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
    assert correlation.kendall_b(gold, metric).value == pytest.approx(0.316227766)
    assert correlation.kendall_c(gold, metric).value == pytest.approx(0.32)
    for statistic, epsilon, value in [("tau-eq", 0, 0.2), ("acc-eq", 0, 0.6), ("acc-eq", 2, 0.4)]:
        found = correlation.agreement(statistic, gold, metric, epsilon=epsilon)
        assert found.value == pytest.approx(value, abs=1e-15)
    calibrated = correlation.accuracy_with_ties(gold, metric, average="none")
    assert (calibrated.value, calibrated.epsilon) == (0.7, 0.5)


@pytest.mark.parametrize(
    ("human", "epsilon", "value"), [([1, 2, 3, 4], 0, 1.0), ([1, 1, 1, 4], 4, 4 / 6)], ids=["no ties", "ties"]
)
def test_worked_examples_of_tie_calibration(human: list[float], epsilon: float, value: float) -> None:
    found = correlation.accuracy_with_ties(human, [0, 2, 6, 8], average="none")
    assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-15))


def test_worked_example_of_tie_calibration_by_item() -> None:
    # Four items of five systems; a place without either score is left out. Expected: mt-metrics-eval.
    metric = [[0, 5, 2, 3, 2], [9, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]]
    human = [[1, 5, 2, 1, 1], [NONE, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, NONE, 3, 2]]
    found = correlation.accuracy_with_ties(np.transpose(human), np.transpose(metric), average="item")
    assert found.epsilon == 1
    assert found.value == pytest.approx(0.4916666666666668, abs=1e-15)


@given(score_tables(), st.sampled_from(list(correlation.ROW_STATISTICS)), st.sampled_from(["none", "item", "system"]))
def test_agrees_with_the_definition(
    scores: tuple[np.ndarray, np.ndarray], statistic: str, average: correlation.Averaging
) -> None:
    gold, metric = scores
    shaped = {"none": lambda a: a.reshape(1, -1), "item": lambda a: a.T, "system": lambda a: a}[average]
    expected = [oracle.statistic(statistic, h, m) for h, m in zip(shaped(gold), shaped(metric), strict=True)]
    defined = [value for value in expected if not math.isnan(value)]
    if not defined:
        with pytest.raises(UndefinedError):
            correlation.agreement(statistic, gold, metric, average=average)
        return
    found = correlation.agreement(statistic, gold, metric, average=average)
    assert found.value == pytest.approx(sum(defined) / len(defined), abs=1e-7)
    assert found.groups == len(defined)
    assert found.undefined == tuple(i for i, value in enumerate(expected) if math.isnan(value))


@given(score_tables(), st.sampled_from([0.0, 0.5, 1.0, 2.25]))
def test_pair_counts_agree_with_the_definition(scores: tuple[np.ndarray, np.ndarray], epsilon: float) -> None:
    gold, metric = scores
    expected = [oracle.pair_counts(h, m, epsilon) for h, m in zip(gold, metric, strict=True)]
    np.testing.assert_array_equal(_native.pair_counts(gold, metric, epsilon=epsilon), expected)


@pytest.mark.parametrize("size", [2, 39, 40, 41, 300])  # comparing and sorting meet at 40
@pytest.mark.parametrize("levels", [1, 5, 1000])
def test_pair_counts_of_long_rows(size: int, levels: int) -> None:
    random = np.random.default_rng(size * levels)
    gold, metric = random.integers(levels, size=(3, size)) / 7, random.integers(2 * levels, size=(3, size)) / 10
    gold[1, ::3] = np.nan
    for epsilon in (0.0, 0.1, 0.3, 30.0):
        expected = [oracle.pair_counts(h, m, epsilon) for h, m in zip(gold, metric, strict=True)]
        np.testing.assert_array_equal(_native.pair_counts(gold, metric, epsilon=epsilon), expected)


@given(score_tables())
def test_tie_calibration_agrees_with_trying_every_epsilon(scores: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = scores
    if not any((~np.isnan(row)).sum() > 1 for row in gold):
        return
    found = correlation.accuracy_with_ties(gold, metric, average="system")
    assert found.epsilon == oracle.best_epsilon(gold, metric)
    assert found.value == pytest.approx(float(oracle.accuracy(gold, metric, found.epsilon)), abs=1e-12)


def likely_data(shape: tuple[int, int], metric_kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Human scores with many ties, and a metric that is near them."""
    random = np.random.default_rng(3)
    quality = random.normal(size=shape)
    gold = np.round(quality + random.normal(scale=0.3, size=shape))
    metric = quality + random.normal(scale=0.5, size=shape)
    if metric_kind == "discrete":
        metric = np.round(metric * 4) / 4
    elif metric_kind == "clustered":  # distances that differ in their last digits only: cells are cut many times
        metric = np.round(metric * 2) / 2 + random.normal(scale=1e-13, size=shape)
    elif metric_kind == "skewed":
        metric = np.exp(8 * metric)
    return gold, metric


METRICS = ["continuous", "discrete", "clustered", "skewed"]


@pytest.mark.parametrize("shape", [(1, 24), (4, 12), (12, 6)])
@pytest.mark.parametrize("metric_kind", METRICS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_tie_calibration_of_likely_data(shape: tuple[int, int], metric_kind: str, missing: float) -> None:
    gold, metric = likely_data(shape, metric_kind)
    gold[np.random.default_rng(4).random(shape) < missing] = np.nan
    found = correlation.accuracy_with_ties(gold, metric, average="system")
    assert found.epsilon == oracle.best_epsilon(gold, metric)
    assert found.value == pytest.approx(float(oracle.accuracy(gold, metric, found.epsilon)), abs=1e-12)
    assert found.value >= correlation.accuracy_with_ties(gold, metric, average="system", epsilon=0).value


@pytest.mark.parametrize("shape", [(1, 1000), (20, 150), (3000, 12)])
@pytest.mark.parametrize("metric_kind", METRICS)
def test_tie_calibration_of_many_pairs(shape: tuple[int, int], metric_kind: str) -> None:
    gold, metric = likely_data(shape, metric_kind)
    assert _native.best_epsilon(gold, metric) == oracle.best_epsilon_by_sorting(gold, metric)


def test_the_number_of_threads_changes_nothing() -> None:
    random = np.random.default_rng(5)
    gold, metric = np.round(random.normal(size=(8, 1500))), random.normal(size=(8, 1500))
    before = threads()
    try:
        found = []
        for number in (1, 3):
            set_threads(number)
            found.append([correlation.agreement(s, gold, metric, average="system") for s in correlation.STATISTICS])
    finally:
        set_threads(before)
    assert found[0] == found[1]


@pytest.mark.parametrize("ties", [False, True])
def test_agrees_with_scipy(ties: bool) -> None:
    random = np.random.default_rng(7)
    gold = random.normal(size=2000)
    metric = gold + random.normal(size=2000)
    if ties:
        gold, metric = np.round(gold * 2), np.round(metric * 3)
    assert correlation.pearson(gold, metric).value == pytest.approx(scipy.stats.pearsonr(gold, metric)[0], abs=1e-12)
    assert correlation.spearman(gold, metric).value == pytest.approx(scipy.stats.spearmanr(gold, metric)[0], abs=1e-12)
    for variant in "bc":
        expected = scipy.stats.kendalltau(gold, metric, variant=variant)[0]
        found = correlation.agreement(f"kendall-{variant}", gold, metric).value
        assert found == pytest.approx(expected, abs=1e-12)


# A constant has a pairwise accuracy, if a poor one; only correlations are undefined.
CORRELATIONS = [name for name in correlation.ROW_STATISTICS if name != "accuracy"]


@pytest.mark.parametrize("statistic", CORRELATIONS)
def test_a_constant_scorer_has_no_correlation(statistic: str) -> None:
    # The mean of three times 0.1 is not 0.1 in float64; the scorer is constant all the same.
    with pytest.raises(UndefinedError, match="scorer gives the same score"):
        correlation.agreement(statistic, [1, 2, 3], [0.1, 0.1, 0.1])
    with pytest.raises(UndefinedError, match="people give the same score"):
        correlation.agreement(statistic, [0.1, 0.1, 0.1], [1, 2, 3])
    with pytest.raises(UndefinedError, match="no two of them"):
        correlation.agreement(statistic, [1, NONE], [1, 2])
    found = correlation.agreement(statistic, [[1, 2, 3], [1, 2, 3]], [[0.1] * 3, [2, 4, 6]], average="system")
    assert (found.undefined, found.groups, found.n) == ((0,), 1, 3)
    assert found.value == pytest.approx(1.0)


@given(st.integers(-300, 300), st.lists(st.integers(-9, 9), min_size=3, max_size=9, unique=True))
def test_pearson_of_any_scale(exponent: int, values: list[int]) -> None:
    small = np.array(values) * 10.0**exponent
    assert correlation.pearson(values, small).value == pytest.approx(1.0)


def test_bad_scores_are_named() -> None:
    with pytest.raises(ShapeError, match=r"system 2, segment 1, which people judged \(1 such"):
        correlation.pearson([[1, 2], [3, NONE]], [[1, 2], [NONE, NONE]])
    with pytest.raises(ShapeError, match="human score at number 2 is infinite"):
        correlation.pearson([1, math.inf], [1, 2])
    with pytest.raises(ShapeError, match="same shape"):
        correlation.pearson([1, 2], [1, 2, 3])
    with pytest.raises(ShapeError, match="not a vector"):
        correlation.pearson([1, 2], [1, 2], average="item")
    with pytest.raises(OptionError, match="averaging 'sys'"):
        correlation.pearson([[1, 2]], [[1, 2]], average="sys")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="takes no epsilon"):
        correlation.agreement("pearson", [1, 2], [1, 2], epsilon=0.1)
    with pytest.raises(OptionError, match="0 or more"):
        correlation.accuracy_with_ties([1, 2], [1, 2], average="none", epsilon=-1)
    with pytest.raises(OptionError, match="unknown statistic"):
        correlation.agreement("kendall", [1, 2], [1, 2])
    with pytest.raises(UndefinedError, match="too far apart"):
        correlation.accuracy_with_ties([1, 2], [-1e308, 1e308], average="none")


def test_pairwise_accuracy_of_systems() -> None:
    found = pairwise_accuracy([1, 2, 3, 3, 4], [1, 1, 2, 1, 2])
    assert (found.agreeing, found.pairs) == (5, 10)
    both = pooled_accuracy([([1, 2, 3, 3, 4], [1, 1, 2, 1, 2]), ([1, 2, NONE], [5, 6, 7])])
    assert both.value == 6 / 11
    with pytest.raises(UndefinedError, match="fewer than two"):
        _ = pairwise_accuracy([1, NONE], [1, 2]).value


def test_soft_pairwise_accuracy() -> None:
    random = np.random.default_rng(2)
    gold = random.normal(size=(4, 60)) + np.arange(4)[:, None] / 4
    assert soft_pairwise_accuracy(gold, gold) == 1.0
    assert soft_pairwise_accuracy(gold, 3 * gold + 7) == 1.0
    # Far apart systems the other way round: every p-value turns from 0 to 1.
    apart = gold + 10 * np.arange(4)[:, None]
    assert soft_pairwise_accuracy(apart, -apart) == 0.0
    gold[0, :30], gold[1, 30:] = NONE, NONE
    with pytest.raises(UndefinedError, match="systems 1 and 2"):
        soft_pairwise_accuracy(gold, np.zeros_like(gold))
