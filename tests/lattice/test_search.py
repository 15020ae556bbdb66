"""The search against its definition."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import tercet
from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.search import Normalizer, Search
from tests.lattice.lattices import lattices, sentences
from tests.oracles import lattice as oracle
from tests.oracles.wer import edit_distance

normalizers = st.sampled_from(["reference", "sum", "longer"])


def distance(hypothesis: list[str], lattice: Lattice, normalize: Normalizer, window: int = 0) -> tuple[float, ...]:
    return tuple(Search(normalize=normalize, window=window).distances([" ".join(hypothesis)], [lattice])[0])


@given(sentences, lattices(), normalizers)
@example([], Lattice.of([]), "sum")
@example(["a"], Lattice.of([]), "longer")
def test_agrees_with_every_sentence(hypothesis: list[str], lattice: Lattice, normalize: Normalizer) -> None:
    assert distance(hypothesis, lattice, normalize) == oracle.nearest(hypothesis, lattice.sentences(), normalize)


def test_agrees_with_every_sentence_of_thousands_of_lattices() -> None:
    generator = np.random.default_rng(11)
    vocabulary = [f"w{i}" for i in range(6)]
    for number in range(3000):
        states = int(generator.integers(2, 6))
        places = [(s, t) for s in range(states) for t in range(s + 1, states)]
        chosen = [places[i] for i in generator.integers(0, len(places), int(generator.integers(1, 8)))]
        arcs = [
            (s, t, str(generator.choice(vocabulary))) for s, t in [*chosen, *((s, s + 1) for s in range(states - 1))]
        ]
        lattice = Lattice.make(arcs, 0, [states - 1])
        hypothesis = generator.choice(vocabulary, int(generator.integers(0, 8))).tolist()
        normalize: Normalizer = ("reference", "sum", "longer")[number % 3]  # type: ignore[assignment]
        assert distance(hypothesis, lattice, normalize) == oracle.nearest(hypothesis, lattice.sentences(), normalize)


@settings(max_examples=100)
@given(sentences.filter(lambda words: len(words) < 6), lattices(5), normalizers, st.integers(1, 3))
@example(["b", "a"], Lattice.of(["a", "b"]), "reference", 1)
@example(["c", "a", "b"], Lattice.of(["a", "b", "c"]), "reference", 2)
def test_agrees_with_every_order(hypothesis: list[str], lattice: Lattice, normalize: Normalizer, window: int) -> None:
    expected = oracle.nearest(hypothesis, lattice.sentences(), normalize, window)
    assert distance(hypothesis, lattice, normalize, window) == expected


@given(sentences, lattices(), normalizers, st.integers(0, 2))
def test_the_path_is_of_the_lattice_and_has_the_edits(
    hypothesis: list[str], lattice: Lattice, normalize: Normalizer, window: int
) -> None:
    search = Search(normalize=normalize, window=window)
    match = search.match(" ".join(hypothesis), lattice)
    assert match.path in set(lattice.sentences())
    places = [step.place for step in match.steps if step.place is not None]
    assert sorted(places) == list(range(len(hypothesis)))
    read = [hypothesis[place] for place in places]
    assert tuple(read) in set(oracle.readings(hypothesis, window))
    assert sum(step.edit != "match" for step in match.steps) == match.edits == edit_distance(read, match.path)
    assert all((step.hypothesis == step.path) == (step.edit == "match") for step in match.steps)
    assert match.length == oracle.normaliser(len(hypothesis), len(match.path), normalize)
    assert (match.edits, match.length) == distance(hypothesis, lattice, normalize, window)


def test_the_lowest_ratio_is_not_that_of_the_fewest_edits() -> None:
    short, long = ["a"], ["x", "a", "c", "d", "e", "f"]
    lattice = Lattice.union([Lattice.of(short), Lattice.of(long)])
    hypothesis = ["x", "a", "c", "y"]
    assert edit_distance(hypothesis, short) == edit_distance(hypothesis, long) == 3
    assert distance(hypothesis, lattice, "reference") == (3, 6)
    assert distance(["a", "c", "y"], lattice, "reference") == (4, 6)  # though one is only 2 away from the short one


def test_an_astronomical_lattice_takes_milliseconds() -> None:
    edges = tuple(Edge(i, i + 1, tuple(f"w{i}.{j}" for j in range(20))) for i in range(30))
    lattice = Lattice(31, edges, (30,))
    assert lattice.paths == 20**30
    hypothesis = " ".join(f"w{i}.{i % 20}" if i % 3 else "other" for i in range(30))
    started = time.monotonic()
    assert Search().distances([hypothesis] * 1000, [lattice], [0] * 1000).tolist() == [[10, 30]] * 1000
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("length", [2_000, 10_000])
def test_long_hypotheses(length: int) -> None:
    generator = np.random.default_rng(5)
    here, there = (generator.integers(0, 500, size).astype(str).tolist() for size in (length, length // 2))
    started = time.monotonic()
    expected = Levenshtein.distance(here, there)
    assert distance(here, Lattice.of(there), "sum") == (expected, length + length // 2)
    assert time.monotonic() - started < 20


def test_threads_change_nothing() -> None:
    generator = np.random.default_rng(3)
    lines = [" ".join(map(str, generator.integers(0, 20, generator.integers(0, 40)))) for _ in range(400)]
    words = [line.split() for line in lines]
    lattice = [Lattice.union([Lattice.of(words[i]), Lattice.of(words[i - 7])]) for i in range(len(words))]
    before = tercet.threads()
    try:
        tercet.set_threads(1)
        alone = Search().distances(lines[::-1], lattice)
        tercet.set_threads(4)
        assert np.array_equal(Search().distances(lines[::-1], lattice), alone)
    finally:
        tercet.set_threads(before)
