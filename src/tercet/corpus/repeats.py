"""A judge who judges the same thing again: WMT did that on purpose, to measure how far judges agree with themselves."""

from __future__ import annotations

import polars as pl

from tercet.errors import InputError, OptionError


def repeats(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Every judgment that a judge had made before, with the line of the first time.

    A ranking is the same when judge, segment and set of systems are; an assessment, when judge, segment and system
    are. Columns: row (in the table; the first of a ranking), item, file, line, judge, first_file, first_line.
    """
    rows = frame.with_row_index("row")
    key = ["testset", "pair", "segment", "judge", "what"]
    if kind == "assessment":
        units = rows.with_columns(pl.col("system").alias("what"))
    elif frame["item"].null_count():
        first, second = pl.min_horizontal("system", "other"), pl.max_horizontal("system", "other")
        units = rows.with_columns(pl.concat_str([first, second], separator="\n").alias("what"))
    else:
        ranked = pl.concat_list("system", "other").explode().unique().sort().str.join("\n")
        place = [pl.col(name).first() for name in ("row", "testset", "pair", "segment", "judge", "file", "line")]
        units = rows.group_by("item", maintain_order=True).agg(ranked.alias("what"), *place)
    units = units.with_columns(
        pl.col("file").first().over(key).alias("first_file"),
        pl.col("line").first().over(key).alias("first_line"),
        pl.int_range(pl.len()).over(key).alias("time"),
    )
    return units.filter(pl.col("time") > 0).select("row", "item", "file", "line", "judge", "first_file", "first_line")


def refuse(again: pl.DataFrame) -> None:
    """An error that names the first repeat, if there is one."""
    if again.is_empty():
        return
    first = again.row(0, named=True)
    raise InputError(
        f"judge {first['judge'] or 'unknown'!r} judges again what stands on line {first['first_line']}",
        file=first["file"],
        line=first["line"],
        remedy="keep both with duplicates='keep', or the first alone with duplicates='skip'",
    )


def check_policy(duplicates: str) -> None:
    """An error unless the policy is one of the three."""
    if duplicates not in ("keep", "skip", "error"):
        raise OptionError(f"duplicates={duplicates!r} is not allowed; it takes keep, skip or error")
