"""Word error rate by its definition: the whole matrix, and a fraction for each reference."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def edit_distance(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """Words to replace, put in or take out."""
    row = list(range(len(reference) + 1))
    for i, word in enumerate(hypothesis, start=1):
        above, row = row, [i]
        for j, wanted in enumerate(reference, start=1):
            row.append(min(above[j - 1] + (word != wanted), above[j] + 1, row[j - 1] + 1))
    return row[-1]


def statistics(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Edits and length of the first reference with the lowest rate."""
    counts = [(edit_distance(hypothesis, reference), len(reference)) for reference in references]
    return min(counts, key=lambda count: rate(*count))


def rate(edits: int, length: int) -> Fraction:
    """Edits by length; of an empty reference 1, or 0 if there is nothing to edit."""
    return Fraction(edits, length) if length else Fraction(int(edits > 0))
