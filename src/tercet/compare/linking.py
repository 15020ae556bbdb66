"""Which parts of a tree are found in another: the links of Guzmán et al. (2014, section 2.2), for pictures."""

from __future__ import annotations

from tercet.language.trees import Tree

MARK = "✓"


def linked(tree: Tree, other: Tree) -> Tree:
    """The tree with a mark before its linked words and the labels of linked nodes above their tags.

    A word is linked if the other tree has it, in any place and case; a node above is linked if all below it are.
    """
    there = {word.lower() for word in other.leaves()}
    built: list[tuple[Tree, bool]] = []
    waiting = [(tree, False)]
    while waiting:
        node, ready = waiting.pop()
        if not node.children:
            found = node.label.lower() in there
            built.append((Tree(MARK + node.label) if found else node, found))
        elif not ready:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.children))
        else:
            below = built[-len(node.children) :]
            del built[-len(node.children) :]
            found = all(one for _, one in below)
            tag = len(node.children) == 1 and node.children[0].is_leaf  # its word has the mark
            label = MARK + node.label if found and not tag else node.label
            built.append((Tree(label, tuple(child for child, _ in below)), found))
    return built[0][0]
