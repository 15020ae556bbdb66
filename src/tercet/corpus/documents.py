"""Segments that are named by their document and number, as SGML and XML test sets have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from tercet.corpus.lines import Lines
from tercet.corpus.part import Part
from tercet.corpus.references import ListedReferences
from tercet.errors import InputError

Kind = Literal["source", "reference", "system"]


class Documents:
    """Collects texts in any order and puts those of a segment side by side."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._texts: dict[Kind, dict[str, dict[str, str]]] = {"source": {}, "reference": {}, "system": {}}

    def add(self, kind: Kind, name: str, document: str, segment: str, text: str, *, line: int) -> None:
        """What `name` (a translator, a system, nobody for the source) has for a segment, white space made single."""
        number = segment.lstrip("0") if segment.isdecimal() and segment.strip("0") else segment
        place = f"{document}:{number}"
        texts = self._texts[kind].setdefault(name, {})
        if place in texts:
            raise InputError(
                f"segment {place} of {_call(kind, name)} stands here for the second time", file=self._file, line=line
            )
        texts[place] = " ".join(text.split())

    def part(self, *, translators: Sequence[str] | None = None, only_referenced: bool = False) -> Part:
        """All that was collected, or of the references only those by `translators`.

        A system and the source have every segment, a reference may lack some. With `only_referenced`, segments that
        nobody translated are left out, and an empty reference counts as none.
        """
        references = self._references_by(translators)
        texts: dict[Kind, dict[str, dict[str, str]]] = {
            "source": dict(self._texts["source"]),
            "system": dict(self._texts["system"]),
        }
        leading = texts["source"] or references or texts["system"]
        ids = list(dict.fromkeys(place for column in leading.values() for place in column))
        if not ids:
            raise InputError("holds no segments", file=self._file, remedy="see docs/formats.md for what can be read")
        for name, column in references.items():
            self._all_known("reference", name, column, ids)
        if only_referenced and references:
            references = {
                name: {at: text for at, text in column.items() if text} for name, column in references.items()
            }
            kept = {place for column in references.values() for place in column}
            dropped = set(ids) - kept
            ids = [place for place in ids if place in kept]
            for columns in texts.values():
                for name, column in columns.items():
                    columns[name] = {place: text for place, text in column.items() if place not in dropped}
        for kind, columns in texts.items():
            for name, column in columns.items():
                self._complete(kind, name, column, ids)
        rows = [[column[place] for column in references.values() if place in column] for place in ids]
        for place, row in zip(ids, rows, strict=True):
            if references and not row:
                raise InputError(f"segment {place} has no reference", file=self._file, remedy="give it one or more")
        packed = {
            kind: {name: Lines.pack((column[at] for at in ids), self._file) for name, column in columns.items()}
            for kind, columns in texts.items()
        }
        return Part(
            file=self._file,
            ids=ids,
            references=ListedReferences.pack(rows, self._file) if references else None,
            systems=packed["system"],
            sources=packed["source"].get(""),
        )

    def _references_by(self, translators: Sequence[str] | None) -> dict[str, dict[str, str]]:
        references = self._texts["reference"]
        if translators is None or not references:
            return references
        for name in translators:
            if name not in references:
                raise InputError(
                    f"has no reference by {name!r}", file=self._file, remedy=f"it has those by {', '.join(references)}"
                )
        return {name: references[name] for name in translators}

    def _all_known(self, kind: Kind, name: str, places: Iterable[str], ids: Collection[str]) -> None:
        known = set(ids)
        for place in places:
            if place not in known:
                raise InputError(
                    f"{_call(kind, name)} has segment {place}, which nothing else in the file has", file=self._file
                )

    def _complete(self, kind: Kind, name: str, column: Mapping[str, str], ids: Collection[str]) -> None:
        if missing := [place for place in ids if place not in column]:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise InputError(
                f"{_call(kind, name)} lacks segment {missing[0]}{more}",
                file=self._file,
                remedy="give it a text, which may be empty",
            )
        self._all_known(kind, name, column, ids)


def _call(kind: Kind, name: str) -> str:
    return "the source" if kind == "source" else f"the {kind} {name!r}" if name else f"the {kind}"
