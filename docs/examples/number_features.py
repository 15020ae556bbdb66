"""A feature set of one's own: whether the numbers of the reference are in the translation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tercet.features import FeatureSet, register
from tercet.features.base import Array, checked
from tercet.signature import Signature

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@register("numbers")
@dataclass(frozen=True, kw_only=True)
class Numbers(FeatureSet):
    """How many of the reference's numbers are missing, and how many are there that the reference has not."""

    marks: bool = True
    """Whether 1,000 and 1000 differ."""

    @property
    def names(self) -> tuple[str, ...]:
        return ("missing", "added")

    @property
    def signature(self) -> Signature:
        return Signature.of("numbers", marks=self.marks)

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        rows = []
        for hypothesis, several in zip(hypotheses, references, strict=True):
            ours = self._numbers(hypothesis)
            found = [((theirs - ours).total(), (ours - theirs).total()) for theirs in map(self._numbers, several)]
            rows.append(min(found, key=sum))  # against the reference with which they agree best
        return checked(np.array(rows, np.float32).reshape(-1, 2), len(hypotheses), 2, "numbers")

    def _numbers(self, text: str) -> Counter[str]:
        found = _NUMBER.findall(text)
        return Counter(found if self.marks else (re.sub("[.,]", "", one) for one in found))
