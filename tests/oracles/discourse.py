"""The best discourse tree by the book: every binary tree, and the sum of the log-probabilities of its nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tests.oracles.sequence import encode, hash_bytes, lowered, mix

OUTSIDE = 0x4F555453
PLACES = ("left", "left2", "left-end", "right", "right2", "right-end", "before", "after")

Node = tuple[int, int, int, int]  # begin, split, end, label


def bucket(n: int) -> int:
    return next((n if top == 6 else name for top, name in ((6, 0), (10, 6), (16, 7), (26, 8)) if n < top), 9)


def fields(
    words: Sequence[str], columns: Sequence[Sequence[int]], starts: Sequence[int], begin: int, split: int, end: int
) -> dict[str, int]:
    """What a template may ask of the units from begin to split and from split to end."""
    hashes = [hash_bytes(encode(lowered(word))) for word in words]
    edges = [*starts, len(words)]
    left, right, after = edges[begin], edges[split], edges[end]
    at = {
        "left": left,
        "left2": left + 1 if left + 1 < right else None,
        "left-end": right - 1,
        "right": right,
        "right2": right + 1 if right + 1 < after else None,
        "right-end": after - 1,
        "before": left - 1 if left else None,
        "after": after if after < len(words) else None,
    }
    found = {}
    for place, t in at.items():
        for name, values in zip(("word", "tag", "chunk", "clause"), (hashes, *columns[:3]), strict=True):
            found[f"{name}.{place}"] = OUTSIDE if t is None else values[t] & 0xFFFFFFFF
    for side, first, last, units in (("left", left, right, split - begin), ("right", right, after, end - split)):
        verbs = [t for t in range(first, last) if columns[3][t]]
        found[f"units.{side}"] = bucket(units)
        found[f"size.{side}"] = bucket(last - first)
        found[f"verb.{side}"] = hashes[verbs[0]] if verbs else OUTSIDE
        found[f"verbtag.{side}"] = columns[0][verbs[0]] & 0xFFFFFFFF if verbs else OUTSIDE
    found["edge"] = (left == 0) + 2 * (after == len(words))
    found["inner.left"] = hashes[edges[split - 1]] if split - begin > 1 else OUTSIDE
    found["inner.right"] = hashes[edges[split + 1]] if end - split > 1 else OUTSIDE
    return found


def keys(templates: Sequence[str], found: Mapping[str, int]) -> list[int]:
    """One key a template."""
    result = []
    for i, template in enumerate(templates):
        key = mix(0, i + 1)
        for name in template.split():
            key = mix(key, found[name])
        result.append(key)
    return result


def log_probabilities(scores: Sequence[int], scale: float) -> list[float]:
    """Logarithms of the softmax of scores."""
    mass = math.log(sum(math.exp(score / scale) for score in scores))
    return [score / scale - mass for score in scores]


def trees(begin: int, end: int) -> Iterator[list[tuple[int, int, int]]]:
    """Every binary tree over the units from begin to end, as its nodes, a parent before its children."""
    if end - begin == 1:
        yield []
    for split in range(begin + 1, end):
        for left in trees(begin, split):
            for right in trees(split, end):
                yield [(begin, split, end), *left, *right]
