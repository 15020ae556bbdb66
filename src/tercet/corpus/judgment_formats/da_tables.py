"""Direct assessment of WMT17 on: `DA-seglevel.csv` and `DA-syslevel.csv`, columns named by their header."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Literal

import polars as pl

from tercet.corpus.judgment_formats.ranks import Duplicates, by_policy, from_first
from tercet.corpus.judgments import Judgments
from tercet.corpus.languages import pair_code
from tercet.corpus.text_tables import LINE, named_columns, numbers, read_lines, read_table
from tercet.errors import InputError, OptionError
from tercet.output import write_result

Joined = Literal["first", "expand", "keep"]


def read_da_table(
    path: str | PathLike[str],
    *,
    joined: Joined = "first",
    duplicates: Duplicates = "error",
    first_segment: int = 1,
) -> Judgments:
    """Scores of segments where the header has SID, else of whole systems.

    Systems that put out the same translation were assessed once (`A+B`). WMT17 counts that as one judgment, so by
    default it goes to the first of them; "expand" gives each its own row, "keep" leaves the joined name.
    """
    if joined not in ("first", "expand", "keep"):
        raise OptionError(f"joined={joined!r} is not allowed; it takes first, expand or keep")
    path = Path(path)
    header, table = read_table(path, _separator(path), quoted=True)
    have = {name.strip().lower() for name in header}
    optional = [name for name in ("DATA", "SID") if name.lower() in have]
    rows = named_columns(path, header, table, ["LP", "SYSTEM", "HUMAN", *optional])
    names = pl.col("SYSTEM").str.split("+")
    frame = with_pairs(path, rows).with_columns(
        numbers(path, rows, "HUMAN", "HUMAN").alias("value"),
        (names.list.get(0) if joined == "first" else names if joined == "expand" else pl.col("SYSTEM")).alias("system"),
        (pl.col("DATA") if "DATA" in optional else pl.lit(None, pl.String)).alias("testset"),
        pl.lit(str(path)).alias("file"),
    )
    if "SID" in optional:
        segment = from_first(path, rows, numbers(path, rows, "SID", "SID", whole=True), first_segment)
        frame = frame.with_columns(segment.alias("segment"))
    else:
        frame = frame.with_columns(pl.lit(None, pl.Int64).alias("segment"))
    frame = frame.explode("system") if joined == "expand" else frame
    columns = ["testset", "pair", "segment", "system", "value", "file", LINE]
    return by_policy(Judgments.make("assessment", frame.select(columns)), duplicates)


def with_pairs(path: Path, rows: pl.DataFrame) -> pl.DataFrame:
    """`LP` as `pair`."""
    codes = {}
    for text in rows["LP"].unique().to_list():
        codes[text] = pair_code(text)
        if codes[text] is None:
            line = rows.filter(pl.col("LP") == text)[LINE][0]
            raise InputError(f"{text!r} is no language pair", file=path, line=line, remedy="a pair looks like cs-en")
    return rows.with_columns(pl.col("LP").replace_strict(codes, return_dtype=pl.String).alias("pair"))


def _separator(path: Path) -> str | None:
    return "," if "," in next(filter(None, read_lines(path)), "") else None


def write_da_table(judgments: Judgments, path: str | PathLike[str]) -> None:
    """Assessments as `DA-seglevel.csv`, or as `DA-syslevel.csv` where they are of whole systems."""
    segments, systems = judgments.of_segments(), judgments.of_systems()
    if judgments.kind != "assessment" or (len(segments) and len(systems)):
        raise OptionError("only assessments, either of segments or of systems, can be written as a DA table")
    if judgments.frame["testset"].null_count() and len(segments):
        raise OptionError("DA-seglevel.csv names the test set of every judgment; these have none")
    if judgments.frame["system"].str.contains(r"\s").any():
        raise OptionError("a system's name with white space in it cannot stand in a DA table")
    lines = ["LP DATA SYSTEM SID HUMAN" if len(segments) else "LP HUMAN SYSTEM"]
    for row in judgments.frame.iter_rows(named=True):
        if len(segments):
            lines.append(f"{row['pair']} {row['testset']} {row['system']} {row['segment'] + 1} {row['value']!r}")
        else:
            lines.append(f"{row['pair']} {row['value']!r} {row['system']}")
    write_result("\n".join(lines) + "\n", Path(path))
