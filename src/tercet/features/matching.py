"""Two sequences of things matched softly: everything is matched with what is nearest to it on the other side.

What is matched (words, word pieces) and what near means is the caller's: here are similarities and weights, and what
they say of a hypothesis beside its reference (Zhang et al. 2020, BERTScore, section 3), and beyond it how badly the
worst places match, whether what is missing is common or rare, and whether matches stand in the same order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vectors = NDArray[np.float32]
Lengths = NDArray[np.int64]
Kinds = NDArray[np.integer]

CELLS = 1 << 17  # of similarities that are in memory at once
_OUTSIDE = np.float32(-2)  # below any cosine

MATCHED = ("precision", "recall", "f1")
WEIGHTED = tuple(f"idf_{name}" for name in MATCHED)
_SIDES = ("hypothesis", "reference")
BAD = (0.5, 0.7)
"""A similarity below these is a bad match, and so much worse the farther below."""
GOOD = 0.9
DETAILS = (
    *(f"worst.{side}" for side in _SIDES),
    *(f"tenth.{side}" for side in _SIDES),
    *(f"below{bound:g}.{side}" for bound in BAD for side in _SIDES),
    *(f"above{GOOD:g}.{side}" for side in _SIDES),
    *(f"missing.{kind}.{side}" for kind in ("common", "middle", "rare") for side in _SIDES),
    *(f"adjacent.{side}" for side in _SIDES),
    "forward",
    "displaced",
)


def soft_matches(
    vectors: tuple[Vectors, Vectors],
    lengths: tuple[Lengths, Lengths],
    weights: tuple[Array, Array],
    kinds: tuple[Kinds, Kinds],
    same: tuple[Lengths, Lengths] | None = None,
) -> Array:
    """Rows of `MATCHED`, `WEIGHTED` and `DETAILS` for hypotheses and references, a place a word, padded at their ends.

    Near is what has a large product of `vectors`, (rows, places, dimension). `weights` are of places, (rows, places);
    `kinds` is 0, 1 or 2 for common, middling and rare ones. What is equal in `same` has similarity 1. Every row has a
    place on both sides.
    """
    hypothesis, reference = lengths
    here, there = _inside(vectors[0].shape[1], hypothesis), _inside(vectors[1].shape[1], reference)
    nearest, (to, back) = _nearest(vectors, here, there, same)
    inside, sizes = (here, there), (hypothesis, reference)
    columns: list[Array] = []
    for weighted in (False, True):
        both = []
        for near, mask, weight in zip(nearest, inside, weights, strict=True):
            share = np.where(mask, weight if weighted else 1.0, 0.0)
            both.append((near * share).sum(axis=1, where=mask) / share.sum(axis=1))
        columns += [*both, f1(*both)]
    columns += [np.where(mask, near, 2).min(axis=1) for near, mask in zip(nearest, inside, strict=True)]
    columns += [_tenth(near, mask, size) for near, mask, size in zip(nearest, inside, sizes, strict=True)]
    for bound in BAD:
        columns += [_mean(np.maximum(0, bound - near), mask) for near, mask in zip(nearest, inside, strict=True)]
    columns += [_mean(near > GOOD, mask) for near, mask in zip(nearest, inside, strict=True)]
    for kind in range(3):
        for near, mask, of in zip(nearest, inside, kinds, strict=True):
            columns.append(_mean((1 - near) * (of == kind), mask))
    columns += [_steps(to, hypothesis, lambda step: step == 1), _steps(back, reference, lambda step: step == 1)]
    columns.append(_steps(to, hypothesis, lambda step: step > 0))
    way = np.abs(to / reference[:, None] - np.arange(to.shape[1]) / hypothesis[:, None])
    columns.append(_mean(way, here))
    return np.stack(columns, axis=1)


def _nearest(
    vectors: tuple[Vectors, Vectors],
    here: NDArray[np.bool_],
    there: NDArray[np.bool_],
    same: tuple[Lengths, Lengths] | None,
) -> tuple[tuple[Array, Array], tuple[Lengths, Lengths]]:
    """The best similarity of each place on either side, and with which place it is, the first of equals."""
    one, other = vectors[0], vectors[1].transpose(0, 2, 1)
    rows, places, width = len(one), one.shape[1], other.shape[2]
    near, to = np.empty((rows, places)), np.empty((rows, places), np.int64)
    best, back = np.full((rows, width), -np.inf), np.zeros((rows, width), np.int64)
    step = max(1, CELLS // max(1, rows * width))  # a text of 10,000 words goes in parts
    for start in range(0, places, step):
        part = slice(start, start + step)
        similar = one[:, part] @ other
        if same is not None:
            similar[same[0][:, part, None] == same[1][:, None, :]] = 1
        np.copyto(similar, _OUTSIDE, where=~(here[:, part, None] & there[:, None, :]))
        to[:, part] = similar.argmax(axis=2)
        near[:, part] = similar.max(axis=2)
        top = similar.max(axis=1)
        back = np.where(top > best, start + similar.argmax(axis=1), back)
        best = np.maximum(top, best)
    return (near, best), (to, back)


def equal_or_apart(same: NDArray[np.bool_]) -> Array:
    """The same columns where a side is empty: two empty texts match wholly, an empty one and another not at all."""
    whole = {
        "displaced": 0.0,
        **dict.fromkeys((name for name in DETAILS if name.startswith(("below", "missing"))), 0.0),
    }
    apart = {"displaced": 1.0, **{f"below{bound:g}.{side}": bound for bound in BAD for side in _SIDES}}
    names = (*MATCHED, *WEIGHTED, *DETAILS)
    yes = [whole.get(name, 1.0) for name in names]
    no = [apart.get(name, 1.0 if name.startswith("missing.middle") else 0.0) for name in names]
    return np.where(same[:, None], yes, no)


def batches(hypothesis: Lengths, reference: Lengths, cells: int = CELLS) -> list[NDArray[np.int64]]:
    """Rows of similar lengths together, as many as have no more than some cells of similarities with their padding."""
    order = np.lexsort((reference, hypothesis))
    found, start = [], 0
    while start < len(order):
        end, widest = start + 1, int(reference[order[start]])
        while end < len(order):
            wider = max(widest, int(reference[order[end]]))
            if (end + 1 - start) * int(hypothesis[order[end]]) * wider > cells:
                break
            end, widest = end + 1, wider
        found.append(order[start:end])
        start = end
    return found


def f1(precision: Array, recall: Array) -> Array:
    """The harmonic mean; 0 where their sum is not above 0."""
    total = precision + recall
    return np.asarray(np.where(total > 0, 2 * precision * recall / np.where(total > 0, total, 1), 0), np.float64)


def _inside(width: int, lengths: Lengths) -> NDArray[np.bool_]:
    return np.asarray(np.arange(width) < lengths[:, None], np.bool_)


def _mean(values: Array | NDArray[np.bool_], mask: NDArray[np.bool_]) -> Array:
    return np.asarray(np.mean(values, axis=1, where=mask, dtype=np.float64), np.float64)


def _tenth(near: Array, mask: NDArray[np.bool_], size: Lengths) -> Array:
    """The first decile, between two places by their distance."""
    ordered = np.sort(np.where(mask, near, 2), axis=1)
    place = 0.1 * (size - 1)
    low, rows = np.floor(place).astype(np.int64), np.arange(len(near))
    one, other = ordered[rows, low], ordered[rows, np.minimum(low + 1, size - 1)]
    return np.asarray(one + (place - low) * (other - one), np.float64)


def _steps(to: Lengths, size: Lengths, kind: Callable[[Lengths], NDArray[np.bool_]]) -> Array:
    """The share of neighbours whose matches stand to each other as `kind` says; 1 where there are no neighbours."""
    if to.shape[1] < 2:
        return np.ones(len(to))
    mask = _inside(to.shape[1] - 1, size - 1)
    counts = (kind(np.diff(to, axis=1)) & mask).sum(axis=1)
    return np.asarray(np.where(size > 1, counts / np.maximum(size - 1, 1), 1.0), np.float64)
