"""Running English text in the forms in which it is published: plain, word/tag, bracketed trees, CoNLL columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tercet.errors import InputError
from tercet.language.word_vectors import words_of

_TAGGED = re.compile(r"(?<!\S)\S+/[a-z$*.,:'`()+-]+(?=\s|$)")
_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"'}
_SKIPPED = {"README", "CONTENTS", "LICENSE.txt", "splits.md"}


def sentences(folder: Path) -> Iterator[list[str]]:
    """The sentences or paragraphs of all files below a folder, in lower case, in the order of the files' names."""
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.name not in _SKIPPED and f.suffix != ".dis")
    if not files:
        raise InputError("no files of text", file=folder)
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        yield from ([_plain(word) for word in words] for words in _read(text) if words)


def _read(text: str) -> Iterator[list[str]]:
    lines = text.split("\n")
    some = [line for line in lines[:50] if line.strip()]
    if any(line.lstrip().startswith("(") and _LEAF.search(line) for line in some):
        yield from _trees(text)
    elif some and sum(bool(_TAGGED.search(line)) for line in some) > len(some) / 2:
        for line in lines:
            yield [token.rpartition("/")[0] for token in line.split() if "/" in token]
    elif some and all(len(line.split()) == 3 for line in some):
        yield from _columns(lines)
    else:
        yield from words_of([line for line in lines if line.strip()])


def _trees(text: str) -> Iterator[list[str]]:
    depth, words = 0, []
    for piece in re.finditer(r"\(([^\s()]+) ([^\s()]+)\)|[()]", text):
        if piece[2] is not None:
            if piece[1] != "-NONE-":
                words.append(piece[2])
            continue
        depth += 1 if piece[0] == "(" else -1
        if depth == 0:
            yield words
            words = []


def _columns(lines: list[str]) -> Iterator[list[str]]:
    words: list[str] = []
    for line in lines:
        fields = line.split()
        if fields:
            words.append(fields[0])
        elif words:
            yield words
            words = []
    yield words


def _plain(word: str) -> str:
    lower = word.lower()
    return _BRACKETS.get(lower, lower)
