"""Pairwise accuracy of systems: how often a metric puts two systems in the order in which people put them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet import _native
from tercet.agreement.scores import Array, Places, as_scores
from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics.significance import SEED


@dataclass(frozen=True)
class PairwiseAccuracy:
    """Pairs of systems, and how many of them a metric orders as people do."""

    agreeing: int
    pairs: int

    @property
    def value(self) -> float:
        """The share of pairs in the same order."""
        if self.pairs == 0:
            raise UndefinedError("pairwise accuracy is undefined: fewer than two systems with human scores")
        return self.agreeing / self.pairs

    def __add__(self, other: PairwiseAccuracy) -> PairwiseAccuracy:
        return PairwiseAccuracy(self.agreeing + other.agreeing, self.pairs + other.pairs)


def pairwise_accuracy(gold: ArrayLike, scores: ArrayLike) -> PairwiseAccuracy:
    """The systems of one language pair (Kocmi et al. 2021, eq. 1): the differences' signs are equal.

    A pair that one side ties and the other does not is a disagreement; tied by both, an agreement.
    """
    people, metric = as_scores(gold, scores)
    if people.ndim != 1:
        raise ShapeError(f"system scores of shape {people.shape}; give one human and one metric score for each system")
    counts = _native.pair_counts(people[None], metric[None], epsilon=0.0)[0]
    return PairwiseAccuracy(int(counts[0] + counts[4]), int(counts.sum()))


def pooled_accuracy(language_pairs: Iterable[tuple[ArrayLike, ArrayLike]]) -> PairwiseAccuracy:
    """Pairs of systems of all language pairs together, each compared within its own, as Kocmi et al. (2021) do."""
    return sum((pairwise_accuracy(gold, scores) for gold, scores in language_pairs), PairwiseAccuracy(0, 0))


def soft_pairwise_accuracy(gold: ArrayLike, scores: ArrayLike, *, samples: int = 1000, seed: int = SEED) -> float:
    """SPA, the system level of WMT24 (Thompson et al. 2024): 1 - the mean difference of the two p-values of a pair.

    gold and scores are (systems, segments). Each p-value is that of a paired permutation test for "the first system is
    better"; people's and the metric's use the same coins. Two systems are compared where people judged both.
    """
    people, metric = as_scores(gold, scores)
    if people.ndim != 2 or len(people) < 2:
        raise ShapeError(f"scores of shape {people.shape}; give (systems, segments) with two systems or more")
    if samples < 1:
        raise OptionError(f"{samples} samples; at least 1 is needed, 1000 is usual")
    pairs = np.array(list(combinations(range(len(people)), 2)))
    both = ~np.isnan(people[pairs[:, 0]] - people[pairs[:, 1]])
    if not both.any(axis=1).all():
        one, other = pairs[np.flatnonzero(~both.any(axis=1))[0]]
        raise UndefinedError(f"systems {one + 1} and {other + 1} have no segment on which people judged both")
    human, automatic = (_p_values(side, pairs, both, samples, seed) for side in (people, metric))
    return float(1 - np.abs(human - automatic).mean())


def _p_values(scores: Array, pairs: NDArray[np.intp], both: Places, samples: int, seed: int) -> Array:
    differences = np.where(both, scores[pairs[:, 0]] - scores[pairs[:, 1]], 0.0).T
    observed = differences.sum(axis=0)
    permuted = 2 * _native.coin_sums(np.ascontiguousarray(differences), samples, seed) - observed
    return np.asarray((permuted >= observed).mean(axis=0))
