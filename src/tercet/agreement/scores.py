"""Human and metric scores side by side, checked, and arranged in the groups that a statistic is averaged over."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.errors import OptionError, ShapeError

Array = NDArray[np.float64]
Places = NDArray[np.bool_]
Averaging = Literal["none", "item", "system"]


def as_scores(gold: ArrayLike, scores: ArrayLike) -> tuple[Array, Array]:
    """Both as float64 of one shape, a vector or (systems, segments).

    NaN among gold scores stands for "not judged". A judged place must have a metric score.
    """
    people, metric = np.asarray(gold, np.float64), np.asarray(scores, np.float64)
    if people.shape != metric.shape or people.ndim not in (1, 2):
        raise ShapeError(
            f"human scores of shape {people.shape}, metric scores of shape {metric.shape}; "
            "give two vectors or two arrays (systems, segments) of the same shape"
        )
    if np.isinf(people).any():
        raise ShapeError(f"the human score at {_place(np.isinf(people))} is infinite")
    judged = ~np.isnan(people)
    missing = judged & ~np.isfinite(metric)
    if missing.any():
        raise ShapeError(
            f"no finite metric score at {_place(missing)}, which people judged ({int(missing.sum())} such places); "
            "score it or make its human score NaN to leave it out"
        )
    # Places that nobody judged take no part whatever stands there.
    return people, np.where(judged, metric, 0.0)


def grouped(values: Array, average: Averaging) -> Array:
    """Rows to compute a statistic on: everything in one, one row a segment ("item"), or one a system."""
    if average not in get_args(Averaging):
        raise OptionError(f"averaging {average!r} is unknown; there are {', '.join(get_args(Averaging))}")
    if average == "none":
        return np.ascontiguousarray(values.reshape(1, -1))
    if values.ndim != 2:
        raise ShapeError(f"averaging by {average} needs scores (systems, segments), not a vector of {values.size}")
    return np.ascontiguousarray(values.T if average == "item" else values)


def _place(where: Places) -> str:
    at = np.argwhere(where)[0]
    if len(at) == 1:
        return f"number {at[0] + 1}"
    return f"system {at[0] + 1}, segment {at[1] + 1}"
