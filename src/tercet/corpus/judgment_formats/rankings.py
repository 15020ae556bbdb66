"""Relative rankings of WMT07–14, a CSV with one ranking of (mostly) five systems a row."""

from __future__ import annotations

import re
from itertools import combinations
from os import PathLike
from pathlib import Path

import polars as pl

from tercet.corpus.judgment_formats.ranks import (
    Duplicates,
    SegmentColumn,
    all_pairs,
    by_policy,
    check_number,
    checked_ranks,
    reduced_names,
    with_pair,
    with_segment,
)
from tercet.corpus.judgments import Judgments
from tercet.corpus.text_tables import LINE, named_columns, read_table
from tercet.errors import OptionError
from tercet.output import write_result

SLOTS = 5


def read_rankings(
    path: str | PathLike[str],
    *,
    duplicates: Duplicates = "keep",
    first_segment: int = 1,
    segment_column: SegmentColumn | None = None,
) -> Judgments:
    """All pairs of every ranking, ranks of -1 left out.

    A judge's repeated ranking is kept unless `duplicates` says otherwise: WMT shows some rankings twice to measure
    how far a judge agrees with him- or herself, and its figures count them all.
    """
    path = Path(path)
    header, table = read_table(path, ",", quoted=True)
    slots = len([name for name in header if re.fullmatch(r"system\d+rank", name.strip(), re.IGNORECASE)])
    check_number(path, slots, 1)
    index = [name for name in ("srcIndex", "segmentId") if name.lower() in map(str.lower, header)] or ["srcIndex"]
    systems = [f"system{i}{what}" for i in range(1, max(slots, 2) + 1) for what in ("Id", "rank")]
    rows = named_columns(path, header, table, ["srclang", "trglang", *index, "judgeId", *systems])
    rows = with_segment(path, with_pair(path, rows), segment_column, first_segment)
    slotted = {}
    for i in range(1, slots + 1):
        slotted[f"rank{i}"] = checked_ranks(path, rows, i)
        testset, slotted[f"name{i}"] = reduced_names(rows[f"system{i}Id"], rows["pair"])
        slotted["testset"] = (
            testset if i == 1 else slotted["testset"].zip_with(slotted["testset"].is_not_null(), testset)
        )
    rows = rows.with_columns(
        *(column.alias(name) for name, column in slotted.items()),
        pl.int_range(pl.len()).alias("item"),
        pl.col("judgeId").replace("", None).alias("judge"),
        pl.lit(str(path)).alias("file"),
    )
    columns = ["testset", "pair", "segment", "system", "other", "value", "judge", "item", "file", LINE]
    return by_policy(Judgments.make("comparison", all_pairs(rows, slots).select(columns)), duplicates)


def write_rankings(judgments: Judgments, path: str | PathLike[str]) -> None:
    """Rankings of up to five systems as a CSV that reads back as the same judgments."""
    if judgments.kind != "comparison" or judgments.frame["item"].null_count() or judgments.of_systems():
        raise OptionError("only comparisons of segments that come from rankings can be written as rankings")
    names = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    names += [f"system{i}{what}" for i in range(1, SLOTS + 1) for what in ("Number", "Id")]
    names += [f"system{i}rank" for i in range(1, SLOTS + 1)]
    lines = [",".join(names)]
    for _, ranking in judgments.frame.group_by("item", maintain_order=True):
        first = ranking.row(0, named=True)
        ranks = _ranks(ranking)
        prefix = "" if first["testset"] is None else f"{first['testset']}.{first['pair']}."
        filled = [(prefix + system, rank) for system, rank in ranks.items()] + [("blank", -1)] * (SLOTS - len(ranks))
        number = str(first["segment"] + 1)
        cells = [*first["pair"].split("-", 1), number, "-1", number, first["judge"] or ""]
        cells += [cell for system, _ in filled for cell in ("-1", system)] + [str(rank) for _, rank in filled]
        if any(set(cell) & set(',"\n') for cell in cells):
            raise OptionError(f"a name of ranking {first['item']} has a comma, a quote or a line break in it")
        lines.append(",".join(cells))
    write_result("\n".join(lines) + "\n", Path(path))


def _ranks(ranking: pl.DataFrame) -> dict[str, int]:
    """Ranks that give these comparisons back, for the systems in the order in which they were ranked."""
    values = {(row["system"], row["other"]): int(row["value"]) for row in ranking.iter_rows(named=True)}
    systems = list(dict.fromkeys(name for pair in values for name in pair))
    better = {**values, **{(b, a): -value for (a, b), value in values.items()}}
    ranks = {one: 1 + sum(better.get((two, one), 0) > 0 for two in systems) for one in systems}
    consistent = all(
        (one, two) in better and better[one, two] == (ranks[two] > ranks[one]) - (ranks[two] < ranks[one])
        for one, two in combinations(systems, 2)
    )
    if len(systems) > SLOTS or not consistent or len(values) != len(ranking):
        raise OptionError(f"the comparisons of item {ranking['item'][0]} are not one ranking of up to {SLOTS} systems")
    return ranks
