"""The features of all texts that are judged, computed once, and rows of input for any of their pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tercet.features.base import Array
from tercet.features.scaling import MinMax
from tercet.rankers.architecture import Architecture
from tercet.rankers.inputs import Bounds, Inputs
from tercet.rankers.pairs import Numbers, Pairs, Texts


@dataclass(frozen=True)
class TextTable:
    """Unscaled features of one text: of every system and reference, by segment."""

    similarity: Array
    """(references, systems, segments, columns); a segment with fewer references repeats its first"""
    vectors: Array
    """(systems, segments, columns)"""
    references: Array
    """(references, segments, columns)"""
    sources: Array
    """(segments, columns)"""
    counts: Numbers
    """References of each segment."""


@dataclass(frozen=True)
class Tables:
    """One table for each text of some pairs."""

    texts: tuple[TextTable, ...]

    @classmethod
    def of(cls, inputs: Inputs, texts: Sequence[Texts], progress: Callable[[int], None] | None = None) -> Tables:
        """Features of all systems of all texts; `progress` is called with the systems done."""
        assert inputs.bounds is None, "tables are scaled when rows are made of them"
        return cls(tuple(_table(inputs, one, progress or (lambda done: None)) for one in texts))

    @cached_property
    def _most(self) -> int:
        return max(len(one.references) for one in self.texts)

    def bounds(self, pairs: Pairs) -> Bounds:
        """The bounds of the features that some pairs use."""
        similarity, vectors, sources = [], [], []
        for number, table in enumerate(self.texts):
            chosen = pairs.text == number
            segments, systems = pairs.segment[chosen], np.stack([pairs.first[chosen], pairs.second[chosen]])
            if not len(segments):
                continue
            for place in range(len(table.references)):
                similarity.append(np.concatenate(table.similarity[place, systems, segments]))
                vectors.append(table.references[place, segments])
            vectors.append(np.concatenate(table.vectors[systems, segments]))
            sources.append(table.sources[segments])
        return Bounds(MinMax.of(*similarity), MinMax.of(*vectors), MinMax.of(*sources))

    def rows(self, architecture: Architecture, bounds: Bounds, pairs: Pairs) -> tuple[Array, Numbers]:
        """Rows of input for every pair with every reference of its segment, and which pair each row is of."""
        found, places = [], []
        for place in range(self._most):
            has = np.array(
                [self.texts[t].counts[s] > place for t, s in zip(pairs.text, pairs.segment, strict=True)], bool
            )
            chosen = np.flatnonzero(has)
            found.append(self._rows_of(architecture, bounds, pairs.where(chosen), place))
            places.append(chosen)
        return np.concatenate(found), np.concatenate(places)

    def _rows_of(self, architecture: Architecture, bounds: Bounds, pairs: Pairs, place: int) -> Array:
        rows = np.empty((len(pairs), architecture.width), np.float32)
        for number, table in enumerate(self.texts):
            chosen = pairs.text == number
            if not chosen.any():
                continue
            segments, first, second = pairs.segment[chosen], pairs.first[chosen], pairs.second[chosen]
            rows[chosen] = architecture.row(
                bounds.vectors.scale(table.vectors[first, segments])[0],
                bounds.vectors.scale(table.vectors[second, segments])[0],
                bounds.vectors.scale(table.references[place, segments])[0],
                bounds.source.scale(table.sources[segments])[0],
                bounds.similarity.scale(table.similarity[place, first, segments])[0],
                bounds.similarity.scale(table.similarity[place, second, segments])[0],
            )
        return rows


def combined(margins: NDArray[np.float64], places: Numbers, pairs: int) -> NDArray[np.float64]:
    """The mean margin of each pair over its references."""
    return np.asarray(np.bincount(places, margins, pairs) / np.bincount(places, minlength=pairs), np.float64)


def _table(inputs: Inputs, texts: Texts, progress: Callable[[int], None]) -> TextTable:
    corpus = texts.corpus
    sets = [tuple(one) for one in corpus.references]
    counts = np.array([len(one) for one in sets])
    references = [[one[place] if place < len(one) else one[0] for one in sets] for place in range(int(counts.max()))]
    sources = None if corpus.sources is None else list(corpus.sources)
    similarity: list[list[Array]] = [[] for _ in references]
    vectors = []
    for hypotheses in corpus.systems.values():
        system = list(hypotheses)
        for place, single in enumerate(references):
            side = inputs.side(system, single, sources)
            similarity[place].append(side.similarity)
        vectors.append(side.vectors)
        progress(1)
    return TextTable(
        similarity=np.stack([np.stack(of_place) for of_place in similarity]),
        vectors=np.stack(vectors),
        references=np.stack([inputs.sentences(single) for single in references]),
        sources=inputs.sources(sources, len(sets)),
        counts=counts,
    )
