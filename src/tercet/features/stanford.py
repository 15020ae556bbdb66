"""The vector of a sentence's best tree in the Stanford neural parser: SYNTAX25 as Guzmán et al. (2015) had it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tercet.errors import OptionError, TercetWarning
from tercet.features.base import Array, SentenceVectors, checked
from tercet.features.registry import register
from tercet.language.stanford import CAP, Stanford
from tercet.language.stanford_java import DIMENSION, RESOURCE
from tercet.signature import Signature


@register("stanford25")
@dataclass(frozen=True, kw_only=True)
class Stanford25(SentenceVectors):
    """Root vectors of the Stanford parser's englishRNN; `tercet resources install stanford-parser`, Java, JPype.

    Slow, some sentences a second: parses are kept on disk. See docs/stanford.md.
    """

    cap: int = CAP
    """A sentence of more tokens is not parsed and has the zero vector."""
    parse: bool = True
    """Without it only sentences that were parsed before have a vector, and the others zeros."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cap < 1:
            raise OptionError(f"stanford25: cap={self.cap} is not allowed; it takes a whole number from 1")

    @cached_property
    def _stanford(self) -> Stanford:
        return Stanford(cap=self.cap)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{i}" for i in range(DIMENSION))

    @property
    def signature(self) -> Signature:
        from tercet import resources

        return Signature.of(
            self.name,
            tok="ptb",
            cap=self.cap,
            # what is given depends on what is kept, so the number of parses is part of what changes the numbers
            kept=None if self.parse else len(self._stanford.store),
            sha256=resources.fingerprint(RESOURCE)[:16],
        )

    def encode(self, texts: Sequence[str]) -> Array:
        vectors, counts = self._stanford.vectors(texts, parse=self.parse)
        if counts.failed:
            warnings.warn(
                f"{self.name}: {counts.failed} of {counts.texts} sentences have the zero vector ({counts})",
                TercetWarning,
                stacklevel=2,
            )
        return checked(vectors, len(texts), DIMENSION, self.name)
