"""The treebanks that the English models learn from, in the layouts in which they are published."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tercet.errors import InputError
from tercet.language import trees
from tercet.language.trees import Tree

QUOTES = {"``": '"', "''": '"', "`": "'"}


@dataclass(frozen=True)
class Sentence:
    """Words as raw text has them, with what is known of each; `tree` where there is one."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    chunks: tuple[str, ...] = ()
    tree: Tree | None = None


def english(data: Path) -> Path:
    """The folder `english/` of the data, or the data folder itself if it is that one."""
    for folder in (data / "english", data):
        if (folder / "conll2000").is_dir() and (folder / "gum").is_dir():
            return folder
    raise InputError(
        "neither english/conll2000 nor conll2000 is here", file=data, remedy="name the folder with the data"
    )


def conll2000(folder: Path, part: str) -> list[Sentence]:
    """Sentences with chunks; `part` is train or test. The tags are those of the Brill tagger."""
    sentences = []
    for block in (folder / "conll2000" / f"{part}.txt").read_text().split("\n\n"):
        if rows := [line.split() for line in block.splitlines() if line]:
            words, tags, chunks = zip(*rows, strict=True)
            sentences.append(Sentence(tuple(QUOTES.get(w, w) for w in map(_plain, words)), tags, chunks))
    return sentences


# The sample has no split of its own: its last files are held out.
_TREEBANK: dict[str, Callable[[int], bool]] = {
    "train": lambda number: number <= 150,
    "dev": lambda number: 150 < number <= 165,
    "test": lambda number: number > 165,
}


def treebank(folder: Path, part: str) -> list[Sentence]:
    """The Wall Street Journal sample: wsj_0001–0150 train, 0151–0165 dev, 0166–0199 test."""
    sentences: list[Sentence] = []
    for file in sorted((folder / "treebank" / "combined").glob("wsj_*.mrg")):
        if _TREEBANK[part](int(file.stem[4:])):
            sentences += map(from_tree, trees.read(file.read_text(), penn=True, file=str(file)))
    return sentences


def gum_documents(folder: Path, part: str) -> list[str]:
    """Names of the documents of a part of GUM's official split that are here."""
    names: list[str] = []
    for section in (folder / "gum" / "splits.md").read_text().split("\n## ")[1:]:
        title, *lines = section.splitlines()
        if title.strip() == part:
            names = [line.strip(" *") for line in lines if line.strip().startswith("*")]
    return [name for name in names if gum_trees(folder, name).is_file()]


def gum_trees(folder: Path, document: str) -> Path:
    return folder / "gum" / "const" / f"{document}.ptb"


def gum_document(folder: Path, document: str) -> list[Sentence]:
    """The sentences of a document of GUM."""
    file = gum_trees(folder, document)
    return [from_tree(tree) for tree in trees.read(file.read_text(), penn=True, file=str(file))]


def gum(folder: Path, part: str) -> list[Sentence]:
    """The sentences of a part of GUM's official split."""
    return [sentence for name in gum_documents(folder, part) for sentence in gum_document(folder, name)]


def brown(folder: Path) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Words and Brown tags of each sentence of the Brown corpus."""
    for file in sorted((folder / "brown").glob("c[a-r][0-9][0-9]")):
        for line in file.read_text().splitlines():
            if pairs := [item.rsplit("/", 1) for item in line.split()]:
                words, tags = zip(*pairs, strict=True)
                yield tuple(QUOTES.get(w, w) for w in words), tags


def _plain(word: str) -> str:
    return {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}"}.get(word) or re.sub(r"\\([/*])", r"\1", word)


def from_tree(tree: Tree) -> Sentence:
    """Words and tags of a tree, as raw text would have them."""
    tree = without_traces(tree)
    words, tags = [], []
    for node in tree.nodes():
        if len(node.children) == 1 and node.children[0].is_leaf:
            words.append(QUOTES.get(node.children[0].label, node.children[0].label))
            tags.append(node.label)
    return Sentence(tuple(words), tuple(tags), tree=tree)


def without_traces(tree: Tree) -> Tree:
    """The tree without empty elements and what stands over nothing else."""

    def kept(node: Tree) -> Tree | None:
        if node.is_leaf:
            return node
        if node.label == "-NONE-":
            return None
        children = tuple(child for child in map(kept, node.children) if child is not None)
        return Tree(node.label, children) if children else None

    return kept(tree) or Tree("")
