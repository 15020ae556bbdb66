"""People against people: how far two judgments of the same pair of translations agree, by κ and by tau.

Two judgments meet where they are of the same segment and the same two systems, whichever was shown first. Every two
that meet are counted, so n judgments of a pair give n (n − 1) / 2 meetings, as in WMT's own counts (Appraise, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.agreement.comparisons import Integers, check_comparisons, same_length, whole_numbers
from tercet.errors import OptionError, ShapeError

Judges = Literal["different", "same", "any"]
"""Which two judgments meet: of two judges (inter-annotator), of one judge twice (intra-annotator), or any two."""


@dataclass(frozen=True)
class Kappa:
    """Agreement corrected for chance: κ = (P(A) − P(E)) / (1 − P(E))."""

    observed: float
    expected: float
    meetings: int

    @property
    def kappa(self) -> float:
        """1 for full agreement, 0 for what chance gives."""
        return (self.observed - self.expected) / (1 - self.expected)


@dataclass(frozen=True)
class JudgeTau:
    """How one judgment ranks the pair that another ranked: the ceiling that a metric's tau is compared with.

    Counts of meetings add up over language pairs: `sum` them for a pooled tau.
    """

    concordant: int
    discordant: int
    ties: int

    def __add__(self, other: JudgeTau) -> JudgeTau:
        return JudgeTau(self.concordant + other.concordant, self.discordant + other.discordant, self.ties + other.ties)

    def __radd__(self, other: int) -> JudgeTau:
        """For `sum`, which begins with 0."""
        return self if other == 0 else NotImplemented

    @property
    def tau(self) -> float:
        """(concordant − discordant) / (concordant + discordant); those with a tie are left out, as human ties are."""
        if not self.concordant + self.discordant:
            raise ShapeError("no pair of translations was ranked twice without a tie; there is no tau between judges")
        return (self.concordant - self.discordant) / (self.concordant + self.discordant)


def annotator_kappa(
    judge: ArrayLike,
    segment: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    value: ArrayLike,
    *,
    judges: Judges = "different",
    chance: Literal["observed", "uniform"] = "observed",
) -> Kappa:
    """Cohen's κ over <, = and > as WMT computes it.

    P(A) is the share of meetings that agree. P(E), since WMT11, comes from the ties observed (Bojar et al. 2011): with
    t their share, t² + 2 ((1 − t) / 2)², since which of two translations is shown first is arbitrary. Before, it was
    1/3 (`chance="uniform"`). For one judge against himself, t is that of the judgments by judges on segments where they
    repeated some pair; otherwise that of all judgments.
    """
    table = _Judgments(judge, segment, first, second, value)
    if chance not in ("observed", "uniform"):
        raise OptionError(f"chance={chance!r}; it is observed or uniform")
    counts = table.meetings(judges)
    total = int(counts.sum())
    if not total:
        raise ShapeError(f"no pair of translations was judged twice ({judges} judges); there is no κ")
    values = table.value[table.repeating()] if judges == "same" else table.value
    tied = float((values == 0).mean())
    expected = tied**2 + (1 - tied) ** 2 / 2 if chance == "observed" else 1 / 3
    if expected == 1:
        raise ShapeError("all judgments are ties; κ is undefined")
    return Kappa(observed=float(np.trace(counts)) / total, expected=expected, meetings=total)


def judge_tau(
    judge: ArrayLike,
    segment: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    value: ArrayLike,
    *,
    judges: Judges = "any",
) -> JudgeTau:
    """Concordant and discordant meetings of two judgments of the same pair of translations.

    By default any two judgments meet, also two by the same judge. Segments of several language pairs that are given
    together need labels of their own, or systems with numbers of their own.
    """
    counts = _Judgments(judge, segment, first, second, value).meetings(judges)
    agree = int(counts[0, 0] + counts[2, 2])
    apart = int(counts[0, 2])
    return JudgeTau(agree, apart, int(counts.sum()) - agree - apart)


class _Judgments:
    """Judgments with the two systems of each in a fixed order, and the pair of translations that each is of."""

    def __init__(
        self, judge: ArrayLike, segment: ArrayLike, first: ArrayLike, second: ArrayLike, value: ArrayLike
    ) -> None:
        one, two = whole_numbers(first, "first"), whole_numbers(second, "second")
        given = whole_numbers(value, "value")
        self.judge, self.segment = _codes(judge), _codes(segment)
        same_length(judge=self.judge, segment=self.segment, first=one, second=two, value=given)
        if not len(given):
            raise ShapeError("no judgments")
        check_comparisons(one, two, given)
        labels = np.asarray(judge)
        self.unnamed = labels.dtype.kind == "i" and bool((labels < 0).any())  # as `Judgments.indices` has it
        self.value = np.where(one < two, given, -given)
        self.pair = _combined(self.segment, _combined(_codes(np.minimum(one, two)), _codes(np.maximum(one, two))))

    def meetings(self, judges: Judges) -> Integers:
        """How many meetings there are of each two values, (3, 3): cell (a, b), a ≤ b, is of values a − 1 and b − 1."""
        if judges == "any":
            return _meetings(self.pair, self.value)
        if judges not in ("different", "same"):
            raise OptionError(f"judges={judges!r}; it is different, same or any")
        if self.unnamed:
            raise ShapeError('some judgments name no judge; use judges="any", or leave them out')
        same = _meetings(_combined(self.pair, self.judge), self.value)
        return same if judges == "same" else _meetings(self.pair, self.value) - same

    def repeating(self) -> NDArray[np.bool_]:
        """Judgments by a judge on a segment where he judged some pair more than once."""
        by_judge = _combined(self.pair, self.judge)
        repeated = np.bincount(by_judge)[by_judge] > 1
        sitting = _combined(self.segment, self.judge)
        return np.bincount(sitting, weights=repeated)[sitting] > 0


def _meetings(group: Integers, value: Integers) -> Integers:
    """Unordered pairs of judgments in the same group by their values, (3, 3), the smaller value first."""
    n = np.bincount(3 * group + value + 1, minlength=3 * (int(group.max()) + 1)).reshape(-1, 3)
    counts = np.triu(n.T @ n, 1)
    np.fill_diagonal(counts, (n * (n - 1) // 2).sum(axis=0))
    return counts


def _codes(labels: ArrayLike) -> Integers:
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ShapeError(f"judges and segments have {array.ndim} dimensions; give one label for each judgment")
    return np.unique(array, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _combined(one: Integers, other: Integers) -> Integers:
    """Codes from 0 of the pairs of two codes."""
    return _codes(one * (int(other.max()) + 1) + other) if len(one) else one
