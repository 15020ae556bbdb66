"""Challenge sets: pairs of translations of which one is worse for one known reason, and who can tell.

Judged data say how far a scorer agrees with people on what systems happen to produce. A challenge set says what a
scorer can see: every triple has a reference, a good translation, and one that is spoiled in one way, its kind.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import tercet
from tercet.corpus.text_tables import LINE, named_columns, read_table
from tercet.errors import InputError, ShapeError, UndefinedError
from tercet.metrics.wer import WER

Array = NDArray[np.float64]

SHIPPED = Path(tercet.__file__).parent / "challenge" / "triples.tsv"
NEEDED = ("kind", "reference", "better", "worse")
OPTIONAL = ("source", "note")

ALL = "all"
MISLEADING = "all, worse nearer"
PLAIN = "all, worse not nearer"
PARTS = (ALL, MISLEADING, PLAIN)
"""Triples together, and parted by whether fewer words tell the worse translation from the reference than the better."""

Margin = Callable[[Sequence[str], Sequence[str], Sequence[tuple[str, ...]], Sequence[str] | None], Array]
"""What a scorer says of the first translations against the second: above 0 where the first is better."""


@dataclass(frozen=True)
class Triple:
    """A reference, a good translation of the same, and one that is worse for one reason."""

    name: str
    """Its kind and its place within it, such as `negation 4`."""
    kind: str
    reference: str
    better: str
    worse: str
    source: str = ""
    note: str = ""
    """What is wrong with the worse one, in a few words."""


@dataclass(frozen=True)
class ChallengeSet:
    """Triples of several kinds."""

    file: str
    triples: tuple[Triple, ...]

    def __len__(self) -> int:
        return len(self.triples)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """How many triples there are of each kind, in the order of the file."""
        return dict(Counter(triple.kind for triple in self.triples))

    @cached_property
    def sha256(self) -> str:
        """Of all texts and kinds: two sets with the same one give the same numbers."""
        found = hashlib.sha256()
        for triple in self.triples:
            found.update(
                "\t".join((triple.kind, triple.source, triple.reference, triple.better, triple.worse)).encode()
            )
            found.update(b"\n")
        return found.hexdigest()

    @cached_property
    def misleading(self) -> NDArray[np.bool_]:
        """Where the worse translation is nearer to the reference by word edits: who counts words goes wrong there."""
        distance = WER(lowercase=True, tokenize="13a")
        references = [(triple.reference,) for triple in self.triples]
        better, worse = (
            distance.statistics([getattr(triple, side) for triple in self.triples], references)[:, 0]
            for side in ("better", "worse")
        )
        return np.asarray(worse < better)

    def parts(self) -> dict[str, NDArray[np.bool_]]:
        """Which triples are of each kind, of all, and of the two parts of all; a part without triples is left out."""
        kinds = np.array([triple.kind for triple in self.triples])
        found = {kind: kinds == kind for kind in self.kinds}
        found |= {ALL: np.ones(len(self), bool), MISLEADING: self.misleading, PLAIN: ~self.misleading}
        return {part: own for part, own in found.items() if own.any()}

    def margins(self, margin: Margin) -> Array:
        """How far a scorer puts each better translation above the worse one; below 0 where it is mistaken.

        Every triple is shown in both orders, and half the difference counts: a scorer that leans towards whatever
        stands first gains nothing by it.
        """
        better = [triple.better for triple in self.triples]
        worse = [triple.worse for triple in self.triples]
        references = [(triple.reference,) for triple in self.triples]
        sources = [triple.source for triple in self.triples]
        known = sources if all(sources) else None  # a scorer reads the sources of all segments or of none
        there, back = margin(better, worse, references, known), margin(worse, better, references, known)
        found = np.asarray((np.asarray(there, np.float64) - back) / 2)
        if found.shape != (len(self),):
            raise ShapeError(f"margins of shape {found.shape} for {len(self)} triples")
        if not np.isfinite(found).all():
            at = self.triples[int(np.flatnonzero(~np.isfinite(found))[0])]
            raise UndefinedError(f"{self.file}: {at.name} has a margin that is not a finite number")
        return found


@dataclass(frozen=True)
class Accuracy:
    """How often one scorer is right on one kind, or on all triples."""

    scorer: str
    kind: str
    right: int
    ties: int
    """Triples whose translations the scorer cannot tell apart; they count as wrong."""
    n: int

    @property
    def value(self) -> float:
        """The share of triples whose better translation is scored higher."""
        return self.right / self.n

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return wilson(self.right, self.n)

    def as_json(self) -> dict[str, Any]:
        """The fields that every result of `tercet evaluate` has, and the counts."""
        low, high = self.interval()
        value = {"statistic": "accuracy", "value": self.value, "n": self.n, "low": low, "high": high}
        return {"scorer": self.scorer, "kind": self.kind, **value, "right": self.right, "ties": self.ties}


def read_challenge(file: str | PathLike[str] = SHIPPED) -> ChallengeSet:
    """A table with tabs between columns, whose header names `kind`, `reference`, `better` and `worse`.

    `source` and `note` may stand there too; other columns are passed over.
    """
    path = Path(file)
    header, table = read_table(path, "\t")
    present = {name.strip().lower() for name in header}
    rows = named_columns(path, header, table, [*NEEDED, *(name for name in OPTIONAL if name in present)])
    if rows.is_empty():
        raise InputError("holds no triples below its header", file=path, remedy="one a line, see docs/challenge.md")
    triples: list[Triple] = []
    seen: dict[tuple[str, str, str], int] = {}
    counts: Counter[str] = Counter()
    for row in rows.with_columns(pl.col(pl.String).str.strip_chars()).iter_rows(named=True):
        line = row.pop(LINE)
        if empty := [name for name in NEEDED if not row[name]]:
            raise InputError(f"has no {empty[0]}", file=path, line=line, remedy="fill it in, or drop the line")
        if row["kind"] in PARTS:
            raise InputError(
                f"{row['kind']!r} is no kind", file=path, line=line, remedy="the table has a row of that name"
            )
        texts = row["reference"], row["better"], row["worse"]
        if row["worse"] in texts[:2]:
            same = "better translation" if row["worse"] == row["better"] else "reference"
            raise InputError(f"the worse translation is the {same}", file=path, line=line, remedy="spoil it")
        if seen.setdefault(texts, line) != line:
            raise InputError(f"is the triple of line {seen[texts]} again", file=path, line=line, remedy="drop it")
        counts[row["kind"]] += 1
        triples.append(Triple(name=f"{row['kind']} {counts[row['kind']]}", **row))
    return ChallengeSet(str(file), tuple(triples))


def accuracies(challenge: ChallengeSet, margins: Mapping[str, Array]) -> list[Accuracy]:
    """Every scorer on every kind and on all triples; a tie is no answer and so a wrong one."""
    return [
        Accuracy(scorer, kind, int((values[own] > 0).sum()), int((values[own] == 0).sum()), int(own.sum()))
        for scorer, values in margins.items()
        for kind, own in challenge.parts().items()
    ]


def wilson(right: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927); z is the normal quantile, 1.96 for 95 %."""
    share = right / n
    middle = share + z * z / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    below = 1 + z * z / n
    # rounding may put the bounds of 0 and 1 a hair outside
    return max(0.0, float((middle - reach) / below)), min(1.0, float((middle + reach) / below))
