"""SYNTAX25: how a sentence is built, by the network of `tercet.language.syntax`, which ships with the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tercet.corpus.segments import as_hypotheses
from tercet.features.base import Array, SentenceVectors, checked
from tercet.features.registry import register
from tercet.signature import Signature

if TYPE_CHECKING:
    from tercet.language.syntax import SyntaxNetwork

DIMENSION = 25


@register("syntax25")
@dataclass(frozen=True, kw_only=True)
class Syntax25(SentenceVectors):
    """25 numbers about the build of an English sentence, in the place of SYNTAX25 in Guzmán et al. (2015).

    The paper takes the vector at the root of a parse by a recursive network; this is a recurrent network over words,
    tags and chunks that was trained to find errors. It needs neither Java nor an installed resource.
    """

    @cached_property
    def _network(self) -> SyntaxNetwork:
        from tercet.language.syntax import syntax_network

        return syntax_network()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{i}" for i in range(DIMENSION))

    @property
    def signature(self) -> Signature:
        return Signature.of(self.name, sha256=self._network.sha256[:16])

    def encode(self, texts: Sequence[str]) -> Array:
        return checked(self._network.encode(as_hypotheses(texts)), len(texts), DIMENSION, self.name)
