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

# A table of a few bytes can stand for any number of rows, and a row for any text.
_FREE_ROWS, _MOST_ROWS = 1_000_000, 100  # for each byte
_FREE_BYTES, _MOST_RATIO = 64 * 2**20, 1000
_OTHERS = "write it as JSON lines if it is yours"


def read_parquet(content: Content, *, name: str) -> Part:
    """The rows of a Parquet table as records; messages count them from 1. A system without a name is `name`."""
    if not content.data.size:
        raise InputError("the file is empty", file=content.file, remedy="give a file with at least one segment")
    try:
        table = pl.scan_parquet(io.BytesIO(content.data.data))
        names = [column for column in table.collect_schema().names() if _wanted(column)]
        stated = int(table.select(pl.len()).collect().item())
        if stated > max(_FREE_ROWS, _MOST_ROWS * content.data.size):  # one value, repeated without end
            raise InputError(
                f"states {stated:,} rows in {content.data.size:,} bytes", file=content.file, remedy=_OTHERS
            )
        rows = table.select(names).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InputError(f"not a Parquet table ({reason})", file=content.file, remedy="write it again") from error
    return read_records(_records(rows, content), file=content.file, name=name)


def _wanted(column: str) -> bool:
    return column in _KNOWN or column.startswith(f"{SYSTEMS}.")


def _records(table: pl.DataFrame, content: Content) -> Iterator[Record]:
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    lists = [name for name, kind in table.schema.items() if kind == pl.List(pl.String)]
    size, most = 0, max(_FREE_BYTES, _MOST_RATIO * content.data.size)
    for start, run in zip(count(1, _ROWS), table.iter_slices(_ROWS), strict=False):
        size += sum(int(run[name].str.len_bytes().sum()) for name in texts)
        size += sum(int(run[name].explode().str.len_bytes().sum()) for name in lists)
        if size > most:  # a long text in a dictionary, of which every row is a number
            problem = f"is over {_MOST_RATIO} times as large when unpacked"
            raise InputError(problem, file=content.file, line=start, remedy=_OTHERS)
        yield from enumerate(run.iter_rows(named=True), start)
