"""A metric of one's own: the F-score of the words that a hypothesis shares with its reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tercet.errors import OptionError
from tercet.metrics import Metric, register
from tercet.metrics.base import Array, ratio
from tercet.signature import Signature


@register("wordf")
@dataclass(frozen=True, kw_only=True)
class WordF(Metric):
    """F-score of shared words; recall counts `beta` times as much as precision. The best reference counts."""

    beta: float = 2.0
    lowercase: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()  # checks the types of the options
        if self.beta <= 0:
            raise OptionError(f"wordf: beta={self.beta:g} is not allowed; it lies above 0")

    @property
    def label(self) -> str:
        return f"wordF{self.beta:g}"

    @property
    def signature(self) -> Signature:
        return Signature.of(self.label, case="lc" if self.lowercase else "mixed")

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("matches", "hypothesis_words", "reference_words")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        rows = []
        for hypothesis, several in zip(hypotheses, references, strict=True):
            against = np.array([self._row(hypothesis, reference) for reference in several], np.float64)
            rows.append(against[np.argmax(self.score(against))])
        return np.array(rows, np.float64)

    def score(self, statistics: Array) -> Array:
        matches, ours, theirs = np.moveaxis(statistics, -1, 0)
        weight = self.beta**2
        # two empty texts are equal
        return 100 * ratio((1 + weight) * matches, ours + weight * theirs, when_empty=1.0)

    def _row(self, hypothesis: str, reference: str) -> tuple[int, int, int]:
        ours, theirs = (Counter((text.lower() if self.lowercase else text).split()) for text in (hypothesis, reference))
        return (ours & theirs).total(), ours.total(), theirs.total()
