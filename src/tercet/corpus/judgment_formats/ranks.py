"""What the two CSV forms of WMT's relative rankings have in common: languages, segments, system names and ranks."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Literal

import polars as pl

from tercet.corpus.judgments import Judgments
from tercet.corpus.languages import bare_system, language_code
from tercet.corpus.left_out import REFERENCE
from tercet.corpus.repeats import check_policy, refuse
from tercet.corpus.text_tables import LINE, numbers
from tercet.errors import InputError, OptionError

Duplicates = Literal["keep", "skip", "error"]
SegmentColumn = Literal["srcIndex", "segmentId"]

RANKS = range(1, 6)
MOST_RANKED = 100
"""Systems of one ranking: the number of pairs grows with its square."""
NOT_RANKED = -1


def with_pair(path: Path, rows: pl.DataFrame) -> pl.DataFrame:
    """`srclang` and `trglang` as `pair`."""
    codes = {}
    for column in ("srclang", "trglang"):
        for name in rows[column].unique().to_list():
            code = language_code(name)
            if code is None:
                line = rows.filter(pl.col(column) == name)[LINE][0]
                raise InputError(f"{column} {name!r} is no language tercet knows", file=path, line=line)
            codes[name] = code
    source, target = (pl.col(column).replace_strict(codes, return_dtype=pl.String) for column in ("srclang", "trglang"))
    return rows.with_columns(pl.concat_str([source, target], separator="-").alias("pair"))


def with_segment(path: Path, rows: pl.DataFrame, column: SegmentColumn | None, first: int) -> pl.DataFrame:
    """The segment from 0, of `srcIndex` or `segmentId`; where both stand and none is chosen, they must agree."""
    if column is not None and column not in rows.columns:
        raise OptionError(f"segment_column={column!r} is not allowed here; the file has no such column")
    names = [column] if column else [name for name in ("srcIndex", "segmentId") if name in rows.columns]
    found = [numbers(path, rows, name, name, whole=True) for name in names]
    differ = (found[0] != found[-1]).arg_true()
    if len(differ):
        row = int(differ[0])
        raise InputError(
            f"srcIndex {found[0][row]} and segmentId {found[-1][row]} differ",
            file=path,
            line=rows[LINE][row],
            remedy="say which counts the lines of the test set: segment_column='srcIndex' or 'segmentId'",
        )
    return rows.with_columns(from_first(path, rows, found[0], first).alias("segment"))


def check_number(path: Path, systems: int, line: int) -> None:
    """An error if a ranking has more systems than people can rank."""
    if systems > MOST_RANKED:
        raise InputError(f"{systems:,} systems in one ranking, more than {MOST_RANKED}", file=path, line=line)


def from_first(path: Path, rows: pl.DataFrame, segment: pl.Series, first: int) -> pl.Series:
    """Segment numbers that count from `first`, counted from 0."""
    low = (segment < first).arg_true()
    if len(low):
        row = int(low[0])
        raise InputError(
            f"segment {segment[row]} where the first is {first}",
            file=path,
            line=rows[LINE][row],
            remedy=f"if the file counts from {segment[row]}, say first_segment={segment[row]}",
        )
    return segment - first


def checked_ranks(path: Path, rows: pl.DataFrame, slot: int) -> pl.Series:
    """The ranks of one slot; -1, and the filler system `blank`, are null."""
    column = f"system{slot}rank"
    ranks = numbers(path, rows, column, column, whole=True)
    wrong = (~ranks.is_in([NOT_RANKED, *RANKS])).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{column} {ranks[row]} is not a rank; ranks are 1 to 5, and -1 where there is none",
            file=path,
            line=rows[LINE][row],
        )
    ranks = ranks.replace(NOT_RANKED, None)
    blank = (rows[f"system{slot}Id"].is_in(["blank", ""]) & ranks.is_not_null()).arg_true()
    if len(blank):
        row = int(blank[0])
        raise InputError(f"{column} {ranks[row]} without a system", file=path, line=rows[LINE][row])
    return ranks


def reduced_names(names: pl.Series, pairs: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Test sets and bare names of systems whose names may carry the test set and the pair."""
    frame = pl.DataFrame({"name": names, "pair": pairs})
    known = [(name, pair, *bare_system(name, pair)) for name, pair in frame.unique().drop_nulls().iter_rows()]
    schema = {"name": pl.String, "pair": pl.String, "testset": pl.String, "system": pl.String}
    joined = frame.join(
        pl.DataFrame(known, schema, orient="row"), on=["name", "pair"], how="left", maintain_order="left"
    )
    return joined["testset"], joined["system"].replace("ref", REFERENCE)


def all_pairs(rows: pl.DataFrame, slots: int) -> pl.DataFrame:
    """Every two systems of a row compared, C(k, 2) of them; `name1`, `rank1`, … are the slots, null is left out."""
    parts = []
    for i, j in combinations(range(1, slots + 1), 2):
        both = rows.filter(pl.col(f"rank{i}").is_not_null() & pl.col(f"rank{j}").is_not_null())
        parts.append(
            both.with_columns(
                pl.col(f"name{i}").alias("system"),
                pl.col(f"name{j}").alias("other"),
                # The lower rank is the better one.
                (pl.col(f"rank{j}") - pl.col(f"rank{i}")).sign().cast(pl.Float64).alias("value"),
                pl.lit(i).alias("first"),
                pl.lit(j).alias("second"),
            )
        )
    return pl.concat(parts).sort("item", "first", "second")


def by_policy(judgments: Judgments, duplicates: Duplicates) -> Judgments:
    """Repeated judgments kept, left out, or refused."""
    check_policy(duplicates)
    if duplicates == "error":
        refuse(judgments.repeats())
    return judgments.without_repeats() if duplicates == "skip" else judgments
