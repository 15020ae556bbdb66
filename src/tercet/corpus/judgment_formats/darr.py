"""Comparisons made from direct assessments, daRR (WMT17–20): who was better in a segment, by 25 points or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import polars as pl

from tercet.corpus.judgment_formats.da_tables import with_pairs
from tercet.corpus.judgment_formats.ranks import Duplicates, by_policy, from_first
from tercet.corpus.judgments import Judgments
from tercet.corpus.text_tables import LINE, numbers, read_table
from tercet.errors import InputError, OptionError
from tercet.output import write_result

# The columns by their number: WMT20 has the difference in points after the five, and some headers lack a name.
_LAYOUTS = {
    (4, False): ["LP", "SID", "BETTER", "WORSE"],
    (5, False): ["LP", "DATA", "SID", "BETTER", "WORSE"],
    (5, True): ["LP", "SID", "BETTER", "WORSE", "DIFFERENCE"],
    (6, True): ["LP", "DATA", "SID", "BETTER", "WORSE", "DIFFERENCE"],
}


def read_darr(
    path: str | PathLike[str],
    *,
    threshold: float = 25.0,
    documents: Mapping[str, Sequence[str]] | None = None,
    duplicates: Duplicates = "keep",
    first_segment: int = 1,
) -> Judgments:
    """One comparison a line: BETTER is better than WORSE.

    Where the file gives the difference in points (WMT20), pairs below `threshold` are left out as the task does. Where
    SID is `document::number` (WMT20), `documents` gives, for a language pair, the document of each segment in order.
    """
    path = Path(path)
    header, table = read_table(path, None)
    if len(table) == 0:
        raise InputError(f"nothing below the header {' '.join(header)}", file=path, line=1)
    width = table.width - 1
    difference = table[str(width - 1)].cast(pl.Float64, strict=False).null_count() == 0
    if (width, difference) not in _LAYOUTS:
        raise InputError(
            f"{width} columns are not a daRR table", file=path, line=table[LINE][0], remedy="LP DATA SID BETTER WORSE"
        )
    layout = _LAYOUTS[width, difference]
    rows = with_pairs(path, table.rename({str(i): name for i, name in enumerate(layout)}))
    if difference:
        rows = rows.filter(numbers(path, rows, "DIFFERENCE", "difference") >= threshold)
    frame = rows.with_columns(
        _segments(path, rows, documents, first_segment).alias("segment"),
        (pl.col("DATA") if "DATA" in layout else pl.lit(None, pl.String)).alias("testset"),
        pl.col("BETTER").alias("system"),
        pl.col("WORSE").alias("other"),
        pl.lit(1.0).alias("value"),
        pl.lit(str(path)).alias("file"),
    ).select("testset", "pair", "segment", "system", "other", "value", "file", LINE)
    return by_policy(Judgments.make("comparison", frame), duplicates)


def _segments(
    path: Path, rows: pl.DataFrame, documents: Mapping[str, Sequence[str]] | None, first_segment: int
) -> pl.Series:
    if not rows["SID"].str.contains("::", literal=True).any():
        return from_first(path, rows, numbers(path, rows, "SID", "SID", whole=True), first_segment)
    if documents is None:
        raise InputError(
            f"SID {rows['SID'][0]!r} counts within a document",
            file=path,
            line=rows[LINE][0],
            remedy="give documents={pair: the document of each segment}",
        )
    places: dict[tuple[str, str], int] = {}
    for pair, names in documents.items():
        seen: dict[str, int] = {}
        for i, name in enumerate(names):
            places[pair, f"{name}::{seen.setdefault(name, 0) + first_segment}"] = i
            seen[name] += 1
    found = [places.get(key) for key in rows.select("pair", "SID").iter_rows()]
    if None in found:
        row = found.index(None)
        problem = f"the documents of {rows['pair'][row]} have no segment {rows['SID'][row]!r}"
        raise InputError(problem, file=path, line=rows[LINE][row])
    return pl.Series(found, dtype=pl.Int64)


def write_darr(judgments: Judgments, path: str | PathLike[str]) -> None:
    """Untied comparisons as a daRR table; a comparison that `other` won is turned round."""
    frame = judgments.untied().frame
    if len(frame) != len(judgments) or frame["segment"].null_count() or frame["testset"].null_count():
        raise OptionError("a daRR table has untied comparisons of segments with a test set; use .untied()")
    if any(frame[side].str.contains(r"\s").any() for side in ("system", "other")):
        raise OptionError("a system's name with white space in it cannot stand in a daRR table")
    won = pl.col("value") > 0
    table = frame.select(
        pl.col("pair").alias("LP"),
        pl.col("testset").alias("DATA"),
        (pl.col("segment") + 1).alias("SID"),
        pl.when(won).then("system").otherwise("other").alias("BETTER"),
        pl.when(won).then("other").otherwise("system").alias("WORSE"),
    )
    write_result(table.write_csv(separator=" ", quote_style="never"), Path(path))
