"""Comparisons for tests: random ones, and those of WMT's five-way rankings."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from tercet.agreement.comparisons import Comparisons, Integers


class Ranked(NamedTuple):
    """The comparisons of one language pair."""

    systems: list[str]
    judge: list[str]
    segment: Integers
    comparisons: Comparisons


def read_rankings(path: Path, source: str) -> Ranked:
    """Every two ranked systems of every five-way ranking out of one source language into English."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["srclang"], row["trglang"]) == (source, "English")]
    found = []
    for item, row in enumerate(rows):
        ranks = [(row[f"system{k}Id"], int(row[f"system{k}rank"])) for k in range(1, 6)]
        for (a, rank_a), (b, rank_b) in combinations([pair for pair in ranks if pair[1] != -1], 2):
            found.append((row["judgeId"], int(row["srcIndex"]), a, b, (rank_b > rank_a) - (rank_b < rank_a), item))
    systems = sorted({name for judgment in found for name in judgment[2:4]})
    number = {name: i for i, name in enumerate(systems)}
    judge, segment, first, second, value, items = zip(*found, strict=True)
    return Ranked(
        systems,
        list(judge),
        np.array(segment),
        Comparisons(
            np.array([number[a] for a in first]),
            np.array([number[b] for b in second]),
            np.array(value),
            np.array(items),
        ),
    )


@st.composite
def matches(draw: st.DrawFn, *, most: int = 60, ties: bool = True) -> tuple[int, list[tuple[int, int, int]]]:
    """Up to six systems and comparisons of them."""
    systems = draw(st.integers(2, 6))
    values = st.sampled_from([-1, 0, 1] if ties else [-1, 1])
    pair = st.permutations(range(systems)).map(lambda order: order[:2])
    found = draw(st.lists(st.tuples(pair, values), min_size=1, max_size=most))
    return systems, [(a, b, value) for (a, b), value in found]


def as_comparisons(systems: int, found: list[tuple[int, int, int]], item: list[int] | None = None) -> Comparisons:
    """The arrays of a list of matches."""
    first, second, value = np.array(found, dtype=np.int64).T
    return Comparisons(first, second, value, None if item is None else np.array(item), systems=systems)
