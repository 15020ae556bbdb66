"""Ordered trees with labels: immutable, of any depth, written and read as brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from tercet.errors import InputError

_ESCAPES = {"\\": "\\\\", "(": "\\(", ")": "\\)", " ": "\\_", "\n": "\\n", "\t": "\\t"}
_UNESCAPES = {escape[1]: character for character, escape in _ESCAPES.items()} | {"e": ""}
_ESCAPED = re.compile(r"\\(?:u((?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)  # no character is beyond 10ffff
_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PENN_BRACKET = re.compile("-[LR][RSC]B-")
_SYMBOL = re.compile(r"[()]|(?:[^\s()\\]|\\.)+|\\", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A label over children, which are trees; a tree without children is a word.

    Every walk is a loop, so that a tree may be as deep as memory allows.
    """

    label: str
    children: tuple[Tree, ...] = ()
    _hash: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.label, tuple(child._hash for child in self.children))))

    @classmethod
    def of(cls, label: str, children: Iterable[Tree | str]) -> Self:
        """A node whose children may be given as words."""
        return cls(label, tuple(Tree(child) if isinstance(child, str) else child for child in children))

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def nodes(self) -> Iterator[Tree]:
        """All nodes, a parent before its children, from left to right."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def leaves(self) -> tuple[str, ...]:
        """The words, from left to right."""
        return tuple(node.label for node in self.nodes() if not node.children)

    def depth(self) -> int:
        """The number of nodes on the longest way from the root to a word."""
        deepest, level = 0, [self]
        while level:
            deepest += 1
            level = [child for node in level for child in node.children]
        return deepest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            if one is two:
                continue
            if one._hash != two._hash or one.label != two.label or len(one.children) != len(two.children):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        """The tree in brackets on one line; `read` gives it back."""
        parts: list[str] = []
        waiting: list[Tree | None] = [self]
        while waiting:
            node = waiting.pop()
            if node is None:
                parts.append(")")
            elif node.children or node is self:
                parts.append(f"{' (' if parts else '('}{_escape(node.label)}")
                waiting.append(None)
                waiting.extend(reversed(node.children))
            else:
                parts.append(" " + (_escape(node.label) or "\\e"))
        return "".join(parts)

    def __repr__(self) -> str:
        text = str(self)
        return f"<Tree {text if len(text) <= 200 else text[:199] + '…'}>"


def read(text: str, *, penn: bool = False, file: str | None = None) -> list[Tree]:
    """The trees that stand in a text, as `str(tree)` writes them or as a treebank has them.

    `penn`: words are escaped as in the Penn Treebank (-LRB-, \\/, \\*) instead.
    """
    trees: list[Tree] = []
    open_nodes: list[tuple[int, str, list[Tree]]] = []
    named = True  # whether the innermost open node has its label; a label follows its bracket at once
    for match in _SYMBOL.finditer(text):
        symbol, place = match[0], match.start()
        if symbol == "(":
            open_nodes.append((place, "", []))
            named = text[place + 1 : place + 2].isspace()
        elif symbol == ")":
            if not open_nodes:
                raise _error("a closing bracket that nothing opened", text, place, file)
            _, label, children = open_nodes.pop()
            (open_nodes[-1][2] if open_nodes else trees).append(Tree(label, tuple(children)))
            named = True
        elif not open_nodes:
            raise _error(f"{symbol[:30]!r} outside of any bracket", text, place, file)
        elif symbol == "\\":
            raise _error("a backslash at the end, which escapes nothing", text, place, file)
        elif not named:
            open_nodes[-1] = (open_nodes[-1][0], symbol if penn else _unescape(symbol), open_nodes[-1][2])
            named = True
        else:
            open_nodes[-1][2].append(Tree(_unescape_penn(symbol) if penn else _unescape(symbol)))
    if open_nodes:
        raise _error("a bracket that is never closed", text, open_nodes[-1][0], file)
    return trees


def read_one(text: str, *, penn: bool = False) -> Tree:
    """The one tree that stands in a text."""
    trees = read(text, penn=penn)
    if len(trees) != 1:
        raise InputError(f"{len(trees)} trees where one is expected")
    return trees[0]


def _error(problem: str, text: str, place: int, file: str | None) -> InputError:
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    where = "" if file else f"line {line}, "
    return InputError(f"{problem} ({where}column {column})", file=file, line=line if file else None)


def _escape(label: str) -> str:
    if label.isalnum():
        return label
    return "".join(_ESCAPES.get(c) or (f"\\u{ord(c):06x}" if c.isspace() else c) for c in label)


def _unescape(symbol: str) -> str:
    if "\\" not in symbol:
        return symbol
    return _ESCAPED.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _UNESCAPES.get(match[2], match[2]), symbol
    )


def _unescape_penn(symbol: str) -> str:
    if "-" in symbol:
        symbol = _PENN_BRACKET.sub(lambda match: _PENN[match[0]], symbol)
    return symbol.replace("\\/", "/").replace("\\*", "*") if "\\" in symbol else symbol
