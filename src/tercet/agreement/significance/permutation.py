"""Permutation tests of two scorers: had they changed places at random, would they differ as much?

Deutsch et al. (2021) exchange standardised scores of the two scorers for single scores (PERM-BOTH), for whole segments
(PERM-INPUTS) or for whole systems (PERM-SYSTEMS). WMT23 and WMT24 test acc_eq by exchanging the verdicts on pairs
instead, which needs no new tie calibration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from tercet.agreement.correlation import WITH_TIES, agreement, calibrate_ties, row_values
from tercet.agreement.scores import Array, Averaging, Places, as_scores, grouped
from tercet.agreement.significance.matrix import Matrix, check_samples, make_matrix, stacked
from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics.base import ratio
from tercet.metrics.significance import SEED

Exchange = Literal["both", "inputs", "systems"]
Level = Literal["segment", "system"]

_AT_ONCE = 400_000  # scores exchanged at a time: enough rows for all threads, few enough for the cache


def permutation_matrix(
    statistic: str,
    gold: ArrayLike,
    scorers: Mapping[str, ArrayLike],
    *,
    exchange: Exchange = "both",
    level: Level = "segment",
    average: Averaging = "none",
    samples: int = 1000,
    seed: int = SEED,
) -> Matrix:
    """PERM-BOTH, PERM-INPUTS or PERM-SYSTEMS for every two scorers; scores are (systems, segments), or a vector.

    At level "system" the statistic is that of systems, whose scores are the means of their judged segments. acc-eq and
    tau-eq are calibrated anew in every sample, since exchanged scores are on another scale than either scorer's.
    A p-value is (samples that differ at least as much + 1) / (samples + 1) (Phipson & Smyth 2010).
    """
    check_samples(samples)
    if exchange not in get_args(Exchange):
        raise OptionError(f"exchange {exchange!r} is unknown; there are {', '.join(get_args(Exchange))}")
    if level == "system" and average != "none":
        raise OptionError(f"the level of systems has nothing to average by {average}; use none")
    names, stack = stacked(scorers)
    people = np.asarray(gold, np.float64)
    stack = np.stack([_standardised(name, people, scores) for name, scores in zip(names, stack, strict=True)])
    if people.ndim == 1:
        if level == "system" or exchange != "both":
            raise ShapeError("a vector of scores has no systems and segments; give scores (systems, segments)")
        people, stack = people[None], stack[:, None]
    judge = _Statistic(statistic, people, level, average)
    values = judge(stack)
    undefined = [name for name, value in zip(names, values, strict=True) if np.isnan(value)]
    if undefined:
        raise UndefinedError(f"{statistic} of {', '.join(undefined)} is undefined; leave it out or check its scores")

    coins = _Coins(exchange, people.shape, seed)
    chunk = max(1, _AT_ONCE // max(2 * people.size, 1))

    def p_value(i: int, j: int) -> tuple[float, float]:
        observed = values[i] - values[j]
        above = below = 0
        for start in range(0, samples, chunk):
            swap = coins(range(start, min(samples, start + chunk)))
            first, second = np.where(swap, stack[j], stack[i]), np.where(swap, stack[i], stack[j])
            both = judge(np.concatenate([first, second])).reshape(2, -1)
            # A sample in which a scorer is constant says nothing against chance: it counts as no smaller.
            difference = np.where(np.isnan(both).any(axis=0), np.nan, both[0] - both[1])
            above += int((~(difference < observed)).sum())
            below += int((~(difference > observed)).sum())
        return (above + 1) / (samples + 1), (below + 1) / (samples + 1)

    return make_matrix(f"PERM-{exchange.upper()}", names, values, p_value)


def pair_permutation_matrix(
    gold: ArrayLike,
    scorers: Mapping[str, ArrayLike],
    *,
    average: Averaging = "item",
    epsilon: Mapping[str, float] | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> Matrix:
    """acc_eq of every two scorers, their verdicts on pairs exchanged at random, each scorer keeping its own epsilon.

    Only pairs on which one scorer is right and the other wrong matter, and each of them goes either way like a coin;
    so a sample is one binomial number for each size of group. As the segment level of WMT23 and WMT24.
    """
    check_samples(samples)
    names, stack = stacked(scorers)
    people = np.asarray(gold, np.float64)
    epsilons = [
        calibrate_ties(people, scores, average=average) if epsilon is None else epsilon[name]
        for name, scores in zip(names, stack, strict=True)
    ]
    values = [
        agreement("acc-eq", people, scores, average=average, epsilon=e).value
        for scores, e in zip(stack, epsilons, strict=True)
    ]
    rows = grouped(people, average)
    metric_rows = [grouped(as_scores(people, scores)[1], average) for scores in stack]
    judged = (~np.isnan(rows)).sum(axis=1)
    pairs = judged * (judged - 1) // 2
    sizes, size_of = np.unique(pairs[pairs > 0], return_inverse=True)
    weight = 1 / sizes / len(size_of)

    def p_value(i: int, j: int) -> tuple[float, float]:
        only = np.array(
            [
                _only_one_right(people_row, metric_rows[i][r], metric_rows[j][r], epsilons[i], epsilons[j])
                for r, people_row in enumerate(rows)
                if pairs[r] > 0
            ]
        )
        first, second = (np.bincount(size_of, weights=side).astype(np.int64) for side in only.T)
        observed = ((first - second) * weight).sum()
        random = np.random.Generator(np.random.Philox(key=[seed, i * len(names) + j]))
        heads = random.binomial(first + second, 0.5, size=(samples, len(sizes)))
        sampled = ((2 * heads - (first + second)) * weight).sum(axis=1)
        slack = 1e-12 if len(sizes) > 1 else 1e-15
        above, below = int((sampled >= observed - slack).sum()), int((sampled <= observed + slack).sum())
        return (above + 1) / (samples + 1), (below + 1) / (samples + 1)

    return make_matrix("PERM-PAIRS", names, values, p_value)


class _Statistic:
    """The statistic of arrays of scores (any number, systems, segments): one value each, NaN where undefined."""

    def __init__(self, statistic: str, people: Array, level: Level, average: Averaging) -> None:
        self.statistic, self.level, self.average = statistic, level, average
        self.judged = ~np.isnan(people)
        if level == "system":
            n = self.judged.sum(axis=1)
            total = np.where(self.judged, people, 0.0).sum(axis=1)
            self.rows = ratio(total, n, when_empty=np.nan)[None]
        else:
            self.rows = grouped(people, average)

    def __call__(self, stack: Array) -> Array:
        if self.level == "system":
            n = np.maximum(self.judged.sum(axis=1), 1)
            rows = (np.where(self.judged, stack, 0.0).sum(axis=2) / n)[:, None]
        elif self.average == "none":
            rows = stack.reshape(len(stack), 1, -1)
        else:
            rows = stack if self.average == "system" else stack.transpose(0, 2, 1)
        size = rows.shape[1]
        if self.statistic in WITH_TIES:  # each array has its own best epsilon
            values = np.stack([row_values(self.statistic, self.rows, np.ascontiguousarray(each))[1] for each in rows])
        else:
            people = np.ascontiguousarray(np.broadcast_to(self.rows, rows.shape).reshape(-1, rows.shape[2]))
            flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[2]))
            values = row_values(self.statistic, people, flat)[1].reshape(-1, size)
        defined = ~np.isnan(values)
        total = np.where(defined, values, 0.0).sum(axis=1)
        return ratio(total, defined.sum(axis=1), when_empty=np.nan)


class _Coins:
    """Which scores are exchanged in a sample; keyed by (seed, sample), so no draw depends on an earlier one."""

    def __init__(self, exchange: Exchange, shape: tuple[int, ...], seed: int) -> None:
        systems, segments = shape
        self.shape = {"both": (systems, segments), "inputs": (1, segments), "systems": (systems, 1)}[exchange]
        self.seed = seed

    def __call__(self, samples: range) -> Places:
        size = self.shape[0] * self.shape[1]
        flips = np.empty((len(samples), size), bool)
        for row, s in zip(flips, samples, strict=True):
            data = np.random.Generator(np.random.Philox(key=[self.seed, s])).bytes(-(-size // 8))
            row[:] = np.unpackbits(np.frombuffer(data, np.uint8), count=size)
        return flips.reshape(len(samples), *self.shape)


def _standardised(name: str, people: Array, scores: Array) -> Array:
    """Mean 0 and deviation 1 over what was judged (Deutsch et al. 2021), so that scores can change places."""
    metric = as_scores(people, scores)[1]
    judged = ~np.isnan(people)
    kept = metric[judged]
    if kept.size == 0 or np.ptp(kept) == 0:
        raise UndefinedError(f"{name} gives the same score to everything; leave it out or check its scores")
    return np.where(judged, (metric - kept.mean()) / kept.std(), 0.0)


def _only_one_right(people: Array, first: Array, second: Array, e1: float, e2: float) -> tuple[int, int]:
    """Pairs on which only the first metric is right, and only the second."""
    judged = ~np.isnan(people)
    people, first, second = people[judged], first[judged], second[judged]
    only_first = only_second = 0
    block = max(1, 4_000_000 // max(len(people), 1))
    for start in range(0, len(people), block):
        stop = min(len(people), start + block)
        later = np.arange(len(people)) > np.arange(start, stop)[:, None]
        order = np.sign(people[start:stop, None] - people)
        one, other = (_verdict(m[start:stop, None] - m, e) == order for m, e in ((first, e1), (second, e2)))
        only_first += int((one & ~other & later).sum())
        only_second += int((other & ~one & later).sum())
    return only_first, only_second


def _verdict(difference: Array, epsilon: float) -> Array:
    return np.where(np.abs(difference) <= epsilon, 0.0, np.sign(difference))
