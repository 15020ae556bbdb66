"""Texts turned into the numbers that the network takes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tercet.blas import one_blas_thread
from tercet.errors import OptionError
from tercet.features.base import Array, FeatureSet, SentenceVectors, without_vector
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set, sentence_vectors
from tercet.features.scaling import MinMax


@dataclass(frozen=True)
class FeatureSpecs:
    """Which features a network takes, by name."""

    similarity: tuple[str, ...] = ("4metrics",)
    """Of a hypothesis and its reference: the skip arcs."""
    vectors: tuple[str, ...] = ("glove50",)
    """Of hypotheses and references."""
    source_vectors: tuple[str, ...] = ()
    """Of sources; vectors of the source's language."""
    between: tuple[str, ...] = ()
    """Of the two hypotheses: what these sets know of both together."""

    def __post_init__(self) -> None:
        if not self.similarity and not self.vectors:
            raise OptionError("a network needs features; name some under similarity or vectors")
        if self.source_vectors and not self.vectors:
            raise OptionError("source_vectors are set against the hypotheses' vectors; name some under vectors too")


@dataclass
class Counts:
    """What was not as in the training data."""

    values: int = 0
    clipped: int = 0
    """Values outside the bounds of the training data."""
    sentences: int = 0
    without_vector: int = 0
    """Sentences of no tokens, or of unknown words only."""


@dataclass(frozen=True)
class Side:
    """Of translations by one system: similarity with one reference each, and their own vectors."""

    similarity: Array
    vectors: Array
    texts: Sequence[str]


@dataclass(frozen=True)
class Bounds:
    """What scales each kind of feature."""

    similarity: MinMax
    vectors: MinMax
    source: MinMax
    between: MinMax


@dataclass(frozen=True)
class Inputs:
    """The feature sets of some specs, with a cache; scaled as soon as there are bounds."""

    specs: FeatureSpecs
    cache: FeatureCache = field(default_factory=FeatureCache)
    bounds: Bounds | None = None
    counts: Counts = field(default_factory=Counts)

    def afresh(self, cache: FeatureCache) -> Inputs:
        """The same with the feature sets that are loaded, another cache, and nothing counted yet."""
        found = copy(self)
        object.__setattr__(found, "cache", cache)
        object.__setattr__(found, "counts", Counts())
        return found

    @cached_property
    def similarity_sets(self) -> list[FeatureSet]:
        """The sets behind the skip arcs."""
        found = [feature_set(spec) for spec in self.specs.similarity]
        for spec, one in zip(self.specs.similarity, found, strict=True):
            if isinstance(one, SentenceVectors):
                raise OptionError(f"{spec!r} is a set of sentence vectors; name it under vectors, not similarity")
        return found

    @cached_property
    def vector_sets(self) -> list[SentenceVectors]:
        """The sets of vectors of hypotheses and references."""
        return [sentence_vectors(spec) for spec in self.specs.vectors]

    @cached_property
    def source_sets(self) -> list[SentenceVectors]:
        """The sets of vectors of sources."""
        return [sentence_vectors(spec) for spec in self.specs.source_vectors]

    @cached_property
    def between_sets(self) -> list[FeatureSet]:
        """The sets that know something of two hypotheses together."""
        found = [feature_set(spec) for spec in self.specs.between]
        for spec, one in zip(self.specs.between, found, strict=True):
            if not one.between_names:
                raise OptionError(f"{spec!r} says nothing of two hypotheses together; name it under similarity")
        return found

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Columns of vectors, of source vectors, of similarity, and between hypotheses."""
        sets: list[Sequence[FeatureSet]] = [self.vector_sets, self.source_sets, self.similarity_sets]
        one, two, three = (sum(len(features.names) for features in kind) for kind in sets)
        return one, two, three, sum(len(one.between_names) for one in self.between_sets)

    def signatures(self) -> dict[str, list[str]]:
        """What a model must find again to give the same margins."""
        return {
            "similarity": [str(one.signature) for one in self.similarity_sets],
            "vectors": [str(one.signature) for one in self.vector_sets],
            "source_vectors": [str(one.signature) for one in self.source_sets],
            "between": [str(one.signature) for one in self.between_sets],
        }

    def side(self, hypotheses: Sequence[str], references: Sequence[str], sources: Sequence[str] | None) -> Side:
        """Features of translations, each with one reference."""
        pairs = [(reference,) for reference in references]
        with one_blas_thread():
            columns = [self.cache.transform(one, hypotheses, pairs, sources) for one in self.similarity_sets]
        similarity = _beside(columns, len(hypotheses))
        return Side(
            self._scaled(similarity, self.bounds.similarity if self.bounds else None),
            self.sentences(hypotheses),
            hypotheses,
        )

    def between(self, first: Sequence[str], second: Sequence[str]) -> Array:
        """What stands between two hypotheses of each segment."""
        found = _beside([self.cache.between(one, first, second) for one in self.between_sets], len(first))
        return self._scaled(found, self.bounds.between if self.bounds else None)

    def sentences(self, texts: Sequence[str]) -> Array:
        """Vectors of hypotheses or references."""
        return self._vectors(self.vector_sets, texts, self.bounds.vectors if self.bounds else None)

    def sources(self, texts: Sequence[str] | None, number: int) -> Array:
        """Vectors of sources."""
        if not self.source_sets:
            return np.zeros((number, 0), np.float32)
        if texts is None:
            raise OptionError("this network takes sources; give the source file with -s")
        return self._vectors(self.source_sets, texts, self.bounds.source if self.bounds else None)

    def _vectors(self, sets: Sequence[SentenceVectors], texts: Sequence[str], bounds: MinMax | None) -> Array:
        with one_blas_thread():
            found = [self.cache.encode(one, texts) for one in sets]
        self.counts.sentences += len(texts) * len(found)
        self.counts.without_vector += sum(without_vector(one) for one in found)
        return self._scaled(_beside(found, len(texts)), bounds)

    def _scaled(self, features: Array, bounds: MinMax | None) -> Array:
        if bounds is None:
            return features
        scaled, clipped = bounds.scale(features)
        self.counts.values += features.size
        self.counts.clipped += clipped
        return scaled


def _beside(columns: Sequence[Array], rows: int) -> Array:
    return np.concatenate([np.zeros((rows, 0), np.float32), *columns], axis=1)
