"""AddCos (Melamud et al. 2015): how well a substitute fits a word and the words around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tercet.language.skipgram import SkipGram
from tercet.lattice.index import Pair

Array = NDArray[np.float32]

MOST_NEIGHBOURS = 20
_BLOCK = 1000


class AddCos:
    """Scores of substitutes in context, and a filter for lattices.

    AddCos(s, t, C) = (cos(s, t) + sum over c in C of cos(s, c)) / (|C| + 1) (HyTERA, eq. 2): s and t are word vectors,
    c the context vectors of the words up to `window` places from t. Words without a vector are not in C. A substitute
    without a vector has no score: `unknown` says whether the filter keeps it.
    """

    def __init__(
        self, vectors: SkipGram, *, lowest: float = 0.0, window: int = 1, unknown: bool = True, context: bool = True
    ) -> None:
        self.vectors, self.lowest, self.window, self.unknown = vectors, lowest, window, unknown
        self._context = vectors.context if context and vectors.context is not None else vectors.word

    @property
    def signature(self) -> str:
        """Everything that changes the score."""
        spaces = self.vectors.spaces if self._context is self.vectors.context else "single"
        kept = "" if self.unknown else ",known"
        return f"{self.vectors.sha256[:8]},{spaces},window={self.window},>={self.lowest:g}{kept}"

    def scores(self, words: Sequence[str], place: int, candidates: Sequence[str]) -> Array:
        """The score of each candidate in place of a word; NaN where it, or the word, has no vector."""
        found = np.full(len(candidates), np.nan, np.float32)
        rows, target = self.vectors.rows, self.vectors.rows.get(words[place])
        known = [i for i, candidate in enumerate(candidates) if candidate in rows]
        if target is None or not known:
            return found
        around = [
            rows[words[other]]
            for other in range(max(0, place - self.window), min(len(words), place + self.window + 1))
            if other != place and words[other] in rows
        ]
        wanted = self.vectors.word[target] + self._context[around].sum(axis=0)
        found[known] = self.vectors.word[[rows[candidates[i]] for i in known]] @ wanted / (len(around) + 1)
        return found

    def kept(self, words: Sequence[str], place: int, candidates: Sequence[str]) -> list[str]:
        """The candidates with at least the lowest score, in their order."""
        scores = self.scores(words, place, candidates)
        fits = np.where(np.isnan(scores), self.unknown, scores >= self.lowest)
        return [candidate for candidate, fit in zip(candidates, fits, strict=True) if fit]

    def nearest(self, words: Sequence[str], place: int, number: int) -> list[tuple[str, float]]:
        """The best substitutes of the whole vocabulary, as in the original method."""
        names = list(self.vectors.rows)
        scores = self.scores(words, place, names)
        scores[[i for i, name in enumerate(names) if name == words[place]]] = np.nan
        order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")[:number]
        return [(names[i], float(scores[i])) for i in order if not np.isnan(scores[i])]


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
