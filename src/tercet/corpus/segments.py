"""Hypotheses and references given to the API, checked: one shape, never guessed, never transposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from tercet.errors import ShapeError

References = Sequence[str] | Sequence[Sequence[str]]

_REMEDY = "give one tuple of references for each segment: [(first, second), ...]"


def _all(kind: type, items: Iterable[object]) -> bool:
    """Whether all are of just this type: a loop in C, since a million segments pass here."""
    return set(map(type, items)) <= {kind}


def as_hypotheses(hypotheses: Sequence[str]) -> list[str]:
    """A list of strings, one for each segment."""
    if isinstance(hypotheses, str | bytes):
        raise ShapeError("hypotheses are one string; give a list with one string for each segment")
    texts = list(hypotheses)
    if _all(str, texts):
        return texts
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ShapeError(f"hypothesis {i + 1} is {type(text).__name__}, not a string")
    return texts


def as_references(references: References, segments: int) -> list[tuple[str, ...]]:
    """One tuple of references for each segment.

    A flat list of strings is one reference for each segment. A list of lists is taken segment by segment; where it
    could as well be one list for each *reference* (sacreBLEU's habit), it is refused unless the inner ones are tuples.
    """
    if isinstance(references, str | bytes):
        raise ShapeError(f"references are one string; {_REMEDY}")
    sets: list[Sequence[str]] = list(references)
    if _all(str, sets):
        sets = list(zip(sets, strict=True))  # type: ignore[arg-type]
    if len(sets) == segments and _all(tuple, sets) and all(sets) and _all(str, chain.from_iterable(sets)):
        return sets  # type: ignore[return-value]
    for i, item in enumerate(sets):
        if isinstance(item, str) or not isinstance(item, Sequence):
            raise ShapeError(f"the references of segment {i + 1} are {type(item).__name__}; {_REMEDY}")
    by_reference = bool(sets) and all(len(item) == segments for item in sets)
    if len(sets) != segments:
        if by_reference:
            raise ShapeError(
                f"references look transposed: {len(sets)} lists of {segments} where {segments} segments are meant; "
                "use list(zip(*references))"
            )
        raise ShapeError(f"{segments} hypotheses but references for {len(sets)} segments; {_REMEDY}")
    if by_reference and segments > 1 and not all(isinstance(item, tuple) for item in sets):
        raise ShapeError(
            f"{segments} lists of {segments} references could be read by segment or by reference; "
            "make the inner lists tuples if they are by segment, or use list(zip(*references)) if by reference"
        )
    checked = [tuple(item) for item in sets]
    for i, texts in enumerate(checked):
        if not texts:
            raise ShapeError(f"segment {i + 1} has no reference; every segment needs one or more")
        for text in texts:
            if not isinstance(text, str):
                raise ShapeError(f"a reference of segment {i + 1} is {type(text).__name__}, not a string")
    return checked
