"""Parquet files of a dataset: their columns agree, and a partition's rows are read without those around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from tercet.corpus.fields import HYPOTHESIS, REFERENCES, SEGMENT, SOURCE, SYSTEM, SYSTEMS, Record
from tercet.engine.layout import Cutting, Order, Records, Run, long, wide
from tercet.errors import InputError

_ROWS = 1 << 20  # whose systems and segments are looked at together
_REMEDY = "see docs/scale.md for the columns of a dataset"
_TEXTS = (pl.String(), pl.List(pl.String()))


def survey(files: Sequence[Path], own: str, size: int | None) -> tuple[tuple[str, ...], Cutting]:
    """The columns to read, and the dataset cut; a system without a name is `own`."""
    first = _schema(files[0])
    for file in files[1:]:
        other = _schema(file)
        for column in sorted(first.keys() | other.keys()):
            if first.get(column) != other.get(column):
                here, there = other.get(column, "nothing"), first.get(column, "nothing")
                raise InputError(
                    f"column {column!r} is {here} and in {files[0].name} {there}",
                    file=file,
                    remedy="all files of a dataset have the same columns",
                )
    named = _named(files[0], first)
    counted = [Records(str(file), _rows(file)) for file in files]
    segment, system = named.get("segment"), named.get("system")
    if system is None:
        if "hypothesis" in named:
            systems = [own]
        else:
            struct = first.get(SYSTEMS)
            systems = [] if struct is None else [field.name for field in struct.fields]  # type: ignore[attr-defined]
            systems += [column.removeprefix(f"{SYSTEMS}.") for column in first if column.startswith(f"{SYSTEMS}.")]
        return tuple(first), wide(own, systems, counted, size)
    if segment is None:
        raise InputError(f"has a column {SYSTEM!r} but none of segments", file=files[0], remedy=_REMEDY)
    order = Order(str(files[0].parent if len(files) > 1 else files[0]), size)
    for file in files:
        _look(file, system, segment, order)
    return tuple(first), long(own, order, counted)


def _schema(file: Path) -> dict[str, pl.DataType]:
    """The columns of a file that are of use."""
    with _reading(file, "not a Parquet table"):
        schema = pl.read_parquet_schema(file)
    known = {*HYPOTHESIS, *REFERENCES, *SEGMENT, *SOURCE, SYSTEM, SYSTEMS}
    found = {name: dtype for name, dtype in schema.items() if name in known or name.startswith(f"{SYSTEMS}.")}
    _named(file, found, schema)
    return found


def _named(file: Path, schema: dict[str, pl.DataType], every: Iterable[str] | None = None) -> dict[str, str]:
    """Which column is which; what cannot be told is an error."""
    found = {}
    for what, names in (
        ("hypothesis", HYPOTHESIS),
        ("reference", REFERENCES),
        ("segment", SEGMENT),
        ("source", SOURCE),
        ("system", (SYSTEM,)),
    ):
        there = [name for name in names if name in schema]
        if len(there) > 1:
            raise InputError(f"has both {there[0]!r} and {there[1]!r}", file=file, remedy="keep one of them")
        if there:
            found[what] = there[0]
    has = ", ".join(every if every is not None else schema) or "none"
    several = SYSTEMS in schema or any(name.startswith(f"{SYSTEMS}.") for name in schema)
    if "hypothesis" not in found and not several:
        raise InputError(f"has no column {HYPOTHESIS[0]!r}; its columns are {has}", file=file, remedy=_REMEDY)
    if several and ("hypothesis" in found or "system" in found):
        raise InputError(f"has {SYSTEMS!r} beside a system of its own", file=file, remedy="keep one of them")
    if "reference" not in found:
        raise InputError(f"has no column {REFERENCES[1]!r}; its columns are {has}", file=file, remedy=_REMEDY)
    texts = [found[what] for what in ("hypothesis", "source", "system") if what in found]
    texts += [name for name in schema if name.startswith(f"{SYSTEMS}.")]
    for name in texts:
        if schema[name] != pl.String():
            raise InputError(f"column {name!r} is {schema[name]}, not text", file=file, remedy=_REMEDY)
    if schema[found["reference"]] not in _TEXTS:
        dtype = schema[found["reference"]]
        raise InputError(f"column {found['reference']!r} is {dtype}, not text or lists of it", file=file)
    if SYSTEMS in schema and not isinstance(schema[SYSTEMS], pl.Struct):
        raise InputError(f"column {SYSTEMS!r} is {schema[SYSTEMS]}, not texts by name", file=file, remedy=_REMEDY)
    if "segment" in found and not (schema[found["segment"]] == pl.String() or schema[found["segment"]].is_integer()):
        dtype = schema[found["segment"]]
        raise InputError(f"column {found['segment']!r} is {dtype}, not text or a whole number", file=file)
    return found


def _rows(file: Path) -> int:
    with _reading(file):
        return int(pl.scan_parquet(file, glob=False).select(pl.len()).collect().item())


@contextmanager
def _reading(file: Path | str, problem: str = "cannot be read") -> Iterator[None]:
    """What a damaged table makes of polars, panics of Rust's among it, is one line."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).splitlines() or ["it is empty"])[0][:200]
        raise InputError(f"{problem} ({reason})", file=file, remedy="write it again") from error


def _look(file: Path, system: str, segment: str, order: Order) -> None:
    table = pl.scan_parquet(file, glob=False).select(system, segment)
    rows, start = _rows(file), 0
    while start < rows:
        with _reading(file):
            run = table.slice(start, _ROWS).collect()
        for column in (system, segment):
            if run[column].null_count():
                row = start + int(run[column].is_null().arg_max() or 0) + 1
                raise InputError(f"has no {column!r}", file=file, line=row, remedy="give it one, or leave the row out")
        order.see(run[system], run[segment].cast(pl.String))
        start += _ROWS


def read_runs(columns: Sequence[str], runs: Sequence[Run]) -> list[pl.DataFrame]:
    """The rows of some runs."""
    found = []
    for run in runs:
        table = pl.scan_parquet(run.file, glob=False).select(columns).slice(run.start, run.stop - run.start)
        with _reading(run.file):
            rows = table.collect()
        if len(rows) != run.stop - run.start:
            raise InputError("has changed while it was read", file=run.file, remedy="start again")
        found.append(rows)
    return found


def records(tables: Sequence[pl.DataFrame], runs: Sequence[Run]) -> Iterator[Record]:
    """The same as records, which say where they stand."""
    for rows, run in zip(tables, runs, strict=True):
        yield from enumerate(rows.iter_rows(named=True), run.start + 1)
