"""References of every segment, held as files hold them and put together when they are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, Self, overload

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.lines import Lines, Packer
from tercet.errors import ShapeError

EmptyReferences = Literal["text", "missing"]

_CHUNK = 4096


class References(Sequence[tuple[str, ...]]):
    """One tuple of references for each segment. Subclasses say how a run of segments is made."""

    name: str

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return self._run(start, stop) if step == 1 else [self[i] for i in range(start, stop, step)]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"segment {index} of {len(self)}")
        return self._run(at, at + 1)[0]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        for start in range(0, len(self), _CHUNK):
            yield from self._run(start, min(start + _CHUNK, len(self)))

    def __repr__(self) -> str:
        return f"<references of {len(self)} segments from {self.name}>"

    def distinct_counts(self) -> tuple[int, ...]:
        """The numbers of references that segments have."""
        return tuple(sorted({len(texts) for texts in self}))

    def _run(self, start: int, stop: int) -> list[tuple[str, ...]]:
        raise NotImplementedError


class ParallelReferences(References):
    """References of several files, the k-th line of each for the k-th segment."""

    def __init__(self, columns: Sequence[Lines], *, empty: EmptyReferences = "text") -> None:
        """With `empty="missing"`, an empty line of the second and later files says that there is no such reference."""
        if not columns:
            raise ShapeError("no references; every segment needs one or more")
        _same_numbers(columns)
        self.columns, self._empty = tuple(columns), empty
        self.name = ", ".join(column.name for column in columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    def distinct_counts(self) -> tuple[int, ...]:
        return (len(self.columns),) if self._empty == "text" else super().distinct_counts()

    def _run(self, start: int, stop: int) -> list[tuple[str, ...]]:
        rows = zip(*(column[start:stop] for column in self.columns), strict=True)
        if self._empty == "text":
            return list(rows)
        return [(first, *filter(None, others)) for first, *others in rows]


class ListedReferences(References):
    """References that were listed for each segment, as many as there are."""

    def __init__(self, texts: Lines, starts: NDArray[np.int64], name: str) -> None:
        """The references of segment i are `texts[starts[i] : starts[i + 1]]`."""
        self._texts, self._starts, self.name = texts, starts, name

    @classmethod
    def pack(cls, rows: Iterable[Sequence[str]], name: str) -> Self:
        """Lists that come one by one."""
        packer = ReferencePacker()
        for row in rows:
            packer.add(row)
        return cls(*packer.packed(name))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def counts(self) -> NDArray[np.int64]:
        """How many references each segment has."""
        return np.diff(self._starts)

    def distinct_counts(self) -> tuple[int, ...]:
        return tuple(np.unique(self.counts()).tolist())

    def _run(self, start: int, stop: int) -> list[tuple[str, ...]]:
        starts = self._starts[start : stop + 1].tolist() if start < stop else [0]
        texts = self._texts[starts[0] : starts[-1]]
        return [tuple(texts[a - starts[0] : b - starts[0]]) for a, b in pairwise(starts)]


class ReferencePacker:
    """Collects lists of references in little memory."""

    def __init__(self) -> None:
        self._texts = Packer()
        self._starts = array("q", [0])

    def add(self, row: Sequence[str]) -> None:
        """The references of the next segment."""
        for text in row:
            self._texts.add(text)
        self._starts.append(len(self._texts))

    def packed(self, name: str) -> tuple[Lines, NDArray[np.int64], str]:
        """What `ListedReferences` is made of."""
        return self._texts.lines(name), np.frombuffer(self._starts, np.int64), name


def join(references: Sequence[References], *, empty: EmptyReferences = "text") -> References:
    """The references of several files together, in their order."""
    columns = [column for part in references if isinstance(part, ParallelReferences) for column in part.columns]
    listed = [part for part in references if not isinstance(part, ParallelReferences)]
    if not listed:
        return ParallelReferences(columns, empty=empty)
    if len(references) == 1:
        return listed[0]
    _same_numbers(references)
    rows = zip(*references, strict=True)
    joined = ([text for texts in row for text in texts] for row in rows)
    if empty == "missing":
        joined = ([text for k, text in enumerate(texts) if text or k == 0] for texts in joined)
    return ListedReferences.pack(joined, ", ".join(part.name for part in references))


def _same_numbers(parts: Sequence[Lines] | Sequence[References]) -> None:
    first = parts[0]
    for other in parts[1:]:
        if len(other) != len(first):
            raise ShapeError(
                f"{other.name} has {len(other)} segments but {first.name} has {len(first)}; "
                "files of references must hold the same segments"
            )
