"""The features of all texts that are judged, computed once, and rows of input for any of their pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tercet.features.base import Array, FeatureSet
from tercet.features.scaling import MinMax
from tercet.rankers.architecture import Architecture
from tercet.rankers.inputs import Bounds, Inputs
from tercet.rankers.pairs import Numbers, Pairs, Texts


@dataclass(frozen=True)
class TextTable:
    """Unscaled features of one text: of the translations that are judged, and of every reference."""

    places: Numbers
    """(systems, segments): the row of a translation below, -1 where it has none"""
    similarity: Array
    """(references, rows, columns); a segment with fewer references repeats its first"""
    vectors: Array
    """(rows, columns)"""
    references: Array
    """(references, segments, columns)"""
    sources: Array
    """(segments, columns)"""
    counts: Numbers
    """References of each segment."""
    texts: tuple[str, ...]
    """(rows,)"""

    def rows(self, systems: Numbers, segments: Numbers) -> Numbers:
        """Where the features of some translations are."""
        found = self.places[systems, segments]
        assert (found >= 0).all(), "a pair of which no features were computed"
        return np.asarray(found, np.int64)


@dataclass(frozen=True)
class Tables:
    """One table for each text of some pairs."""

    inputs: Inputs
    texts: tuple[TextTable, ...]

    @classmethod
    def of(
        cls,
        inputs: Inputs,
        texts: Sequence[Texts],
        progress: Callable[[int], None] | None = None,
        *,
        judged: Sequence[Pairs] | None = None,
    ) -> Tables:
        """Features of the translations that some pairs of these texts are about, or of all systems.

        `progress` is called with the systems done.
        """
        assert inputs.bounds is None, "tables are scaled when rows are made of them"
        found = []
        for number, one in enumerate(texts):
            wanted = np.zeros((len(one.corpus.systems), len(one.corpus)), np.bool_)
            for pairs in judged or ():
                of_text = pairs.text == number
                for system in (pairs.first, pairs.second):
                    wanted[system[of_text], pairs.segment[of_text]] = True
            found.append(
                _table(inputs, one, wanted if judged is not None else ~wanted, progress or (lambda done: None))
            )
        return cls(inputs, tuple(found))

    @cached_property
    def _most(self) -> int:
        return max(len(one.references) for one in self.texts)

    def bounds(self, pairs: Pairs) -> Bounds:
        """The bounds of the features that some pairs use."""
        similarity, vectors, sources, between = [], [], [], []
        for number, table in enumerate(self.texts):
            chosen = pairs.text == number
            segments = pairs.segment[chosen]
            if not len(segments):
                continue
            first, second = table.rows(pairs.first[chosen], segments), table.rows(pairs.second[chosen], segments)
            used = np.unique(np.concatenate([first, second]))
            for place in range(len(table.references)):
                similarity.append(table.similarity[place, used])
                vectors.append(table.references[place, segments])
            vectors.append(table.vectors[used])
            sources.append(table.sources[segments])
            between.append(self._between(number, first, second))
        return Bounds(*(MinMax.of(*parts) for parts in (similarity, vectors, sources, between)))

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
            segments = pairs.segment[chosen]
            first, second = table.rows(pairs.first[chosen], segments), table.rows(pairs.second[chosen], segments)
            rows[chosen] = architecture.row(
                bounds.vectors.scale(table.vectors[first])[0],
                bounds.vectors.scale(table.vectors[second])[0],
                bounds.vectors.scale(table.references[place, segments])[0],
                bounds.source.scale(table.sources[segments])[0],
                bounds.similarity.scale(table.similarity[place, first])[0],
                bounds.similarity.scale(table.similarity[place, second])[0],
                bounds.between.scale(self._between(number, first, second))[0],
            )
        return rows

    def _between(self, number: int, first: Numbers, second: Numbers) -> Array:
        """What stands between the translations in some rows: of every two once, whichever stands first."""
        if not self.inputs.between_sets:
            return np.zeros((len(first), 0), np.float32)
        texts = self.texts[number].texts
        every = np.stack([np.minimum(first, second), np.maximum(first, second)])
        distinct, at = np.unique(every, axis=1, return_inverse=True)
        found = self.inputs.between([texts[i] for i in distinct[0]], [texts[i] for i in distinct[1]])
        return np.asarray(found[at.reshape(-1)], np.float32)


def combined(margins: NDArray[np.float64], places: Numbers, pairs: int) -> NDArray[np.float64]:
    """The mean margin of each pair over its references."""
    return np.asarray(np.bincount(places, margins, pairs) / np.bincount(places, minlength=pairs), np.float64)


def _table(inputs: Inputs, texts: Texts, wanted: NDArray[np.bool_], progress: Callable[[int], None]) -> TextTable:
    corpus = texts.corpus
    sets = [tuple(one) for one in corpus.references]
    counts = np.array([len(one) for one in sets])
    references = [[one[place] if place < len(one) else one[0] for one in sets] for place in range(int(counts.max()))]
    sources = None if corpus.sources is None else list(corpus.sources)
    lines = [list(hypotheses) for hypotheses in corpus.systems.values()]
    segments, systems = np.nonzero(wanted.T)  # by segment: translations of one reference stand together
    places = np.full(wanted.shape, -1)
    places[systems, segments] = np.arange(len(segments))
    chosen = tuple(lines[system][segment] for system, segment in zip(systems, segments, strict=True))

    def of_set(one: FeatureSet, single: Sequence[str]) -> Array:
        if not one.whole_set:
            beside = None if sources is None else [sources[segment] for segment in segments.tolist()]
            return inputs.cache.transform(one, chosen, [(single[segment],) for segment in segments.tolist()], beside)
        every = [inputs.cache.transform(one, system, [(text,) for text in single], sources) for system in lines]
        return np.asarray(np.stack(every)[systems, segments], np.float32)

    nothing = np.zeros((len(chosen), 0), np.float32)
    similarity = [
        np.concatenate([nothing, *(of_set(one, single) for one in inputs.similarity_sets)], axis=1)
        for single in references
    ]
    vectors = inputs.sentences(chosen)
    progress(len(lines))
    return TextTable(
        places=places,
        similarity=np.stack(similarity),
        vectors=vectors,
        references=np.stack([inputs.sentences(single) for single in references]),
        sources=inputs.sources(sources, len(sets)),
        counts=counts,
        texts=chosen,
    )
