"""Scorers against scorers: one p-value for each ordered pair, and its correction for the number of tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tercet.agreement.scores import Array, Places
from tercet.errors import OptionError, ShapeError
from tercet.metrics.significance import holm

Correction = Literal["none", "holm", "bonferroni"]


@dataclass(frozen=True)
class Matrix:
    """p_values[i, j] answers "does scorer i agree with people better than scorer j": one-sided, NaN on the diagonal."""

    test: str
    names: tuple[str, ...]
    values: Array
    """How far each scorer agrees with people."""
    p_values: Array
    correction: Correction = "none"

    def corrected(self, method: Correction) -> Matrix:
        """The same with p-values corrected for having compared every scorer with every other.

        As in the WMT metrics tasks, one test is made for each two scorers: whether the one with the higher value is
        better. So n scorers are n(n-1)/2 tests, and the opposite direction, which is not tested, gets 1.
        """
        if self.correction != "none":
            raise OptionError(f"these p-values are corrected already ({self.correction})")
        if method == "none":
            return self
        better, worse = self._tested()
        found = self.p_values[better, worse]
        if method == "holm":
            found = holm(list(found))
        elif method == "bonferroni":
            found = np.minimum(found * len(found), 1.0)
        else:
            raise OptionError(f"unknown correction {method!r}; there are none, holm, bonferroni")
        p_values = np.where(np.isnan(self.p_values), np.nan, 1.0)
        p_values[better, worse] = found
        return replace(self, p_values=p_values, correction=method)

    def significant(self, level: float = 0.05) -> Places:
        """True at [i, j] where scorer i is better than scorer j at this level."""
        return np.asarray(np.nan_to_num(self.p_values, nan=1.0) < level)

    def _tested(self) -> tuple[list[int], list[int]]:
        pairs = [
            (i, j) if self.values[i] >= self.values[j] else (j, i) for i, j in combinations(range(len(self.names)), 2)
        ]
        return [i for i, _ in pairs], [j for _, j in pairs]


def make_matrix(
    test: str,
    names: Sequence[str],
    values: ArrayLike,
    p_value: Callable[[int, int], tuple[float, float]],
) -> Matrix:
    """The matrix of a test that gives, for scorers i < j, the p-values of "i is better" and of "j is better"."""
    size = len(names)
    if size < 2:
        raise ShapeError(f"{size} scorer to compare; give two or more")
    p_values = np.full((size, size), np.nan)
    for i, j in combinations(range(size), 2):
        p_values[i, j], p_values[j, i] = p_value(i, j)
    return Matrix(test, tuple(names), np.asarray(values, np.float64), p_values)


def check_samples(samples: int) -> None:
    """An error for fewer than one resample."""
    if samples < 1:
        raise OptionError(f"{samples} samples; at least 1 is needed, 1000 is usual")


def stacked(scorers: Mapping[str, ArrayLike]) -> tuple[tuple[str, ...], Array]:
    """Names, and arrays of one shape on top of each other."""
    arrays = [np.asarray(array, np.float64) for array in scorers.values()]
    if not arrays:
        raise ShapeError("no scorers to compare; give one or more")
    for name, array in zip(scorers, arrays, strict=True):
        if array.shape != arrays[0].shape:
            raise ShapeError(f"{name} has scores of shape {array.shape}, {next(iter(scorers))} of {arrays[0].shape}")
    return tuple(scorers), np.stack(arrays)
