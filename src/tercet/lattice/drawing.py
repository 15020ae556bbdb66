"""A picture of a lattice: words from left to right, alternatives above one another, most paths along the bottom."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from tercet.lattice.automaton import Edge, Lattice

_FONT, _CHARACTER = 14, 8.0  # of a monospaced font: its size, and the width of a character at that size
_ROW, _PAD, _BEND, _MARGIN = 24.0, 8.0, 18.0, 24.0
MOST_WORDS = 8
"""Of an edge, so many words are shown, and how many more there are."""


@dataclass(frozen=True)
class _Item:
    """A word, its way from one state to another, and the row on which it is written; row 0 is the lowest."""

    edge: Edge
    word: str
    row: int
    strong: bool


def draw(lattice: Lattice, *, most: int = MOST_WORDS) -> str:
    """The lattice as SVG."""
    ranks = _ranks(lattice)
    main = _main(lattice)
    items, rows = _placed(lattice, ranks, main, most)
    x = _columns(items, ranks)
    height = 2 * _MARGIN + _ROW * max((item.row for item in items), default=0)
    base = height - _MARGIN

    def place(state: int) -> tuple[float, float]:
        return x[ranks[state]], base - _ROW * rows[state]

    width = x[-1] + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="{_FONT}">',
        f"<title>{escape(_title(lattice))}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<g fill="none" stroke="#9aa5b1" stroke-width="1">',
    ]
    labels = []
    for item in items:
        (x1, y1), (x2, y2) = place(item.edge.source), place(item.edge.target)
        y = base - _ROW * item.row
        lines.append(f'<path d="{_way(x1, y1, x2, y2, y)}"/>')
        weight = ' font-weight="bold"' if item.strong else ' fill="#364152"'
        half = _width(item.word) / 2 + 2
        middle = (x1 + x2) / 2
        labels.append(
            f'<rect x="{middle - half:.1f}" y="{y - 9:.1f}" width="{2 * half:.1f}" height="18" fill="#fff"/>'
            f'<text x="{middle:.1f}" y="{y + 5:.1f}" text-anchor="middle"{weight}>{escape(_shown(item.word))}</text>'
        )
    lines += ["</g>", *labels]
    final = set(lattice.finals)
    for state in range(lattice.states):
        cx, cy = place(state)
        ring = f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="7" fill="none" stroke="#1f2933"/>' if state in final else ""
        lines.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" fill="#1f2933"/>{ring}')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _ranks(lattice: Lattice) -> list[int]:
    """Of each state, the words of the longest way there."""
    ranks = [0] * lattice.states
    for edge in sorted(lattice.edges, key=lambda edge: edge.source):
        ranks[edge.target] = max(ranks[edge.target], ranks[edge.source] + 1)
    return ranks


def _main(lattice: Lattice) -> dict[int, Edge]:
    """The edges of the way that is drawn straight, by source: where it forks, on with most of the paths."""
    leaving: dict[int, list[Edge]] = {}
    for edge in lattice.edges:
        leaving.setdefault(edge.source, []).append(edge)
    final, ways = set(lattice.finals), [0] * lattice.states
    for state in reversed(range(lattice.states)):
        ways[state] = (state in final) + sum(len(edge.words) * ways[edge.target] for edge in leaving.get(state, ()))
    state, way = 0, {}
    while state in leaving:
        way[state] = max(leaving[state], key=lambda edge: len(edge.words) * ways[edge.target])
        state = way[state].target
    return way


def _placed(lattice: Lattice, ranks: list[int], main: dict[int, Edge], most: int) -> tuple[list[_Item], list[int]]:
    """Every word's row and every state's: the lowest that is free from the first rank to the last."""
    taken: list[list[tuple[int, int]]] = []

    def free(row: int, first: int, last: int) -> bool:
        return row >= len(taken) or all(last <= a or b <= first for a, b in taken[row])

    def take(first: int, last: int, wanted: int = 0) -> int:
        row = wanted if free(wanted, first, last) else next(r for r in range(len(taken) + 1) if free(r, first, last))
        while len(taken) <= row:
            taken.append([])
        taken[row].append((first, last))
        return row

    on_main = {0, *(edge.target for edge in main.values())}
    rows = [0] * lattice.states
    items: list[_Item] = []
    for edge in main.values():
        items.append(_Item(edge, edge.words[0], take(ranks[edge.source], ranks[edge.target]), True))
    straight = {(edge.source, edge.target) for edge in main.values()}
    placed = set(on_main)
    # short ways first, so that they stay near to what they replace
    for edge in sorted(lattice.edges, key=lambda e: (ranks[e.target] - ranks[e.source], e.source, e.target)):
        skip = (edge.source, edge.target) in straight
        if edge.source in on_main and edge.target in on_main:
            for word in _some(edge.words, most)[1 if skip else 0 :]:
                items.append(_Item(edge, word, take(ranks[edge.source], ranks[edge.target], 1), False))
    for edge in sorted(lattice.edges, key=lambda e: (e.source, e.target)):
        if edge.source in on_main and edge.target in on_main:
            continue
        wanted = rows[edge.source] if edge.source not in on_main else 1
        first = True
        for word in _some(edge.words, most):
            row = take(ranks[edge.source], ranks[edge.target], wanted)
            items.append(_Item(edge, word, row, False))
            if first and edge.target not in placed:
                rows[edge.target] = row
                placed.add(edge.target)
            first = False
    return items, rows


def _some(words: tuple[str, ...], most: int) -> list[str]:
    return list(words) if len(words) <= most else [*words[:most], f"… {len(words) - most} more"]


def _columns(items: list[_Item], ranks: list[int]) -> list[float]:
    """Where each rank stands: far enough from the ones before it for every word between."""
    x = [_MARGIN] * (max(ranks) + 1)
    for rank in range(1, len(x)):
        needs = [
            x[ranks[item.edge.source]] + _width(item.word) + 2 * (_PAD + _BEND)
            for item in items
            if ranks[item.edge.target] == rank
        ]
        x[rank] = max([x[rank - 1] + 2 * _BEND + _PAD, *needs])
    return x


def _way(x1: float, y1: float, x2: float, y2: float, y: float) -> str:
    if y1 == y == y2:
        return f"M{x1:.1f} {y:.1f}H{x2:.1f}"
    half, last = x1 + _BEND / 2, x2 - _BEND / 2
    return (
        f"M{x1:.1f} {y1:.1f}C{half:.1f} {y1:.1f} {half:.1f} {y:.1f} {x1 + _BEND:.1f} {y:.1f}"
        f"H{x2 - _BEND:.1f}C{last:.1f} {y:.1f} {last:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    )


def _title(lattice: Lattice) -> str:
    return f"A lattice of {lattice.paths:,} paths, {lattice.states} states and {lattice.arcs} arcs"


def _width(word: str) -> float:
    return sum(_character_widths(_shown(word)))


def _character_widths(word: str) -> Iterator[float]:
    for character in word:
        if not unicodedata.combining(character):
            yield _CHARACTER * (2 if unicodedata.east_asian_width(character) in "WF" else 1) * _FONT / 13.3


def _shown(word: str) -> str:
    """The word with what XML cannot hold replaced."""
    return "".join(c if c.isprintable() and not "\ud800" <= c <= "\udfff" else "\ufffd" for c in word)
