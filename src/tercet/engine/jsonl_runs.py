"""Files of JSON lines of a dataset: marks among their lines, from which a partition's records are read on."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tercet.corpus.fields import FieldReader, Record
from tercet.corpus.jsonl import parse_record
from tercet.engine.layout import Cutting, Mark, Order, Records, Run, long, wide
from tercet.errors import InputError

_BETWEEN = 1000  # records from one mark to the next
_TOGETHER = 50_000  # records whose systems and segments are looked at together
_REMEDY = "see docs/scale.md for the fields of a dataset"
_LONGEST = 100_000_000  # bytes of a record
_GZIP = b"\x1f\x8b"


def survey(files: Sequence[Path], own: str, size: int | None) -> Cutting:
    """The dataset cut; a system without a name is `own`."""
    first = next((head for file in files if (head := _head(file, own)) is not None), None)
    if first is None:
        return Cutting(own, False, ())
    systems, is_long = first
    if not is_long:
        return wide(own, systems, [_counted(file) for file in files], size)
    order = Order(str(files[0].parent if len(files) > 1 else files[0]), size)
    return long(own, order, [_counted(file, order) for file in files])


def _head(file: Path, own: str) -> tuple[list[str], bool] | None:
    """The systems of the first record of a file, and whether it is long; None if the file holds none."""
    for run_line, values in _read(str(file)):
        fields = FieldReader(str(file)).read((run_line, values))
        if fields.system is not None:
            return [fields.system], True
        if fields.hypothesis is None and not fields.systems:
            raise InputError("has no 'hypothesis'", file=file, line=run_line, remedy=_REMEDY)
        if not fields.references:
            raise InputError("has no 'reference'", file=file, line=run_line, remedy=_REMEDY)
        return (list(fields.systems) if fields.hypothesis is None else [own]), False
    return None


def _counted(file: Path, order: Order | None = None) -> Records:
    """How many records a file holds, with marks; `order` looks at them as they pass."""
    marks, records, at = [Mark()], 0, 0
    seen: list[tuple[str, str]] = []
    reader = FieldReader(str(file))
    with _opened(file) as lines:
        for number, line in enumerate(_lines(lines, file)):
            if line.strip():
                if records and records % _BETWEEN == 0:
                    marks.append(Mark(records, number, at))
                records += 1
                if order is not None:
                    seen.append(_place(reader, str(file), number + 1, line))
                    if len(seen) == _TOGETHER:
                        _see(order, seen)
            at += len(line)
    if order is not None:
        _see(order, seen)
    return Records(str(file), records, tuple(marks))


def _place(reader: FieldReader, file: str, number: int, line: bytes) -> tuple[str, str]:
    fields = reader.read((number, _parsed(file, number, line)))
    if fields.system is None or fields.segment is None:
        raise reader.error(number, "needs 'system', 'segment' and 'hypothesis', as its records name systems")
    return fields.system, fields.segment


def _see(order: Order, seen: list[tuple[str, str]]) -> None:
    import polars as pl

    order.see(pl.Series([system for system, _ in seen], dtype=pl.String), pl.Series([segment for _, segment in seen]))
    seen.clear()


def records(runs: Sequence[Run]) -> Iterator[Record]:
    """The records of some runs, which say in which lines they stand."""
    for run in runs:
        found = 0
        for record in _read(run.file, run):
            found += 1
            yield record
        if found != run.stop - run.start:
            raise InputError("has changed while it was read", file=run.file, remedy="start again")


def _read(file: str, run: Run | None = None) -> Iterator[Record]:
    """The records of a run, or of all of a file."""
    mark = Mark() if run is None else run.mark
    passed = mark.records
    with _opened(Path(file)) as lines:
        lines.seek(mark.bytes)
        for number, line in enumerate(_lines(lines, Path(file), mark.lines), start=mark.lines + 1):
            if run is not None and passed == run.stop:
                return
            if line.strip():
                passed += 1
                if run is None or passed > run.start:
                    yield number, _parsed(file, number, line)


def _lines(stream: IO[bytes], file: Path, before: int = 0) -> Iterator[bytes]:
    """The lines of a stream, none of which is without end: a small packed file can hold gigabytes of nothing."""
    number = before
    while line := stream.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            remedy = "write one object a line"
            raise InputError(f"a line of more than {_LONGEST:,} bytes", file=file, line=number, remedy=remedy)
        yield line


def _parsed(file: str, number: int, line: bytes) -> dict[str, object]:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        remedy = "convert it to UTF-8, for instance with iconv"
        raise InputError(f"invalid UTF-8 ({error.reason})", file=file, line=number, remedy=remedy) from error
    return parse_record(text, file=file, line=number)


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """The lines of a file, unpacked as they are read."""
    try:
        with file.open("rb") as packed:
            if packed.peek(2)[:2] != _GZIP:
                yield packed
                return
            with gzip.GzipFile(fileobj=packed) as unpacked:
                stream: Any = io.BufferedReader(unpacked, 1 << 20)
                yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"cannot be unpacked: {error}", file=file, remedy="test it with gzip -t") from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", file=file) from error
