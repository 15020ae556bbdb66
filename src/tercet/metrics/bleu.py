"""BLEU (Papineni et al. 2002), equal to sacreBLEU's for the same options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tercet import _native
from tercet.errors import OptionError
from tercet.language import tokenizers
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

Smoothing = Literal["none", "floor", "add-k", "exp"]
_DEFAULT_VALUE: Mapping[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}

_LOG_OF_ZERO = -9999999999.0  # as sacreBLEU has it: one empty order makes the whole score vanish


@register("bleu")
@dataclass(frozen=True, kw_only=True)
class BLEU(Metric):
    """Geometric mean of clipped n-gram precisions, times a penalty for brevity."""

    lowercase: bool = False
    tokenize: tokenizers.Tokenizer = "13a"
    smooth: Smoothing = "exp"
    smooth_value: float | None = None
    max_order: int = 4
    effective_order: bool | None = None
    """Leave out orders longer than the hypothesis; by default for single segments only."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_order < 1:
            raise OptionError(f"bleu: max_order={self.max_order} is not allowed; it takes 1 or more")

    @property
    def signature(self) -> Signature:
        value = self._smoothing_value()
        return Signature.of(
            self.label,
            case="lc" if self.lowercase else "mixed",
            eff=bool(self.effective_order),
            tok=self.tokenize,
            smooth=self.smooth + (f"[{value:.2f}]" if value is not None else ""),
            order=None if self.max_order == 4 else self.max_order,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            "hypothesis_length",
            "reference_length",
            *(f"matches{n}" for n in orders),
            *(f"total{n}" for n in orders),
        )

    def for_segments(self) -> BLEU:
        return replace(self, effective_order=True) if self.effective_order is None else self

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        tokenizers.prepare(self.tokenize)
        return _native.bleu(
            list(hypotheses),
            list(references),
            tokenizer=self.tokenize,
            order=self.max_order,
            lowercase=self.lowercase,
        )

    def exchanged(self, statistics: Array) -> Array:
        length, other = statistics[..., :1], statistics[..., 1:2]
        totals = np.maximum(other - np.arange(self.max_order), 0)
        return np.concatenate([other, length, self._matches(statistics), totals], axis=-1)

    def score(self, statistics: Array) -> Array:
        matches, totals = self._matches(statistics), self._totals(statistics)
        precisions, reached = self._smoothed_precisions(matches, totals)
        logs = np.where(precisions > 0, np.log(np.where(precisions > 0, precisions, 1.0)), _LOG_OF_ZERO)
        if self.effective_order:
            mean = ratio((logs * reached).sum(axis=-1), reached.sum(axis=-1), when_empty=_LOG_OF_ZERO)
        else:
            mean = logs.sum(axis=-1) / self.max_order
        return np.where(matches.any(axis=-1), self._brevity_penalty(statistics) * np.exp(mean), 0.0)

    def components(self, statistics: Array) -> Mapping[str, Array]:
        """BLEUCOMP (Guzmán et al. 2015): precisions, matches, totals, lengths, their ratio, the brevity penalty."""
        matches, totals = self._matches(statistics), self._totals(statistics)
        precisions = ratio(matches, totals)
        orders = range(self.max_order)
        return {
            **{f"precision{n + 1}": precisions[..., n] for n in orders},
            **{f"matches{n + 1}": matches[..., n] for n in orders},
            **{f"total{n + 1}": totals[..., n] for n in orders},
            "hypothesis_length": statistics[..., 0],
            "reference_length": statistics[..., 1],
            "length_ratio": ratio(statistics[..., 0], statistics[..., 1]),
            "brevity_penalty": self._brevity_penalty(statistics),
        }

    def _matches(self, statistics: Array) -> Array:
        return statistics[..., 2 : 2 + self.max_order]

    def _totals(self, statistics: Array) -> Array:
        return statistics[..., 2 + self.max_order :]

    def _brevity_penalty(self, statistics: Array) -> Array:
        hypothesis, reference = statistics[..., 0], statistics[..., 1]
        short = np.exp(1 - ratio(reference, hypothesis, when_empty=np.inf))
        return np.where(hypothesis < reference, short, 1.0)

    def _smoothing_value(self) -> float | None:
        default = _DEFAULT_VALUE[self.smooth]
        return default if default is None or self.smooth_value is None else self.smooth_value

    def _smoothed_precisions(self, matches: Array, totals: Array) -> tuple[Array, Array]:
        """Precisions in percent (Chen & Cherry 2014), and which orders the hypothesis is long enough for."""
        value = self._smoothing_value() or 0.0
        if self.smooth == "add-k":
            above_unigrams = np.arange(self.max_order) > 0
            matches, totals = matches + value * above_unigrams, totals + value * above_unigrams
        reached = np.logical_and.accumulate(totals > 0, axis=-1)
        missed = reached & (matches == 0)
        below = np.where(reached, totals, 1.0)
        precisions = np.where(reached, 100.0 * matches / below, 0.0)
        if self.smooth == "exp":  # 1/2, 1/4, ... of a match for the first, second, ... order without one
            precisions = np.where(missed, 100.0 / (2.0 ** np.cumsum(missed, axis=-1) * below), precisions)
        elif self.smooth == "floor":
            precisions = np.where(missed, 100.0 * value / below, precisions)
        return precisions, reached
