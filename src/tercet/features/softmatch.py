"""Words of a hypothesis and its reference matched by what they mean, with the skip-gram vectors that ship.

Every word is matched with the word of the other side that is nearest to it by cosine, as `context` does with word
pieces in context; here a word has one vector wherever it stands, so that no resource is needed and a core matches
thousands of segments a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import as_hypotheses, as_references
from tercet.features.base import Array, FeatureSet, checked
from tercet.features.fluency import FLUENCY, fluency
from tercet.features.matching import DETAILS, MATCHED, WEIGHTED, batches, equal_or_apart, soft_matches
from tercet.features.registry import register
from tercet.language.skipgram import SHIPPED, SkipGram
from tercet.language.word_vectors import words_of
from tercet.signature import Signature

Numbers = NDArray[np.int64]

_TEXTS = 4096  # read at once
_KINDS = (150, 5000)  # ranks by frequency: function words and marks stand before the first, rare words after the second

_COLUMNS = (*MATCHED, *WEIGHTED, *DETAILS, "cosine", *FLUENCY, *(f"{name}.difference" for name in FLUENCY))
_COSINE = _COLUMNS.index("cosine")


@register("softmatch")
@dataclass(frozen=True, kw_only=True)
class SoftMatch(FeatureSet):
    """Greedy matching of words by their skip-gram vectors, plain and weighted by rarity, and details of the matches.

    Of several references the one with the best F1 counts. A word without a vector matches only itself. Words are
    compared in lower case. What `tercet.features.fluency` tells of the hypothesis is there too, and how far that is
    from what it tells of the reference.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return _COLUMNS

    @property
    def between_names(self) -> tuple[str, ...]:
        return ("between.f1", "between.cosine")

    @property
    def signature(self) -> Signature:
        return Signature.of(self.name, tok="13a+clitics", case="lc", sha256=_vectors().sha256[:16])

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        rows = [np.zeros((0, len(self.names)))]
        for start in range(0, len(texts), _TEXTS):
            part = sets[start : start + _TEXTS]
            counts = np.array([len(one) for one in part])
            repeated = np.repeat(np.arange(start, start + len(part)), counts)
            found = _matched([texts[i] for i in repeated], [text for one in part for text in one])
            firsts = np.cumsum(counts) - counts
            if len(found) > len(part):  # the reference with the best F1, the first of equals
                best = [at + int(np.argmax(found[at : at + n, 2])) for at, n in zip(firsts, counts, strict=True)]
                found = found[best]
            rows.append(found)
        return checked(np.concatenate(rows), len(texts), len(self.names), self.name)

    def between(self, first: Sequence[str], second: Sequence[str]) -> Array:
        ordered = [
            sorted(pair) for pair in zip(first, second, strict=True)
        ]  # so that it is the same both ways, exactly
        parts = [np.zeros((0, 2))]
        for start in range(0, len(ordered), _TEXTS):
            part = ordered[start : start + _TEXTS]
            found = _matched([one for one, _ in part], [other for _, other in part])
            parts.append(found[:, [2, _COSINE]])
        return checked(np.concatenate(parts), len(ordered), 2, self.name)


@cache
def _vectors() -> SkipGram:
    return SkipGram.read(SHIPPED)


@cache
def _matrix() -> NDArray[np.float32]:
    """The vectors, and a row of zeros for all words that have none."""
    word = _vectors().word
    return np.concatenate([word, np.zeros((1, word.shape[1]), np.float32)])


@cache
def _contexts() -> NDArray[np.float32]:
    """The same of context vectors."""
    context = _vectors().context
    assert context is not None, "the shipped vectors have both spaces"
    return np.concatenate([context, np.zeros((1, context.shape[1]), np.float32)])


def _matched(hypotheses: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    distinct = list(dict.fromkeys([*hypotheses, *references]))
    at = {text: place for place, text in enumerate(distinct)}
    words = _Words.of(distinct)
    ours, theirs = (np.array([at[text] for text in side], np.int64) for side in (hypotheses, references))
    rows = np.empty((len(ours), len(_COLUMNS)))
    rows[:, _COSINE] = np.einsum("ij,ij->i", words.means[ours], words.means[theirs])
    fluent = fluency(words.numbers, words.lengths, _rarity(words.numbers), _matrix(), _contexts())
    rows[:, _COSINE + 1 :] = np.concatenate([fluent[ours], np.abs(fluent[ours] - fluent[theirs])], axis=1)
    lengths = words.lengths[ours], words.lengths[theirs]
    empty = np.minimum(*lengths) == 0
    rows[empty, :_COSINE] = equal_or_apart((lengths[0] == lengths[1])[empty])
    rows[empty, _COSINE] = (lengths[0] == lengths[1])[empty]
    full = np.flatnonzero(~empty)
    for places in batches(lengths[0][full], lengths[1][full]):
        chosen = full[places]
        one, other = words.padded(ours[chosen]), words.padded(theirs[chosen])
        rank = len(_matrix()) - 1
        vectors = _matrix()[np.minimum(one, rank)], _matrix()[np.minimum(other, rank)]
        weights = _rarity(one), _rarity(other)
        kinds = np.searchsorted(_KINDS, one, side="right"), np.searchsorted(_KINDS, other, side="right")
        sizes = lengths[0][chosen], lengths[1][chosen]
        # equal words are near, without vectors too
        rows[chosen, :_COSINE] = soft_matches(vectors, sizes, weights, kinds, (one, other))
    return rows


@dataclass(frozen=True)
class _Words:
    """Texts as numbers of words: the rank by frequency of those with vectors, and above them others."""

    numbers: Numbers
    starts: Numbers
    lengths: Numbers
    means: NDArray[np.float64]
    """The direction of the mean of their words' vectors, weighted by rarity."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Words:
        known = _vectors().rows
        others: dict[str, int] = {}
        numbers: list[int] = []
        lengths = np.empty(len(texts), np.int64)
        for place, words in enumerate(words_of([text.lower() for text in texts])):
            for word in words:
                number = known.get(word)
                numbers.append(others.setdefault(word, len(known) + len(others)) if number is None else number)
            lengths[place] = len(words)
        found = np.array(numbers, np.int64)
        starts = np.cumsum(lengths) - lengths
        return cls(found, starts, lengths, _means(found, lengths))

    def padded(self, texts: Numbers) -> Numbers:
        """The words of some texts, (texts, longest); behind its end a text repeats its first word."""
        sizes = self.lengths[texts]
        places = np.arange(int(sizes.max()))
        inside = places < sizes[:, None]
        return np.asarray(self.numbers[self.starts[texts][:, None] + np.where(inside, places, 0)], np.int64)


def _rarity(numbers: Numbers) -> NDArray[np.float64]:
    """What a word weighs: by Zipf's law, ln of its rank by frequency is ln of how rare it is, but for a constant."""
    return np.asarray(np.log(np.minimum(numbers, len(_matrix()) - 1) + 2.0), np.float64)


def _means(numbers: Numbers, lengths: Numbers) -> NDArray[np.float64]:
    from scipy.sparse import csr_array

    matrix = _matrix()
    rank = len(matrix) - 1
    ranks = np.minimum(numbers, rank)
    used, places = np.unique(ranks, return_inverse=True)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    counts = csr_array((_rarity(numbers), places, ends), shape=(len(lengths), len(used)))
    sums = counts @ matrix[used].astype(np.float64)
    size = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.where(size > 0, size, 1), np.float64)
