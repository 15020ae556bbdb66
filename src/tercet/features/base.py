"""What every feature set is: a hypothesis against its references gives a row of numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import as_hypotheses
from tercet.errors import ShapeError
from tercet.options import check_options
from tercet.signature import Signature

Array = NDArray[np.float32]


class FeatureSet(ABC):
    """Named numbers about a hypothesis, its references and, where it is given, its source.

    Subclasses are frozen keyword-only dataclasses whose fields are the set's options.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_options(self)

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """What the columns of `transform` are."""

    @property
    def whole_set(self) -> bool:
        """Whether a segment's numbers depend on the references of the other segments."""
        return False

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Everything that changes the numbers, resources included."""

    @abstractmethod
    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        """Features, float32 (segments, columns). References are those of the whole test set, in its order."""

    @property
    def between_names(self) -> tuple[str, ...]:
        """What the columns of `between` are; none where a set says nothing of two hypotheses."""
        return ()

    def between(self, first: Sequence[str], second: Sequence[str]) -> Array:
        """How two hypotheses of each segment stand to each other, float32 (segments, columns); the same both ways."""
        raise NotImplementedError


class SentenceVectors(FeatureSet):
    """A vector for each sentence by itself, whichever side it comes from: the x of Guzmán et al. (2015).

    A sentence about which nothing is known (no tokens, no known word) has the zero vector, and no other sentence has.
    """

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Array:
        """The vectors of sentences, float32 (sentences, columns)."""

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        return self.encode(as_hypotheses(hypotheses))


def without_vector(vectors: Array) -> int:
    """How many sentences have no vector of their own and were given the zero vector."""
    return int(np.sum(~vectors.any(axis=1))) if vectors.shape[1] else 0


def checked(features: NDArray[np.floating], rows: int, columns: int, name: str) -> Array:
    """The features as float32, refused if they are not what the set promised."""
    if features.shape != (rows, columns):
        raise ShapeError(f"{name} gave features of shape {features.shape} where {(rows, columns)} was meant")
    if not np.isfinite(features).all():
        row = int(np.argmin(np.isfinite(features).all(axis=1)))
        raise ShapeError(f"{name} gave a number that is not finite for segment {row + 1}")
    return np.ascontiguousarray(features, np.float32)
