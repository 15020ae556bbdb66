"""The fewest edits to a path, beside a composition of automata in pynini."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.search import Search

pynini = pytest.importorskip("pynini", reason="the peer of the search: pip install pynini")

VOCABULARY = 12


def edit_machine():  # type: ignore[no-untyped-def]
    """One state; a word for itself costs nothing, for another one or for none 1."""
    one, free = pynini.Weight("tropical", 1.0), pynini.Weight.one("tropical")
    machine = pynini.Fst()
    machine.set_start(machine.add_state())
    machine.set_final(0)
    for here in range(VOCABULARY + 1):
        for there in range(VOCABULARY + 1):
            if here or there:
                machine.add_arc(0, pynini.Arc(here, there, free if here == there else one, 0))
    return machine


def acceptor(states: int, arcs: list[tuple[int, int, int]]):  # type: ignore[no-untyped-def]
    machine = pynini.Fst()
    machine.add_states(states)
    machine.set_start(0)
    machine.set_final(states - 1)
    for source, target, word in arcs:
        machine.add_arc(source, pynini.Arc(word, word, pynini.Weight.one("tropical"), target))
    return machine


def test_the_fewest_edits_where_all_paths_are_equally_long() -> None:
    generator = np.random.default_rng(7)
    edits = edit_machine().arcsort("ilabel")
    for _ in range(100):
        hypothesis = generator.integers(1, VOCABULARY + 1, generator.integers(1, 12)).tolist()
        alternatives = [
            np.unique(generator.integers(1, VOCABULARY + 1, generator.integers(1, 5))).tolist()
            for _ in range(int(generator.integers(1, 12)))
        ]
        lattice = Lattice(
            len(alternatives) + 1,
            tuple(Edge(i, i + 1, tuple(map(str, words))) for i, words in enumerate(alternatives)),
            (len(alternatives),),
        )
        [[ours, length]] = Search().distances([" ".join(map(str, hypothesis))], [lattice]).tolist()
        sentence = acceptor(len(hypothesis) + 1, [(i, i + 1, word) for i, word in enumerate(hypothesis)])
        arcs = [(i, i + 1, word) for i, words in enumerate(alternatives) for word in words]
        there = acceptor(len(alternatives) + 1, arcs).arcsort("ilabel")
        composed = pynini.compose(pynini.compose(sentence, edits).arcsort("olabel"), there)
        assert (ours, length) == (float(str(pynini.shortestdistance(composed, reverse=True)[0])), len(alternatives))
