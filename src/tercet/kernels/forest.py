"""Trees as the native kernels take them: each different tree once, its nodes in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tercet import _native
from tercet.errors import ShapeError
from tercet.kernels.data import Numbers
from tercet.kernels.marking import REL, unmarked
from tercet.language.trees import Tree
from tercet.language.word_vectors import WordVectors


@dataclass(frozen=True, eq=False)
class Forest:
    """Different trees, and which of them each tree that was given is."""

    trees: tuple[Tree, ...]
    index: Numbers
    vocabulary: Mapping[str, int]
    native: _native.Forest

    @classmethod
    def of(cls, trees: Iterable[Tree], like: Forest | None = None, words: WordVectors | None = None) -> Self:
        """The forest of some trees; `like` is one that it will be compared with, `words` are vectors for its leaves."""
        numbers: dict[Tree, int] = {}
        index = []
        for tree in trees:
            if not isinstance(tree, Tree):
                raise ShapeError(f"a tree is wanted, not {type(tree).__name__}; see tercet.language.Tree")
            index.append(numbers.setdefault(tree, len(numbers)))
        known = {} if like is None else like.vocabulary
        own: dict[str, int] = {}
        starts, labels, counts = [0], [], []
        leaves: dict[str, tuple[int, int]] = {}
        smooth: list[int] = []
        rows: list[int] = []
        for tree in numbers:
            queue = [tree]
            for node in queue:  # breadth first: the list grows while it is walked
                label = node.label
                number = known.get(label)
                labels.append(own.setdefault(label, len(known) + len(own)) if number is None else number)
                counts.append(len(node.children))
                queue.extend(node.children)
                if words is not None:
                    if node.children:
                        smooth.append(-1)
                        rows.append(-1)
                        continue
                    if label not in leaves:
                        row = words.row(unmarked(label))
                        leaves[label] = (-1 if row < 0 else int(label.startswith(REL)), row)
                    smooth.append(leaves[label][0])
                    rows.append(leaves[label][1])
            starts.append(len(labels))
        if words is None:
            smooth = rows = [-1] * len(labels)
        native = _native.Forest(
            np.array(starts, np.int64), *(np.array(column, np.int32) for column in (labels, counts, smooth, rows))
        )
        vocabulary = {**known, **own} if known else own
        return cls(tuple(numbers), np.array(index, np.int64), vocabulary, native)

    def sizes(self) -> Numbers:
        """How many nodes each different tree has."""
        return np.array([sum(1 for _ in tree.nodes()) for tree in self.trees], np.int64)


def vocabulary_of(trees: Sequence[Tree]) -> list[str]:
    """All labels, in the order in which they are first met."""
    return list(dict.fromkeys(node.label for tree in trees for node in tree.nodes()))
