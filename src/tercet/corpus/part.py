"""What one file brings to a corpus, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tercet.corpus.lines import Lines
from tercet.corpus.references import ListedReferences, ParallelReferences, References
from tercet.errors import InputError

Role = Literal["references", "systems", "sources"]
"""What a file was given for."""

_REMEDY = "all files must hold the same segments"


@dataclass(frozen=True)
class Part:
    """References, systems and sources of one file, as far as it holds them, side by side."""

    file: str
    ids: Sequence[str] | None = None
    references: References | None = None
    systems: Mapping[str, Lines] = field(default_factory=dict)
    sources: Lines | None = None

    @classmethod
    def plain(cls, columns: Sequence[Lines], role: Role, *, file: str, name: str) -> Part:
        """Texts that are what the file was given for. Several systems in one file are called `name:1`, `name:2`, ..."""
        if role == "references":
            return cls(file, references=ParallelReferences(columns))
        if role == "systems":
            names = [name] if len(columns) == 1 else [f"{name}:{k}" for k in range(1, len(columns) + 1)]
            return cls(file, systems=dict(zip(names, columns, strict=True)))
        if len(columns) > 1:
            raise InputError(f"has {len(columns)} columns", file=file, remedy="give a source with one text a line")
        return cls(file, sources=columns[0])

    def in_order(self, ids: Sequence[str], *, of: str) -> Part:
        """The same with its segments in the order of `ids`, which the file `of` has; one without ids is in order."""
        if self.ids is None or list(self.ids) == list(ids):
            return self
        places = {name: place for place, name in enumerate(self.ids)}
        if missing := [name for name in ids if name not in places]:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise InputError(f"segment {missing[0]} of {of} is missing{more}", file=self.file, remedy=_REMEDY)
        if extra := places.keys() - set(ids):
            first = min(extra, key=places.__getitem__)
            raise InputError(f"segment {first} is not in {of}", file=self.file, remedy=_REMEDY)
        order = [places[name] for name in ids]
        references, sources = self.references, self.sources
        return Part(
            file=self.file,
            ids=ids,
            references=references and ListedReferences.pack((references[i] for i in order), references.name),
            systems={name: _picked(lines, order) for name, lines in self.systems.items()},
            sources=sources and _picked(sources, order),
        )


def _picked(lines: Lines, order: Sequence[int]) -> Lines:
    return Lines.pack((lines[i] for i in order), lines.name)
