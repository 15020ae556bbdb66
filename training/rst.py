"""GUM's discourse trees, cut into the trees of single sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tercet.errors import InputError
from tercet.language.discourse import Relation, Span
from training.corpora import QUOTES, Sentence, gum_document, gum_documents

_NODE = re.compile(
    r"\(\s*(?P<role>Root|Nucleus|Satellite)\s+\((?:span \d+ \d+|leaf \d+)\)"
    r"(?:\s*\(rel2par (?P<relation>[^)]*)\))?(?:\s*\(text _!(?P<text>.*?)_!\))?|(?P<close>\))"
)


@dataclass
class Node:
    """A node of a tree as GUM has it: what it is to its parent, and its children or its text."""

    role: str
    relation: str
    text: str | None
    children: list[Node]


@dataclass(frozen=True)
class Discourse:
    """A sentence with its EDUs: where each starts, and the binary tree over them if the document's tree has one."""

    sentence: Sentence
    starts: tuple[int, ...]
    tree: Span | None


def read(file: Path) -> Node:
    """The tree of a document."""
    open_nodes: list[Node] = []
    for match in _NODE.finditer(file.read_text()):
        if not match["close"]:
            open_nodes.append(Node(match["role"], match["relation"] or "", match["text"], []))
        elif len(open_nodes) == 1:
            return open_nodes[0]
        elif open_nodes:
            node = open_nodes.pop()
            open_nodes[-1].children.append(node)
    raise InputError("not one whole tree", file=file)


def leaves(node: Node) -> Iterator[str]:
    """The texts of the EDUs, in order."""
    if node.text is not None:
        yield node.text
    for child in node.children:
        yield from leaves(child)


def binary(node: Node, first: int = 0) -> Span:
    """The tree in twos: satellites join their nucleus, the nearest and the right ones first; nuclei from the right."""
    if not node.children:
        return Span(first, first + 1)
    parts: list[tuple[Node, Span]] = []
    place = first
    for child in node.children:
        span = binary(child, place)
        parts.append((child, span))
        place = span.end
    nuclei = [i for i, (child, _) in enumerate(parts) if child.role == "Nucleus"]
    if not nuclei:
        raise InputError("a node without a nucleus")
    left, right = nuclei[0], nuclei[-1]
    span = parts[right][1]
    for child, other in reversed(parts[left:right]):
        name = child.relation if child.role == "Nucleus" else parts[right][0].relation
        span = Span(other.start, span.end, Relation(coarse(name), "NN"), (other, span))
    for child, other in parts[right + 1 :]:
        span = Span(span.start, other.end, Relation(coarse(child.relation), "NS"), (span, other))
    for child, other in reversed(parts[:left]):
        span = Span(other.start, span.end, Relation(coarse(child.relation), "SN"), (other, span))
    return span


def coarse(relation: str) -> str:
    """GUM's class of a relation: what stands before its hyphen; same-unit is a class of its own."""
    return relation if relation == "same-unit" else relation.split("-")[0]


def subtree(span: Span, start: int, end: int) -> Span | None:
    """The part of a tree that covers exactly the EDUs from start to end, counted anew from 0."""
    while True:
        if (span.start, span.end) == (start, end):
            return span.moved(-start)
        inside = [child for child in span.children if child.start <= start and end <= child.end]
        if not inside:
            return None
        span = inside[0]


def discourse(folder: Path, document: str) -> list[Discourse]:
    """The sentences of a document with their EDUs."""
    file = folder / "gum" / "rst" / "lisp_nary" / f"{document}.dis"
    root = read(file)
    tree = binary(root)
    boundaries, place = [0], 0
    for text in leaves(root):
        place += sum(len(QUOTES.get(word, word)) for word in text.split())
        boundaries.append(place)
    edu_at = {character: edu for edu, character in enumerate(boundaries)}
    result, place = [], 0
    for sentence in gum_document(folder, document):
        begin, starts = place, []
        for i, word in enumerate(sentence.words):
            if place in edu_at:
                starts.append(i)
            place += len("".join(word.split()))
        whole = begin in edu_at and place in edu_at  # else a unit crosses the end of a sentence, which happens
        found = subtree(tree, edu_at[begin], edu_at[place]) if whole else None
        result.append(Discourse(sentence, tuple(starts if begin in edu_at else [0, *starts]), found))
    if place != boundaries[-1]:
        raise InputError(f"{boundaries[-1]} characters in the discourse tree, {place} in the sentences", file=file)
    return result


def part(folder: Path, name: str) -> list[Discourse]:
    """The sentences of a part of GUM's official split."""
    return [sentence for document in gum_documents(folder, name) for sentence in discourse(folder, document)]
