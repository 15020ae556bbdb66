"""How the records of a dataset stand: a segment a record, the records of a segment together, or those of a system."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tercet.errors import InputError, ShapeError
from tercet.metrics.base import BATCH

if TYPE_CHECKING:
    import polars as pl

HYPOTHESES = 5 * BATCH  # in a partition, unless told otherwise: some 50 MB of text
_MOST_RUNS = 100_000  # of systems: a dataset with more does not stand system by system


@dataclass(frozen=True)
class Mark:
    """A place in a file of JSON lines: so many records, lines and bytes stand before it."""

    records: int = 0
    lines: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Run:
    """Records [start, stop) of a file."""

    file: str
    start: int
    stop: int
    mark: Mark = Mark()
    """From where JSON lines are read on."""


@dataclass
class Cutting:
    """Runs of records, cut into partitions of `size` segments each."""

    name: str
    long: bool
    systems: tuple[str, ...]
    groups: list[list[tuple[int, list[Run]]]] = field(default_factory=list)
    """One list for each order in which segments come: (segments, runs) of each piece."""
    owners: list[str] = field(default_factory=list)
    """Whose each list is, where records stand system by system."""

    def only(self, systems: Sequence[str]) -> Cutting:
        """The same without the records of other systems, where they stand apart."""
        if not self.owners:
            return self
        kept = [k for k, owner in enumerate(self.owners) if owner in systems]
        groups, owners = [self.groups[k] for k in kept], [self.owners[k] for k in kept]
        return Cutting(self.name, self.long, tuple(systems), groups, owners)

    def partitions(self) -> Iterator[tuple[int, int, int, tuple[Run, ...]]]:
        """Number, first segment, segments and runs of each."""
        first = 0
        for number, pieces in enumerate(zip(*self.groups, strict=True)):
            (segments,) = {piece[0] for piece in pieces}
            yield number, first, segments, tuple(run for _, runs in pieces for run in runs)
            first += segments


def default_size(systems: int) -> int:
    """Segments of a partition, in whole batches, so that sums over partitions are those over batches."""
    return BATCH * max(1, HYPOTHESES // BATCH // max(1, systems))


@dataclass(frozen=True)
class Records:
    """A file of a dataset: how many records it holds, and marks among its lines."""

    file: str
    number: int
    marks: tuple[Mark, ...] = (Mark(),)

    def run(self, start: int, stop: int) -> Run:
        """Records [start, stop), read from the last mark before them."""
        place = bisect_right(self.marks, start, key=lambda mark: mark.records) - 1
        return Run(self.file, start, stop, self.marks[place])


def runs(files: Sequence[Records], start: int, stop: int) -> list[Run]:
    """Records [start, stop) of files that follow each other."""
    found, at = [], 0
    for file in files:
        low, high = max(start, at), min(stop, at + file.number)
        if low < high:
            found.append(file.run(low - at, high - at))
        at += file.number
    return found


def wide(name: str, systems: Sequence[str], files: Sequence[Records], size: int | None) -> Cutting:
    """Partitions of records that are a segment each."""
    number = sum(file.number for file in files)
    if not number:
        return Cutting(name, False, ())
    bounds = [*range(0, number, size or default_size(len(systems))), number]
    groups = [[(b - a, runs(files, a, b)) for a, b in pairwise(bounds)]]
    return Cutting(name, False, tuple(systems), groups)


def long(name: str, order: Order, files: Sequence[Records]) -> Cutting:
    """Partitions of records that are what one system has for one segment."""
    if not order.systems:
        return Cutting(name, True, ())
    owners, cuts = order.cuts()
    groups = [
        [(segments, [run for a, b in ranges for run in runs(files, a, b)]) for segments, ranges in pieces]
        for pieces in cuts
    ]
    return Cutting(name, True, tuple(order.systems), groups, owners)


class Order:
    """Looks at the systems and segments of long records as they come, and tells in which order they stand."""

    def __init__(self, name: str, size: int | None) -> None:
        self._name, self._size = name, size
        self._unit = size or BATCH
        self.systems: dict[str, int] = {}
        """Rows of each system, in the order in which systems come."""
        self._runs: list[tuple[str, int, int]] = []  # rows of one system in a row: system, first, after the last
        self._starts: list[int] = []  # the first row of every unit of segments, if the rows of a segment stand together
        self._segments = self._rows = 0
        self._last: str | None = None

    def see(self, systems: pl.Series, segments: pl.Series) -> None:
        """The next records, of which none lacks either."""
        if not len(systems):
            return
        changed = (segments != segments.shift(1)).fill_null(True).to_numpy().copy()
        changed[0] = self._last != segments[0]
        places = np.flatnonzero(changed)
        numbers = self._segments + np.arange(len(places))
        self._starts += (self._rows + places[numbers % self._unit == 0]).tolist()
        self._segments += len(places)
        self._last = segments[-1]
        lengths = systems.rle().struct.unnest()
        for system, length in zip(lengths["value"], lengths["len"], strict=True):
            self.systems[system] = self.systems.get(system, 0) + length
            if len(self._runs) <= _MOST_RUNS:
                if self._runs and self._runs[-1][0] == system:
                    self._runs[-1] = (system, self._runs[-1][1], self._rows + length)
                else:
                    self._runs.append((system, self._rows, self._rows + length))
            self._rows += length

    def cuts(self) -> tuple[list[str], list[list[tuple[int, list[tuple[int, int]]]]]]:
        """Owners, and for each the pieces: numbers of segments and the ranges of rows that hold them."""
        if len(set(self.systems.values())) > 1:
            most = max(self.systems, key=self.systems.__getitem__)
            least = min(self.systems, key=self.systems.__getitem__)
            raise ShapeError(
                f"{self._name}: system {least!r} has {self.systems[least]} segments but {most!r} has "
                f"{self.systems[most]}; every system must hold the same segments"
            )
        segments = self._rows // max(1, len(self.systems))
        size = self._size or default_size(len(self.systems))
        bounds = [*range(0, segments, size), segments]
        if self._segments == segments:  # the records of a segment stand together
            rows = [self._starts[bound // self._unit] for bound in bounds[:-1]] + [self._rows]
            return [], [[(b - a, [(rows[k], rows[k + 1])]) for k, (a, b) in enumerate(pairwise(bounds))]]
        if len(self._runs) <= _MOST_RUNS:
            return list(self.systems), [
                [(b - a, list(self._ranges(system, a, b))) for a, b in pairwise(bounds)] for system in self.systems
            ]
        raise InputError(
            "its records stand neither segment by segment nor system by system",
            file=self._name,
            remedy="sort it by segment",
        )

    def _ranges(self, system: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """The rows of segments [start, stop) of a system."""
        at = 0
        for owner, first, last in self._runs:
            if owner != system:
                continue
            low, high = max(start, at), min(stop, at + last - first)
            if low < high:
                yield first + low - at, first + high - at
            at += last - first
