"""REL: which words and constituents of a tree are found in another (Guzmán et al. 2014, section 2.2)."""

from __future__ import annotations

from tercet.language.trees import Tree

REL = "REL-"


def marked(tree: Tree, other: Tree) -> Tree:
    """The tree with REL on the labels of its nodes that are linked to the other tree.

    A word is linked if it stands anywhere in the other tree, in the same form. Links go up: a node is linked when all
    its children are. What was marked before is taken as it is, so mark each tree once.
    """
    words = set(other.leaves())
    order = list(tree.nodes())
    if not tree.children:
        return tree  # a text without words has nothing that could be linked
    built: list[tuple[Tree, bool]] = []
    # a parent comes before its children, so from the end all children are there, the first on top
    for node in reversed(order):
        if not node.children:
            linked = node.label in words
            built.append((Tree(REL + node.label) if linked else node, linked))
            continue
        below = [built.pop() for _ in node.children]
        linked = all(found for _, found in below)
        built.append((Tree(REL + node.label if linked else node.label, tuple(child for child, _ in below)), linked))
    return built[0][0]


def unmarked(label: str) -> str:
    """A label as it was before marking."""
    return label.removeprefix(REL)
