"""Elementary discourse units and the relations between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import ResourceError
from tercet.language import sequence
from tercet.language.sequence import Integers, Sentences

MOST_UNITS = 20  # a chart of n units has n³/6 entries: beyond this it would be felt


class Relation(NamedTuple):
    """How two neighbouring units hang together, and which of them is the nucleus."""

    name: str
    nuclearity: str  # NS, SN or NN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Span:
    """The discourse units from start to before end; more than one are two spans and their relation.

    A text of many sentences is a deep tree: like those of Tree, comparisons are loops.
    """

    start: int
    end: int
    relation: Relation | None = None
    children: tuple[Span, ...] = ()

    def moved(self, by: int) -> Span:
        """The same tree over units that are counted from elsewhere."""
        return Span(self.start + by, self.end + by, self.relation, tuple(child.moved(by) for child in self.children))

    def spans(self) -> list[Span]:
        """All spans of more than one unit, a parent before its children."""
        found, waiting = [], [self]
        while waiting:
            span = waiting.pop()
            if span.children:
                found.append(span)
                waiting.extend(reversed(span.children))
        return found

    def _nodes(self) -> tuple[tuple[int, int, Relation | None, int], ...]:
        nodes, waiting = [], [self]
        while waiting:
            span = waiting.pop()
            nodes.append((span.start, span.end, span.relation, len(span.children)))
            waiting.extend(reversed(span.children))
        return tuple(nodes)

    def __eq__(self, other: object) -> bool:
        return self._nodes() == other._nodes() if isinstance(other, Span) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._nodes())

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_nodes, (self._nodes(),)

    def __repr__(self) -> str:
        parts = [f"{s.start}–{s.end} {' '.join(s.relation or ())}" for s in self.spans()[:5]]
        return f"<Span {', '.join(parts) or f'{self.start}–{self.end}'}{', …' if len(self.spans()) > 5 else ''}>"


def _from_nodes(nodes: Sequence[tuple[int, int, Relation | None, int]]) -> Span:
    # a parent stands before its children, so from the back they are ready when it comes
    ready: list[Span] = []
    for start, end, relation, count in reversed(nodes):
        children = tuple(ready.pop() for _ in range(count))
        ready.append(Span(start, end, relation, children))
    return ready[0]


JOIN = Relation("joint", "NN")


def joined(spans: Sequence[Span]) -> Span:
    """Neighbouring spans as one tree that branches to the right."""
    *others, whole = spans
    for span in reversed(others):
        whole = Span(span.start, whole.end, JOIN, (span, whole))
    return whole


@dataclass(frozen=True)
class DiscourseParser:
    """The best binary tree over the units of a sentence, by chart over all spans (Joty et al. 2012, section 4.2).

    A sentence of more than MOST_UNITS units is parsed in stretches of that many, joined from the right.
    """

    labels: tuple[Relation, ...]
    native: _native.DiscourseModel

    def parse(
        self,
        sentences: Sentences,
        units: Sequence[Sequence[int]],
        columns: Sequence[Integers],
        *,
        offsets: Sequence[int] | None = None,
    ) -> list[Span]:
        """For each sentence, none of which is empty, the tree over the units that start at the tokens given.

        The columns are: tag, chunk, clause label, and 1 where a token is a verb. Units are counted from
        `offsets`, or from 0.
        """
        pieces, starts, pieces_of = _pieces(sentences, units)
        counts = np.array([len(piece) for piece in starts], np.int32)
        flat = np.array([start for piece in starts for start in piece], np.int32)
        table = np.array(columns, np.int32).reshape(4, -1)
        nodes = self.native.parse(pieces, table, flat, counts).reshape(-1, 4).tolist()
        result, piece, node = [], 0, 0
        for count, offset in zip(pieces_of, offsets or [0] * len(pieces_of), strict=True):
            trees = []
            for size in counts[piece : piece + count].tolist():
                trees.append(self._tree(nodes[node : node + size - 1], offset))
                node += size - 1
                offset += size
            result.append(joined(trees))
            piece += count
        return result

    def _tree(self, nodes: list[list[int]], offset: int) -> Span:
        # children stand behind their parents, so from the back every child is there before its parent
        built: dict[tuple[int, int], Span] = {}
        for begin, split, end, label in reversed(nodes):
            left = built.get((begin, split)) or Span(begin + offset, split + offset)
            right = built.get((split, end)) or Span(split + offset, end + offset)
            built[begin, end] = Span(begin + offset, end + offset, self.labels[label], (left, right))
        return built[nodes[0][0], nodes[0][2]] if nodes else Span(offset, offset + 1)


def _pieces(sentences: Sentences, units: Sequence[Sequence[int]]) -> tuple[Sentences, list[list[int]], list[int]]:
    pieces: Sentences = []
    starts: list[list[int]] = []
    pieces_of: list[int] = []
    for sentence, firsts in zip(sentences, units, strict=True):
        if len(firsts) <= MOST_UNITS:
            pieces.append(sentence)
            starts.append(list(firsts))
            pieces_of.append(1)
            continue
        edges = [*firsts, len(sentence)]
        for first in range(0, len(firsts), MOST_UNITS):
            last = min(first + MOST_UNITS, len(firsts))
            pieces.append(sentence[edges[first] : edges[last]])
            starts.append([edge - edges[first] for edge in edges[first:last]])
        pieces_of.append(-(-len(firsts) // MOST_UNITS))
    return pieces, starts, pieces_of


def load(folder: Path = sequence.MODELS) -> DiscourseParser:
    """The discourse parser that ships with the package."""
    configuration, arrays = sequence.read("discourse", folder)
    try:
        return make(configuration, arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise ResourceError(f"{folder}/discourse.npz: not the weights of a discourse parser: {error}") from None


def make(configuration: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> DiscourseParser:
    """A parser from its configuration and its weights."""
    labels = tuple(Relation(*label.rsplit(" ", 1)) for label in configuration["labels"])
    native = _native.DiscourseModel(
        configuration["templates"], sequence.weight_table(arrays), len(labels) + 1, configuration["scale"]
    )
    return DiscourseParser(labels, native)
