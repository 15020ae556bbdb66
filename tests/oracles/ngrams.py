"""BLEU's and chrF's counts by the book: Counters of tuples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def ngrams(symbols: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def clipped_matches(hypothesis: Sequence[str], references: Sequence[Sequence[str]], n: int) -> int:
    """N-grams of the hypothesis that are in a reference, each at most as often as in the reference that has most."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return sum((ngrams(hypothesis, n) & most).values())


def bleu(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int) -> list[int]:
    """Lengths, matches, totals: a row of BLEU's statistics."""
    nearest = min((abs(len(reference) - len(hypothesis)), len(reference)) for reference in references)[1]
    orders = range(1, order + 1)
    matches = [clipped_matches(hypothesis, references, n) for n in orders]
    return [len(hypothesis), nearest, *matches, *(max(0, len(hypothesis) - n + 1) for n in orders)]


def chrf_words(text: str) -> list[str]:
    """Words with a punctuation mark split off at the end or else at the start."""
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in marks:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in marks:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def chrf(hypothesis: str, reference: str, char_order: int, word_order: int) -> list[int]:
    """N-grams of the hypothesis, of the reference, of both, for each order: a row of chrF's statistics."""
    row: list[int] = []
    kinds = [
        ("".join(hypothesis.split()), "".join(reference.split()), char_order),
        (chrf_words(hypothesis), chrf_words(reference), word_order),
    ]
    for ours, theirs, order in kinds:
        for n in range(1, order + 1):
            in_ours, in_theirs = max(0, len(ours) - n + 1), max(0, len(theirs) - n + 1)
            row += [in_ours if in_theirs else 0, in_theirs, clipped_matches(ours, [theirs], n)]
    return row
