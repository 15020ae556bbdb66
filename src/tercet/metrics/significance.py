"""Intervals and tests from the statistics that scores come from: nothing is scored twice.

A metric's statistics add up over segments, so a bootstrap sample or a shuffled pair of systems is a weighted sum of
rows, and its score is `metric.score` of that sum. The tests are sacreBLEU's: Koehn (2004) and Riezler & Maxwell (2005).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from tercet import _native
from tercet.errors import OptionError, ShapeError
from tercet.metrics.base import Array, Metric, total

SEED = 12345  # sacreBLEU's


@dataclass(frozen=True)
class Interval:
    """The 95 % bootstrap interval of a system's score."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """What stands behind ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Comparison:
    """Two systems, how far apart they score, and how likely chance alone puts them as far apart."""

    first: str
    second: str
    difference: float
    p_value: float
    p_holm: float = float("nan")
    """Corrected for the number of comparisons that were made together (Holm 1979)."""


def confidence(metric: Metric, statistics: Array, *, samples: int = 1000, seed: int = SEED) -> Interval:
    """The interval of a system's score, from resampled segments."""
    check_samples(samples)
    return interval_of(metric, _native.bootstrap_sums(_table(statistics), samples, seed))


def interval_of(metric: Metric, sums: Array) -> Interval:
    """The same from the sums of the samples."""
    scores = np.sort(metric.score(sums))
    tail = len(scores) // 40
    return Interval(float(scores.mean()), float(scores[tail]), float(scores[len(scores) - tail - 1]))


def paired_bootstrap(
    metric: Metric,
    statistics: Mapping[str, Array],
    *,
    baseline: str | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> list[Comparison]:
    """Every system against the baseline, or all pairs: paired bootstrap resampling (Koehn 2004)."""
    check_samples(samples)
    sums = _split(_native.bootstrap_sums(_side_by_side(statistics), samples, seed), statistics)
    return bootstrap_comparisons(metric, _totals(statistics), sums, baseline=baseline)


def bootstrap_comparisons(
    metric: Metric, totals: Mapping[str, Array], sums: Mapping[str, Array], *, baseline: str | None = None
) -> list[Comparison]:
    """The same from the systems' totals and the sums of the samples, which are of the same segments for all systems."""
    scores = {system: metric.score(sampled) for system, sampled in sums.items()}

    def p_value(first: str, second: str, difference: float) -> float:
        sampled = np.abs(scores[first] - scores[second])
        return _p_value(sampled - sampled.mean(), abs(difference))

    return _compare(metric, totals, baseline, p_value)


def paired_randomization(
    metric: Metric,
    statistics: Mapping[str, Array],
    *,
    baseline: str | None = None,
    samples: int = 10_000,
    seed: int = SEED,
) -> list[Comparison]:
    """Every system against the baseline, or all pairs: approximate randomization (Riezler & Maxwell 2005)."""
    check_samples(samples)
    moved = _split(_native.coin_sums(_side_by_side(statistics), samples, seed), statistics)
    return randomization_comparisons(metric, _totals(statistics), moved, baseline=baseline)


def randomization_comparisons(
    metric: Metric, totals: Mapping[str, Array], moved: Mapping[str, Array], *, baseline: str | None = None
) -> list[Comparison]:
    """The same from the systems' totals and the sums of the segments that each sample exchanges."""

    def p_value(first: str, second: str, difference: float) -> float:
        one = metric.score(totals[first] - moved[first] + moved[second])
        other = metric.score(totals[second] - moved[second] + moved[first])
        return _p_value(np.abs(one - other), abs(difference))

    return _compare(metric, totals, baseline, p_value)


def holm(p_values: Sequence[float]) -> Array:
    """P-values corrected for having made all these tests (Holm 1979)."""
    values = np.asarray(p_values, np.float64)
    order = np.argsort(values, kind="stable")
    steps = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def _compare(
    metric: Metric,
    totals: Mapping[str, Array],
    baseline: str | None,
    p_value: Callable[[str, str, float], float],
) -> list[Comparison]:
    if baseline is not None and baseline not in totals:
        raise OptionError(f"unknown baseline {baseline!r}; the systems are {', '.join(totals)}")
    scores = {system: float(metric.score(sums)) for system, sums in totals.items()}
    pairs = (
        list(combinations(totals, 2))
        if baseline is None
        else [(system, baseline) for system in totals if system != baseline]
    )
    found = []
    for first, second in pairs:
        difference = scores[first] - scores[second]
        found.append(Comparison(first, second, difference, p_value(first, second, difference)))
    corrected = holm([comparison.p_value for comparison in found])
    return [replace(comparison, p_holm=float(p)) for comparison, p in zip(found, corrected, strict=True)]


def _p_value(sampled: Array, observed: float) -> float:
    # At least as far apart, as Noreen (1989) counts; sacreBLEU counts only what is farther, and so finds a system
    # significantly different from itself. The slack takes sums that differ in their last digit for equal.
    return (int(np.sum(sampled >= observed * (1 - 1e-9))) + 1) / (len(sampled) + 1)


def _totals(statistics: Mapping[str, Array]) -> dict[str, Array]:
    return {system: total(rows) for system, rows in statistics.items()}


def _table(statistics: Array) -> Array:
    return np.ascontiguousarray(statistics, np.float64)


def _side_by_side(statistics: Mapping[str, Array]) -> Array:
    if len(statistics) < 2:
        raise ShapeError("a paired test needs two systems or more")
    if len({len(rows) for rows in statistics.values()}) > 1:
        raise ShapeError("a paired test needs systems with the same segments")
    return _table(np.concatenate(list(statistics.values()), axis=1))


def _split(sums: Array, statistics: Mapping[str, Array]) -> dict[str, Array]:
    parts = np.split(sums, len(statistics), axis=1)
    return dict(zip(statistics, parts, strict=True))


def check_samples(samples: int) -> None:
    """At least one."""
    if samples < 1:
        raise OptionError(f"{samples} samples; at least 1 is needed, 1000 is usual")
