"""What a sum of tree kernels comes from: words, tags, phrases, clauses, and the relations between them.

A kernel is a sum over pairs of nodes, so a sum of kernels of one tree falls apart by its nodes, exactly: each has the
part of the fragments that hang on it. Nodes of one kind are taken together here.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

import tercet
from tercet import _native
from tercet.kernels.base import Array
from tercet.kernels.forest import Forest
from tercet.kernels.marking import REL, unmarked
from tercet.kernels.trees import TreeKernel
from tercet.language.trees import Tree

LEVELS = ("words", "tags", "phrases", "clauses", "relations")
"""Kinds of nodes, from the leaves up, in the trees of `Analysis.tree`."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Of some trees: what the nodes of each kind add, and how many such nodes there are, (trees, 2 × levels).

    The first columns are nodes that are marked REL, the others those that are not.
    """

    values: Array
    counts: Array

    def unmarked(self) -> Parts:
        """Marked or not, (trees, levels)."""
        width = len(LEVELS)
        return Parts(self.values[:, :width] + self.values[:, width:], self.counts[:, :width] + self.counts[:, width:])


def parts_of(kernel: TreeKernel, trees: Sequence[Tree], support: Sequence[Tree], weights: Array) -> Parts:
    """Where Σ weight × normalised kernel with the support comes from, for each of some trees.

    Rows of `values` sum to that. Trees are taken apart in as many threads as kernels may use, which changes no digit.
    """
    theirs = Forest.of(support)
    ours = Forest.of(trees, theirs)
    scaled = np.bincount(theirs.index, weights, len(theirs.trees)) * inverse_lengths(kernel, theirs)
    lengths = inverse_lengths(kernel, ours)
    width = 2 * len(LEVELS)

    def one(number: int) -> tuple[Array, Array]:
        found = _native.tree_kernel_by_node(kernel.native, ours.native, number, theirs.native, scaled)[:, 0]
        columns = _columns(ours.trees[number])
        added = np.bincount(columns, found, width) * lengths[number]
        return added, np.bincount(columns, minlength=width).astype(np.float64)

    with ThreadPoolExecutor(tercet.threads()) as threads:
        every = list(threads.map(one, range(len(ours.trees))))
    values = np.array([found for found, _ in every]).reshape(-1, width)
    counts = np.array([found for _, found in every]).reshape(-1, width)
    return Parts(values[ours.index], counts[ours.index])


def inverse_lengths(kernel: TreeKernel, forest: Forest) -> Array:
    """1 / √K(t, t) of each different tree of a forest; 0 for a tree without any fragment."""
    every = np.arange(len(forest.trees))
    found = _native.tree_kernels_aligned(kernel.native, forest.native, every, forest.native, every)[:, 0]
    return np.divide(1, np.sqrt(found), out=np.zeros_like(found), where=found > 0)


def level_of(node: Tree) -> str:
    """What kind of node it is."""
    if not node.children:
        return "words"
    label = unmarked(node.label)
    if label.startswith("EDU:"):
        return "clauses"
    if label.startswith("DIS:") or label in ("NUCLEUS", "SATELLITE", "S"):
        return "relations"  # the root of a SYN tree holds phrases together as a relation holds clauses
    return "tags" if all(not child.children for child in node.children) else "phrases"


def _columns(tree: Tree) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The column of each node, breadth first, as native trees are laid out."""
    queue, found = [tree], []
    for node in queue:
        found.append(LEVELS.index(level_of(node)) + (0 if node.label.startswith(REL) else len(LEVELS)))
        queue.extend(node.children)
    return np.array(found, np.int64)
