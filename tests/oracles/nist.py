"""NIST's information weights and matches by the book (Doddington 2002; mteval-v13a)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.oracles.ngrams import ngrams

Tokens = Sequence[str]


def information(references: Sequence[Sequence[Tokens]], order: int) -> dict[tuple[str, ...], float]:
    """log2 of how much rarer an n-gram is than itself without its last word, over all references of the test set."""
    counts: Counter[tuple[str, ...]] = Counter()
    for texts in references:
        for tokens in texts:
            counts[()] += len(tokens)
            for n in range(1, order + 1):
                counts.update(ngrams(tokens, n))
    weights = {}
    for gram, count in counts.items():
        if gram:
            # Perl takes the string "0" for false, and so mteval a prefix of that one word for none
            prefix = () if gram[:-1] == ("0",) else gram[:-1]
            weights[gram] = math.log2(counts[prefix] / count)
    return weights


def nist(
    hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]], order: int
) -> list[tuple[list[float], list[int], int, float]]:
    """For each segment: information of the matches, totals, length, mean length of the references."""
    weights = information(references, order)
    rows = []
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        gained = []
        for n in range(1, order + 1):
            most: Counter[tuple[str, ...]] = Counter()
            for tokens in texts:
                most |= ngrams(tokens, n)
            matches = ngrams(hypothesis, n) & most
            gained.append(sum(count * weights[gram] for gram, count in matches.items()))
        totals = [max(0, len(hypothesis) - n + 1) for n in range(1, order + 1)]
        rows.append((gained, totals, len(hypothesis), sum(map(len, texts)) / len(texts)))
    return rows
