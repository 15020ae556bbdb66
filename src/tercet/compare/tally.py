"""What a comparison of systems rests on: sums over segments, and sums of resampled segments.

Sums can be added up part by part, so a comparison of texts that no memory holds is made of the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.compare.judges import Judge
from tercet.compare.statistics import STRENGTH_SAMPLES
from tercet.metrics.base import total

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """Sums for every pair of systems; what is resampled has a row a sample."""

    segments: int
    margins: Array
    probabilities: Array
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    constant: NDArray[np.bool_]
    """Whether the margin is the same in all segments."""
    turned: Array
    """Sums of the margins whose sign a permutation turns."""
    drawn: Array
    """Sums of the margins of a bootstrap sample."""
    preferred: Array
    """Sums of the probabilities of a bootstrap sample, for the strengths of systems."""

    @classmethod
    def of(cls, margins: Array, verdicts: NDArray[np.int64], probabilities: Array, samples: int, seed: int) -> Tally:
        """From the numbers of all segments, (segments, pairs) each."""
        table = np.ascontiguousarray(margins)
        return cls(
            len(margins),
            total(margins),
            total(probabilities),
            np.asarray((verdicts > 0).sum(axis=0), np.int64),
            np.asarray((verdicts < 0).sum(axis=0), np.int64),
            np.asarray(np.ptp(margins, axis=0) == 0, np.bool_),
            _native.coin_sums(table, samples, seed),
            _native.bootstrap_sums(table, samples, seed),
            _native.bootstrap_sums(np.ascontiguousarray(probabilities), STRENGTH_SAMPLES, seed),
        )

    @property
    def ties(self) -> NDArray[np.int64]:
        """Segments that neither of a pair wins."""
        return self.segments - self.wins - self.losses


def pair_columns(judge: Judge, every: Array) -> tuple[Array, NDArray[np.int64], Array]:
    """Margins, verdicts and probabilities, (segments, pairs), of the margins of every two systems."""
    first, second = np.triu_indices(len(every), 1)
    columns = np.ascontiguousarray(every[first, second].T)
    return columns, judge.verdict(columns), judge.probability(columns)
