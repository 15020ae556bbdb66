"""AddCos (Melamud et al. 2015): how well a substitute fits a word and the words around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet import resources
from tercet.language.skipgram import SHIPPED, SkipGram
from tercet.language.word_vectors import WordVectors
from tercet.lattice.index import Pair

Array = NDArray[np.float32]
Integers = NDArray[np.int64]

GLOVE = "glove-6b-50d"
MOST_NEIGHBOURS = 20
_BLOCK = 1000
_ALIKE = (("VB", "VBP"), ("NN", "NNP"), ("NNS", "NNPS"))
_ANY = (1 << 64) - 1


class AddCos:
    """Scores of substitutes in context, and a filter for lattices.

    AddCos(s, t, C) = (cos(s, t) + sum over c in C of cos(s, c)) / (|C| + 1) (HyTERA, eq. 2): s and t are word vectors,
    c the context vectors of the words up to `window` places from t. Words without a vector are not in C. A substitute
    without a vector has no score: `unknown` says whether the filter keeps it. With `inflection`, the filter also wants
    a substitute that was seen as the part of speech that the word has here, where the vectors' file tells.
    """

    def __init__(
        self,
        vectors: SkipGram,
        *,
        lowest: float = 0.0,
        window: int = 1,
        unknown: bool = True,
        context: bool = True,
        inflection: bool = True,
    ) -> None:
        self.vectors, self.lowest, self.window, self.unknown = vectors, lowest, window, unknown
        self._context = vectors.context if context and vectors.context is not None else vectors.word
        self.inflection = inflection and vectors.tags is not None
        """Whether tags have a say."""
        self._bits = _accepted(vectors.tag_names)

    @property
    def signature(self) -> str:
        """Everything that changes the score."""
        spaces = self.vectors.spaces if self._context is self.vectors.context else "single"
        kept = ("" if self.unknown else ",known") + (",inflection" if self.inflection else "")
        return f"{self.vectors.sha256[:8]},{spaces},window={self.window},>={self.lowest:g}{kept}"

    def scores(self, words: Sequence[str], place: int, candidates: Sequence[str]) -> Array:
        """The score of each candidate in place of a word; NaN where it, or the word, has no vector."""
        rows = np.array([self.vectors.rows.get(candidate, -1) for candidate in candidates], np.int64)
        return self._scores(words, np.full(len(rows), place), rows)

    def kept(
        self, words: Sequence[str], candidates: Mapping[int, Sequence[str]], tags: Sequence[str] | None = None
    ) -> dict[int, list[str]]:
        """Of the candidates for some places of a sentence, in their order, those that fit."""
        flat = [candidate for some in candidates.values() for candidate in some]
        known = self.vectors.rows
        rows = np.array([known.get(candidate, -1) for candidate in flat], np.int64)
        places = np.repeat(np.array(list(candidates), np.int64), [len(some) for some in candidates.values()])
        scores = self._scores(words, places, rows)
        fits = np.where(np.isnan(scores), self.unknown, scores >= self.lowest)
        if self.inflection and tags is not None and self.vectors.tags is not None:
            wanted = np.array([self._bits.get(tag, _ANY) for tag in tags], np.uint64)[places]
            seen = self.vectors.tags[rows]
            fits &= (rows < 0) | (seen == 0) | (seen & wanted != 0)
        found: dict[int, list[str]] = {place: [] for place in candidates}
        for place, candidate, fit in zip(places.tolist(), flat, fits.tolist(), strict=True):
            if fit:
                found[place].append(candidate)
        return found

    def nearest(self, words: Sequence[str], place: int, number: int) -> list[tuple[str, float]]:
        """The best substitutes of the whole vocabulary, as in the original method."""
        names = list(self.vectors.rows)
        scores = self.scores(words, place, names)
        scores[[i for i, name in enumerate(names) if name == words[place]]] = np.nan
        order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")[:number]
        return [(names[i], float(scores[i])) for i in order if not np.isnan(scores[i])]

    def _scores(self, words: Sequence[str], places: Integers, rows: Integers) -> Array:
        """Of candidates by their rows, each in a place of the sentence; a row of -1 has no vector."""
        own = np.array([self.vectors.rows.get(word, -1) for word in words], np.int64)
        known = own >= 0
        contexts = np.where(known[:, None], self._context[own], 0)
        wanted = np.where(known[:, None], self.vectors.word[own], 0)
        count = np.ones(len(words))
        for distance in range(1, min(self.window, len(words) - 1) + 1):
            wanted[distance:] += contexts[:-distance]
            wanted[:-distance] += contexts[distance:]
            count[distance:] += known[:-distance]
            count[:-distance] += known[distance:]
        with_both = (rows >= 0) & known[places]
        found = np.full(len(rows), np.nan, np.float32)
        here = places[with_both]
        found[with_both] = np.einsum("ij,ij->i", self.vectors.word[rows[with_both]], wanted[here]) / count[here]
        return found


def _accepted(names: Sequence[str]) -> dict[str, int]:
    """For every tag of a word, the bits of the tags that a substitute may have: forms that are always alike are one."""
    number = {name: i for i, name in enumerate(names)}
    alike = {name: group for group in _ALIKE for name in group}
    return {name: sum(1 << number[other] for other in alike.get(name, (name,)) if other in number) for name in names}


def vectors_named(name: str) -> SkipGram:
    """`shipped` with the package, `glove-6b-50d` where it is installed, or a file."""
    if name == "shipped":
        return SkipGram.read(SHIPPED)
    if name != GLOVE:
        return SkipGram.read(Path(name))
    found = WordVectors.read(resources.find(GLOVE, "vectors.npy"), words=resources.find(GLOVE, "words.parquet"))
    return SkipGram.of(list(found.rows), found.matrix[list(found.rows.values())], None, found.sha256)


def neighbour_pairs(vectors: SkipGram) -> Iterator[Pair]:
    """Every word with the words whose vectors are nearest, the nearest first, scored by their cosine.

    AddCos in its original form draws on the whole vocabulary: these are its candidates before the context has a say.
    """
    names = [name for name in vectors.rows if any(map(str.isalpha, name))]
    matrix = vectors.word[[vectors.rows[name] for name in names]]
    most = min(MOST_NEIGHBOURS + 1, len(names))
    for start in range(0, len(names), _BLOCK):
        cosines = matrix[start : start + _BLOCK] @ matrix.T
        nearest = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
        for row, places in enumerate(nearest):
            here = start + row
            for place in sorted(places.tolist(), key=lambda p: (-cosines[row, p], p)):
                if place != here:
                    yield Pair(names[here], names[place], float(cosines[row, place]))
