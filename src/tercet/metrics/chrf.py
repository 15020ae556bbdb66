"""chrF and chrF++ (Popović 2015, 2017), equal to sacreBLEU's for the same options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tercet import _native
from tercet.errors import OptionError
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

_EPSILON = 1e-16


@register("chrf", aliases={"chrf++": {"word_order": 2}})
@dataclass(frozen=True, kw_only=True)
class ChrF(Metric):
    """F-score over character n-grams (and, for chrF++, word n-grams) of hypothesis and best reference."""

    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order < 0 or self.word_order < 0 or self.char_order + self.word_order == 0:
            raise OptionError("chrf: char_order and word_order are 0 or more, and not both 0")

    @property
    def label(self) -> str:
        return f"chrF{self.beta:g}" + "+" * self.word_order

    @property
    def signature(self) -> Signature:
        return Signature.of(
            self.label,
            case="lc" if self.lowercase else "mixed",
            eff=not self.eps_smoothing,
            nc=self.char_order,
            nw=self.word_order,
            space=self.whitespace,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        orders = [f"char{n + 1}" for n in range(self.char_order)] + [f"word{n + 1}" for n in range(self.word_order)]
        return tuple(f"{order}_{part}" for order in orders for part in ("hypothesis", "reference", "matches"))

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        return _native.chrf(
            list(hypotheses),
            list(references),
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            lowercase=self.lowercase,
        )

    def exchanged(self, statistics: Array) -> Array:
        hypothesis, reference, matches = (statistics[..., i::3] for i in range(3))
        turned = np.stack([np.where(hypothesis > 0, reference, 0), hypothesis, matches], axis=-1)
        turned = turned.reshape(statistics.shape)
        # where a reference has no n-grams of an order, those of the hypothesis were not counted
        turned[(reference == 0).any(axis=-1)] = np.nan
        return turned

    def score(self, statistics: Array) -> Array:
        hypothesis, reference, matches = (statistics[..., i::3] for i in range(3))
        precision = ratio(matches, hypothesis, when_empty=_EPSILON)
        recall = ratio(matches, reference, when_empty=_EPSILON)
        if self.eps_smoothing:
            f_scores = self._f(precision, recall, when_empty=_EPSILON)
            return np.asarray(100 * f_scores.sum(axis=-1) / f_scores.shape[-1])
        counted = (hypothesis > 0) & (reference > 0)
        orders = counted.sum(axis=-1)
        return 100 * self._f(
            ratio((precision * counted).sum(axis=-1), orders), ratio((recall * counted).sum(axis=-1), orders)
        )

    def _f(self, precision: Array, recall: Array, *, when_empty: float = 0.0) -> Array:
        factor = self.beta**2
        return ratio((1 + factor) * precision * recall, factor * precision + recall, when_empty=when_empty)
