"""Parquet tables: one row a record."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count

import polars as pl

from tercet.corpus.fields import HYPOTHESIS, REFERENCES, SEGMENT, SOURCE, SYSTEM, SYSTEMS, Record
from tercet.corpus.files import Content
from tercet.corpus.part import Part
from tercet.corpus.records import read_records
from tercet.errors import InputError

_KNOWN = {*HYPOTHESIS, *REFERENCES, *SEGMENT, *SOURCE, SYSTEM, SYSTEMS}
_ROWS = 10_000  # made into Python objects at once


def read_parquet(content: Content, *, name: str) -> Part:
    """The rows of a Parquet table as records; messages count them from 1. A system without a name is `name`."""
    if not content.data.size:
        raise InputError("the file is empty", file=content.file, remedy="give a file with at least one segment")
    try:
        table = pl.scan_parquet(io.BytesIO(content.data.data))
        names = [column for column in table.collect_schema().names() if _wanted(column)]
        rows = table.select(names).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"not a Parquet table ({reason})", file=content.file, remedy="write it again") from error
    return read_records(_records(rows), file=content.file, name=name)


def _wanted(column: str) -> bool:
    return column in _KNOWN or column.startswith(f"{SYSTEMS}.")


def _records(table: pl.DataFrame) -> Iterator[Record]:
    for start, run in zip(count(1, _ROWS), table.iter_slices(_ROWS), strict=False):
        yield from enumerate(run.iter_rows(named=True), start)
