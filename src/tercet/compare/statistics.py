"""How sure a comparison of systems is: two tests on margins, strengths with intervals, clusters.

All resampling is of segments, for every pair of systems at once: a column a pair, the same draws for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.agreement.bradley_terry import maximum_a_posteriori
from tercet.agreement.clusters import rank_ranges, ranks
from tercet.metrics.base import total

Array = NDArray[np.float64]
Pair = tuple[int, int]

PENALTY = 0.01
"""Of Bradley–Terry strengths: keeps that of a system which wins everything finite."""
STRENGTH_SAMPLES = 1000
"""Resamples from which intervals of strengths and ranks come; a fit each."""
CONFIDENCE = 0.95


def permutation_tests(margins: Array, samples: int, seed: int) -> Array:
    """Two-sided p of the mean of each column of (segments, pairs): a paired permutation test (Fisher 1935).

    To exchange two translations is to turn the sign of their margin.
    """
    return permutation_p(total(margins), _native.coin_sums(np.ascontiguousarray(margins), samples, seed))


def permutation_p(total: Array, turned: Array) -> Array:
    """The same from the sum of each column, and from the sums of what each sample turns."""
    farther = np.abs(total - 2 * turned) >= np.abs(total) * (1 - 1e-9)
    return np.asarray((farther.sum(axis=0) + 1) / (len(turned) + 1), np.float64)


@dataclass(frozen=True)
class Resampled:
    """What a paired bootstrap says of the mean of each column: p-values and 95 % intervals."""

    p_values: Array
    low: Array
    high: Array


def bootstrap_tests(margins: Array, samples: int, seed: int) -> Resampled:
    """A paired bootstrap (Koehn 2004) of the mean of each column of (segments, pairs).

    The p-value is two-sided: how often a resampled mean, moved so that the means are 0 on average, is as far from 0 as
    the observed one. The interval is that of percentiles.
    """
    drawn = _native.bootstrap_sums(np.ascontiguousarray(margins), samples, seed)
    return bootstrap_p(total(margins), drawn, len(margins), np.asarray(np.ptp(margins, axis=0) == 0, np.bool_))


def bootstrap_p(total: Array, drawn: Array, segments: int, constant: NDArray[np.bool_]) -> Resampled:
    """The same from the sum of each column, the sums of the samples, and which columns are equal everywhere."""
    means, observed = drawn / segments, total / segments
    # a column that is equal everywhere has no spread: its own rounding must not be taken for some
    spread = np.where(constant, 0.0, means - observed)
    farther = np.abs(spread) >= np.abs(observed) * (1 - 1e-9)
    low, high = interval(means)
    return Resampled((farther.sum(axis=0) + 1) / (len(drawn) + 1), low, high)


def interval(sampled: Array) -> tuple[Array, Array]:
    """The 95 % interval of percentiles over the first axis."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(sampled, [tail, 1 - tail], axis=0)
    return np.asarray(low, np.float64), np.asarray(high, np.float64)


@dataclass(frozen=True)
class Strengths:
    """Of every system: score, Bradley–Terry strength and rank, each with a 95 % bootstrap interval over segments."""

    score: Array
    """Mean percentage of the other systems' translations that its own are preferred to."""
    score_low: Array
    score_high: Array
    strength: Array
    strength_low: Array
    strength_high: Array
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]


def strengths(
    systems: int, pairs: Sequence[Pair], probabilities: Array, *, samples: int = STRENGTH_SAMPLES, seed: int = 12345
) -> Strengths:
    """From the probabilities (segments, pairs) that the first of each pair is preferred.

    A segment counts as one comparison of each pair, won with that probability, so that sigmoid(strength − strength) is
    the share of segments in which people are expected to prefer one system to the other.
    """
    sums = _native.bootstrap_sums(np.ascontiguousarray(probabilities), samples, seed)
    return strengths_of(systems, pairs, total(probabilities), sums, len(probabilities))


def strengths_of(systems: int, pairs: Sequence[Pair], total: Array, sums: Array, segments: int) -> Strengths:
    """The same from the sum of each column and the sums of the samples."""
    wins = _wins(systems, pairs, np.concatenate([total[None], sums]), segments)
    scores = 100 * wins.sum(axis=-1) / (segments * (systems - 1))
    fitted = maximum_a_posteriori(wins, PENALTY)
    score_low, score_high = interval(scores[1:])
    low, high = interval(fitted[1:])
    # sums of probabilities that are equal but for rounding share a rank
    rank_low, rank_high = rank_ranges(ranks(scores[1:].round(9)), CONFIDENCE)
    return Strengths(scores[0], score_low, score_high, fitted[0], low, high, rank_low, rank_high)


def _wins(systems: int, pairs: Sequence[Pair], sums: Array, segments: int) -> Array:
    wins = np.zeros((len(sums), systems, systems))
    for column, (first, second) in enumerate(pairs):
        wins[:, first, second] = sums[:, column]
        wins[:, second, first] = segments - sums[:, column]
    return wins


def clusters(order: Sequence[int], better: set[Pair]) -> list[int]:
    """The cluster of each system in `order`, from 1: one ends where everyone above beats everyone below."""
    found, cluster = [], 1
    for place in range(len(order)):
        if place and all((above, below) in better for above in order[:place] for below in order[place:]):
            cluster += 1
        found.append(cluster)
    return found
