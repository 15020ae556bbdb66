"""Relative rankings of WMT15/16, a CSV with one comparison of two systems (or of two sets of systems) a row."""

from __future__ import annotations

from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Literal

import polars as pl

from tercet.corpus.judgment_formats.ranks import (
    MOST_RANKED,
    Duplicates,
    SegmentColumn,
    by_policy,
    check_number,
    checked_ranks,
    reduced_names,
    with_pair,
    with_segment,
)
from tercet.corpus.judgments import Judgments
from tercet.corpus.text_tables import LINE, named_columns, numbers, read_table
from tercet.errors import OptionError
from tercet.output import write_result

Collapsed = Literal["expand", "keep"]

_COLUMNS = ["testset", "pair", "segment", "system", "other", "value", "judge", "item", "file", LINE]


def read_pairwise(
    path: str | PathLike[str],
    *,
    collapsed: Collapsed = "expand",
    duplicates: Duplicates = "keep",
    first_segment: int = 1,
    segment_column: SegmentColumn | None = None,
) -> Judgments:
    """The comparisons of the file; systems with the same output, judged as one (`A+B`), expanded as WMT15/16 did.

    Expanded, each of them is compared with all others of the ranking, and they tie with each other. For agreement
    between judges WMT16 keeps them as one: `collapsed="keep"`.
    """
    if collapsed not in ("expand", "keep"):
        raise OptionError(f"collapsed={collapsed!r} is not allowed; it takes expand or keep")
    path = Path(path)
    header, table = read_table(path, ",", quoted=True)
    have = {name.strip().lower() for name in header}
    index = [name for name in ("srcIndex", "segmentId") if name.lower() in have] or ["srcIndex"]
    item = ["rankingID"] if "rankingid" in have else []
    systems = ["system1Id", "system1rank", "system2Id", "system2rank"]
    rows = named_columns(path, header, table, ["srclang", "trglang", *index, "judgeId", *systems, *item])
    rows = with_segment(path, with_pair(path, rows), segment_column, first_segment)
    rows = rows.with_columns(
        checked_ranks(path, rows, 1).alias("rank1"),
        checked_ranks(path, rows, 2).alias("rank2"),
        pl.col("judgeId").replace("", None).alias("judge"),
        (numbers(path, rows, "rankingID", "rankingID", whole=True) if item else pl.lit(None, pl.Int64)).alias("item"),
        pl.lit(str(path)).alias("file"),
        pl.int_range(pl.len()).alias("row"),
    ).filter(pl.col("rank1").is_not_null() & pl.col("rank2").is_not_null())
    rows = rows.with_columns((pl.col("rank2") - pl.col("rank1")).sign().cast(pl.Float64).alias("value"))
    rows = _members(path, _members(path, rows, 1), 2)
    if collapsed == "keep":
        frame = rows.with_columns(pl.col("names1").list.join("+"), pl.col("names2").list.join("+"))
    else:
        crossed = rows.explode("names1").explode("names2")
        frame = pl.concat([crossed, _ties(rows)], how="diagonal").sort("row", maintain_order=True)
    frame = frame.rename({"names1": "system", "names2": "other"})
    return by_policy(Judgments.make("comparison", frame.select(_COLUMNS)), duplicates)


def _members(path: Path, rows: pl.DataFrame, slot: int) -> pl.DataFrame:
    """The bare names of the systems judged as one, as a list."""
    joined = rows.select("row", "pair", pl.col(f"system{slot}Id").str.split("+").alias("name")).explode("name")
    testset, system = reduced_names(joined["name"], joined["pair"])
    names = joined.with_columns(testset.alias("testset"), system.alias("name")).group_by("row", maintain_order=True)
    lists = names.agg(pl.col("name"), pl.col("testset").drop_nulls().first())
    for row in (lists["name"].list.len() > MOST_RANKED).arg_true().to_list()[:1]:
        check_number(path, int(lists["name"].list.len()[row]), rows[LINE][row])
    return rows.with_columns(lists["name"].alias(f"names{slot}"), lists["testset"].alias("testset"))


def _ties(rows: pl.DataFrame) -> pl.DataFrame:
    """Systems judged as one tie with each other, once in a ranking."""
    sides = [rows.with_columns(pl.col(f"names{slot}").alias("set")) for slot in (1, 2)]
    sets = pl.concat(sides).filter(pl.col("set").list.len() > 1).sort("row", maintain_order=True)
    # Where the file does not say which ranking a row came from, the row is the ranking.
    ranking = pl.when(pl.col("item").is_null()).then(-1 - pl.col("row")).otherwise("item")
    once = sets.with_columns(ranking.alias("ranking"), pl.col("set").list.join("+").alias("joined"))
    once = once.unique(["ranking", "joined"], keep="first", maintain_order=True)
    pairs = [[list(pair) for pair in combinations(members, 2)] for members in once["set"].to_list()]
    exploded = once.with_columns(
        pl.Series("tied", pairs, dtype=pl.List(pl.List(pl.String))), pl.lit(0.0).alias("value")
    ).explode("tied")
    return exploded.with_columns(
        pl.col("tied").list.get(0).alias("names1"), pl.col("tied").list.get(1).alias("names2")
    ).select(rows.columns)


def write_pairwise(judgments: Judgments, path: str | PathLike[str]) -> None:
    """Comparisons of segments as a CSV that reads back as the same judgments; ranks are 1 and 2, or both 1."""
    if judgments.kind != "comparison" or judgments.of_systems():
        raise OptionError("only comparisons of segments can be written as a pairwise CSV")
    numbered = judgments.frame["item"].null_count() == 0
    prefix = pl.when(pl.col("testset").is_null()).then(pl.lit("")).otherwise(pl.col("testset") + ".")
    suffix = pl.when(pl.col("testset").is_null()).then(pl.lit("")).otherwise("." + pl.col("pair"))
    number = pl.col("segment") + 1
    languages = pl.col("pair").str.splitn("-", 2)
    frame = judgments.frame.select(
        languages.struct.field("field_0").alias("srclang"),
        languages.struct.field("field_1").alias("trglang"),
        number.alias("srcIndex"),
        number.alias("segmentId"),
        pl.col("judge").fill_null("").alias("judgeID"),
        (prefix + pl.col("system") + suffix).alias("system1Id"),
        pl.when(pl.col("value") < 0).then(2).otherwise(1).alias("system1rank"),
        (prefix + pl.col("other") + suffix).alias("system2Id"),
        pl.when(pl.col("value") > 0).then(2).otherwise(1).alias("system2rank"),
        *([pl.col("item").alias("rankingID")] if numbered else []),
    )
    write_result(frame.write_csv(quote_style="necessary"), Path(path))
