"""Lattices: what they hold, how many, and what they refuse."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.errors import InputError, OptionError
from tercet.lattice.automaton import Edge, Lattice
from tests.lattice.lattices import lattices, words


@given(lattices())
def test_counts_lengths_and_json(lattice: Lattice) -> None:
    every = list(lattice.sentences())
    assert lattice.paths == len(every)
    assert lattice.lengths == (min(map(len, every)), max(map(len, every)))
    assert Lattice.from_json(json.loads(json.dumps(lattice.as_json()))) == lattice
    assert [lattice._path(number) for number in range(len(every))] == every


@given(lattices())
def test_the_minimal_lattice_has_the_same_sentences_once(lattice: Lattice) -> None:
    smallest = lattice.minimised()
    assert Counter(smallest.sentences()) == Counter(set(lattice.sentences()))
    assert smallest.minimised() == smallest
    # minimal: no two states have the same future (Myhill and Nerode)
    futures = [frozenset(_suffixes(smallest, state)) for state in range(smallest.states)]
    assert len(set(futures)) == len(futures)


def _suffixes(lattice: Lattice, state: int) -> set[tuple[str, ...]]:
    here = {()} if state in lattice.finals else set()
    for edge in lattice.edges:
        if edge.source == state:
            here |= {(word, *rest) for word in edge.words for rest in _suffixes(lattice, edge.target)}
    return here


@given(st.lists(lattices(4), min_size=1, max_size=3))
def test_a_union_has_the_sentences_of_all(parts: list[Lattice]) -> None:
    union = Lattice.union(parts)
    assert set(union.sentences()) == {s for part in parts for s in part.sentences()}
    assert Lattice(union.states, union.edges, union.finals) == union


@settings(max_examples=50)
@given(st.lists(words, max_size=10))
def test_a_sentence(sentence: list[str]) -> None:
    assert list(Lattice.of(sentence).sentences()) == [tuple(sentence)]


def test_samples_are_repeatable_and_fair() -> None:
    # two words at first, then three ways after one of them and one after the other: 4 paths
    lattice = Lattice.make([(0, 1, "a"), (0, 2, "b"), *((1, 3, w) for w in "xyz"), (2, 3, "x")], 0, [3])
    drawn = lattice.sample(4000, seed=1)
    assert drawn == lattice.sample(4000, seed=1)
    assert drawn != lattice.sample(4000, seed=2)
    counts = Counter(drawn)
    assert set(counts) == set(lattice.sentences())
    assert all(850 < count < 1150 for count in counts.values())


def test_counts_are_exact_beyond_floating_point() -> None:
    lattice = Lattice(101, tuple(Edge(i, i + 1, ("a", "b", "c")) for i in range(100)), (100,))
    assert lattice.paths == 3**100
    assert len(lattice.sample(2, seed=0)[0]) == 100


@pytest.mark.parametrize(
    ("arcs", "finals", "problem"),
    [
        ([(0, 1, "a"), (1, 0, "b")], [1], "cycle"),
        ([(0, 0, "a")], [0], "cycle"),
        ([(0, 1, "a"), (2, 3, "b")], [1, 3], "final state 3 cannot be reached"),
        ([(0, 1, "a")], [], "no final state"),
    ],
)
def test_automata_that_are_no_lattices(arcs: list[tuple[int, int, str]], finals: list[int], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Lattice.make(arcs, 0, finals)


@pytest.mark.parametrize(
    "edges",
    [[Edge(0, 1, ())], [Edge(0, 1, ("a", "a"))], [Edge(1, 0, ("a",))], [Edge(0, 1, ("a b",))], [Edge(0, 1, ("",))], []],
)
def test_edges_that_are_none(edges: list[Edge]) -> None:
    with pytest.raises(OptionError):
        Lattice(2, tuple(edges), (1,))
