"""TER by its definition: Tercom's greedy search for shifts with the choices of sacreBLEU, nothing clever."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

LONGEST_BLOCK, FARTHEST_BLOCK, MOST_CANDIDATES, BEAM = 10, 50, 1000, 25
INFINITY = 10**9

Words = Sequence[str]
Matrix = list[list[int]]


def edits(hypothesis: Words, reference: Words) -> int:
    """Shifts and edits that turn a hypothesis into a reference."""
    if not reference:
        return len(hypothesis)
    words, shifts, checked = list(hypothesis), 0, 0
    while True:
        matrix = beam_matrix(words, reference)
        distance = matrix[-1][len(reference)]
        best: tuple[int, int, int, int] = (0, 0, 0, 0)
        for start, length, target in candidates(words, reference, trace(matrix, words, reference)):
            other = shifted(words, start, length, target)
            after = beam_matrix(other, reference, known=matrix[: min(start, target) + 1])[-1][len(reference)]
            best = max(best, (distance - after, length, -start, -target))
            checked += 1
            if checked >= MOST_CANDIDATES + LONGEST_BLOCK:  # whatever the last block's further targets, it is over
                break
        gain, length, start, target = best
        if checked >= MOST_CANDIDATES or gain <= 0:
            return shifts + distance
        words, shifts = shifted(words, -start, length, -target), shifts + 1


def beam_matrix(hypothesis: Words, reference: Words, *, beam: int | None = BEAM, known: Matrix | None = None) -> Matrix:
    """Edit distances of prefixes, each row only where it is near the diagonal that the two lengths give.

    `known` are the first rows, where another hypothesis of the same length began with the same words.
    """
    ratio = len(reference) / len(hypothesis) if hypothesis else 1.0
    rows = known or [list(range(len(reference) + 1))]
    for i, word in enumerate(hypothesis[len(rows) - 1 :], start=len(rows)):
        first, last = 0, len(reference) + 1
        if beam is not None:
            half = math.ceil(ratio / 2 + beam) if ratio / 2 > beam else beam
            first = max(0, math.floor(i * ratio) - half)
            if i < len(hypothesis):
                last = min(last, math.floor(i * ratio) + half)
        above, row = rows[-1], [INFINITY] * (len(reference) + 1)
        for j in range(first, last):
            if j == 0:
                row[0] = above[0] + 1
            else:
                row[j] = min(above[j - 1] + (word != reference[j - 1]), above[j] + 1, row[j - 1] + 1)
        rows.append(row)
    return rows


def trace(matrix: Matrix, hypothesis: Words, reference: Words) -> str:
    """From left to right: = match, s substitution, d deletion, i insertion; preferred in this order."""
    i, j, ops = len(hypothesis), len(reference), ""
    while i or j:
        here = matrix[i][j]
        same = i > 0 and j > 0 and hypothesis[i - 1] == reference[j - 1]
        if i > 0 and j > 0 and here == matrix[i - 1][j - 1] + (not same):
            op = "=" if same else "s"
        elif i > 0 and here == matrix[i - 1][j] + 1:
            op = "d"
        else:
            op = "i"
        ops = op + ops
        i, j = i - (op != "i"), j - (op != "d")
    return ops


def candidates(hypothesis: Words, reference: Words, ops: str) -> Iterator[tuple[int, int, int]]:
    """Start, length and target of the shifts to try."""
    aligned: list[int] = []
    hypothesis_wrong: list[bool] = []
    reference_wrong: list[bool] = []
    for op in ops:
        if op != "i":
            hypothesis_wrong.append(op != "=")
        if op != "d":
            reference_wrong.append(op != "=")
            aligned.append(len(hypothesis_wrong) - 1)
    for start in range(len(hypothesis)):
        for there in range(max(0, start - FARTHEST_BLOCK), min(len(reference), start + FARTHEST_BLOCK + 1)):
            for length in range(1, LONGEST_BLOCK + 1):
                block = hypothesis[start : start + length]
                if len(block) < length or list(block) != list(reference[there : there + length]):
                    break
                if not any(hypothesis_wrong[start : start + length]) or not any(
                    reference_wrong[there : there + length]
                ):
                    continue
                if start <= aligned[there] < start + length:
                    continue
                before = [0 if there == 0 else aligned[there - 1] + 1]
                targets = before + [place + 1 for place in aligned[there : there + length]]
                for target in sorted(set(targets)):
                    yield start, length, target


def shifted(words: Words, start: int, length: int, target: int) -> list[str]:
    """The block before the target; a target within the block means that many words further on."""
    block, rest = list(words[start : start + length]), list(words[:start]) + list(words[start + length :])
    if target > start + length:
        target -= length
    return rest[:target] + block + rest[target:]
