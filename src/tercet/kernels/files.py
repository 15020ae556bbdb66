"""Trees in files: brackets, lists of parents, and the flat arrays of model files; what is no tree is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import InputError, TercetError
from tercet.language.trees import Tree, read

Integers = NDArray[np.int32]


def read_trees(path: Path) -> list[Tree]:
    """The trees of a file, in order: in brackets, or, in `.jsonl`, as {"labels": […], "parents": […]} a line.

    The parent of a node is given by its number from 0, and that of the root by -1; children stand in the order of
    their numbers.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", file=path) from error
    if path.suffix != ".jsonl":
        return read(text, file=str(path))
    found = []
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            entry = json.loads(row)
            found.append(from_parents(entry["labels"], entry["parents"]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(f"is not a tree of labels and parents ({error!r})", file=path, line=line) from error
        except TercetError as error:
            raise InputError(str(error), file=path, line=line) from error
    return found


def from_parents(labels: Sequence[str], parents: Sequence[int]) -> Tree:
    """A tree from the label and the parent of each node; a cycle is an error that names a node in it."""
    if len(labels) != len(parents) or not labels:
        raise InputError(f"{len(labels)} labels and {len(parents)} parents; a tree has as many of both, one or more")
    if not all(isinstance(label, str) for label in labels):
        raise InputError("labels are texts")
    children: list[list[int]] = [[] for _ in labels]
    roots: list[int] = []
    for node, parent in enumerate(parents):
        if isinstance(parent, bool) or not isinstance(parent, int) or not -1 <= parent < len(labels):
            raise InputError(f"node {node} ({labels[node]!r}) has the parent {parent!r}, which is not there")
        (roots if parent < 0 else children[parent]).append(node)
    if len(roots) > 1:
        raise InputError(f"{len(roots)} roots (nodes {roots[0]} and {roots[1]}) where one is expected")
    order = list(roots)
    for node in order:  # breadth first: the list grows while it is walked
        order.extend(children[node])
    if len(order) < len(labels):  # every node has one parent, so those that no root reaches go round in circles
        node = next(iter(set(range(len(labels))) - set(order)))
        seen: set[int] = set()
        while node not in seen:
            seen.add(node)
            node = parents[node]
        raise InputError(f"node {node} ({labels[node]!r}) is its own ancestor: a cycle, not a tree")
    built: dict[int, Tree] = {}
    for node in reversed(order):
        built[node] = Tree(labels[node], tuple(built.pop(child) for child in children[node]))
    return built[order[0]]


def lay_flat(trees: Sequence[Tree], numbers: Mapping[str, int]) -> tuple[Integers, Integers, Integers]:
    """Labels by number and children of all nodes, breadth first, and how many nodes each tree has."""
    labels, counts, sizes = [], [], []
    for tree in trees:
        queue = [tree]
        for node in queue:
            labels.append(numbers[node.label])
            counts.append(len(node.children))
            queue.extend(node.children)
        sizes.append(len(queue))
    return np.array(labels, np.int32), np.array(counts, np.int32), np.array(sizes, np.int32)


def raise_trees(labels: Any, counts: Any, sizes: Any, names: Sequence[str], *, file: Path) -> list[Tree]:
    """The trees again; numbers that describe none are an error."""
    if len(labels) and not 0 <= labels.min() <= labels.max() < len(names):
        raise InputError("a tree has a label that is not in the list of labels", file=file, remedy="get it again")
    if int(sizes.sum(dtype=np.int64)) != len(labels) or (len(sizes) and sizes.min() < 1):
        raise InputError("its trees have other sizes than it says", file=file, remedy="get it again")
    found, at = [], 0
    for number, size in enumerate(sizes.tolist(), 1):
        below = counts[at : at + size].tolist()
        firsts, following = [], 1
        for node, count in enumerate(below):
            if count < 0 or following <= node or following + count > size:
                raise InputError(f"tree {number} is none: node {node} has {count} children", file=file)
            firsts.append(following)
            following += count
        if following != size:
            raise InputError(f"tree {number} is none: {size - following} nodes have no parent", file=file)
        nodes: list[Tree] = [Tree("")] * size
        for node in reversed(range(size)):
            children = tuple(nodes[firsts[node] : firsts[node] + below[node]])
            nodes[node] = Tree(names[labels[at + node]], children)
        found.append(nodes[0])
        at += size
    return found
