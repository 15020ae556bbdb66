"""What `tercet lattice` tells: how much a lattice holds, samples of it, and how translations are matched."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tercet.lattice.automaton import Lattice
from tercet.lattice.search import Match
from tercet.tables import Table, render_all


class Matcher(Protocol):
    """What holds a hypothesis against a lattice; `hytera` and `hyter` do."""

    def match_in(self, hypothesis: str, lattice: Lattice) -> Match:
        """The nearest path."""
        ...


@dataclass(frozen=True)
class Entry:
    """One lattice."""

    lattice: Lattice
    samples: tuple[tuple[str, ...], ...] = ()
    match: Match | None = None

    def as_json(self, explain: bool) -> dict[str, Any]:
        """Its part of the JSON output."""
        low, high = self.lattice.lengths
        found: dict[str, Any] = {
            "paths": self.lattice.paths,
            "states": self.lattice.states,
            "arcs": self.lattice.arcs,
            "lengths": [low, high],
        }
        if self.samples:
            found["samples"] = [" ".join(words) for words in self.samples]
        if self.match is not None:
            match = self.match
            found |= {"score": 100 * match.ratio, "edits": match.edits, "length": match.length}
            if explain:
                found["path"] = " ".join(match.path)
                found["steps"] = [vars(step) for step in match.steps]
        return found


@dataclass(frozen=True)
class Report:
    """All lattices."""

    entries: Sequence[Entry]
    explain: bool

    def render(self, form: str, *, color: bool = False) -> str:
        """In any of the formats."""
        if form == "json":
            return (
                json.dumps({"lattices": [e.as_json(self.explain) for e in self.entries]}, ensure_ascii=False, indent=2)
                + "\n"
            )
        scored = any(entry.match is not None for entry in self.entries)
        columns = [
            "segment",
            "paths",
            "states",
            "arcs",
            "shortest",
            "longest",
            *(["score", "edits", "length"] if scored else []),
        ]
        table = Table(columns)
        for number, entry in enumerate(self.entries, start=1):
            low, high = entry.lattice.lengths
            cells = [number, _count(entry.lattice.paths), entry.lattice.states, entry.lattice.arcs, low, high]
            if entry.match is not None:
                cells += [f"{100 * entry.match.ratio:.2f}", entry.match.edits, entry.match.length]
            table.add(*map(str, cells))
        tables = [table]
        for number, entry in enumerate(self.entries, start=1):
            if entry.samples:
                samples = Table(["paraphrase"], title=f"segment {number}: random paths")
                for words in entry.samples:
                    samples.add(" ".join(words))
                tables.append(samples)
            if entry.match is not None and self.explain:
                steps = Table(
                    ["translation", "path", "edit"], title=f"segment {number}: the nearest path", text_columns=(0, 1, 2)
                )
                for step in entry.match.steps:
                    steps.add(step.hypothesis or "", step.path or "", "" if step.edit == "match" else step.edit)
                tables.append(steps)
        return render_all(tables, form, color=color)


def report(
    lattices: Sequence[Lattice],
    matcher: Matcher,
    hypotheses: Sequence[str] | None,
    *,
    explain: bool,
    samples: int,
    seed: int,
) -> Report:
    """What there is to tell of the lattices and of the hypotheses, which are parallel to them."""
    entries = [
        Entry(
            lattice,
            tuple(lattice.sample(samples, seed=seed + number)) if samples else (),
            None if hypotheses is None else matcher.match_in(hypotheses[number], lattice),
        )
        for number, lattice in enumerate(lattices)
    ]
    return Report(entries, explain)


def _count(paths: int) -> str:
    """Exact up to a trillion, then rounded, as 1.8e+27."""
    if paths < 10**12:
        return f"{paths:,}"
    digits = str(paths)
    return f"{digits[0]}.{digits[1:3]}e+{len(digits) - 1}"
