"""Kendall's tau of relative rankings, as the WMT metrics tasks have defined it over the years.

Each judged pair falls into one of five cases, and each form of tau is a ratio of two weighted sums of the cases'
counts. Counts add up over segments, so the taus of all bootstrap samples are one matrix product away.

Macháček & Bojar (2014) write a form as a table of coefficients, one for each case of people's verdict
(rows) and the metric's (columns); tau = sum of coefficient x pairs / pairs whose coefficient is not X (left out):

              WMT11, WMT12        WMT13             WMT14
              <   =   >         <   =   >         <   =   >
         <    1  -1  -1         1   X  -1         1   0  -1
         =    X   X   X         X   X   X         X   X   X
         >   -1  -1   1        -1   X   1        -1   0   1

Deutsch et al. (2023) add forms in which people's ties count: the metric is right when it ties what people
tie, and wrong when it ties what they do not or fails to tie what they do (tau_eq); acc_eq is the share of right pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.errors import OptionError, ShapeError, UndefinedError
from tercet.metrics.base import ratio

Array = NDArray[np.float64]

CASES: Final = ("concordant", "discordant", "metric tie", "human tie", "both tie")
"""The columns of counts: same order, opposite orders, tied by the metric only, by people only, by both."""


@dataclass(frozen=True)
class Tau:
    """A form of tau: what each case adds above the line, and whether it counts below it."""

    name: str
    coefficients: tuple[int | None, int | None, int | None, int | None, int | None]
    """One for each case; None leaves the case out."""
    source: str

    def of(self, counts: ArrayLike) -> Array:
        """The taus of counts (..., 5), over the last axis; NaN where no pair counts."""
        table = np.asarray(counts, np.float64)
        if table.shape[-1:] != (len(CASES),):
            raise ShapeError(f"counts of shape {table.shape}; the last axis holds the {len(CASES)} cases")
        above = table @ np.array([coefficient or 0 for coefficient in self.coefficients], np.float64)
        below = table @ np.array([coefficient is not None for coefficient in self.coefficients], np.float64)
        return ratio(above, below, when_empty=np.nan)

    def pairs(self, counts: ArrayLike) -> Array:
        """How many pairs the tau of counts (..., 5) is made of."""
        kept = np.array([coefficient is not None for coefficient in self.coefficients], np.float64)
        return np.asarray(np.asarray(counts, np.float64) @ kept)


TAUS: Final[Mapping[str, Tau]] = {
    tau.name: tau
    for tau in (
        Tau("wmt11", (1, -1, -1, None, None), "Callison-Burch et al. 2011"),
        Tau("wmt12", (1, -1, -1, None, None), "Callison-Burch et al. 2012; daRR of WMT17-20 too"),
        Tau("wmt13", (1, -1, None, None, None), "Macháček & Bojar 2013"),
        Tau("wmt14", (1, -1, 0, None, None), "Macháček & Bojar 2014; WMT15, WMT16 too"),
        Tau("eq", (1, -1, -1, -1, 1), "Deutsch et al. 2023"),
        Tau("acc-eq", (1, 0, 0, 0, 1), "Deutsch et al. 2023"),
    )
}


def form(name: str) -> Tau:
    """The form of tau with this name."""
    if name not in TAUS:
        raise OptionError(f"unknown tau {name!r}; there are {', '.join(TAUS)}")
    return TAUS[name]


def cases(gold: ArrayLike, first: ArrayLike, second: ArrayLike) -> NDArray[np.intp]:
    """Which case each pair is, as an index into CASES.

    gold is +1 where people prefer the first, -1 where the second, 0 where neither. Scores are oriented so that higher
    is better; the metric ties two scores that are equal.
    """
    verdict = np.asarray(gold, np.float64)
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if verdict.ndim != 1 or verdict.shape != one.shape or one.shape != other.shape:
        raise ShapeError(f"{verdict.shape} verdicts with {one.shape} and {other.shape} scores; give one of each a pair")
    strange = ~np.isin(verdict, (-1, 0, 1))
    if strange.any():
        at = int(np.flatnonzero(strange)[0])
        raise ShapeError(f"the verdict on pair {at + 1} is {verdict[at]:g}; it is 1, -1 or 0 (a tie)")
    missing = np.isnan(one) | np.isnan(other)
    if missing.any():
        at = int(np.flatnonzero(missing)[0])
        raise ShapeError(
            f"pair {at + 1} has no score ({int(missing.sum())} pairs in all); leave them out or score them"
        )
    metric = np.sign((one > other).astype(np.int8) - (one < other).astype(np.int8))
    return np.where(
        verdict == 0, np.where(metric == 0, 4, 3), np.where(metric == 0, 2, np.where(metric == verdict, 0, 1))
    ).astype(np.intp)


def count(gold: ArrayLike, first: ArrayLike, second: ArrayLike) -> Array:
    """How many pairs fall into each case: (5,)."""
    return np.bincount(cases(gold, first, second), minlength=len(CASES)).astype(np.float64)


def count_by_segment(
    gold: ArrayLike, first: ArrayLike, second: ArrayLike, segments: ArrayLike, *, size: int | None = None
) -> Array:
    """Cases of each segment, (segments, 5): what a bootstrap over segments resamples.

    segments holds the number of the segment that each pair belongs to, from 0; pairs of one segment share their texts
    and often their judge, so they are drawn together. Segments without pairs stay as rows of zeros unless `size` is
    smaller than they reach.
    """
    found = cases(gold, first, second)
    where = np.asarray(segments)
    if where.shape != found.shape or not np.issubdtype(where.dtype, np.integer):
        raise ShapeError(f"{len(found)} pairs with segments of shape {where.shape}; give a whole number for each pair")
    if where.size and where.min() < 0:
        raise ShapeError(f"segment number {where.min()} is below 0")
    number = (int(where.max()) + 1 if where.size else 0) if size is None else size
    if where.size and where.max() >= number:
        raise ShapeError(f"segment number {where.max()} where there are {number} segments (numbered from 0)")
    flat = np.bincount(where.astype(np.intp) * len(CASES) + found, minlength=number * len(CASES))
    return flat.reshape(number, len(CASES)).astype(np.float64)


def tau(gold: ArrayLike, first: ArrayLike, second: ArrayLike, *, name: str = "wmt14") -> float:
    """The tau of judged pairs; an error where no pair counts."""
    wanted = form(name)
    value = float(wanted.of(count(gold, first, second)))
    if np.isnan(value):
        raise UndefinedError(
            f"tau {name} of {np.size(gold)} pairs is undefined: every one of them is left out as a tie"
        )
    return value
