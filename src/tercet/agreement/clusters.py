"""Which systems can be told apart: rank ranges from a bootstrap, and clusters of systems whose ranges overlap."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.agreement.comparisons import Array, Integers
from tercet.errors import OptionError

Ranges = Literal["wmt13", "wmt14"]


def ranks(scores: Array) -> Integers:
    """Ranks from 1 for the highest score, over the last axis; equal scores share the better rank."""
    ordered = np.sort(scores, axis=-1)
    rows, ordered_rows = scores.reshape(-1, scores.shape[-1]), ordered.reshape(-1, scores.shape[-1])
    higher = [
        len(row) - np.searchsorted(sorted_row, row, side="right")
        for row, sorted_row in zip(rows, ordered_rows, strict=True)
    ]
    return np.asarray(higher, dtype=np.int64).reshape(scores.shape) + 1


def rank_ranges(resampled: Integers, confidence: float = 0.95, *, kind: Ranges = "wmt13") -> tuple[Integers, Integers]:
    """The lowest and the highest rank of each system that `confidence` of `resampled` (resamples, systems) leaves it.

    "wmt13" begins at the most frequent rank and takes in the more frequent neighbour until `confidence` of the
    resamples are covered. "wmt14" cuts (1 − confidence) / 2 of the resamples, rounded up, off at each end; its ranges
    are wider where the doubt is all on one side.
    """
    if not 0 < confidence < 1:
        raise OptionError(f"confidence={confidence}; it is between 0 and 1 (usual: 0.95)")
    if kind == "wmt13":
        return _around_the_most_frequent(resampled, confidence)
    if kind != "wmt14":
        raise OptionError(f"rank ranges {kind!r}; they are made as in wmt13 or wmt14")
    ordered = np.sort(resampled, axis=0)
    # Rounded first: (1 − 0.95) / 2 · 1000 is a hair above 25 in binary, and its ceiling would be 26.
    cut = min(int(np.ceil(round((1 - confidence) / 2 * len(ordered), 9))), (len(ordered) - 1) // 2)
    return ordered[cut], ordered[len(ordered) - 1 - cut]


def _around_the_most_frequent(resampled: Integers, confidence: float) -> tuple[Integers, Integers]:
    needed = round(confidence * len(resampled), 9)
    ranges = []
    for column in resampled.T:
        # A rank of nobody on either side, so that both neighbours of a range always exist.
        count = np.bincount(column, minlength=int(resampled.max()) + 2)
        low = high = int(count.argmax())
        while count[low : high + 1].sum() < needed:
            # One side may be used up, or its next rank empty with others behind it.
            if not count[high + 1 :].any() or (count[:low].any() and count[low - 1] > count[high + 1]):
                low -= 1
            else:
                high += 1
        ranges.append((low, high))
    low_ranks, high_ranks = np.array(ranges, dtype=np.int64).T
    return low_ranks, high_ranks


def rank_clusters(low: NDArray[np.int64], high: NDArray[np.int64]) -> Integers:
    """Numbers of clusters from 1 for the best: maximal groups in which rank ranges overlap, directly or in a chain."""
    order = np.lexsort((high, low))
    reach = np.maximum.accumulate(high[order])
    starts = np.r_[True, low[order][1:] > reach[:-1]]
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = np.cumsum(starts)
    return clusters
