"""How far scores agree with people's: Pearson, Spearman, Kendall's tau-b and tau-c, and accuracy with ties.

Every statistic is computed on rows: one row for everything, or one for each segment ("item") or system, whose values
are then averaged, as mt-metrics-eval does it. A row on which a statistic is undefined (fewer than two judged scores, or
all scores equal) takes no part in the average and is named in the result; when no row is left, that is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tercet import _native
from tercet.agreement.scores import Array, Averaging, Places, as_scores, grouped
from tercet.agreement.taus import TAUS
from tercet.errors import OptionError, UndefinedError
from tercet.metrics.base import ratio

RowStatistic = Callable[[Array, Array], Array]
"""Human and metric scores (rows, n), NaN where nobody judged, to one value a row, NaN where undefined."""


@dataclass(frozen=True)
class Agreement:
    """A statistic of agreement and what it is made of."""

    statistic: str
    value: float
    n: int
    """Judged scores that took part."""
    groups: int
    """Rows whose values were averaged."""
    undefined: tuple[int, ...] = ()
    """Rows that were left out, numbered from 0: too few judged scores, or all of them equal."""
    epsilon: float | None = None
    """Metric scores no further apart than this are tied; only for acc-eq and tau-eq."""


def pearson_rows(gold: Array, scores: Array) -> Array:
    """Pearson's r of each row."""
    judged = ~np.isnan(gold)
    n = judged.sum(axis=1, keepdims=True)
    x, y = _centred(gold, judged, n), _centred(scores, judged, n)
    # Deviations are scaled before they are squared: squares of very small or large ones leave the range of float64.
    x, y = _scaled(x), _scaled(y)
    below = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    r = ratio((x * y).sum(axis=1), below, when_empty=np.nan)
    # The mean of equal numbers is not always that number: a constant row is recognised before rounding can hide it.
    return np.where(_constant(gold, judged) | _constant(scores, judged), np.nan, np.clip(r, -1.0, 1.0))


def spearman_rows(gold: Array, scores: Array) -> Array:
    """Spearman's rho of each row: Pearson's r of ranks, ties sharing their mean rank."""
    ranks = average_ranks(gold)
    return pearson_rows(ranks, average_ranks(np.where(np.isnan(gold), np.nan, scores)))


def kendall_b_rows(gold: Array, scores: Array) -> Array:
    """Kendall's tau-b of each row (Kendall 1945)."""
    counts = _native.pair_counts(gold, scores, epsilon=0.0)
    same, opposite, metric_ties, human_ties, _ = counts.T
    below = np.sqrt(same + opposite + human_ties) * np.sqrt(same + opposite + metric_ties)
    return ratio(same - opposite, below, when_empty=np.nan)


def kendall_c_rows(gold: Array, scores: Array) -> Array:
    """Stuart's tau-c of each row (Stuart 1953), for scales of unequal length."""
    counts = _native.pair_counts(gold, scores, epsilon=0.0)
    judged = ~np.isnan(gold)
    n = judged.sum(axis=1).astype(np.float64)
    levels = np.minimum(_distinct(gold), _distinct(np.where(judged, scores, np.nan)))
    below = n**2 * (levels - 1) / np.maximum(levels, 1)
    return ratio(2 * (counts[:, 0] - counts[:, 1]), below, when_empty=np.nan)


def accuracy_rows(gold: Array, scores: Array, *, epsilon: float, statistic: str = "acc-eq") -> Array:
    """acc_eq (or tau_eq) of each row, metric scores within epsilon being tied (Deutsch et al. 2023)."""
    return TAUS["eq" if statistic == "tau-eq" else "acc-eq"].of(_native.pair_counts(gold, scores, epsilon=epsilon))


def pairwise_rows(gold: Array, scores: Array) -> Array:
    """Pairwise accuracy of each row (Kocmi et al. 2021): the share of pairs that both sides order, or tie, alike."""
    return accuracy_rows(gold, scores, epsilon=0.0)


ROW_STATISTICS: Final[Mapping[str, RowStatistic]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall-b": kendall_b_rows,
    "kendall-c": kendall_c_rows,
    "accuracy": pairwise_rows,
}
WITH_TIES: Final = ("acc-eq", "tau-eq")
STATISTICS: Final = (*ROW_STATISTICS, *WITH_TIES)


def pearson(gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "none") -> Agreement:
    """Pearson's r."""
    return agreement("pearson", gold, scores, average=average)


def spearman(gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "none") -> Agreement:
    """Spearman's rho."""
    return agreement("spearman", gold, scores, average=average)


def kendall_b(gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "none") -> Agreement:
    """Kendall's tau-b, in O(n log n)."""
    return agreement("kendall-b", gold, scores, average=average)


def kendall_c(gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "none") -> Agreement:
    """Stuart's tau-c, in O(n log n)."""
    return agreement("kendall-c", gold, scores, average=average)


def accuracy_with_ties(
    gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "item", epsilon: float | None = None
) -> Agreement:
    """acc_eq: the share of pairs that the metric orders, or ties, as people do; the segment level of WMT23 and WMT24.

    Without an epsilon the best one for these data is found (tie calibration), which is part of the statistic.
    """
    return agreement("acc-eq", gold, scores, average=average, epsilon=epsilon)


def calibrate_ties(gold: ArrayLike, scores: ArrayLike, *, average: Averaging = "item") -> float:
    """The smallest epsilon* with the highest acc_eq (Deutsch et al. 2023), over all pairs, none sampled."""
    people, metric = as_scores(gold, scores)
    return _best_epsilon(grouped(people, average), grouped(metric, average))


def agreement(
    statistic: str,
    gold: ArrayLike,
    scores: ArrayLike,
    *,
    average: Averaging = "none",
    epsilon: float | None = None,
) -> Agreement:
    """Any of STATISTICS. gold may hold NaN where nobody judged; arrays are (systems, segments) or vectors."""
    people, metric = as_scores(gold, scores)
    rows, metric_rows = grouped(people, average), grouped(metric, average)
    found, values = row_values(statistic, rows, metric_rows, epsilon=epsilon)
    defined = ~np.isnan(values)
    if not defined.any():
        raise UndefinedError(f"{statistic} is undefined: {_reason(rows, metric_rows)}")
    judged = (~np.isnan(rows)).sum(axis=1)
    return Agreement(
        statistic,
        float(values[defined].mean()),
        int(judged[defined].sum()),
        int(defined.sum()),
        tuple(map(int, np.flatnonzero(~defined))),
        found,
    )


def row_values(
    statistic: str, gold: Array, scores: Array, *, epsilon: float | None = None
) -> tuple[float | None, Array]:
    """The epsilon that was used, if any, and the statistic of each row, NaN where undefined."""
    if statistic not in STATISTICS:
        raise OptionError(f"unknown statistic {statistic!r}; there are {', '.join(STATISTICS)}")
    if statistic not in WITH_TIES:
        if epsilon is not None:
            raise OptionError(f"{statistic} takes no epsilon; {' and '.join(WITH_TIES)} do")
        return None, ROW_STATISTICS[statistic](gold, scores)
    if epsilon is not None and not 0 <= epsilon < np.inf:
        raise OptionError(f"epsilon={epsilon:g} is not allowed; it is 0 or more")
    used = _best_epsilon(gold, scores) if epsilon is None else float(epsilon)
    return used, accuracy_rows(gold, scores, epsilon=used, statistic=statistic)


def average_ranks(values: Array) -> Array:
    """Ranks from 1 within each row, ties sharing their mean; NaN stays NaN."""
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    rows, n = values.shape
    place = np.broadcast_to(np.arange(n), (rows, n))
    begins = np.ones((rows, n), bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    ends = np.ones((rows, n), bool)
    ends[:, :-1] = begins[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, n)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty((rows, n))
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.where(np.isnan(values), np.nan, ranks)


def _best_epsilon(gold: Array, scores: Array) -> float:
    if scores.size and scores.max() / 2 - scores.min() / 2 > np.finfo(np.float64).max / 2:
        raise UndefinedError("metric scores are too far apart for their differences to be numbers; rescale them")
    return _native.best_epsilon(gold, scores)


def _centred(values: Array, judged: Places, n: Array) -> Array:
    kept = np.where(judged, values, 0.0)
    return np.where(judged, kept - kept.sum(axis=1, keepdims=True) / np.maximum(n, 1), 0.0)


def _scaled(values: Array) -> Array:
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
    return ratio(values, largest)


def _constant(values: Array, judged: Places) -> Places:
    low = np.where(judged, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(judged, values, -np.inf).max(axis=1, initial=-np.inf)
    return np.asarray(low >= high)


def _distinct(values: Array) -> Array:
    ordered = np.sort(values, axis=1)
    known = ~np.isnan(ordered)
    steps = known[:, 1:] & (ordered[:, 1:] != ordered[:, :-1])
    return np.asarray(steps.sum(axis=1) + known[:, :1].any(axis=1), np.float64)


def _reason(gold: Array, scores: Array) -> str:
    judged = ~np.isnan(gold)
    enough = judged.sum(axis=1) > 1
    if not enough.any():
        return f"{int(judged.sum())} judged scores, no two of them in one group; judge more or average otherwise"
    where = "" if len(gold) == 1 else " within each group"
    if _constant(scores, judged)[enough].all():
        return f"the scorer gives the same score to everything{where}; leave it out or check its scores"
    if _constant(gold, judged)[enough].all():
        return f"people give the same score to everything{where}; there is nothing to agree with"
    return "in every group, either the scorer or people give the same score to everything"
