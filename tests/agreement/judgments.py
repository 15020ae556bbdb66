"""Comparisons for tests: lists of matches as arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tercet.agreement.comparisons import Comparisons


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
