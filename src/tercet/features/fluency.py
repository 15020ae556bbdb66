"""Whether words stand beside words that they like to stand beside, from the two spaces of skip-gram vectors.

The product of a word's vector with the context vector of a neighbour is what skip-gram was trained to make large where
the two are seen together (Mikolov et al. 2013), so a translation whose neighbours do not fit reads badly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

GAPS = (1, 2)
_AT_ONCE = 1024  # pairs of words whose vectors are gathered: they stay in the processor's cache
FLUENCY = (
    *(f"fit{gap}.{kind}" for gap in GAPS for kind in ("after", "before", "worst", "misfits")),
    "unknown",
    "rarity",
)


def fluency(
    words: Numbers, lengths: Numbers, rarity: Array, word: NDArray[np.float32], context: NDArray[np.float32]
) -> Array:
    """Rows of `FLUENCY` for texts that follow each other in `words`; the last row of the matrices is of unknown words.

    For neighbours, and words with one word between them: how well a word fits before the other and after it, the worst
    fit of a text, and the share of those that do not fit; then the share of unknown words and how rare words are.
    """
    texts = len(lengths)
    of_text = np.repeat(np.arange(texts), lengths)
    known = words < len(word) - 1
    columns = []
    for gap in GAPS:
        pairs = np.flatnonzero((of_text[:-gap] == of_text[gap:]) & known[:-gap] & known[gap:])
        left, right = words[pairs], words[pairs + gap]
        after, before, at = _products(word, context, left, right), _products(word, context, right, left), of_text[pairs]
        columns += [_mean(after, at, texts), _mean(before, at, texts)]
        worst = np.full(texts, np.inf)
        np.minimum.at(worst, at, np.minimum(after, before))
        columns += [np.where(np.isfinite(worst), worst, 0), _mean(after + before < 0, at, texts)]
    columns += [_mean(~known, of_text, texts), _mean(rarity, of_text, texts)]
    return np.stack(columns, axis=1)


def _products(word: NDArray[np.float32], context: NDArray[np.float32], one: Numbers, other: Numbers) -> Array:
    found = np.empty(len(one))
    for start in range(0, len(one), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        found[part] = np.einsum("ij,ij->i", word[one[part]], context[other[part]])
    return found


def _mean(values: Array | NDArray[np.bool_], at: Numbers, texts: int) -> Array:
    """The mean over each text; 0 for a text with nothing to take it of."""
    return np.bincount(at, values, texts) / np.maximum(np.bincount(at, minlength=texts), 1)
