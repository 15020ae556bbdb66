"""Errors that experts marked (MQM, WMT20 on): a TSV with one error a row, weighed and summed to a score."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType

import polars as pl

from tercet.corpus.judgment_formats.ranks import from_first
from tercet.corpus.judgments import Judgments
from tercet.corpus.languages import pair_code
from tercet.corpus.text_tables import LINE, named_columns, numbers, read_table
from tercet.errors import InputError

# The error weights of Freitag et al. 2021: severity, then category; the longest key that fits counts. A row without
# an error says that the segment was looked at; a test whether the rater pays attention is no error of the system.
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "major": 5.0,
        "major/non-translation": 25.0,
        "minor": 1.0,
        "minor/fluency/punctuation": 0.1,
        "neutral": 0.0,
        "no-error": 0.0,
        "hotw-test": 0.0,
    }
)

# What the years call the number of the segment in the test set.
_SEGMENT = ("seg_id", "globalSegId", "global_seg_id")


def read_mqm(
    path: str | PathLike[str],
    *,
    pair: str | None = None,
    testset: str | None = None,
    weights: Mapping[str, float] | None = None,
    raters: bool = False,
    first_segment: int = 1,
) -> Judgments:
    """The negated sum of error weights for each system and segment: the mean over its raters, or each rater's own.

    The file does not say its language pair and test set: they are taken from a name such as
    `mqm_newstest2020_ende.tsv` unless they are given.
    """
    path = Path(path)
    named = _from_name(path)
    pair = pair_code(pair) if pair else named[1]
    if pair is None:
        raise InputError("the language pair is not in the file's name", file=path, remedy="say it: pair='en-de'")
    table = _table(path)
    severities = _weighed(path, table, _keys(WEIGHTS if weights is None else weights))
    segment = from_first(path, table, numbers(path, table, "segment", "the segment", whole=True), first_segment)
    frame = (
        table.with_columns(severities.alias("weight"), segment.alias("segment"))
        .group_by(["system", "segment", "rater"], maintain_order=True)
        # 0.0 - x and not -x: a segment without errors scores 0, not -0.
        .agg((0.0 - pl.col("weight").sum()).alias("value"), pl.col(LINE).first())
        .rename({"rater": "judge"})
        .with_columns(
            pl.lit(testset or named[0], pl.String).alias("testset"),
            pl.lit(pair).alias("pair"),
            pl.lit(str(path)).alias("file"),
        )
    )
    judgments = Judgments.make("assessment", frame)
    return judgments if raters else judgments.averaged()


def _table(path: Path) -> pl.DataFrame:
    header, table = read_table(path, "\t")
    have = {name.strip().lower() for name in header}
    number = next((name for name in _SEGMENT if name.lower() in have), _SEGMENT[0])
    rows = named_columns(path, header, table, ["system", number, "rater", "category", "severity"])
    return rows.rename({number: "segment"})


def _from_name(path: Path) -> tuple[str | None, str | None]:
    match = re.match(r"mqm[_-](?P<testset>\w+?)_(?P<pair>[a-z]{4}|[a-z]{2,3}-[a-z]{2,3})\b", path.name)
    return (match["testset"], pair_code(match["pair"])) if match else (None, None)


def _keys(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights under keys without case and without the exclamation mark of `Non-translation!`."""
    return {_plain(key): weight for key, weight in weights.items()}


def _plain(text: str) -> str:
    return text.strip().lower().replace("!", "")


def _weighed(path: Path, table: pl.DataFrame, weights: Mapping[str, float]) -> pl.Series:
    known = sorted({key.split("/")[0] for key in weights})
    found: list[tuple[str, str, float]] = []
    for severity, category in table.select("severity", "category").unique(maintain_order=True).iter_rows():
        parts: Sequence[str] = [_plain(severity), *map(_plain, category.split("/"))]
        fitting = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
        weight = next((weights[key] for key in fitting if key in weights), None)
        if weight is None:
            line = table.filter((pl.col("severity") == severity) & (pl.col("category") == category))[LINE][0]
            problem = f"severity {severity!r} of {category!r} has no weight; there are weights for {', '.join(known)}"
            raise InputError(problem, file=path, line=line, remedy="give weights={'severity/category': weight}")
        found.append((severity, category, weight))
    schema = {"severity": pl.String, "category": pl.String, "weight": pl.Float64}
    each = pl.DataFrame(found, schema, orient="row")
    return table.join(each, on=["severity", "category"], how="left", maintain_order="left")["weight"]
