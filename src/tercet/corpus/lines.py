"""Segments with little memory: the bytes of a file and where each segment starts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.corpus import files
from tercet.corpus.files import Bytes, Content, File
from tercet.errors import InputError

_CHUNK = 4096  # segments made at once while iterating


class Lines(Sequence[str]):
    r"""The segments of a file as strings, each made when it is asked for.

    Only '\n' ends a segment. White space at the end of a segment is dropped, as sacreBLEU drops it, and with it the
    '\r' of a Windows line; a lone '\r', U+0085 or U+2028 inside a segment is a character of it.
    """

    __slots__ = ("_bytes", "_starts", "name")

    def __init__(self, data: Bytes, starts: NDArray[np.int64], name: str) -> None:
        """Segment i is `data[starts[i] : starts[i + 1] - 1]`, sound UTF-8; `name` is what messages call the whole."""
        self._bytes, self._starts, self.name = data, starts, name

    @classmethod
    def read(cls, file: File) -> Self:
        """The segments of a plain text file (gzip is unpacked), or of stdin for `-`."""
        return cls.of(files.load(file))

    @classmethod
    def of(cls, content: Content) -> Self:
        """The segments of a content already at hand."""
        data = content.utf8()
        return cls(data, _native.line_starts(data), content.file)

    @classmethod
    def pack(cls, texts: Iterable[str], name: str) -> Self:
        """Strings that come one by one, kept as UTF-8; they may hold '\\n'."""
        packer = Packer()
        for text in texts:
            packer.add(text)
        return cls(*packer.packed(), name)

    def __len__(self) -> int:
        return max(0, len(self._starts) - 1)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return self._run(start, stop) if step == 1 else [self[i] for i in range(start, stop, step)]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"segment {index} of {len(self)}")
        return self._run(at, at + 1)[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self._run(start, min(start + _CHUNK, len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} segments of {self.name}>"

    def _run(self, start: int, stop: int) -> list[str]:
        if start >= stop:
            return []
        try:
            return _native.line_texts(self._bytes, self._starts[start : stop + 1])
        except UnicodeDecodeError as error:  # it was sound when it was opened
            raise InputError("the file has changed while it was read", file=self.name, remedy="try again") from error


class Packer:
    """Collects strings as UTF-8 in one block of memory."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._starts = array("q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, text: str | bytes) -> None:
        """One string more; a lone surrogate is a UnicodeEncodeError."""
        self._text += text.encode() if isinstance(text, str) else text
        self._text += b"\n"
        self._starts.append(len(self._text))

    def packed(self) -> tuple[Bytes, NDArray[np.int64]]:
        """What `Lines` is made of."""
        return np.frombuffer(self._text, np.uint8), np.frombuffer(self._starts, np.int64)

    def lines(self, name: str) -> Lines:
        """The strings collected so far."""
        return Lines(*self.packed(), name)
