"""Where clauses start, from constituency trees: a layer of labels that the discourse segmenter reads."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.language.trees import Tree

_CLAUSES = {"S", "SBAR", "SINV", "SQ", "SBARQ", "PRN", "FRAG", "RRC", "UCP"}
_FUNCTIONS = {"ADV", "PRP", "TMP", "NOM", "SBJ", "PRD", "TPC", "MNR", "LOC"}


def clause_labels(tree: Tree) -> tuple[str, ...]:
    """For each word the outermost clause that starts with it and what it hangs on (SBAR-ADV<VP), or O.

    Clauses that start with the sentence are O; a verb phrase counts where it is coordinated with another, or stands as
    a reduced clause in a noun phrase.
    """
    labels: list[str] = []
    waiting: list[tuple[Tree, Tree | None, str]] = [(tree, None, "O")]
    while waiting:
        node, parent, label = waiting.pop()
        if node.is_leaf:
            labels.append(label if labels else "O")
            continue
        if label == "O" and parent is not None:
            label = _label(node, parent)
        first, *others = node.children
        waiting.extend((child, node, "O") for child in reversed(others))
        waiting.append((first, node, label))
    return tuple(labels)


def _label(node: Tree, parent: Tree) -> str:
    kind, *functions = node.label.split("-")
    above = parent.label.split("-")[0]
    if kind in _CLAUSES:
        function = next((f"-{name}" for name in functions if name in _FUNCTIONS), "")
        return f"{kind}{function}<{above}"
    if kind == "VP" and (above == "NP" or (above in {"VP", "UCP"} and _coordinated(parent.children))):
        return f"VP<{above}"
    return "O"


def _coordinated(children: Sequence[Tree]) -> bool:
    return sum(child.label.split("-")[0] == "VP" for child in children) > 1
