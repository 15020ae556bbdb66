"""Scores that were computed elsewhere: read from a file, checked against the systems and segments they are for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tercet.corpus.text_tables import LINE, numbers, read_lines, read_table
from tercet.errors import InputError, OptionError
from tercet.output import write_result

Level = Literal["segment", "system"]

_LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, eq=False)
class Scores:
    """The numbers of one scorer: for each system, one for each segment or a single one for the whole system."""

    name: str
    level: Level
    values: Mapping[str, NDArray[np.float64]]

    @property
    def systems(self) -> list[str]:
        """The systems that have scores."""
        return list(self.values)

    def matrix(self, systems: Sequence[str]) -> NDArray[np.float64]:
        """Scores as (systems, segments); (systems, 1) where they are of whole systems."""
        missing = [system for system in systems if system not in self.values]
        if missing:
            raise OptionError(f"{self.name} has no scores for {', '.join(missing)}")
        return np.stack([self.values[system] for system in systems])


def read_scores(
    path: str | PathLike[str],
    *,
    systems: Iterable[str] | None = None,
    segments: int | None = None,
    system: str | None = None,
    name: str | None = None,
) -> Scores:
    """Scores of a file: `SYSTEM SCORE` lines, JSON lines or one number a line, known by what they look like.

    `SYSTEM SCORE` is mt-metrics-eval's form: for each system its scores in the order of the segments, or one score for
    the whole system. JSON lines are `{"system": …, "segment": …, "score": …}`, segments from 0. One number a line is
    of one system, which `system` names. Given `systems` and `segments`, the file must have scores for all of them.
    """
    path = Path(path)
    first = next((text for text in read_lines(path) if text.strip()), "")
    if first.lstrip().startswith("{"):
        rows = _json_rows(path, system)
    else:
        _, table = read_table(path, None, headed=False)
        if table.width - 1 > 2:
            remedy = "scores are SYSTEM SCORE, or a number, or a JSON object a line"
            raise InputError(f"{table.width - 1} columns are not scores", file=path, line=table[LINE][0], remedy=remedy)
        if table.width - 1 == 1 and system is None:
            remedy = "say whose these are, or write SYSTEM<tab>SCORE lines"
            raise InputError("one number a line does not say which system it is of", file=path, remedy=remedy)
        if table.width - 1 == 2:
            table = table.rename({"0": "system", "1": "score"})
        else:
            table = table.rename({"0": "score"}).with_columns(pl.lit(system).alias("system"))
        rows = table.with_columns(numbers(path, table, "score", "score").alias("score"))
    blocks = {key[0]: block for key, block in rows.group_by("system", maintain_order=True)}
    of_systems = segments != 1 and all(len(block) == 1 for block in blocks.values())
    if of_systems and segments is None and len(blocks) == 1:
        of_systems = False
    if not of_systems:
        _check_lengths(path, blocks, segments)
    missing = sorted(set(systems or ()) - {str(key) for key in blocks})
    if missing:
        raise InputError(f"no scores for {', '.join(missing)}", file=path, remedy="score these systems too")
    values = {str(key): block["score"].to_numpy() for key, block in blocks.items()}
    return Scores(name or score_name(path), "system" if of_systems else "segment", values)


def score_name(path: Path) -> str:
    """What a file of scores is called: its name without `.seg.score` and the like."""
    stem = path.name.removesuffix(".gz")
    for ending in (".score", ".scores", ".txt", ".tsv", ".jsonl", ".json", ".seg", ".sys"):
        stem = stem.removesuffix(ending)
    return stem or path.name


def _check_lengths(path: Path, blocks: Mapping[object, pl.DataFrame], segments: int | None) -> None:
    expected = segments if segments is not None else len(next(iter(blocks.values())))
    whose = "there are" if segments is not None else f"{next(iter(blocks))!r} has"
    for system, block in blocks.items():
        if len(block) != expected:
            # Too many: the first that is too many; too few: the last there is.
            line = block[LINE][min(expected, len(block) - 1)]
            unit = "segments" if segments is not None else "scores"
            raise InputError(
                f"system {system!r} has {len(block)} scores where {whose} {expected} {unit}", file=path, line=line
            )


def _json_rows(path: Path, system: str | None) -> pl.DataFrame:
    """Rows of system, score and line, each system's segments in order."""
    rows: list[tuple[str, int | None, float, int]] = []
    for number, text in enumerate(read_lines(path), start=1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
            score, segment = record["score"], record.get("segment")
            whose = record.get("system", system)
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            raise InputError('not an object with a "score"', file=path, line=number) from None
        if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= _LARGEST:
            raise InputError(f"score {_short(score)} is not a finite number", file=path, line=number)
        if not isinstance(whose, str):
            raise InputError('no "system" to say whose score it is', file=path, line=number)
        whole = isinstance(segment, int) and not isinstance(segment, bool)
        if segment is not None and not (whole and 0 <= segment < 2**63):
            raise InputError(f"segment {_short(segment)} is not a whole number from 0", file=path, line=number)
        rows.append((whose, segment, float(score), number))
    schema = {"system": pl.String, "segment": pl.Int64, "score": pl.Float64, LINE: pl.Int64}
    frame = pl.DataFrame(rows, schema, orient="row")
    numbered = frame.filter(pl.col("segment").is_not_null())
    if numbered.is_empty():
        return frame
    if len(numbered) < len(frame):
        line = frame.filter(pl.col("segment").is_null())[LINE][0]
        raise InputError("no segment here, though other lines have one", file=path, line=line)
    frame = frame.sort("segment", maintain_order=True)
    place = pl.int_range(pl.len()).over("system")
    wrong = frame.with_columns(place.alias("place")).filter(pl.col("segment") != pl.col("place")).head(1)
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        twice = row["segment"] < row["place"]
        problem = f"segment {row['segment']} twice" if twice else f"no segment {row['place']} before {row['segment']}"
        raise InputError(f"system {row['system']!r} has {problem}", file=path, line=row[LINE])
    return frame


def _short(value: object) -> str:
    shown = "a very large number" if isinstance(value, int) and value.bit_length() > 1000 else repr(value)
    return shown if len(shown) <= 100 else f"{shown[:100]}…"


def write_scores(scores: Scores, path: str | PathLike[str]) -> None:
    """Scores in mt-metrics-eval's form, `SYSTEM<tab>SCORE` lines, a block for each system."""
    wrong = [system for system in scores.values if not system or any(map(str.isspace, system))]
    if wrong:
        raise OptionError(f"system {wrong[0]!r} has white space in its name and cannot be written as SYSTEM SCORE")
    lines = [f"{system}\t{value!r}" for system, values in scores.values.items() for value in values.tolist()]
    write_result("".join(line + "\n" for line in lines), Path(path))
