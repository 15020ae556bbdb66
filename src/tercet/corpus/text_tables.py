"""Text tables as they come: every cell a string, every row with the line that it stood on."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from tercet.corpus.files import load
from tercet.errors import InputError

LINE = "line"


def read_lines(path: Path) -> list[str]:
    """The lines of a file; `\\n` alone ends a line, and a last line without one counts."""
    lines = load(path).text().split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_table(
    path: Path, separator: str | None, *, quoted: bool = False, headed: bool = True
) -> tuple[list[str], pl.DataFrame]:
    """The header, and a frame of strings with columns "0", "1", … and `line`; `separator` None is any white space.

    Blank lines are passed over. Every row has as many cells as the first one below the header.
    """
    lines = pl.Series("text", read_lines(path), dtype=pl.String)
    frame = pl.DataFrame({LINE: pl.arange(1, len(lines) + 1, eager=True), "text": lines.str.strip_chars_end("\r")})
    frame = frame.filter(pl.col("text").str.strip_chars() != "")
    if frame.is_empty():
        raise InputError("the file is empty", file=path)
    if quoted and frame["text"].str.contains('"', literal=True).any():
        cells = pl.Series("cells", _quoted(path, frame, separator or " "), dtype=pl.List(pl.String))
    elif separator is None:
        cells = frame["text"].str.extract_all(r"\S+")
    else:
        cells = frame["text"].str.split(separator)
    header: list[str] = cells[0].to_list() if headed else []
    rows = frame.with_columns(cells.alias("cells"))[int(headed) :]
    if rows.is_empty():
        return header, pl.DataFrame(schema={**{str(i): pl.String for i in range(len(header))}, LINE: pl.Int64})
    width = rows["cells"][0].len()
    ragged = rows.filter(pl.col("cells").list.len() != width)
    if not ragged.is_empty():
        raise InputError(
            f"{ragged['cells'][0].len()} columns where the rows above have {width}", file=path, line=ragged[LINE][0]
        )
    columns = [pl.col("cells").list.get(i).alias(str(i)) for i in range(width)]
    return header, rows.select(*columns, pl.col(LINE).cast(pl.Int64))


def _quoted(path: Path, frame: pl.DataFrame, separator: str) -> list[list[str]]:
    """The cells of every line, some of them between quotes; a cell ends where its line does."""
    found = []
    for line, text in frame.select(LINE, "text").iter_rows():
        try:
            cells = next(csv.reader([text], delimiter=separator, strict=True))
        except csv.Error as error:
            problem = f"quotes that do not fit together ({error})"
            raise InputError(problem, file=path, line=line, remedy='a quote within quotes is written ""') from None
        found.append(cells)
    return found


def named_columns(path: Path, header: Sequence[str], rows: pl.DataFrame, wanted: Iterable[str]) -> pl.DataFrame:
    """The rows with the wanted columns under these names, found in the header whatever its letters' case."""
    places = {name.strip().lower(): i for i, name in enumerate(header)}
    wanted = list(wanted)
    missing = [name for name in wanted if name.lower() not in places]
    if missing:
        raise InputError(f"the header has no column {', '.join(missing)}", file=path, line=1)
    if rows.width - 1 != len(header):
        line = rows[LINE][0] if len(rows) else 1
        raise InputError(f"{rows.width - 1} columns under a header of {len(header)}", file=path, line=line)
    return rows.select(*(pl.col(str(places[name.lower()])).alias(name) for name in wanted), LINE)


def numbers(path: Path, rows: pl.DataFrame, column: str, what: str, *, whole: bool = False) -> pl.Series:
    """A column as numbers; a cell that is none, or not finite, is an error that names its line."""
    text = rows[column].str.strip_chars()
    parsed = text.cast(pl.Int64 if whole else pl.Float64, strict=False)
    bad = parsed.is_null() if whole else parsed.is_null() | ~parsed.is_finite().fill_null(False)
    if bad.any():
        row = int(bad.arg_true()[0])
        kind = "a whole number" if whole else "a finite number"
        raise InputError(f"{what} {text[row]!r} is not {kind}", file=path, line=rows[LINE][row])
    return parsed
