"""Word error rate: word edit distance by the reference's length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tercet import _native
from tercet.language import tokenizers
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature


@register("wer")
@dataclass(frozen=True, kw_only=True)
class WER(Metric):
    """Words to replace, put in or take out, by the length of the reference for which that rate is lowest.

    Of references with the same rate the first counts. Against an empty reference the rate is 100, or 0 for an empty
    hypothesis.
    """

    lowercase: bool = False
    tokenize: tokenizers.Tokenizer = "none"

    higher_is_better = False

    @property
    def signature(self) -> Signature:
        return Signature.of(self.label, case="lc" if self.lowercase else "mixed", tok=self.tokenize)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        tokenizers.prepare(self.tokenize)
        return _native.wer(list(hypotheses), list(references), tokenizer=self.tokenize, lowercase=self.lowercase)

    def score(self, statistics: Array) -> Array:
        edits, length = statistics[..., 0], statistics[..., 1]
        return 100 * ratio(edits, length, when_empty=edits > 0)
