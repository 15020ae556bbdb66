"""Lexical substitution with AddCos (Melamud et al. 2015): generalized average precision on SemEval-2007."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tercet.language.skipgram import SkipGram
from tercet.lattice.addcos import AddCos
from tercet.lattice.substitution import Instance, Ranking, Task, gap, random_gap
from tercet.tables import Table

WINDOWS = (0, 1, 2, 5)
SEED = 12345


@dataclass(frozen=True)
class Row:
    """One way to rank."""

    name: str
    spaces: str
    window: int | None
    gap: float

    def as_json(self) -> dict[str, Any]:
        """For the JSON output."""
        about = {"spaces": self.spaces, "window": self.window}
        return {"system": self.name, **about, "paper": {}, "ours": {"gap": self.gap}}


def rows_of(folder: Path, vectors: Mapping[str, SkipGram]) -> list[Row]:
    """The floor, then for each file the word alone, and the word with its context by one space and by two."""
    task = Task.read(folder)
    rows = [Row("random order", "—", None, random_gap(task, seed=SEED))]
    for name, one in vectors.items():
        for context in (False, True) if one.context is not None else (False,):
            for window in WINDOWS:
                if window == 0 and context:
                    continue  # without context there is but one space
                judge = AddCos(one, window=window, context=context)
                spaces = "word+context" if context else "single"
                rows.append(Row(name, "word alone" if window == 0 else spaces, window, gap(task, _ranking(judge))))
    return rows


def _ranking(judge: AddCos) -> Ranking:
    def scores(instance: Instance, candidates: Sequence[str]) -> list[float]:
        words = list(instance.words)
        if words[instance.place] not in judge.vectors:  # an inflected form that is rarer than its lemma
            words[instance.place] = instance.target.split(".")[0]
        found: list[float] = judge.scores(words, instance.place, candidates).tolist()
        return found

    return scores


def table_of(rows: Sequence[Row]) -> Table:
    """All rows."""
    table = Table(
        ["Vectors", "spaces", "window", "GAP"], title="Lexical substitution, SemEval-2007", text_columns=(0, 1)
    )
    for row in rows:
        table.add(row.name, row.spaces, "—" if row.window is None else str(row.window), f"{100 * row.gap:.2f}")
    table.notes.append("Single-word candidates; those without a vector come last, in the order of the alphabet.")
    return table
