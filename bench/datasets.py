"""Datasets of any size from real segments."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from bench.measure import wmt13


def write_dataset(file: Path, data: Path, segments: int, *, systems: int = 1) -> Path:
    """So many segments of so many systems, a Parquet file segment by segment; a number makes every text another one."""
    real = wmt13(data, systems)
    times = segments // len(real[0].references) + 1
    number = pl.int_range(segments, eager=True).cast(pl.String)
    columns = {"segment": number, "reference": _numbered(real[0].references * times, number)}
    for place, one in enumerate(real):
        columns[f"systems.{place}"] = _numbered(one.hypotheses * times, number)
    pl.DataFrame(columns).write_parquet(file, row_group_size=50_000)
    return file


def _numbered(texts: list[str], number: pl.Series) -> pl.Series:
    return pl.Series(texts[: len(number)]) + " " + number
