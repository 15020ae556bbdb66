"""Tables of scored paraphrases as memory-mapped files: opened in milliseconds, looked up without being read.

Phrases are nodes of a trie, as in METEOR's own tables, which can be used as they are; `compile_index` writes other
tables as a safetensors file of the same arrays, with a part of speech for every pair, which says where it may be used.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import ResourceError
from tercet.language import meteor_compile
from tercet.language.meteor_tables import MeteorTables

UNSCORED = math.nan
_KINDS = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "F64": "<f8"}

_ARRAYS = (
    *("text", "text_start", "text_slot", "child_slot", "last_word", "parent", "paraphrase", "paraphrase_start"),
    "paraphrase_score",
)
_LONGEST_HEADER = 100_000_000  # of the tags and notes in it, bytes
ANEW = "remove it, and it is made anew"

Arrays = Mapping[str, NDArray[np.generic]]


class Paraphrase(NamedTuple):
    """Another way to say something."""

    words: tuple[str, ...]
    score: float
    """In the scale of its table; NaN where the table has none."""
    tag: str = ""
    """The part of speech for which it was found; empty where the table does not say."""


class Pair(NamedTuple):
    """A phrase and a paraphrase of it, words separated by single blanks."""

    phrase: str
    paraphrase: str
    score: float = UNSCORED
    tag: str = ""


class PhraseIndex:
    """A table of paraphrases."""

    def __init__(self, arrays: Arrays, digest: str, tags: Sequence[str] = ("",), note: str = "") -> None:
        self._arrays, self._tags = arrays, tags
        self.note = note
        """What was wrong with the file that it was made of."""
        self.digest = digest
        """sha256 of what the table holds."""

    @classmethod
    def of_meteor(cls, tables: MeteorTables) -> PhraseIndex:
        """METEOR's own paraphrases."""
        return cls(tables.arrays, tables.digest)

    @classmethod
    def open(cls, path: Path) -> PhraseIndex:
        """Maps a file that `compile_index` wrote."""
        try:
            with path.open("rb") as file:
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            length = int.from_bytes(memory[:8], "little")
            if length > min(_LONGEST_HEADER, len(memory) - 8):
                raise ValueError("it is cut short")
            directory = json.loads(memory[8 : 8 + length])
            about = directory.pop("__metadata__")
            arrays = {
                name: np.frombuffer(
                    memory, _KINDS[entry["dtype"]], entry["shape"][0], 8 + length + entry["data_offsets"][0]
                )
                for name, entry in directory.items()
            }
            tags = json.loads(about["tags"])
            if missing := [name for name in _ARRAYS if name not in arrays]:
                raise ValueError(f"it has no {missing[0]}")
            if not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
                raise ValueError("its tags are none")
            return cls(arrays, str(about["digest"]), tags, str(about.get("note", "")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            problem = " ".join(str(error).split())[:200]
            raise ResourceError(f"{path}: not a table of paraphrases ({problem}); {ANEW}") from error

    def verify(self, path: Path) -> None:
        """Reads all of it; raises ResourceError unless it holds what was written."""
        if _digest(self._tags, self._arrays) != self.digest:
            raise ResourceError(f"{path}: the table of paraphrases is damaged (sha256 differs); {ANEW}")

    @property
    def tagged(self) -> bool:
        """Whether some pairs are for certain parts of speech only."""
        return any(self._tags)

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self._arrays["paraphrase"])

    def spans(self, sentence: Sequence[str]) -> list[tuple[int, int, int]]:
        """Phrases of a sentence that have paraphrases: start, length and number of each, from left to right."""
        return self._phrases.spans(list(sentence))

    def paraphrases(self, phrase: int, lowest: float | None = None) -> list[Paraphrase]:
        """The paraphrases of a phrase that `spans` found, in the order in which they were written.

        Those below the lowest score are left out; one without a score is never below.
        """
        found = self._phrases.paraphrases(phrase)  # which knows a damaged table
        first, last = self._arrays["paraphrase_start"][phrase : phrase + 2].tolist()
        part = slice(first, last)
        scores: list[float] = self._arrays["paraphrase_score"][part].tolist()
        tagged = self._arrays.get("paraphrase_tag")
        numbers: list[int] = [0] * len(scores) if tagged is None else tagged[part].tolist()
        if not len(found) == len(scores) == len(numbers) or max(numbers, default=0) >= len(self._tags):
            raise ResourceError(f"a table of paraphrases is damaged; run `tercet resources verify`; {ANEW}")
        tags = [self._tags[number] for number in numbers]
        least = -math.inf if lowest is None else lowest
        return [Paraphrase(*one) for one in zip(found, scores, tags, strict=True) if not one[1] < least]

    @cached_property
    def _phrases(self) -> _native.Phrases:
        return _native.Phrases(*(self._arrays[name] for name in _ARRAYS[:-1]))  # type: ignore[arg-type]


def _digest(tags: Sequence[str], arrays: Arrays) -> str:
    content = hashlib.sha256(json.dumps(list(tags)).encode())
    for _, values in sorted(arrays.items()):
        content.update(values.tobytes())
    return content.hexdigest()


def compile_index(pairs: Iterable[Pair], target: Path, *, source: str, note: Callable[[], str] = lambda: "") -> None:
    """Writes the table to `target`, whole or not at all; a phrase's paraphrases keep their order.

    `note` is asked when all pairs are read, and kept with the table.
    """
    from safetensors.numpy import save_file

    phrases: dict[str, int] = {}
    tags: dict[str, int] = {"": 0}
    first, second, scores, tagged = array("I"), array("I"), array("d"), array("H")
    for phrase, paraphrase, score, tag in pairs:
        first.append(phrases.setdefault(phrase, len(phrases)))
        second.append(phrases.setdefault(paraphrase, len(phrases)))
        scores.append(score)
        tagged.append(tags.setdefault(tag, len(tags)))
    spelled = sorted({word.encode("utf-8", "surrogatepass") for phrase in phrases for word in phrase.split(" ")})
    number = {word.decode("utf-8", "surrogatepass"): i for i, word in enumerate(spelled)}
    # the trie keeps one number for each pair: which pair it is; scores and tags follow it
    arrays = meteor_compile.trie(list(phrases), number, first, second, array("d", range(len(first))))
    order = arrays["paraphrase_score"].astype(np.int64)
    arrays["paraphrase_score"] = np.asarray(scores, np.float64)[order]
    arrays["paraphrase_tag"] = np.asarray(tagged, np.uint16)[order]
    arrays |= meteor_compile.word_arrays(spelled)
    arrays = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}

    about = {"source": source, "digest": _digest(list(tags), arrays), "tags": json.dumps(list(tags)), "note": note()}
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        save_file(arrays, unfinished, metadata=about)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
