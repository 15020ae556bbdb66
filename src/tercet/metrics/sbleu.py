"""SBLEU as Apidianaki et al. (2018, footnote 9) have it: n-gram recall, averaged arithmetically."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tercet import _native
from tercet.lattice.text import Wording
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

ORDER = 4


@register("sbleu-hytera")
@dataclass(frozen=True, kw_only=True)
class SBLEU(Metric):
    """The mean over n = 1 to 4 of the n-grams that both sides have by those of the reference, for the best reference.

    An order that the reference is too short for counts as 0.
    """

    lowercase: bool = True
    clitics: bool = True

    @property
    def label(self) -> str:
        return "SBLEU"

    @property
    def signature(self) -> Signature:
        return Signature.of(self.label, **self._wording.items(), order=ORDER)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        orders = range(1, ORDER + 1)
        return (*(f"matches{n}" for n in orders), *(f"reference_total{n}" for n in orders))

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        counts = [len(texts) for texts in references]
        texts = [" ".join(words) for words in self._wording.words(hypotheses)]
        flat: list[tuple[str, ...]] = [
            (" ".join(words),) for words in self._wording.words([text for texts in references for text in texts])
        ]
        repeated = [text for text, count in zip(texts, counts, strict=True) for _ in range(count)]
        found = _native.bleu(repeated, flat, tokenizer="none", order=ORDER)
        totals = np.maximum(found[:, 1:2] - np.arange(ORDER), 0)
        rows = np.concatenate([found[:, 2 : 2 + ORDER], totals], axis=1)
        scores, start = self.score(rows), np.cumsum([0, *counts])
        best = [first + int(np.argmax(scores[first:last])) for first, last in pairwise(start.tolist())]
        return rows[best]

    def score(self, statistics: Array) -> Array:
        matches, totals = statistics[..., :ORDER], statistics[..., ORDER:]
        return np.asarray(100 * ratio(matches, totals).mean(axis=-1))

    @property
    def _wording(self) -> Wording:
        return Wording(lowercase=self.lowercase, clitics=self.clitics)
