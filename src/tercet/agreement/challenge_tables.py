"""What scorers make of a challenge set, as tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tercet.agreement.challenge import ALL, Accuracy, Array, ChallengeSet, accuracies
from tercet.tables import Cell, Table, best


@dataclass(frozen=True, eq=False)
class ChallengeResults:
    """A set, and the margin that each scorer gives to each of its triples."""

    challenge: ChallengeSet
    margins: Mapping[str, Array]
    signatures: Mapping[str, str]

    @property
    def accuracies(self) -> list[Accuracy]:
        """Every scorer on every kind, and on all."""
        return accuracies(self.challenge, self.margins)

    def as_json(self) -> dict[str, Any]:
        """The JSON of `tercet evaluate --challenge`."""
        triples = [
            {
                "name": triple.name,
                "kind": triple.kind,
                "reference": triple.reference,
                "better": triple.better,
                "worse": triple.worse,
                "note": triple.note,
                "margins": {scorer: float(values[i]) for scorer, values in self.margins.items()},
            }
            for i, triple in enumerate(self.challenge.triples)
        ]
        return {
            "challenge": {
                "file": self.challenge.file,
                "sha256": self.challenge.sha256,
                "kinds": self.challenge.kinds,
                "triples": triples,
            },
            "results": [accuracy.as_json() for accuracy in self.accuracies],
            "signatures": dict(self.signatures),
        }

    def tables(self, decimals: int, *, failures: bool = False) -> list[Table]:
        """Accuracies by kind, their intervals and, if wanted, which triples each scorer got wrong."""
        found = {(accuracy.scorer, accuracy.kind): accuracy for accuracy in self.accuracies}
        scorers = list(self.margins)
        title = f"Challenge set: % of triples whose better translation is scored higher ({len(self.challenge)} triples)"
        values = Table(["Kind", "n", *scorers], title=title)
        intervals = Table(["Kind", "n", *scorers], title="95 % intervals (Wilson)")
        for kind, own in self.challenge.parts().items():
            n = int(own.sum())
            row = [found[scorer, kind] for scorer in scorers]
            shares = [100 * accuracy.value for accuracy in row]
            tops = best(shares, higher_is_better=True, decimals=decimals)
            cells = [Cell(f"{share:.{decimals}f}", top) for share, top in zip(shares, tops, strict=True)]
            values.add(kind, str(n), *cells)
            intervals.add(kind, str(n), *(_interval(accuracy, decimals) for accuracy in row))
        ties = ", ".join(f"{name} {found[name, ALL].ties}" for name in scorers if found[name, ALL].ties)
        values.notes.append("A coin has 50. A tie counts as wrong" + (f": {ties}" if ties else "; there were none"))
        values.notes.append(f"set: sha256 {self.challenge.sha256[:16]}")
        values.notes += self.signatures.values()
        return [values, intervals, *([self._failures()] if failures else [])]

    def _failures(self) -> Table:
        table = Table(["Triple", "what is wrong", "not seen by"], title="Failures", text_columns=(0, 1, 2))
        for i, triple in enumerate(self.challenge.triples):
            blind = [scorer for scorer, values in self.margins.items() if values[i] <= 0]
            if blind:
                table.add(triple.name, triple.note, _listed(blind, len(self.margins)))
        return table


def _interval(accuracy: Accuracy, decimals: int) -> str:
    low, high = accuracy.interval()
    return f"{100 * low:.{decimals}f}–{100 * high:.{decimals}f}"


def _listed(names: Sequence[str], number: int) -> str:
    return "all" if len(names) == number > 1 else ", ".join(names)
