"""Datasets of any size: Parquet or JSON lines, in one file or many, cut into partitions of segments.

A dataset holds the records of docs/formats.md. Wide: a record is a segment. Long: a record is what one `system` has for
one `segment`; then the records of a segment stand together, or those of a system do, with the segments of every system
in the same order. Either way a partition is a few runs of records, so that nothing but the partition is read at once.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tercet.corpus.fields import SYSTEMS
from tercet.corpus.files import bare_name
from tercet.corpus.names import system_names
from tercet.engine.layout import Cutting, Run
from tercet.errors import InputError, OptionError

Kind = Literal["parquet", "jsonl"]

_ENDINGS: dict[str, Kind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
_SAMPLE = 1 << 20  # bytes of either end of a file that its fingerprint reads


@dataclass(frozen=True)
class Fingerprint:
    """What tells that a file is the same: size, time of its last change, sha256 of both ends."""

    file: str
    size: int
    changed: int
    ends: str

    @classmethod
    def of(cls, file: Path) -> Fingerprint:
        """Of a file as it is now."""
        status, digest = file.stat(), hashlib.sha256()
        with file.open("rb") as stream:
            digest.update(stream.read(_SAMPLE))
            stream.seek(max(0, status.st_size - _SAMPLE))
            digest.update(stream.read(_SAMPLE))
        return cls(str(file.absolute()), status.st_size, status.st_mtime_ns, digest.hexdigest())


@dataclass(frozen=True)
class Partition:
    """Some segments in a row, and where their records stand."""

    number: int
    first: int
    """The number of its first segment in the dataset, from 0."""
    segments: int
    runs: tuple[Run, ...]

    def absolute(self) -> Partition:
        """The same for a process that may work in another folder."""
        return replace(self, runs=tuple(replace(run, file=str(Path(run.file).absolute())) for run in self.runs))


@dataclass(frozen=True)
class Dataset:
    """Where texts are, which systems have translated them, and how they are cut."""

    name: str
    """As the user gave it."""
    kind: Kind
    files: tuple[Fingerprint, ...]
    columns: tuple[str, ...]
    """That are read, of a Parquet dataset."""
    systems: tuple[str, ...]
    """That are looked at."""
    others: tuple[str, ...]
    """That are not."""
    system: str
    """What the system of a wide dataset with one hypothesis is called."""
    long: bool
    partitions: tuple[Partition, ...]

    def __len__(self) -> int:
        """The number of segments."""
        return sum(partition.segments for partition in self.partitions)


def open_dataset(name: str, *, systems: Sequence[str] = (), size: int | None = None) -> Dataset:
    """The dataset in a file, in a folder, or in all files that a pattern such as `data/*.parquet` finds.

    `systems` keeps only those. `size` is the number of segments of a partition; by default some 100,000 hypotheses.
    """
    if size is not None and size < 1:
        raise OptionError(f"partitions of {size} segments are not possible; take 1 or more")
    files = _files(name)
    kind = _kind(files, name)
    own = system_names([name.rstrip("/*") or name])[0]
    if kind == "parquet":
        from tercet.engine.parquet_runs import survey  # polars takes its time

        columns, cutting = survey(files, own, size)
    else:
        from tercet.engine.jsonl_runs import survey as survey_lines

        columns, cutting = (), survey_lines(files, own, size)
    return _cut(name, kind, files, columns, own, systems, cutting)


def _cut(
    name: str,
    kind: Kind,
    files: Sequence[Path],
    columns: tuple[str, ...],
    own: str,
    systems: Sequence[str],
    cutting: Cutting,
) -> Dataset:
    for system in systems:
        if system not in cutting.systems:
            raise InputError(f"has no system {system!r}", file=name, remedy=f"it has {', '.join(cutting.systems)}")
    if not cutting.systems:
        raise InputError("holds no segments", file=name, remedy="give a dataset with at least one")
    kept = tuple(system for system in cutting.systems if not systems or system in systems)
    others = tuple(system for system in cutting.systems if system not in kept)
    if cutting.long and kept != cutting.systems:
        cutting = cutting.only(kept)
    if kind == "parquet":
        columns = tuple(
            column for column in columns if not column.startswith(f"{SYSTEMS}.") or column[len(SYSTEMS) + 1 :] in kept
        )
    partitions = tuple(Partition(*cut) for cut in cutting.partitions())
    prints = tuple(Fingerprint.of(file) for file in files)
    return Dataset(name, kind, prints, columns, kept, others, own, cutting.long, partitions)


def _files(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        found = sorted(file for file in _walk(path) if Path(bare_name(file)).suffix.lower() in _ENDINGS)
        problem, remedy = "is a folder without Parquet or JSON lines", "their names end in .parquet or .jsonl(.gz)"
    elif path.exists():
        found, problem, remedy = [path], "", ""
    else:
        found = sorted(Path(file) for file in glob.glob(name, recursive=True) if Path(file).is_file())  # noqa: PTH207
        problem, remedy = "no such file", "give a file, a folder or a pattern in quotes"
    if not found:
        raise InputError(problem, file=name, remedy=remedy)
    for file in found:
        try:
            with file.open("rb"):
                pass
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=file) from error
    return found


def _walk(folder: Path) -> Iterator[Path]:
    """All files below a folder but the hidden ones and those that programs mark as theirs, such as _SUCCESS."""
    for path in folder.iterdir():
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path


def _kind(files: Sequence[Path], name: str) -> Kind:
    kinds: dict[Kind, Path] = {}
    for file in files:
        ending = Path(bare_name(file)).suffix.lower()
        if ending not in _ENDINGS:
            raise InputError(
                "is neither Parquet nor JSON lines by its name",
                file=file,
                remedy="a dataset's files end in .parquet or .jsonl(.gz)",
            )
        kinds.setdefault(_ENDINGS[ending], file)
    if len(kinds) > 1:
        raise InputError(
            f"holds both kinds: {kinds['parquet'].name} and {kinds['jsonl'].name}",
            file=name,
            remedy="give one kind, for instance with a pattern",
        )
    return next(iter(kinds))
