"""The 57 features of Stanojević & Sima'an (2017) by the book: Counters of tuples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from tests.oracles.ngrams import ngrams

Pieces = Counter[Hashable]


def skip_bigrams(words: Sequence[str], skip: int | None) -> Counter[tuple[str, str]]:
    """Ordered pairs of words with at most `skip` words between them; None: any number."""
    places = combinations(range(len(words)), 2)
    return Counter((words[i], words[j]) for i, j in places if skip is None or j - i - 1 <= skip)


def measures(ours: Pieces, theirs: Pieces) -> list[float]:
    """Precision, recall, F1, F2, F0.5."""
    if not ours and not theirs:
        return [1.0] * 5
    matches = (ours & theirs).total()
    precision = matches / ours.total() if ours else 0.0
    recall = matches / theirs.total() if theirs else 0.0
    return [precision, recall, *(f_score(precision, recall, beta) for beta in (1, 2, 0.5))]


def f_score(precision: float, recall: float, beta: float) -> float:
    """(1 + β²) P R / (β² P + R)."""
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def disbalance(a: int, b: int) -> float:
    """(longer - shorter) / shorter, where nothing is shorter than 1."""
    return (max(a, b) - min(a, b)) / max(1, min(a, b))


def features(
    hypothesis: Sequence[str], reference: Sequence[str], characters: tuple[Sequence[str], Sequence[str]]
) -> list[float]:
    """A row, from the words of both texts and their characters."""
    row: list[float] = []
    unigrams: list[float] = []
    for (ours, theirs), orders in ((characters, 5), ((hypothesis, reference), 4)):
        for n in range(1, orders + 1):
            one, other = ngrams(ours, n), ngrams(theirs, n)
            if n > 1 and not one and not other:
                row += row[-5:]
            else:
                row += measures(one, other)  # type: ignore[arg-type]
            if n == 1:
                unigrams = row[-5:]
    for skip in (2, None):
        one, other = skip_bigrams(hypothesis, skip), skip_bigrams(reference, skip)
        row += measures(one, other) if one or other else unigrams  # type: ignore[arg-type]
    return [*row, disbalance(len(hypothesis), len(reference)), disbalance(len(characters[0]), len(characters[1]))]
