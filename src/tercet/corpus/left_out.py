"""Judgments that cannot be used with the outputs at hand: each reason named, counted, and shown by an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import polars as pl

from tercet.errors import InputError

# What RR files call the reference where it was judged among the systems; readers bring other spellings to this one.
REFERENCE = "_ref"

NO_OUTPUT = "system without output"
BEYOND = "segment beyond the file"
AGAINST_REFERENCE = "judgment of the reference"


@dataclass(frozen=True)
class Skipped:
    """How many judgments were left out for each reason, with the first of each; and the outputs nobody judged."""

    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    examples: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unjudged: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All judgments left out."""
        return sum(self.counts.values())

    def __bool__(self) -> bool:
        return self.total > 0

    def messages(self) -> list[str]:
        """One line for each reason, and one for the outputs nobody judged."""
        lines = [
            f"{count} judgment{'s' * (count != 1)} left out: {reason} (first: {self.examples[reason]})"
            for reason, count in self.counts.items()
        ]
        if self.unjudged:
            lines.append(f"nobody judged {', '.join(self.unjudged)}")
        return lines


def check(
    frame: pl.DataFrame, systems: Sequence[str], segments: int | None, *, fail: bool
) -> tuple[pl.DataFrame, Skipped]:
    """The rows that can be used, and what was not; `fail` makes the first unusable row an error."""
    counts: dict[str, int] = {}
    examples: dict[str, str] = {}

    def leave_out(rows: pl.DataFrame, unusable: pl.Expr, reason: str, problem: str, remedy: str) -> pl.DataFrame:
        unusable = unusable.fill_null(False)
        bad = rows.filter(unusable)
        if bad.is_empty():
            return rows
        first = bad.row(0, named=True)
        said = problem.format(**first)
        if remedy and fail:
            raise InputError(said, file=first["file"], line=first["line"], remedy=remedy)
        counts[reason] = len(bad)
        examples[reason] = said if first["file"] is None else f"{first['file']}:{first['line']}: {said}"
        return rows.filter(~unusable)

    judged = set(frame["system"].to_list()) | set(frame["other"].drop_nulls().to_list())
    policy = "or leave out such judgments with on_missing='skip' (--on-missing skip)"
    kept = frame
    if REFERENCE not in systems:
        reference = (pl.col("system") == REFERENCE) | (pl.col("other") == REFERENCE)
        kept = leave_out(kept, reference, AGAINST_REFERENCE, "the reference was judged as a system", "")
    names = list(systems)
    absent = (
        pl.when(~pl.col("system").is_in(names))
        .then("system")
        .when(pl.col("other").is_not_null() & ~pl.col("other").is_in(names))
        .then("other")
    )
    kept = leave_out(
        kept.with_columns(absent.alias("absent")),
        pl.col("absent").is_not_null(),
        NO_OUTPUT,
        f"system {{absent!r}} was judged but has no {{pair}} output (there are: {_escape(', '.join(sorted(names)))})",
        f"add its output, {policy}",
    ).drop("absent")
    if segments is not None:
        kept = leave_out(
            # The file counts from 1, the table from 0.
            kept.with_columns((pl.col("segment") + 1).alias("number")),
            pl.col("segment") >= segments,
            BEYOND,
            f"segment {{number}} of {{pair}} was judged but the outputs have {segments} segments",
            f"give the whole test set, {policy}",
        ).drop("number")
    unjudged = tuple(sorted(set(systems) - judged))
    return kept, Skipped(MappingProxyType(counts), MappingProxyType(examples), unjudged)


def _escape(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
