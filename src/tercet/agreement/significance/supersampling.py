"""Hybrid super-sampling: thousands of artificial systems, so that correlations of systems can be told apart.

A dozen systems are too few to compare metrics on. Graham & Liu (2016) make 10,000 artificial ones: each takes, for
every segment, the translation of one system drawn at random. People's score of it is the mean over its segments;
a metric's is its corpus score, from the sum of its statistics, not a mean of segment scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tercet import _native
from tercet.agreement.correlation import ROW_STATISTICS, row_values
from tercet.agreement.scores import Array
from tercet.agreement.significance.dependent import williams_matrix
from tercet.agreement.significance.matrix import Matrix, check_samples
from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics.significance import SEED


@dataclass(frozen=True)
class Supersamples:
    """Artificial systems: people's score of each, and every scorer's."""

    names: tuple[str, ...]
    human: Array
    """(samples,)"""
    scores: Array
    """(samples, scorers), oriented so that higher is better."""

    def correlations(self, statistic: str = "pearson") -> Array:
        """The correlation of each scorer with people over the artificial systems."""
        if statistic not in ROW_STATISTICS:
            raise OptionError(f"unknown correlation {statistic!r}; there are {', '.join(ROW_STATISTICS)}")
        rows = np.ascontiguousarray(self.scores.T)
        people = np.ascontiguousarray(np.broadcast_to(self.human, rows.shape))
        values = row_values(statistic, people, rows)[1]
        if np.isnan(values).any():
            lost = [name for name, value in zip(self.names, values, strict=True) if np.isnan(value)]
            raise UndefinedError(
                f"{statistic} of {', '.join(lost)} is undefined: all artificial systems score the same"
            )
        return values

    def williams(self) -> Matrix:
        """Williams' test of every two scorers over the artificial systems, as the WMT16 to WMT19 tasks have it."""
        found = williams_matrix(self.human, dict(zip(self.names, self.scores.T, strict=True)))
        return Matrix("hybrid super-sampling, williams", found.names, found.values, found.p_values)


def supersample(
    gold: ArrayLike,
    statistics: Mapping[str, ArrayLike],
    score: Mapping[str, Callable[[Array], Array]],
    *,
    samples: int = 10_000,
    seed: int = SEED,
) -> Supersamples:
    """Makes artificial systems out of real ones.

    gold is (systems, segments), NaN where nobody judged: an artificial system's human score is the mean of its judged
    segments. statistics hold (systems, segments, k) for each scorer, additive over segments; segment scores whose mean
    is the corpus score are k = 1. score turns sums over segments (..., k) into scores, oriented so that higher is
    better: `metric.score`, or its negative where lower is better.
    """
    check_samples(samples)
    people = np.asarray(gold, np.float64)
    if people.ndim != 2 or len(people) < 2:
        raise ShapeError(f"human scores of shape {people.shape}; give (systems, segments) with two systems or more")
    if not statistics or set(statistics) != set(score):
        raise ShapeError("statistics and score must name the same scorers, one or more")
    judged = ~np.isnan(people)
    columns = [np.where(judged, people, 0.0)[..., None], judged[..., None].astype(np.float64)]
    for name, given in statistics.items():
        table = np.asarray(given, np.float64)
        if table.ndim != 3 or table.shape[:2] != people.shape:
            raise ShapeError(f"{name} has statistics of shape {table.shape}; give {(*people.shape, 'k')}")
        if not np.isfinite(table).all():
            system, segment, _ = np.argwhere(~np.isfinite(table))[0]
            raise ShapeError(f"{name} has no finite statistics for system {system + 1}, segment {segment + 1}")
        columns.append(table)
    sums = _native.mixture_sums(np.ascontiguousarray(np.concatenate(columns, axis=2)), samples, seed)
    if (sums[:, 1] == 0).any():
        raise UndefinedError(
            f"{int((sums[:, 1] == 0).sum())} of {samples} artificial systems hold no judged segment; "
            "leave out segments that few systems were judged on"
        )
    parts = np.split(sums[:, 2:], np.cumsum([table.shape[2] for table in columns[2:]])[:-1], axis=1)
    scores = [score[name](part) for name, part in zip(statistics, parts, strict=True)]
    return Supersamples(tuple(statistics), sums[:, 0] / sums[:, 1], np.stack(scores, axis=1))
