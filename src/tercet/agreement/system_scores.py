"""From comparisons to one number a system by counting: Expected Wins, and the fractions that WMT used before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tercet.agreement.comparisons import Array, Comparisons, Tally
from tercet.options import check_options


class SystemScore(ABC):
    """A way to score systems by comparisons; higher is better. Subclasses are frozen dataclasses of options."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_options(self)

    @abstractmethod
    def scores(self, comparisons: Comparisons) -> Array:
        """One score a system."""

    @abstractmethod
    def resampled(self, comparisons: Comparisons, *, resamples: int, seed: int) -> Array:
        """Scores in each bootstrap sample, (resamples, systems)."""


class TallyScore(SystemScore):
    """A score that depends only on how often each system beat and tied each other one."""

    @abstractmethod
    def from_tally(self, tally: Tally) -> Array:
        """Scores over the last axis, NaN for a system of which the tally says nothing."""

    def scores(self, comparisons: Comparisons) -> Array:
        return self.from_tally(comparisons.tally())

    def resampled(self, comparisons: Comparisons, *, resamples: int, seed: int) -> Array:
        blocks: Iterator[Tally] = comparisons.resampled_tallies(resamples, seed)
        return np.concatenate([self.from_tally(tally) for tally in blocks])


@dataclass(frozen=True, kw_only=True)
class ExpectedWins(TallyScore):
    """Expected Wins: the mean, over opponents, of the fraction of comparisons won, ties left out.

    Σj≠i wins(i, j) / (wins(i, j) + wins(j, i)), divided by the number of opponents (Koehn 2012); official in WMT13. It
    weighs all opponents alike, so that luck in whom a system met does not count. Opponents that a system never met
    without a tie are left out of its mean.
    """

    name = "expected_wins"

    def from_tally(self, tally: Tally) -> Array:
        met = tally.decided > 0
        rate = np.divide(tally.wins, tally.decided, out=np.zeros_like(tally.wins), where=met)
        # added up by size: the order of opponents must not change the last digit, which tells equal systems apart
        return _ratio(np.sort(rate, axis=-1).sum(axis=-1), met.sum(axis=-1))


@dataclass(frozen=True, kw_only=True)
class WinRatio(TallyScore):
    """`> others`: the fraction of all comparisons won, ties left out (Bojar et al. 2011); official in WMT12."""

    name = "win_ratio"

    def from_tally(self, tally: Tally) -> Array:
        return _ratio(tally.wins.sum(axis=-1), tally.decided.sum(axis=-1))


@dataclass(frozen=True, kw_only=True)
class BetterOrEqual(TallyScore):
    """`>= others`: the fraction of all comparisons won or tied (Callison-Burch et al. 2011); official until WMT11."""

    name = "better_or_equal"

    def from_tally(self, tally: Tally) -> Array:
        all_of_them = tally.decided + tally.ties
        return _ratio((tally.wins + tally.ties).sum(axis=-1), all_of_them.sum(axis=-1))


def _ratio(above: Array, below: Array) -> Array:
    known = below > 0
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=known))
