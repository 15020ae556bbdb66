"""Lattices: acyclic word automata that hold up to astronomically many sentences in little space."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tercet.errors import InputError, OptionError

MOST_STATES = 1_000_000
"""More than this many states while a lattice is made deterministic is an error rather than a full memory."""
MOST_ARCS = 2_000_000
"""Likewise, of arcs that take the place of empty words: a chain of these repeats all that follows it."""


class Edge(NamedTuple):
    """Any one of the words leads from one state to another."""

    source: int
    target: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Lattice:
    """State 0 is the start, every edge leads to a higher state, and every state lies between start and a final state.

    `Lattice.make` brings any acyclic automaton into this form.
    """

    states: int
    edges: tuple[Edge, ...]
    finals: tuple[int, ...]

    def __post_init__(self) -> None:
        reached, useful = {0}, set(self.finals)
        for source, target, words in self.edges:
            if not (0 <= source < target < self.states and words and len(set(words)) == len(words)):
                raise OptionError(f"edge {source} → {target} has no different words or leads back; use Lattice.make")
            if not all(words) or any(len(word.split()) != 1 for word in words):
                raise OptionError(f"edge {source} → {target}: {words!r} are not words; a word has no blanks in it")
        for source, target, _ in sorted(self.edges):
            if source in reached:
                reached.add(target)
        for source, target, _ in sorted(self.edges, reverse=True):
            if target in useful:
                useful.add(source)
        if not self.finals or len(reached & useful) < self.states or not useful <= set(range(self.states)):
            raise OptionError("a state of the lattice is not between its start and a final state; use Lattice.make")

    @classmethod
    def sound(cls, states: int, edges: tuple[Edge, ...], finals: tuple[int, ...]) -> Lattice:
        """A lattice from one who knows that it is in the form; not checked, which takes longer than to make it."""
        lattice = object.__new__(cls)
        for name, value in (("states", states), ("edges", edges), ("finals", finals)):
            object.__setattr__(lattice, name, value)
        return lattice

    @classmethod
    def of(cls, words: Sequence[str]) -> Lattice:
        """The lattice of one sentence."""
        edges = tuple(Edge(i, i + 1, (word,)) for i, word in enumerate(words))
        return cls.sound(len(words) + 1, edges, (len(words),))

    @classmethod
    def make(
        cls,
        arcs: Iterable[tuple[Hashable, Hashable, str | None]],
        start: Hashable,
        finals: Iterable[Hashable],
    ) -> Lattice:
        """The lattice of an acyclic automaton whose states have any names; None on an arc is the empty word.

        States that lead nowhere are left out. A cycle, and a final state that cannot be reached, are errors.
        """
        arcs, finals = list(arcs), set(finals)
        order = _topological(arcs, start)
        missing = [state for state in finals if state not in order]
        if missing or not finals:
            problem = f"final state {missing[0]} cannot be reached from the start" if missing else "no final state"
            raise InputError(problem, remedy="a lattice needs a way from its start to every final state")
        leaving: dict[Hashable, dict[Hashable, dict[str, None]]] = {state: {} for state in order}
        silent: dict[Hashable, list[Hashable]] = {state: [] for state in order}
        for source, target, word in arcs:
            if source not in order:
                continue
            if word is None:
                silent[source].append(target)
            else:
                leaving[source].setdefault(target, {})[word] = None
        accepts = {state: state in finals for state in order}
        copied = 0
        for state in reversed(list(order)):  # what an empty word leads to can be done at once
            for target in silent[state]:
                accepts[state] |= accepts[target]
                for after, words in leaving[target].items():
                    leaving[state].setdefault(after, {}).update(words)
                    copied += len(words)
                if copied > MOST_ARCS:
                    raise InputError(
                        f"its empty words stand for more than {MOST_ARCS:,} arcs", remedy="remove them: fstrmepsilon"
                    )
        return _renumbered(list(order), leaving, accepts, start)

    @cached_property
    def _leaving(self) -> list[list[Edge]]:
        table: list[list[Edge]] = [[] for _ in range(self.states)]
        for edge in sorted(self.edges, key=lambda edge: edge[:2]):
            table[edge.source].append(edge)
        return table

    @cached_property
    def _ways(self) -> list[int]:
        """From each state, the number of paths to a final one."""
        final = set(self.finals)
        ways = [0] * self.states
        for state in reversed(range(self.states)):
            ways[state] = (state in final) + sum(len(e.words) * ways[e.target] for e in self._leaving[state])
        return ways

    @property
    def paths(self) -> int:
        """The number of paths, exactly; a sentence that two paths read counts twice (see `minimised`)."""
        return self._ways[0]

    @property
    def arcs(self) -> int:
        """The number of arcs: words on edges."""
        return sum(len(edge.words) for edge in self.edges)

    @property
    def lengths(self) -> tuple[int, int]:
        """Words of the shortest path and of the longest."""
        final = set(self.finals)
        spans: list[tuple[int, int]] = [(0, 0)] * self.states
        for state in reversed(range(self.states)):
            ends = [(0, 0)] if state in final else []
            ends += [(spans[e.target][0] + 1, spans[e.target][1] + 1) for e in self._leaving[state]]
            spans[state] = (min(low for low, _ in ends), max(high for _, high in ends))
        return spans[0]

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Every path's sentence, one after the other; mind their number."""
        stack: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        final = set(self.finals)
        while stack:
            state, words = stack.pop()
            if state in final:
                yield words
            for edge in reversed(self._leaving[state]):
                stack.extend((edge.target, (*words, word)) for word in reversed(edge.words))

    def sample(self, number: int, *, seed: int) -> list[tuple[str, ...]]:
        """Sentences of random paths, each path as likely as any other, with replacement."""
        generator = np.random.default_rng(seed)
        return [self._path(_below(self.paths, generator)) for _ in range(number)]

    def _path(self, number: int) -> tuple[str, ...]:
        """The path of a number from 0 to `paths` - 1, in the order of `sentences`."""
        words: list[str] = []
        final, state = set(self.finals), 0
        while True:
            if state in final:
                if number == 0:
                    return tuple(words)
                number -= 1
            for edge in self._leaving[state]:
                below = self._ways[edge.target]
                if number < below * len(edge.words):
                    words.append(edge.words[number // below])
                    state, number = edge.target, number % below
                    break
                number -= below * len(edge.words)

    def minimised(self) -> Lattice:
        """The smallest deterministic lattice of the same sentences: its paths are the distinct sentences."""
        from tercet.lattice.minimal import minimised

        return minimised(self)

    @classmethod
    def union(cls, lattices: Sequence[Lattice]) -> Lattice:
        """All sentences of all lattices."""
        if not lattices:
            raise OptionError("a union of no lattices has no sentences")
        if len(lattices) == 1:
            return lattices[0]
        edges: list[Edge] = []
        finals: set[int] = set()
        offset = 0
        for lattice in lattices:
            # the starts become one; the other states follow each other
            place = [0, *range(offset + 1, offset + lattice.states)]
            edges += [Edge(place[edge.source], place[edge.target], edge.words) for edge in lattice.edges]
            finals.update(place[state] for state in lattice.finals)
            offset += lattice.states - 1
        return cls.sound(offset + 1, tuple(edges), tuple(sorted(finals)))

    def as_json(self) -> dict[str, Any]:
        """States, edges and finals as JSON has them."""
        return {"states": self.states, "edges": [list(edge) for edge in self.edges], "finals": list(self.finals)}

    @classmethod
    def from_json(cls, entry: Mapping[str, Any], *, file: str | None = None) -> Lattice:
        """The reverse of `as_json`."""
        try:
            edges = tuple(Edge(int(s), int(t), tuple(map(str, words))) for s, t, words in entry["edges"])
            return cls(int(entry["states"]), edges, tuple(map(int, entry["finals"])))
        except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
            raise InputError(
                f"not a lattice in JSON ({str(error)[:200]})", file=file, remedy="it has states, edges, finals"
            ) from error


def _topological(arcs: Sequence[tuple[Hashable, Hashable, str | None]], start: Hashable) -> dict[Hashable, None]:
    """The states that the start leads to, each before those that it leads to."""
    targets: dict[Hashable, dict[Hashable, None]] = {}
    for source, target, _ in arcs:
        targets.setdefault(source, {})[target] = None
    finished: dict[Hashable, None] = {}
    open_: dict[Hashable, Iterator[Hashable]] = {start: iter(targets.get(start, ()))}
    while open_:  # depth first, without recursion: a lattice may be longer than Python's stack
        state = next(reversed(open_))
        target = next(open_[state], None)
        if target is None:
            finished[state] = None
            del open_[state]
        elif target in open_:
            raise InputError(f"the automaton has a cycle through state {target}", remedy="a lattice is acyclic")
        elif target not in finished:
            open_[target] = iter(targets.get(target, ()))
    return dict.fromkeys(reversed(finished))


def _renumbered(
    order: Sequence[Hashable],
    leaving: Mapping[Hashable, Mapping[Hashable, Mapping[str, None]]],
    accepts: Mapping[Hashable, bool],
    start: Hashable,
) -> Lattice:
    reached = {start}
    for state in order:
        if state in reached:
            reached.update(leaving[state])
    useful: set[Hashable] = set()
    for state in reversed(order):
        if accepts[state] or any(target in useful for target in leaving[state]):
            useful.add(state)
    kept = [state for state in order if state in reached and state in useful]
    number = {state: i for i, state in enumerate(kept)}
    edges = tuple(
        Edge(number[state], number[target], tuple(words))
        for state in kept
        for target, words in leaving[state].items()
        if target in number
    )
    return Lattice(len(kept), edges, tuple(number[state] for state in kept if accepts[state]))


def _below(bound: int, generator: np.random.Generator) -> int:
    """A random number below a bound of any size, all equally likely."""
    bits = (bound - 1).bit_length()
    while True:
        number = int.from_bytes(generator.bytes(-(-bits // 8) or 1), "little") & ((1 << bits) - 1)
        if number < bound:
            return number
