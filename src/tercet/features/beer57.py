"""The 57 features of Stanojević & Sima'an (2017, section 2.4): pieces that two strings share, from cpp/beer57.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tercet import _native
from tercet.corpus.segments import as_hypotheses, as_references
from tercet.features.base import Array, FeatureSet, checked
from tercet.features.registry import register
from tercet.language.tokenizers import Tokenizer, prepare
from tercet.metrics.base import BATCH
from tercet.signature import Signature

PIECES = (*(f"char{n}" for n in range(1, 6)), *(f"word{n}" for n in range(1, 5)), "skip2", "skip*")
MEASURES = ("precision", "recall", "f1", "f2", "f0.5")


@register("beer57")
@dataclass(frozen=True, kw_only=True)
class Beer57(FeatureSet):
    """Precision, recall, F1, F2 and F0.5 over characters, words and skip-bigrams, and how far the lengths differ.

    `char1` to `char5` and `word1` to `word4` are n-grams; `skip2` are ordered pairs of words with at most two words
    between them, `skip*` those with any number. Matches are clipped. Where both texts are too short for a piece, the
    next shorter piece speaks for it (single words for skip-bigrams); two empty texts are equal. The length features are
    (longer - shorter) / shorter, with an empty text taken as one of length 1. Of several references, the one with the
    highest mean F1 counts.
    """

    tokenizer: Tokenizer = "13a"
    lowercase: bool = False
    whitespace: bool = False
    """Whether blanks are characters."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *(f"{piece}.{measure}" for piece in PIECES for measure in MEASURES),
        "length.words",
        "length.characters",
    )

    @property
    def names(self) -> tuple[str, ...]:
        return self.COLUMNS

    @property
    def signature(self) -> Signature:
        case = "lc" if self.lowercase else "mixed"
        return Signature.of(self.name, case=case, tok=self.tokenizer, space=self.whitespace)

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        prepare(self.tokenizer)
        parts = [np.zeros((0, len(self.names)), np.float32)]
        for start in range(0, len(texts), BATCH):
            part = _native.beer57(
                texts[start : start + BATCH],
                sets[start : start + BATCH],
                tokenizer=self.tokenizer,
                whitespace=self.whitespace,
                lowercase=self.lowercase,
            )
            parts.append(part)
        return checked(np.concatenate(parts), len(texts), len(self.names), self.name)
