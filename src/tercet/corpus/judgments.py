"""What people said about translations: one table, whatever the files that it came in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tercet.corpus.left_out import Skipped, check
from tercet.corpus.repeats import repeats
from tercet.errors import InputError, OptionError

Kind = Literal["comparison", "assessment"]
OnMissing = Literal["error", "skip"]

SCHEMA = pl.Schema(
    {
        "testset": pl.String(),
        "pair": pl.String(),  # cs-en
        "segment": pl.Int64(),  # from 0; null: a judgment of a whole system
        "system": pl.String(),
        "other": pl.String(),  # the second system of a comparison
        "value": pl.Float64(),  # comparison: +1 system is better than other, 0 tie, -1 worse; assessment: the score
        "judge": pl.String(),
        "item": pl.Int64(),  # the ranking that a comparison came from: all pairs of one ranking share it
        "file": pl.String(),
        "line": pl.Int64(),
    }
)
PLACE = ("file", "line")


class Indices(NamedTuple):
    """Judgments as arrays of equal length; systems, judges and testsets by number, -1 where there is none."""

    segment: NDArray[np.int64]
    system: NDArray[np.int64]
    other: NDArray[np.int64]
    value: NDArray[np.float64]
    judge: NDArray[np.int64]
    item: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judgments:
    """A table of comparisons or of assessments, checked when made.

    `frame` has the columns of `SCHEMA`; `Judgments.make` fills in those that a source does not have.
    """

    frame: pl.DataFrame
    kind: Kind

    def __post_init__(self) -> None:
        if self.kind not in ("comparison", "assessment"):
            raise OptionError(f"kind={self.kind!r} is not allowed; judgments are 'comparison' or 'assessment'")
        if dict(self.frame.schema) != dict(SCHEMA):
            raise OptionError(f"judgments need the columns {', '.join(SCHEMA)}; use Judgments.make to fill them in")
        comparison = self.kind == "comparison"
        nothing = pl.col("system").is_null() | (pl.col("system") == "")
        self._refuse(pl.col("pair").is_null() | (pl.col("pair") == ""), "a judgment without a language pair")
        self._refuse(nothing, "a judgment without a system")
        self._refuse(pl.col("segment") < 0, "segment {segment} is below 0")
        self._refuse(
            pl.col("value").is_null() | ~pl.col("value").is_finite(), "the value of system {system!r} is {value}"
        )
        if comparison:
            self._refuse(pl.col("other").is_null(), "a comparison of {system!r} with nothing")
            self._refuse(pl.col("other") == pl.col("system"), "system {system!r} is compared with itself")
            self._refuse(~pl.col("value").is_in([-1.0, 0.0, 1.0]), "a comparison is -1, 0 or 1, not {value}")
        else:
            self._refuse(pl.col("other").is_not_null(), "an assessment of {system!r} that names {other!r} too")

    def _refuse(self, wrong: pl.Expr, problem: str) -> None:
        bad = self.frame.filter(wrong).head(1)
        if not bad.is_empty():
            row = bad.row(0, named=True)
            raise InputError(problem.format(**row), file=row["file"], line=row["line"])

    @classmethod
    def make(cls, kind: Kind, frame: pl.DataFrame) -> Self:
        """Judgments from a frame with some of the columns: the others are null, an order of columns is not asked."""
        unknown = [name for name in frame.columns if name not in SCHEMA]
        if unknown:
            raise OptionError(f"judgments have no column {', '.join(unknown)}; they have {', '.join(SCHEMA)}")
        columns = [
            (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
            for name, dtype in SCHEMA.items()
        ]
        return cls(frame.select(columns), kind)

    @classmethod
    def concat(cls, parts: Iterable[Judgments]) -> Judgments:
        """All of them in one table; rankings of different parts stay different rankings."""
        parts = list(parts)
        kinds = {part.kind for part in parts}
        if len(kinds) != 1:
            raise OptionError(
                "comparisons and assessments do not go into one table" if kinds else "there are no judgments to join"
            )
        frames, start = [], 0
        for part in parts:
            frames.append(part.frame.with_columns(pl.col("item") + start))
            highest = frames[-1]["item"].max()
            start = max(start, int(highest) + 1) if isinstance(highest, int) else start
        return cls(pl.concat(frames), parts[0].kind)

    def __len__(self) -> int:
        return len(self.frame)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Judgments) and self.kind == other.kind and self.frame.equals(other.frame)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} {self.kind}s, {', '.join(self.pairs())}>"

    def pairs(self) -> list[str]:
        """The language pairs, sorted."""
        return self.frame["pair"].unique().sort().to_list()

    def testsets(self) -> list[str]:
        """The test sets that are named, sorted."""
        return self.frame["testset"].drop_nulls().unique().sort().to_list()

    def judges(self) -> list[str]:
        """The judges that are named, sorted: what `Indices.judge` counts."""
        return self.frame["judge"].drop_nulls().unique().sort().to_list()

    def systems(self, pair: str | None = None) -> list[str]:
        """The systems that were judged, sorted."""
        frame = self.frame if pair is None else self.frame.filter(pl.col("pair") == pair)
        return pl.concat([frame["system"], frame["other"].alias("system")]).drop_nulls().unique().sort().to_list()

    def rankings(self) -> int:
        """How many rankings the comparisons came from."""
        return self.frame["item"].drop_nulls().n_unique()

    def of(self, pair: str, testset: str | None = None) -> Self:
        """The judgments of one language pair, and of one test set if it is named."""
        chosen = pl.col("pair") == pair
        return self._where(chosen if testset is None else chosen & (pl.col("testset") == testset))

    def untied(self) -> Self:
        """The comparisons that somebody won: ties are left out by every tau of WMT."""
        if self.kind != "comparison":
            raise OptionError("only comparisons have ties")
        return self._where(pl.col("value") != 0)

    def without(self, systems: Iterable[str]) -> Self:
        """The judgments in which none of these systems takes part."""
        names = list(systems)
        return self._where(~(pl.col("system").is_in(names) | pl.col("other").is_in(names).fill_null(False)))

    def of_segments(self) -> Self:
        """The judgments of segments."""
        return self._where(pl.col("segment").is_not_null())

    def of_systems(self) -> Self:
        """The judgments of whole systems."""
        return self._where(pl.col("segment").is_null())

    def averaged(self) -> Self:
        """Assessments with the mean of all judges as one value, in the order in which each was first seen."""
        if self.kind != "assessment":
            raise OptionError("only assessments can be averaged; for comparisons see tercet's rankings of systems")
        keys = ["testset", "pair", "segment", "system"]
        first = [pl.col(name).first() for name in PLACE]
        frame = self.frame.group_by(keys, maintain_order=True).agg(pl.col("value").mean(), *first)
        return type(self).make(self.kind, frame)

    def repeats(self) -> pl.DataFrame:
        """Where a judge judges what that judge had judged before: item, file, line, judge, first_line."""
        return repeats(self.frame, self.kind)

    def without_repeats(self) -> Self:
        """Only the first time that a judge judged something."""
        again = self.repeats()
        if self.kind == "comparison" and self.frame["item"].null_count() == 0:
            return self._where(~pl.col("item").is_in(again["item"].implode()))
        rows = pl.int_range(pl.len()).is_in(again["row"].implode())
        return self._where(~rows)

    def without_place(self) -> Self:
        """The same with file and line forgotten: to compare what was judged, wherever it stood."""
        return type(self).make(self.kind, self.frame.drop(PLACE))

    def check(
        self, systems: Iterable[str], segments: int | None, *, on_missing: OnMissing = "error"
    ) -> tuple[Self, Skipped]:
        """The judgments of one language pair that can be used with these outputs, and what was left out and why.

        A system without an output, or a segment beyond the file, is an error or, if `on_missing` is "skip", left out
        and counted. Judgments of the reference itself are always left out and counted, as the WMT metrics task does
        (unless there is an output of that name); outputs that nobody judged are reported and nothing more.
        """
        if on_missing not in ("error", "skip"):
            raise OptionError(f"on_missing={on_missing!r} is not allowed; it takes error or skip")
        if len(self.pairs()) > 1:
            raise OptionError(f"judgments of {', '.join(self.pairs())}: check one pair at a time with .of(pair)")
        kept, skipped = check(self.frame, list(systems), segments, fail=on_missing == "error")
        return type(self)(kept, self.kind), skipped

    def indices(self, systems: Sequence[str]) -> Indices:
        """The table as arrays, systems by their place in `systems`."""
        unknown = sorted(set(self.systems()) - set(systems))
        if unknown:
            raise OptionError(f"the judgments name {', '.join(unknown)}; use check() to leave out what has no output")
        frame = self.frame

        def codes(column: str, names: Sequence[str]) -> NDArray[np.int64]:
            if not names:
                return np.full(len(frame), -1, np.int64)
            numbers = frame[column].replace_strict(list(names), range(len(names)), default=-1, return_dtype=pl.Int64)
            return numbers.fill_null(-1).to_numpy()

        return Indices(
            segment=frame["segment"].fill_null(-1).to_numpy(),
            system=codes("system", systems),
            other=codes("other", systems),
            value=frame["value"].to_numpy(),
            judge=codes("judge", self.judges()),
            item=frame["item"].fill_null(-1).to_numpy(),
        )

    def _where(self, condition: pl.Expr) -> Self:
        return type(self)(self.frame.filter(condition), self.kind)
