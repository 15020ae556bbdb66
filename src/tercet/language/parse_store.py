"""Parses on disk, under the hash of their sentence: a file that only grows, and that a kill cannot spoil.

A line is a record: key, CRC-32 of the payload, payload (JSON). A line that was cut off does not agree with its checksum
and is as good as absent. Every record is one write at the end of the file, so several processes may share it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
_KEY, _CRC = 32, 8
_HEAD = _KEY + 1 + _CRC + 1


@dataclass(frozen=True)
class Parse:
    """What the parser said of a text; `tree` and `vector` are None where it found none."""

    starts: tuple[int, ...]
    """Where each token starts in the text, in characters; `ends` likewise."""
    ends: tuple[int, ...]
    tree: str | None
    """In brackets, with the numbers of the tokens in place of words."""
    vector: NDArray[np.float32] | None
    """Of the root of the tree."""


def key_of(sentence: str | Sequence[str]) -> str:
    """The hash of a text, or of tokens that somebody else has made."""
    text = sentence if isinstance(sentence, str) else "\x1d" + "\x1f".join(sentence)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY]


class ParseStore:
    """Parses by key. A folder that cannot be written is as good as none: then they are kept in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        self._memory: dict[str, Parse] = {}
        self._read_up_to = 0
        self._output: int | None = None
        self.refresh()

    def __len__(self) -> int:
        return len(self._places) + len(self._memory)

    def __contains__(self, key: str) -> bool:
        return key in self._places or key in self._memory

    def refresh(self) -> None:
        """Looks for records that were written since the last look, whoever wrote them."""
        if self.path is None or not self.path.is_file():
            return
        with self.path.open("rb") as file:
            file.seek(self._read_up_to)
            place = self._read_up_to
            for line in file:
                if not line.endswith(b"\n"):
                    break  # another process is writing it, or was killed while it did
                if (key := _key_of_record(line)) is not None:
                    self._places[key] = (place, len(line))
                place += len(line)
            self._read_up_to = place

    def get(self, key: str) -> Parse | None:
        """The parse of a key, if it is there."""
        if key in self._memory:
            return self._memory[key]
        if key not in self._places or self.path is None:
            return None
        place, length = self._places[key]
        with self.path.open("rb") as file:
            file.seek(place)
            return _decoded(file.read(length)[_HEAD:])

    def add(self, key: str, parse: Parse) -> None:
        """Keeps a parse; when this returns, ending the process does not lose it."""
        payload = _encoded(parse)
        record = f"{key} {zlib.crc32(payload):08x} ".encode() + payload + b"\n"
        try:
            output = self._open()
            if os.write(output, record) != len(record):
                raise OSError("the disk is full")
        except OSError:
            self._memory[key] = parse
        else:
            self.refresh()

    def close(self) -> None:
        """Waits until everything is on the disk."""
        if self._output is not None:
            os.fsync(self._output)
            os.close(self._output)
            self._output = None

    def _open(self) -> int:
        if self.path is None:
            raise OSError("nothing is kept")
        if self._output is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._output = os.open(self.path, flags, 0o666)
            if os.fstat(self._output).st_size:
                os.lseek(self._output, -1, os.SEEK_END)
                if os.read(self._output, 1) != b"\n":
                    os.write(self._output, b"\n")  # after a record that a kill cut off
        return self._output


def _key_of_record(line: bytes) -> str | None:
    if len(line) <= _HEAD or line[_KEY : _KEY + 1] != b" ":
        return None
    try:
        expected = int(line[_KEY + 1 : _HEAD - 1], 16)
    except ValueError:
        return None
    return line[:_KEY].decode("ascii", "replace") if zlib.crc32(line[_HEAD:-1]) == expected else None


def _encoded(parse: Parse) -> bytes:
    vector = None if parse.vector is None else base64.b64encode(parse.vector.astype("<f4").tobytes()).decode()
    content = {"starts": parse.starts, "ends": parse.ends, "tree": parse.tree, "vector": vector}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True).encode()


def _decoded(payload: bytes) -> Parse:
    content = json.loads(payload)
    vector = content["vector"]
    return Parse(
        tuple(content["starts"]),
        tuple(content["ends"]),
        content["tree"],
        None if vector is None else np.frombuffer(base64.b64decode(vector), "<f4").astype(np.float32),
    )
