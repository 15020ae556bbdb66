"""Which systems can be told apart: rank ranges from a bootstrap, and clusters of systems whose ranges overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tercet.agreement.comparisons import Array, Integers
from tercet.errors import OptionError


def ranks(scores: Array) -> Integers:
    """Ranks from 1 for the highest score, over the last axis; equal scores share the better rank."""
    ordered = np.sort(scores, axis=-1)
    rows, ordered_rows = scores.reshape(-1, scores.shape[-1]), ordered.reshape(-1, scores.shape[-1])
    higher = [len(row) - np.searchsorted(sorted_row, row, side="right") for row, sorted_row in zip(rows, ordered_rows)]
    return np.asarray(higher, dtype=np.int64).reshape(scores.shape) + 1


def rank_ranges(resampled: Integers, confidence: float = 0.95) -> tuple[Integers, Integers]:
    """The lowest and the highest rank of each system, after (1 − confidence) / 2 of `resampled` is cut off at each end.

    `resampled` is (resamples, systems). As in WMT14, the number cut off is rounded up, and something always remains.
    """
    if not 0 < confidence < 1:
        raise OptionError(f"confidence={confidence}; it is between 0 and 1 (usual: 0.95)")
    ordered = np.sort(resampled, axis=0)
    # Rounded first: (1 − 0.95) / 2 · 1000 is a hair above 25 in binary, and its ceiling would be 26.
    cut = min(int(np.ceil(round((1 - confidence) / 2 * len(ordered), 9))), (len(ordered) - 1) // 2)
    return ordered[cut], ordered[len(ordered) - 1 - cut]


def rank_clusters(low: NDArray[np.int64], high: NDArray[np.int64]) -> Integers:
    """Numbers of clusters from 1 for the best: maximal groups in which rank ranges overlap, directly or in a chain."""
    order = np.lexsort((high, low))
    reach = np.maximum.accumulate(high[order])
    starts = np.r_[True, low[order][1:] > reach[:-1]]
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = np.cumsum(starts)
    return clusters
