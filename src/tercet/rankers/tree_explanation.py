"""Why a translation was preferred: the fragments of trees that carried the decision, and the nodes they hang on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import OptionError
from tercet.kernels import PartialTree
from tercet.kernels.forest import Forest
from tercet.kernels.marking import REL, unmarked
from tercet.kernels.parts import inverse_lengths
from tercet.language.drawing import Drawing, draw
from tercet.language.trees import Tree
from tercet.rankers.tree_pairs import Grove

if TYPE_CHECKING:
    from tercet.rankers.kernel import KernelRanker

Array = NDArray[np.float64]
NODES = 4  # of the largest fragments that are looked at one by one
_ROOTS = 12  # nodes of each tree whose fragments are looked at: those that carried most
_MOST_ROOTED = 2000  # fragments under one node


@dataclass(frozen=True)
class Fragment:
    """A part of a tree and what it added to the margin: above 0 it speaks for the first translation."""

    tree: Tree
    side: str
    """`hypothesis`, or `reference`: the reference's tree, marked with what the hypothesis has of it"""
    margin: float
    weight: float
    """In the model: above 0 where it speaks for a translation that has it."""

    def __str__(self) -> str:
        return f"{self.margin:+.4f}  {self.side:10}  {self.tree}"

    @property
    def words(self) -> str:
        """The fragment in plain words: `a noun phrase with a noun, found in the reference`."""
        whole = in_words(self.tree)
        other = "the reference" if self.side == "hypothesis" else "the translation"
        whose = "in the translation" if self.side == "hypothesis" else "in the reference"
        return (
            f"{whose} {whole}, {'all of it' if self.tree.label.startswith(REL) else 'not all of it'} found in {other}"
        )


@dataclass(frozen=True, eq=False)
class Side:
    """One of the four trees and what each of its nodes, in the order of `Tree.nodes`, added to its score."""

    name: str
    tree: Tree
    nodes: Array

    def draw(self) -> Drawing:
        """The tree with its nodes shaded: what spoke for the translation, and what against."""
        return draw(self.tree, self.nodes.tolist())


@dataclass(frozen=True, eq=False)
class Explanation:
    """A decision: its margin, the part of it that trees had, the heaviest fragments, and the trees."""

    margin: float
    of_trees: float
    of_features: float
    fragments: tuple[Fragment, ...]
    sides: tuple[Side, ...]

    def __str__(self) -> str:
        return self.text("the first", "the second")

    def text(self, first: str, second: str) -> str:
        """The decision in plain words, and the fragments with their numbers; the two translations have these names."""
        better = f"{first} is better" if self.margin > 0 else f"{second} is better" if self.margin < 0 else "a tie"
        parts = f"trees {self.of_trees:+.4f}" + (f", scores {self.of_features:+.4f}" if self.of_features else "")
        lines = [f"margin {self.margin:+.4f}: {better} ({parts})"]
        for sign, name in ((1, first), (-1, second)):
            heaviest = max(self.fragments, key=lambda one: sign * one.margin, default=None)
            if heaviest is not None and sign * heaviest.margin > 0:
                lines.append(f"What speaks most for {name}: {heaviest.words} ({sign * heaviest.margin:.4f}).")
        return "\n".join([*lines, "", *map(str, self.fragments)])

    def svg(self) -> str:
        """All trees in one picture, one under the other."""
        drawings = [(side.name, side.draw().svg) for side in self.sides]
        parts, top, width = [], 0, 0
        for name, svg in drawings:
            head, _, rest = svg.partition(">")
            wide, high = (int(head.split(f'{key}="')[1].split('"')[0]) for key in ("width", "height"))
            parts.append(f'<text x="10" y="{top + 18}" style="text-anchor: start; font-weight: bold">{name}</text>')
            parts.append(f'<svg y="{top + 24}" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">{rest}')
            top, width = top + high + 34, max(width, wide)
        opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" viewBox="0 0 {width} {top}">'
        return "\n".join([opening, *parts, "</svg>", ""])


_NAMES = {
    "NP": "a noun phrase",
    "VP": "a verb phrase",
    "PP": "a preposition",
    "ADJP": "an adjective phrase",
    "ADVP": "an adverb phrase",
    "SBAR": "a conjunction",
    "PRT": "a particle",
    "O": "a token outside of phrases",
    "S": "a sentence",
    "NUCLEUS": "a main part",
    "SATELLITE": "a side part",
    "EDU:NUCLEUS": "a main clause",
    "EDU:SATELLITE": "a side clause",
}


def in_words(fragment: Tree) -> str:
    """What a fragment is: its root by name, and what of it hangs below."""
    label = unmarked(fragment.label)
    if label.startswith("DIS:"):
        name = f"a relation of {label.removeprefix('DIS:').lower()}"
    else:
        name = _NAMES.get(label, f"{'a' if fragment.children else 'the'} {label}" if label.isupper() else f"“{label}”")
    below = [in_words(child) for child in fragment.children]
    return name if not below else f"{name} with {' and '.join(below)}"


def explain(ranker: KernelRanker, first: str, second: str, references: Sequence[str], *, most: int = 10) -> Explanation:
    """The margin of two translations taken apart.

    A node's part is exact: of all fragments that hang on it. So is a fragment's: its weight in the model times the
    difference of its weights in the two trees; but only fragments of up to four nodes, on the nodes that carried most,
    are looked at one by one.
    """
    trees = ranker.options.trees
    if trees.fragments != "partial":
        raise OptionError(f"{trees.fragments} fragments cannot be told one by one; explanations are of partial trees")
    if len(references) != 1:
        raise OptionError(f"{len(references)} references; an explanation is against one")
    records = Grove(trees).records([first, second], [*references, *references])
    kernel = PartialTree(trees.decay, trees.vertical)
    sides: list[Side] = []
    candidates: list[tuple[str, list[Tree], Forest, Forest, Array, Array]] = []
    for side, support in (("hypothesis", ranker.hypotheses_), ("reference", ranker.references_)):
        ours = Forest.of(records[side])
        theirs = Forest.of(support, ours)
        weights = np.bincount(theirs.index, ranker.weights_, len(theirs.trees)) * inverse_lengths(kernel, theirs)
        lengths = inverse_lengths(kernel, ours)
        roots: dict[Tree, None] = {}
        for name, number in zip(("first", "second"), ours.index.tolist(), strict=True):
            tree = ours.trees[number]
            found = _native.tree_kernel_by_node(kernel.native, ours.native, number, theirs.native, weights)[:, 0]
            parts = found[_depth_first(tree)] * lengths[number]
            sides.append(Side(f"{name} translation" + (", its reference" if side == "reference" else ""), tree, parts))
            nodes = list(tree.nodes())
            for place in np.argsort(-np.abs(parts), kind="stable")[:_ROOTS].tolist():
                roots |= dict.fromkeys(_fragments(nodes[place]))
        both = np.array([1, -1]) * lengths[ours.index]
        candidates.append((side, list(roots), ours, theirs, weights, both))
    fragments = [one for found in candidates for one in _weighed(kernel, *found)]
    fragments.sort(key=lambda one: (-abs(one.margin), str(one.tree)))
    of_trees = float(sum(side.nodes.sum() * (1 if side.name.startswith("first") else -1) for side in sides))
    margin = float(ranker.margin([first], [second], [tuple(references)])[0])
    rest = margin - of_trees if ranker.options.features else 0.0
    order = sorted(range(4), key=lambda place: place % 2)  # the first translation's two trees, then the second's
    kept = tuple(one for one in fragments if one.margin)[:most]
    return Explanation(margin, of_trees, rest, kept, tuple(sides[place] for place in order))


def _weighed(
    kernel: PartialTree, side: str, fragments: list[Tree], ours: Forest, theirs: Forest, weights: Array, signs: Array
) -> Iterator[Fragment]:
    if not fragments:
        return
    laid = Forest.of(fragments, theirs)
    model = _native.fragment_weights(kernel.native, laid.native, theirs.native) @ weights
    here = _native.fragment_weights(kernel.native, laid.native, ours.native)[:, ours.index] @ signs
    for tree, weight, value in zip(laid.trees, model.tolist(), here.tolist(), strict=True):
        yield Fragment(tree, side, weight * value, weight)


def _depth_first(tree: Tree) -> list[int]:
    """For each node in the order of `Tree.nodes`, its place breadth first."""
    queue: list[Tree] = [tree]
    firsts = []
    for node in queue:
        firsts.append(len(queue))
        queue.extend(node.children)
    order, waiting = [], [0]
    while waiting:
        place = waiting.pop()
        order.append(place)
        waiting.extend(reversed(range(firsts[place], firsts[place] + len(queue[place].children))))
    return order


def _fragments(root: Tree, size: int = NODES) -> Iterator[Tree]:
    """Partial trees of up to `size` nodes that hang on a node; the first some, where there are very many."""
    for number, found in enumerate(_rooted(root, size)):
        if number == _MOST_ROOTED:
            return
        yield found


def _rooted(node: Tree, size: int) -> Iterator[Tree]:
    yield Tree(node.label)
    for length in range(1, min(size - 1, len(node.children)) + 1):
        for children in combinations(node.children, length):
            # recursion no deeper than `size`: every level takes a node
            below = [list(_rooted(child, size - length)) for child in children]
            for chosen in product(*below):
                if 1 + sum(sum(1 for _ in one.nodes()) for one in chosen) <= size:
                    yield Tree(node.label, chosen)
