"""Where clauses start and end, from constituency trees: labels that the discourse segmenter reads or learns from."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.language.trees import Tree

_CLAUSES = {"S", "SBAR", "SINV", "SQ", "SBARQ", "PRN", "FRAG", "RRC", "UCP"}
_CLOSING = {",", "''", "-RRB-"}
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


def clause_ends(tree: Tree) -> tuple[str, ...]:
    """For each word the outermost clause that ended just before it (SBAR<NP), or O: where a sentence goes on after one.

    Closing punctuation after the clause is passed over, and a full stop goes on with nothing.
    """
    tags: list[str] = []
    ended: list[tuple[int, int, str]] = []
    waiting: list[tuple[Tree, str, int]] = [(tree, "O", -1)]
    while waiting:
        node, label, start = waiting.pop()
        if start >= 0:  # all that is under it has been seen
            ended.append((start, len(tags), label))
        elif node.children[0].is_leaf:
            tags.append(node.label)
        else:
            waiting.append((node, label, len(tags)))
            waiting.extend((child, _label(child, node), -1) for child in reversed(node.children))
    labels, longest = ["O"] * len(tags), [0] * len(tags)
    for start, end, label in ended:
        place = next((i for i in range(end, len(tags)) if tags[i] not in _CLOSING), len(tags))
        if label != "O" and place < len(tags) and tags[place] != "." and end - start >= longest[place]:
            kind, above = label.split("<")
            labels[place], longest[place] = f"{kind.split('-')[0]}<{above}", end - start
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
