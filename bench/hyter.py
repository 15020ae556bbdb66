"""The nearest path of a lattice beside a composition in pynini, with equal edits; and how fast lattices are made.

All paths of these lattices have the same length, so that the lowest ratio is that of the fewest edits, which is all
that pynini tells. Both sides start from finished lattices: pynini's are composed with their half of the edit
transducer.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tercet
from bench.measure import CPU, Figure, Result, median_of, race, seconds, wmt13
from tercet.errors import ResourceError
from tercet.language.tokenizers import tokenize
from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.search import native

SEGMENTS, ARCS = 200, 600


def results(data: Path) -> Iterator[Result]:
    """One thread."""
    try:
        import pynini
    except ImportError:
        return
    tercet.set_threads(1)
    segments = wmt13(data, systems=1, segments=SEGMENTS)[0]
    hypotheses, references = (
        tokenize([t.lower() for t in texts]) for texts in (segments.hypotheses, segments.references)
    )
    vocabulary = sorted({word for words in (*hypotheses, *references) for word in words})
    generator = np.random.default_rng(1)
    lattices = []
    for words in references:
        others = ARCS // len(words) - 1
        edges = [
            Edge(i, i + 1, tuple(dict.fromkeys([word, *generator.choice(vocabulary, max(others, 0)).tolist()])))
            for i, word in enumerate(words)
        ]
        lattices.append(Lattice(len(words) + 1, tuple(edges), (len(words),)))

    held = native(lattices)
    texts = [" ".join(words) for words in hypotheses]
    which = np.arange(len(texts))

    def ours() -> list[int]:
        rows = held.distances(texts, which, tokenizer="none", normalize="reference", window=0)
        return rows[:, 0].astype(int).tolist()

    number = {word: i for i, word in enumerate(vocabulary, start=1)}
    replace, insert = len(vocabulary) + 1, len(vocabulary) + 2
    delete = insert + 1
    left, right = _edits(number.values(), replace, insert, delete)
    there = [pynini.compose(right, _acceptor(lattice, number)).arcsort("ilabel") for lattice in lattices]
    numbers = [[number[word] for word in words] for words in hypotheses]

    def theirs() -> list[int]:
        found = []
        for words, lattice in zip(numbers, there, strict=True):
            here = pynini.compose(_sentence(words), left).arcsort("olabel")
            best = pynini.shortestdistance(pynini.compose(here, lattice), reverse=True)
            found.append(round(float(str(best[0]))))
        return found

    assert ours() == theirs()
    mean = sum(lattice.arcs for lattice in lattices) / len(lattices)
    yield race(
        f"nearest path, {mean:.0f} arcs",
        f"pynini {pynini.__version__}",
        theirs,
        ours,
        amount=SEGMENTS,
        wanted="≥ 300 ×",
    )


def figures(data: Path) -> Iterator[Figure]:
    """Lattices of real references: the tables are compiled, but no reference has been seen before."""
    from tercet.metrics.hyter import HyTERA

    references = wmt13(data, systems=1, segments=1000)[0].sets
    for name, filtered in (("hytera-all", False), ("hytera", True)):
        try:
            HyTERA(filtered=filtered).lattice(("a word",))
        except ResourceError:
            return

        def make(filtered: bool = filtered) -> float:
            metric = HyTERA(filtered=filtered)
            metric.lattice(("another word",))
            taken = seconds(lambda: [metric.lattice(texts) for texts in references], CPU)
            return len(references) / taken

        yield Figure(f"references made into lattices a second, {name}", f"{median_of(3, make):,.0f}", "≥ 1,000")
    program = "from tercet.metrics.hyter import HyTERA; HyTERA().lattice(('a first word',))"

    def first() -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", program], check=True))

    yield Figure("seconds to a first lattice, from nothing, tables compiled", f"{median_of(3, first):.2f}", "≤ 1")


def _edits(words, replace: int, insert: int, delete: int):  # type: ignore[no-untyped-def]
    """An edit transducer in two halves, half of every edit's cost in each (Allauzen & Mohri 2009)."""
    import pynini

    left, right = pynini.Fst(), pynini.Fst()
    one, half = pynini.Weight.one("tropical"), pynini.Weight("tropical", 0.5)
    for machine in (left, right):
        machine.add_state()
        machine.set_start(0)
        machine.set_final(0)
    for word in words:
        left.add_arc(0, pynini.Arc(word, word, one, 0))
        left.add_arc(0, pynini.Arc(word, replace, half, 0))
        left.add_arc(0, pynini.Arc(word, delete, half, 0))
        right.add_arc(0, pynini.Arc(word, word, one, 0))
        right.add_arc(0, pynini.Arc(replace, word, half, 0))
        right.add_arc(0, pynini.Arc(insert, word, half, 0))
    left.add_arc(0, pynini.Arc(0, insert, half, 0))
    right.add_arc(0, pynini.Arc(delete, 0, half, 0))
    return left.arcsort("ilabel"), right.arcsort("olabel")


def _sentence(words: list[int]):  # type: ignore[no-untyped-def]
    import pynini

    machine = pynini.Fst()
    machine.add_states(len(words) + 1)
    machine.set_start(0)
    machine.set_final(len(words))
    for place, word in enumerate(words):
        machine.add_arc(place, pynini.Arc(word, word, pynini.Weight.one("tropical"), place + 1))
    return machine


def _acceptor(lattice: Lattice, number: dict[str, int]):  # type: ignore[no-untyped-def]
    import pynini

    machine = pynini.Fst()
    machine.add_states(lattice.states)
    machine.set_start(0)
    for state in lattice.finals:
        machine.set_final(state)
    for edge in lattice.edges:
        for word in edge.words:
            machine.add_arc(
                edge.source, pynini.Arc(number[word], number[word], pynini.Weight.one("tropical"), edge.target)
            )
    return machine.arcsort("ilabel")
