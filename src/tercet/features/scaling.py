"""Every feature to [-1, 1], with bounds from the training data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from tercet.errors import ShapeError
from tercet.features.base import Array


@dataclass(frozen=True)
class MinMax:
    """Bounds of each column; a column that never varied is 0 everywhere."""

    low: Array
    high: Array

    @classmethod
    def of(cls, *parts: Array) -> Self:
        """The bounds of some rows."""
        rows = np.concatenate(parts)
        if not len(rows):
            raise ShapeError("there are no rows to take the bounds of features from")
        return cls(rows.min(axis=0), rows.max(axis=0))

    def scale(self, features: Array) -> tuple[Array, int]:
        """The features in [-1, 1], and how many values lay outside the bounds and were clipped."""
        if features.shape[-1] != len(self.low):
            raise ShapeError(f"{features.shape[-1]} features where the bounds are of {len(self.low)}")
        outside = int(np.sum((features < self.low) | (features > self.high)))
        width = self.high - self.low
        scaled = 2 * (features - self.low) / np.where(width > 0, width, 1) - 1
        return np.where(width > 0, np.clip(scaled, -1, 1), 0).astype(np.float32), outside
