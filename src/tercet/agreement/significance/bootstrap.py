"""Paired bootstrap over segments: intervals for any statistic of agreement, and tests of scorer against scorer.

All scorers share the draws. Wherever a statistic is a function of sums over segments (taus, Pearson's r, means over
items, corpus scores), all resamples are one call of the native kernel; only ranks are computed again for each resample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tercet import _native
from tercet.agreement.correlation import agreement, row_values
from tercet.agreement.scores import Array, Averaging, as_scores, grouped
from tercet.agreement.significance.matrix import Matrix, check_samples, make_matrix, stacked
from tercet.agreement.significance.moments import pearson_bootstrap
from tercet.agreement.taus import CASES, form
from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics.base import ratio
from tercet.metrics.significance import SEED


@dataclass(frozen=True)
class Bootstrap:
    """Scorers' agreement with people, as it is and as it comes out in resampled data."""

    statistic: str
    names: tuple[str, ...]
    values: Array
    sampled: Array
    """(samples, scorers); samples in which any scorer's value is undefined are left out."""
    seed: int
    undefined: int = 0
    """Samples that were left out."""

    @classmethod
    def of(cls, statistic: str, names: tuple[str, ...], values: Array, sampled: Array, seed: int) -> Self:
        """Leaves out samples with an undefined value; an error where that leaves nothing."""
        if np.isnan(values).any():
            lost = [name for name, value in zip(names, values, strict=True) if np.isnan(value)]
            raise UndefinedError(f"{statistic} of {', '.join(lost)} is undefined; leave it out or check its scores")
        kept = ~np.isnan(sampled).any(axis=1)
        if not kept.any():
            raise UndefinedError(
                f"{statistic} is undefined in every bootstrap sample; there is too little data for one"
            )
        return cls(statistic, names, values, sampled[kept], seed, int((~kept).sum()))

    @classmethod
    def mean(cls, parts: Sequence[Bootstrap], weights: Sequence[float] | None = None) -> Bootstrap:
        """The mean over test sets (language pairs), each resampled on its own and so with a seed of its own.

        Weights make it a pooled value: an accuracy over all pairs of systems of all language pairs.
        """
        if not parts or any(part.names != parts[0].names or part.statistic != parts[0].statistic for part in parts):
            raise ShapeError("a mean over test sets needs the same statistic and the same scorers in each")
        if len({part.seed for part in parts}) < len(parts):
            raise OptionError("test sets resampled with the same seed move together; give each its own seed")
        size = min(len(part.sampled) for part in parts)
        return Bootstrap(
            parts[0].statistic,
            parts[0].names,
            np.average([part.values for part in parts], axis=0, weights=weights),
            np.average([part.sampled[:size] for part in parts], axis=0, weights=weights),
            parts[0].seed,
            sum(part.undefined for part in parts),
        )

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Low and high ends for each scorer: percentiles of the resampled values (Efron 1979)."""
        return self._percentiles(self.sampled, level)

    def difference_interval(self, first: str, second: str, level: float = 0.95) -> tuple[float, float]:
        """Low and high ends of the first scorer's value minus the second's."""
        one, other = self.names.index(first), self.names.index(second)
        low, high = self._percentiles(self.sampled[:, [one]] - self.sampled[:, [other]], level)
        return float(low[0]), float(high[0])

    def matrix(self) -> Matrix:
        """Paired bootstrap tests (Koehn 2004): how often a scorer fails to be better, with 1 added to both counts."""

        def p_value(i: int, j: int) -> tuple[float, float]:
            difference = self.sampled[:, i] - self.sampled[:, j]
            size = len(difference) + 1
            return (int((difference <= 0).sum()) + 1) / size, (int((difference >= 0).sum()) + 1) / size

        return make_matrix("paired bootstrap", self.names, self.values, p_value)

    @staticmethod
    def _percentiles(values: Array, level: float) -> tuple[Array, Array]:
        if not 0 < level < 1:
            raise OptionError(
                f"a confidence level of {level:g} is not allowed; it lies between 0 and 1, usually at 0.95"
            )
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high


def bootstrap_taus(
    counts: Mapping[str, ArrayLike], *, name: str = "wmt14", samples: int = 1000, seed: int = SEED
) -> Bootstrap:
    """Taus of relative rankings: counts (segments, 5) of each scorer, as `taus.count_by_segment` gives them.

    Segments are drawn, not pairs: the pairs of one ranking depend on each other. Segments nobody judged take no part.
    """
    check_samples(samples)
    wanted = form(name)
    names, stack = stacked(counts)
    if stack.ndim != 3 or stack.shape[2] != len(CASES):
        raise ShapeError(f"counts of shape {stack.shape[1:]}; give (segments, {len(CASES)}) for each scorer")
    untied = stack[:, :, :3].sum(axis=2)
    if (untied != untied[0]).any() or (stack.sum(axis=2) != stack[0].sum(axis=1)).any():
        raise ShapeError("scorers were counted on different pairs; a paired bootstrap needs the same pairs for each")
    judged = stack[:, stack[0].sum(axis=1) > 0]
    if judged.shape[1] == 0:
        raise UndefinedError(f"tau {name} is undefined: no judged pairs")
    table = np.ascontiguousarray(judged.transpose(1, 0, 2).reshape(judged.shape[1], -1))
    sums = _native.bootstrap_sums(table, samples, seed).reshape(samples, len(names), len(CASES))
    return Bootstrap.of(f"tau {name}", names, wanted.of(stack.sum(axis=1)), wanted.of(sums), seed)


def bootstrap_agreement(
    statistic: str,
    gold: ArrayLike,
    scorers: Mapping[str, ArrayLike],
    *,
    average: Averaging = "none",
    epsilon: Mapping[str, float] | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> Bootstrap:
    """Any of `correlation.STATISTICS` over scores (systems, segments) or a vector; segments are drawn with all systems.

    acc-eq and tau-eq keep the epsilon of each scorer that is given, or else the best one for the whole data.
    """
    check_samples(samples)
    names, stack = stacked(scorers)
    found = [
        agreement(statistic, gold, scores, average=average, epsilon=None if epsilon is None else epsilon[name])
        for name, scores in zip(names, stack, strict=True)
    ]
    values = np.array([each.value for each in found])
    people = np.asarray(gold, np.float64)
    stack = np.stack([as_scores(people, scores)[1] for scores in stack])
    if people.ndim == 1:
        people, stack = people[None], stack[:, None]
    epsilons = [each.epsilon for each in found]
    if average == "item":
        sampled = _items(statistic, people, stack, epsilons, samples, seed)
    elif statistic == "pearson":
        sampled = pearson_bootstrap(people, stack, pooled=average == "none", samples=samples, seed=seed)
    else:
        sampled = _redrawn(statistic, people, stack, average, epsilons, samples, seed)
    return Bootstrap.of(statistic, names, values, sampled, seed)


def bootstrap_systems(
    statistic: str,
    gold: ArrayLike,
    statistics: Mapping[str, Array],
    score: Mapping[str, Callable[[Array], Array]],
    *,
    samples: int = 1000,
    seed: int = SEED,
) -> Bootstrap:
    """System-level agreement: corpus scores from each metric's own statistics, summed over the drawn segments.

    gold is (systems, segments), a system's human score being the mean of its judged segments in the draw; or (systems,)
    and then the same in every draw. statistics are (systems, segments, k) for each scorer, and score turns sums of
    rows into scores, oriented so that higher is better.
    """
    check_samples(samples)
    people = np.asarray(gold, np.float64)
    names = tuple(statistics)
    tables = [np.asarray(statistics[name], np.float64) for name in names]
    shapes = {table.shape[:2] for table in tables}
    if len(shapes) != 1 or people.shape not in (next(iter(shapes)), next(iter(shapes))[:1]):
        raise ShapeError(f"human scores of shape {people.shape} and statistics of (systems, segments) {sorted(shapes)}")
    if people.ndim == 2:
        judged = ~np.isnan(people)
        tables.append(np.stack([np.where(judged, people, 0.0), judged], axis=2))

    def values_of(sums: list[Array]) -> Array:
        if people.ndim == 2:
            totals = sums[-1]
            human = ratio(totals[..., 0], totals[..., 1], when_empty=np.nan)
        else:
            human = np.broadcast_to(people, sums[0].shape[:-1])
        columns = [score[name](total) for name, total in zip(names, sums, strict=False)]
        return np.stack(
            [row_values(statistic, human, np.where(np.isnan(human), 0.0, column))[1] for column in columns], 1
        )

    values = values_of([table.sum(axis=1)[None] for table in tables])[0]
    widths = [table.shape[0] * table.shape[2] for table in tables]
    flat = np.concatenate([table.transpose(1, 0, 2).reshape(table.shape[1], -1) for table in tables], axis=1)
    drawn = _native.bootstrap_sums(np.ascontiguousarray(flat), samples, seed)
    parts = np.split(drawn, np.cumsum(widths)[:-1], axis=1)
    sums = [part.reshape(samples, *table.shape[::2]) for part, table in zip(parts, tables, strict=True)]
    return Bootstrap.of(statistic, names, values, values_of(sums), seed)


def _items(statistic: str, people: Array, stack: Array, epsilons: list[float | None], samples: int, seed: int) -> Array:
    """A mean over items is a ratio of two sums over items."""
    rows = grouped(people, "item")
    values = np.stack(
        [
            row_values(statistic, rows, grouped(scores, "item"), epsilon=epsilon)[1]
            for scores, epsilon in zip(stack, epsilons, strict=True)
        ],
        axis=1,
    )
    defined = ~np.isnan(values)
    table = np.concatenate([np.where(defined, values, 0.0), defined], axis=1)
    above, below = np.split(_native.bootstrap_sums(np.ascontiguousarray(table), samples, seed), 2, axis=1)
    return ratio(above, below, when_empty=np.nan)


def _redrawn(
    statistic: str,
    people: Array,
    stack: Array,
    average: Averaging,
    epsilons: list[float | None],
    samples: int,
    seed: int,
) -> Array:
    segments = people.shape[1]
    sampled = np.empty((samples, len(stack)))
    for s in range(samples):
        # Keyed by (seed, sample): the draw does not depend on what was drawn before it.
        drawn = np.random.Generator(np.random.Philox(key=[seed, s])).integers(segments, size=segments)
        rows = grouped(people[:, drawn], average)
        for k, scores in enumerate(stack):
            values = row_values(statistic, rows, grouped(scores[:, drawn], average), epsilon=epsilons[k])[1]
            sampled[s, k] = np.nan if np.isnan(values).all() else np.nanmean(values)
    return sampled
