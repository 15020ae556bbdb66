"""Scores that rise with another score: isotonic regression, kept as the corners of a line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet.errors import ShapeError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Isotonic:
    """A line that never falls; flat beyond its ends."""

    x: Array
    y: Array

    def __post_init__(self) -> None:
        if self.x.shape != self.y.shape or self.x.ndim != 1 or not len(self.x):
            raise ShapeError(f"corners of shape {self.x.shape} and {self.y.shape} make no line")
        if (np.diff(self.x) <= 0).any() or (np.diff(self.y) < 0).any():
            raise ShapeError("the corners of a rising line must rise")

    def __call__(self, scores: Array) -> Array:
        """The line at some scores."""
        return np.asarray(np.interp(scores, self.x, self.y), np.float64)

    @classmethod
    def fit(cls, scores: Array, values: Array) -> Isotonic:
        """Least squares by pooling adjacent violators (Ayer et al. 1955); a corner at the mean score of each pool.

        Between the corners the line is straight where the regression itself has steps, so that translations that a
        metric tells apart stay apart.
        """
        if len(scores) != len(values) or not len(scores):
            raise ShapeError(f"{len(scores)} scores and {len(values)} values; give as many of both, one or more")
        places, which, weights = np.unique(scores, return_inverse=True, return_counts=True)  # equal scores: one place
        means = np.bincount(which, values) / weights
        pools: list[tuple[float, float, float]] = []  # weight, mean score, mean value
        for weight, score, value in zip(weights.tolist(), places.tolist(), means.tolist(), strict=True):
            pool = (float(weight), score, value)
            while pools and pools[-1][2] >= pool[2]:
                before = pools.pop()
                total = before[0] + pool[0]
                pool = (total, *((before[0] * before[i] + pool[0] * pool[i]) / total for i in (1, 2)))  # type: ignore[assignment]
            pools.append(pool)
        corners = np.array(pools).astype(np.float32).astype(np.float64)  # as a model's file keeps them
        rising = np.diff(corners[:, 1], prepend=-np.inf) > 0
        return cls(corners[rising, 1].copy(), corners[rising, 2].copy())
