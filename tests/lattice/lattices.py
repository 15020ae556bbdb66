"""Random lattices to try things on."""

from __future__ import annotations

from hypothesis import strategies as st

from tercet.lattice.automaton import Lattice

words = st.sampled_from(["the", "cat", "sat", "on", "mat", "猫", "e\u0301", "\ud800", "."])
sentences = st.lists(words, max_size=7)


@st.composite
def lattices(draw: st.DrawFn, most: int = 6) -> Lattice:
    """Any acyclic automaton of few states, with empty words, dead ends and states that are not reached."""
    states = draw(st.integers(1, most))
    places = st.tuples(st.integers(0, states - 1), st.integers(0, states - 1)).filter(lambda p: p[0] < p[1])
    backbone = [(s, s + 1, draw(words)) for s in range(states - 1)]
    some = draw(st.lists(st.tuples(places, st.none() | words), max_size=2 * most)) if states > 1 else []
    names = draw(st.permutations(range(states)))
    arcs = [(names[s], names[t], word) for s, t, word in [*backbone, *((*place, word) for place, word in some)]]
    finals = draw(st.sets(st.integers(0, states - 1))) | {states - 1}
    return Lattice.make(arcs, names[0], [names[state] for state in finals])
