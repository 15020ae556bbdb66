"""METEOR's language data as one memory-mapped file: synonym sets, function words, abbreviations, scored paraphrases.

The data come with METEOR 1.5 itself (Denkowski & Lavie 2014), which the PyPI package `pycocoevalcap` carries:
`compile_tables` reads that package's wheel once, and `MeteorTables` opens what it wrote in a few milliseconds.

The file: a header (magic, format version, length of the directory, sha256 of all that follows the header), a directory
in JSON, and the arrays that it names, little-endian, each on a 64-byte boundary. Words are numbered in the order of
their UTF-8 bytes. Phrases are nodes of a trie: node w, for w below the number of words, is the phrase of word w alone;
any other has a parent, the phrase without its last word. Hash tables with open addressing find words and nodes.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import ResourceError

Numbers = NDArray[np.uint32]

MAGIC = b"tercetMT"
FORMAT = 2
HEADER = struct.Struct("<8sIIQ32s")  # magic, format, zero, length of the directory, sha256
ALIGNMENT = 64
NONE = 0xFFFFFFFF  # no such word or node
MULTIPLIER = 0x9E3779B97F4A7C15  # of the hash: a product modulo 2^64, of which the upper bits name the slot

_NAMES = {"text": "uint8", "paraphrase_score": "float64"} | dict.fromkeys(
    (
        *("text_start", "text_slot", "base", "base_start", "synset", "synset_start"),
        *("paraphrase", "paraphrase_start", "parent", "last_word", "child_slot"),
    ),
    "uint32",
)

REMEDY = "run `tercet resources install meteor` again"


class Paraphrase(NamedTuple):
    """Another way to say something, with the probability that METEOR's pivoting gave it."""

    phrase: str
    score: float


@dataclass(frozen=True, eq=False)
class MeteorTables:
    """The tables of one file. Nothing is read before it is asked for."""

    path: Path
    digest: str
    """sha256 of the contents, as the header states it; `verify` holds it against them."""
    function_words: Mapping[str, frozenset[str]]
    """By the English name of the language."""
    abbreviations: Mapping[str, Mapping[str, bool]]
    """Words that keep their full stop, by language; True for those that do so before a number only."""
    arrays: Mapping[str, NDArray[np.generic]]

    @classmethod
    def open(cls, path: Path) -> MeteorTables:
        """Maps the file; its header, its directory and its size are checked, its contents only by `verify`."""
        try:
            with path.open("rb") as file:
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise ResourceError(f"{path}: METEOR's tables cannot be opened ({error}); {REMEDY}") from error
        if len(memory) < HEADER.size:
            raise ResourceError(f"{path}: METEOR's tables are cut short; {REMEDY}")
        magic, version, _, length, digest = HEADER.unpack_from(memory)
        if magic != MAGIC:
            raise ResourceError(f"{path}: not a file of METEOR's tables; {REMEDY}")
        if version != FORMAT:
            raise ResourceError(f"{path}: METEOR's tables are in format {version}, not {FORMAT}; {REMEDY}")
        try:
            if length > len(memory) - HEADER.size:
                raise ValueError("its directory is longer than it is")
            directory = json.loads(memory[HEADER.size : HEADER.size + length])
            arrays = {
                name: np.frombuffer(memory, dtype, count, _aligned(HEADER.size + length) + offset)
                for name, (dtype, count, offset) in directory["arrays"].items()
            }
            function_words = {language: frozenset(words) for language, words in directory["function_words"].items()}
            abbreviations = {language: dict(words) for language, words in directory["abbreviations"].items()}
            if missing := [name for name, kind in _NAMES.items() if arrays[name].dtype != kind]:
                raise ValueError(f"{missing[0]} is no array of {_NAMES[missing[0]]}")
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ResourceError(f"{path}: METEOR's tables are cut short or damaged; {REMEDY}") from error
        return cls(path, digest.hex(), function_words, abbreviations, arrays)

    def verify(self) -> None:
        """Reads all of the file and raises ResourceError unless its contents are those that were written."""
        content = hashlib.sha256()
        with self.path.open("rb") as file:
            file.seek(HEADER.size)
            while block := file.read(1 << 20):
                content.update(block)
        if content.hexdigest() != self.digest:
            raise ResourceError(f"{self.path}: METEOR's tables are damaged (sha256 differs); {REMEDY}")

    @cached_property
    def native(self) -> _native.MeteorTables:
        """The tables as kernels read them, straight from the mapped file."""
        numbers = {name: self._numbers(name) for name, array in self.arrays.items() if array.dtype == np.uint32}
        return _native.MeteorTables(self._bytes, **numbers)

    def __len__(self) -> int:
        """How many pairs of paraphrases there are."""
        return len(self.arrays["paraphrase"])

    def paraphrases(self, phrase: str) -> list[Paraphrase]:
        """The paraphrases of a phrase (lower case, words separated by spaces), in the order of METEOR's file."""
        with self._whole():
            node = self._node(phrase)
            return [] if node == NONE else self._paraphrases_of(node)

    def items(self) -> Iterator[tuple[str, list[Paraphrase]]]:
        """Every phrase that has paraphrases, with them. Spells all phrases out first: 3 seconds, 0.9 GB of memory."""
        phrases = list(self._words)
        longer = (self._numbers(name)[len(phrases) :].tolist() for name in ("parent", "last_word"))
        for parent, word in zip(*longer, strict=True):  # a parent stands before its children
            phrases.append(f"{phrases[parent]} {phrases[word]}")
        others = zip(self._numbers("paraphrase").tolist(), self.arrays["paraphrase_score"].tolist(), strict=True)
        for node, count in enumerate(np.diff(self._numbers("paraphrase_start")).tolist()):
            if count:
                yield phrases[node], [Paraphrase(phrases[other], score) for other, score in islice(others, count)]

    def lexicon(self) -> Iterator[tuple[str, frozenset[int], list[str]]]:
        """Every word, in the order of their UTF-8 bytes, with its synonym sets and its base forms."""
        words = self._words
        synsets, synset_start = self._numbers("synset").tolist(), self._numbers("synset_start").tolist()
        bases, base_start = self._numbers("base").tolist(), self._numbers("base_start").tolist()
        for i, word in enumerate(words):
            sets = frozenset(synsets[synset_start[i] : synset_start[i + 1]])
            yield word, sets, [words[base] for base in bases[base_start[i] : base_start[i + 1]]]

    def synsets(self, word: str) -> frozenset[int]:
        """The synonym sets that list a word in just this form."""
        with self._whole():
            return frozenset(self._row("synset", self._word(word)))

    def bases(self, word: str) -> list[str]:
        """The base forms of an irregular form: `went` gives `go`."""
        with self._whole():
            return [self._words[base] for base in self._row("base", self._word(word))]

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """What a damaged table does to its readers is an error that says so."""
        try:
            yield
        except (IndexError, UnicodeDecodeError, ValueError) as error:
            raise ResourceError(f"{self.path}: METEOR's tables are damaged ({error}); {REMEDY}") from error

    def _numbers(self, name: str) -> Numbers:
        return self.arrays[name]  # type: ignore[return-value]

    @property
    def _bytes(self) -> NDArray[np.uint8]:
        return self.arrays["text"]  # type: ignore[return-value]

    def _row(self, name: str, index: int) -> list[int]:
        if index == NONE:
            return []
        start = self._numbers(f"{name}_start")
        row: list[int] = self._numbers(name)[start[index] : start[index + 1]].tolist()
        return row

    @cached_property
    def _words(self) -> list[str]:
        text = self.arrays["text"].tobytes()
        return [text[start:end].decode() for start, end in pairwise(self._numbers("text_start").tolist())]

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self._words)}

    def _word(self, text: str) -> int:
        return self._number_of.get(text, NONE)

    def _node(self, phrase: str) -> int:
        words = [self._word(word) for word in phrase.split()]
        if not words or NONE in words:
            return NONE
        node = words[0]
        for word in words[1:]:
            node = self._child(node, word)
            if node == NONE:
                break
        return node

    def _child(self, node: int, word: int) -> int:
        slots, parent, last_word = (self._numbers(name) for name in ("child_slot", "parent", "last_word"))
        slot = ((node << 32 | word) * MULTIPLIER % 2**64) * len(slots) >> 64
        for _ in range(len(slots)):
            child = int(slots[slot])
            if child == NONE or (parent[child] == node and last_word[child] == word):
                return child
            slot = (slot + 1) % len(slots)
        raise IndexError("no slot is free")

    def _phrase(self, node: int) -> str:
        words = []
        while node != NONE:
            words.append(self._words[self._numbers("last_word")[node]])
            shorter = int(self._numbers("parent")[node])
            if shorter != NONE and shorter >= node:  # a parent stands before its children
                raise IndexError("a phrase is part of itself")
            node = shorter
        return " ".join(reversed(words))

    def _paraphrases_of(self, node: int) -> list[Paraphrase]:
        start = self._numbers("paraphrase_start")
        first, last = int(start[node]), int(start[node + 1])
        scores: list[float] = self.arrays["paraphrase_score"][first:last].tolist()
        return [
            Paraphrase(self._phrase(other), score)
            for other, score in zip(self._row("paraphrase", node), scores, strict=True)
        ]


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
