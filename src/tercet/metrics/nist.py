"""NIST (Doddington 2002) as mteval-v13a defines it."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tercet import _native
from tercet.errors import OptionError
from tercet.language import tokenizers
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

# The penalty is 1/2 for a hypothesis of 2/3 of the reference's length.
_BETA = -np.log(0.5) / np.log(1.5) ** 2

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@register("nist")
@dataclass(frozen=True, kw_only=True)
class NIST(Metric):
    """Matched n-grams weighted by their information in the references, by the hypothesis's n-grams, all orders added.

    The information comes from the references of the whole test set, also for the score of a single segment.
    """

    decimals = 4

    lowercase: bool = True
    """As mteval does unless told otherwise; like mteval's, of A to Z only."""
    tokenize: tokenizers.Tokenizer = "13a"
    max_order: int = 5
    _information: _native.NistInformation | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.max_order <= 255:
            raise OptionError(f"nist: max_order={self.max_order} is not allowed; it takes 1 to 255")

    @property
    def whole_set(self) -> bool:
        return True

    @property
    def signature(self) -> Signature:
        return Signature.of(
            self.label,
            case="lc" if self.lowercase else "mixed",
            tok=self.tokenize,
            order=None if self.max_order == 5 else self.max_order,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            *(f"information{n}" for n in orders),
            *(f"total{n}" for n in orders),
            "hypothesis_length",
            "reference_length",
        )

    def for_references(self, references: Sequence[tuple[str, ...]]) -> NIST:
        tokenizers.prepare(self.tokenize)
        ready = replace(self)
        information = _native.NistInformation(self._sets(references), tokenizer=self.tokenize, order=self.max_order)
        object.__setattr__(ready, "_information", information)
        return ready

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        metric = self if self._information is not None else self.for_references(references)
        assert metric._information is not None
        return metric._information.statistics(self._texts(hypotheses), self._sets(references))

    def score(self, statistics: Array) -> Array:
        orders = self.max_order
        information, totals = statistics[..., :orders], statistics[..., orders : 2 * orders]
        gained = ratio(information, totals).sum(axis=-1)
        length = np.minimum(1.0, ratio(statistics[..., -2], statistics[..., -1], when_empty=1.0))
        penalty = np.exp(-_BETA * np.log(np.where(length > 0, length, 1.0)) ** 2)
        return np.where(length > 0, gained * penalty, 0.0)

    def _texts(self, texts: Sequence[str]) -> list[str]:
        if not self.lowercase:
            return list(texts)
        return [text.lower() if text.isascii() else text.translate(_ASCII_LOWER) for text in texts]

    def _sets(self, references: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [tuple(self._texts(texts)) for texts in references]
