"""Files as they come: the bytes of a path or of stdin, unpacked; where there are none, one line that says why."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import InputError

File = str | os.PathLike[str]
Bytes = NDArray[np.uint8]

STDIN = "-"

# A mapping keeps its file open, and a process may open few; what is small is read at once.
_MAPPED_FROM = 16 * 2**20

# A small file can hold gigabytes of nothing. Text packs to a third or a tenth; what repeats itself, to a fiftieth.
_MOST_RATIO = 200
_FREE = 64 * 2**20  # up to which nobody asks
_BLOCK = 2**20

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, eq=False)
class Content:
    """What a file holds, unpacked. It can be given wherever a file can: what came over the network has no path."""

    file: str
    """The file as messages name it."""
    data: Bytes

    @classmethod
    def of(cls, name: str, data: bytes | bytearray, *, most: int | None = None) -> Content:
        """Bytes at hand under a name, unpacked; an error if they would then be more than `most`."""
        return cls(name, _unpacked(np.frombuffer(data, np.uint8), name, most))

    def __fspath__(self) -> str:
        """The name: what systems are called after."""
        return self.file

    def starts_with(self, magic: bytes) -> bool:
        """Whether these are its first bytes."""
        return self.data[: len(magic)].tobytes() == magic

    def utf8(self) -> Bytes:
        """Its bytes without a byte order mark. It is an error if none are left or if they are not sound UTF-8."""
        skipped = len(_BOM) if self.starts_with(_BOM) else 0
        data = self.data[skipped:]
        if data.size == 0:
            raise InputError("the file is empty", file=self.file, remedy="give a file with at least one segment")
        place = _native.ill_formed_utf8(data)
        if place is None:
            return data
        if self.starts_with(b"\xff\xfe") or self.starts_with(b"\xfe\xff"):
            raise InputError("is UTF-16, not UTF-8", file=self.file, remedy="convert it: iconv -f UTF-16 -t UTF-8")
        raise InputError(
            f"invalid UTF-8 (0x{data[place]:02X} at byte {skipped + place} of the file)",
            file=self.file,
            line=1 + int(np.count_nonzero(data[:place] == ord("\n"))),
            remedy="convert it to UTF-8, for instance with iconv",
        )

    def text(self) -> str:
        """All of it as one string."""
        return str(self.utf8().data, "utf-8")


def load(file: File) -> Content:
    """The content of a file, of a pipe, or of stdin (`-`). Large plain files are mapped into memory, not read."""
    if isinstance(file, Content):
        return file
    name = shown(file)
    if os.fspath(file) == STDIN:
        return Content(name, _unpacked(np.frombuffer(sys.stdin.buffer.read(), np.uint8), name))
    try:
        with Path(file).open("rb") as stream:
            status = os.fstat(stream.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size >= _MAPPED_FROM:
                data: bytes | mmap.mmap = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            else:
                data = stream.read()
    except FileNotFoundError as error:
        raise InputError("no such file", file=name) from error
    except (IsADirectoryError, PermissionError) as error:
        if Path(file).is_dir():
            raise InputError("is a directory where a file is meant", file=name) from error
        raise InputError("no permission to read it", file=name) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=name) from error
    return Content(name, _unpacked(np.frombuffer(data, np.uint8), name))


def shown(file: File) -> str:
    """A file as messages name it."""
    name = os.fspath(file)
    return "stdin" if name == STDIN else name


def bare_name(file: File) -> str:
    """The last part of a path, without `.gz`."""
    return Path(shown(file)).name.removesuffix(".gz")


def _unpacked(data: Bytes, name: str, most: int | None = None) -> Bytes:
    if data[:2].tobytes() != _GZIP:  # which is never the start of UTF-8, so the content decides and not the name
        if data.size and name.endswith(".gz"):
            raise InputError("is called .gz but is not packed", file=name, remedy="rename it, or pack it with gzip")
        return data
    try:
        found = bytearray()
        with gzip.GzipFile(fileobj=io.BytesIO(data.data)) as packed:
            while block := packed.read(_BLOCK if most is None else min(_BLOCK, most + 1 - len(found))):
                found += block
                if most is not None and len(found) > most:
                    raise InputError(f"is larger than {most / 1e6:.3g} MB when unpacked", file=name, remedy="split it")
                if len(found) > max(_FREE, _MOST_RATIO * data.size):
                    raise InputError(
                        f"is over {_MOST_RATIO} times as large when unpacked, which no text is",
                        file=name,
                        remedy="unpack it with gzip -d if it is yours",
                    )
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be unpacked: {error}", file=name, remedy="test it with gzip -t") from error
    return np.frombuffer(found, np.uint8)
