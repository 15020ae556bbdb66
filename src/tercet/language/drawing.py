"""Pictures of trees: as text for a terminal, as SVG for a page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from tercet.errors import ShapeError
from tercet.language.trees import Tree

_FONT = 14
_LEVEL = 52  # from a parent's baseline to its children's
_GAP = 16  # between neighbouring words
_MARGIN = 20
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STYLE = """
text { font: 14px 'DejaVu Sans', Arial, sans-serif; text-anchor: middle; fill: #333; }
line { stroke: #b5b5b5; stroke-width: 1; }
.relation { fill: #9c2f1d; font-weight: bold; } .nucleus { fill: #1d5f9c; font-weight: bold; }
.satellite { fill: #6a8bab; font-weight: bold; } .phrase { fill: #2c7a3f; }
.tag { fill: #8a8a8a; } .word { fill: #111; }
""".strip()


@dataclass(frozen=True)
class Drawing:
    """A tree as `text` and as `svg`; a notebook shows the SVG."""

    text: str
    svg: str

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


def draw(tree: Tree, weights: Sequence[float] | None = None) -> Drawing:
    """A picture of a tree, as text and as SVG.

    `weights`, one for each node in the order of `Tree.nodes`, shade the nodes: green above 0 and red below.
    """
    if weights is not None and len(weights) != (nodes := sum(1 for _ in tree.nodes())):
        raise ShapeError(f"{len(weights)} weights for a tree of {nodes} nodes")
    return Drawing(_text(tree), _svg(tree, weights))


def _text(tree: Tree) -> str:
    lines: list[str] = []
    waiting = [(tree, "", "")]
    while waiting:
        node, lead, rest = waiting.pop()
        label = _visible(node.label)
        if len(node.children) == 1 and node.children[0].is_leaf:  # a tag and its word share a line
            lines.append(f"{lead}{label} {_visible(node.children[0].label)}")
            continue
        lines.append(lead + label)
        for i, child in reversed(list(enumerate(node.children))):
            last = i == len(node.children) - 1
            waiting.append((child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  ")))
    return "\n".join(lines)


def _svg(tree: Tree, weights: Sequence[float] | None = None) -> str:
    order: list[tuple[Tree, int, int]] = []  # node, place of its parent in this list, depth
    waiting = [(tree, -1, 0)]
    while waiting:
        node, parent, depth = waiting.pop()
        order.append((node, parent, depth))
        waiting.extend((child, len(order) - 1, depth + 1) for child in reversed(node.children))
    need = [_width(node.label) for node, _, _ in order]  # room for a node and all under it
    children: list[list[int]] = [[] for _ in order]
    for i, (_, parent, _) in enumerate(order):
        if parent >= 0:
            children[parent].append(i)
    for i in range(len(order) - 1, -1, -1):
        if children[i]:
            need[i] = max(need[i], sum(need[c] for c in children[i]) + _GAP * (len(children[i]) - 1))
    left = [float(_MARGIN)] * len(order)
    for i, below in enumerate(children):
        x = left[i] + (need[i] - sum(need[c] for c in below) - _GAP * (len(below) - 1)) / 2
        for c in below:
            left[c] = x
            x += need[c] + _GAP
    centre = [0.0] * len(order)
    for i in range(len(order) - 1, -1, -1):
        below = children[i]
        centre[i] = (centre[below[0]] + centre[below[-1]]) / 2 if below else left[i] + need[i] / 2
    deepest = max(depth for _, _, depth in order)

    def y(i: int) -> int:
        node, parent, depth = order[i]
        return _MARGIN + _FONT + _LEVEL * (deepest if node.is_leaf and parent >= 0 else depth)

    width, height = need[0] + 2 * _MARGIN, 2 * _MARGIN + _FONT + _LEVEL * deepest + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height}" fill="white"/>',
    ]
    for i, (_, parent, _) in enumerate(order):
        if parent >= 0:
            above = y(parent) + 6
            parts.append(f'<line x1="{centre[parent]:.1f}" y1="{above}" x2="{centre[i]:.1f}" y2="{y(i) - _FONT - 2}"/>')
    greatest = max(map(abs, weights), default=0.0) if weights is not None else 0.0
    for i, weight in enumerate(weights or ()):
        if weight and greatest:
            wide, colour = _width(order[i][0].label) + 4, "#3a9d4f" if weight > 0 else "#d2432f"
            parts.append(
                f'<rect x="{centre[i] - wide / 2:.1f}" y="{y(i) - _FONT - 1}" width="{wide:.1f}" height="{_FONT + 6}" '
                f'rx="4" fill="{colour}" fill-opacity="{abs(weight) / greatest:.2f}"><title>{weight:+.4f}</title>'
                "</rect>"
            )
    for i, (node, _, _) in enumerate(order):
        label = escape(_NOT_XML.sub("\ufffd", _visible(node.label)))
        parts.append(f'<text class="{_class(node)}" x="{centre[i]:.1f}" y="{y(i)}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _class(node: Tree) -> str:
    if node.is_leaf:
        return "word"
    if node.label.startswith("DIS:"):
        return "relation"
    if node.label.endswith("NUCLEUS"):
        return "nucleus"
    if node.label.endswith("SATELLITE"):
        return "satellite"
    return "tag" if all(child.is_leaf for child in node.children) else "phrase"


def _visible(label: str) -> str:
    # control characters would break a line of text
    return "".join(
        c if unicodedata.category(c) not in {"Cc", "Zl", "Zp"} else "\N{REPLACEMENT CHARACTER}" for c in label
    )


def _width(label: str) -> float:
    wide = sum(unicodedata.east_asian_width(c) in "WF" or c.isupper() for c in label)
    return _FONT * (0.62 * (len(label) - wide) + 0.82 * wide) + 4
