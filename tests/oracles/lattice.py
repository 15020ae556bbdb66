"""The nearest path by its definition: every sentence, every order of reading, a fraction for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from tests.oracles.wer import edit_distance


def readings(words: Sequence[str], window: int) -> Iterator[tuple[str, ...]]:
    """Every order of the words in which each is at most `window` places ahead of the first that is not yet read."""
    if not words:
        yield ()
    unread = list(range(len(words)))

    def go(unread: list[int], read: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not unread:
            yield read
        for place in unread:
            if place <= unread[0] + window:
                yield from go([other for other in unread if other != place], (*read, place))

    if words:
        for order in go(unread, ()):
            yield tuple(words[place] for place in order)


def normaliser(hypothesis: int, path: int, normalize: str) -> int:
    """What edits are divided by."""
    return {"reference": path, "sum": hypothesis + path, "longer": max(hypothesis, path)}[normalize]


def nearest(
    hypothesis: Sequence[str], sentences: Iterable[Sequence[str]], normalize: str, window: int = 0
) -> tuple[int, int]:
    """Edits and normaliser of the lowest ratio; then of the fewest edits; then not of an empty path."""
    candidates = []
    orders = list(readings(hypothesis, window))
    for sentence in sentences:
        edits = min(edit_distance(order, sentence) for order in orders)
        below = normaliser(len(hypothesis), len(sentence), normalize)
        ratio = Fraction(edits, below) if below else Fraction(int(edits > 0))
        candidates.append((ratio, edits, -below))
    _, edits, below = min(candidates)
    return edits, -below
