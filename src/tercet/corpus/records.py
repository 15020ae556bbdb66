"""Segments as records with named fields, whether they stand in JSON lines or in a table.

Wide: a record is a segment, with one `hypothesis` or with `systems`. Long: a record is what one `system` has for one
`segment`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

import numpy as np

from tercet.corpus.fields import FieldReader, Fields, Record
from tercet.corpus.lines import Lines, Packer
from tercet.corpus.part import Part
from tercet.corpus.references import ListedReferences, ReferencePacker
from tercet.errors import InputError

T = TypeVar("T")


def read_records(records: Iterable[Record], *, file: str, name: str) -> Part:
    """The texts of all records; the first says whether they are long or wide. A system without a name is `name`."""
    reader = FieldReader(file)
    rest = map(reader.read, records)
    first = next(rest, None)
    if first is None:
        raise InputError("holds no records", file=file, remedy="see docs/formats.md for the fields")
    fields = chain([first], rest)
    if first.system is None:
        return _read_wide(first, fields, reader, file, name)
    return _read_long(fields, reader, file)


def _read_wide(first: Fields, rest: Iterator[Fields], reader: FieldReader, file: str, name: str) -> Part:
    systems = {system: Packer() for system in (first.systems if first.hypothesis is None else (name,))}
    sources, references = Packer(), ReferencePacker()
    lines: dict[str, int] = {}
    for fields in rest:
        if not fields.has_the_same_as(first):
            if less := first.present() - fields.present():
                raise reader.error(fields.line, f"lacks {min(less)}, which line {first.line} has")
            more = fields.present() - first.present()
            raise reader.error(fields.line, f"has {min(more)}, which line {first.line} lacks")
        if fields.segment is not None and lines.setdefault(fields.segment, fields.line) != fields.line:
            raise reader.error(
                fields.line,
                f"segment {fields.segment} is in line {lines[fields.segment]} already",
                remedy="give every segment its own id, or every record its 'system'",
            )
        for system, text in (fields.systems if fields.hypothesis is None else {name: fields.hypothesis}).items():
            systems[system].add(text)
        if fields.source is not None:
            sources.add(fields.source)
        references.add(fields.references)
    return Part(
        file=file,
        ids=list(lines) or None,
        references=ListedReferences(*references.packed(file)) if first.references else None,
        systems={system: packer.lines(file) for system, packer in systems.items()},
        sources=None if first.source is None else sources.lines(file),
    )


@dataclass
class _Hypotheses:
    """What one system has, in the order of its records, and the numbers of their segments."""

    texts: Packer = field(default_factory=Packer)
    places: array[int] = field(default_factory=lambda: array("q"))


def _read_long(records: Iterator[Fields], reader: FieldReader, file: str) -> Part:
    places: dict[str, int] = {}  # segments are numbered in the order in which they come
    systems: dict[str, _Hypotheses] = {}
    sources: dict[int, str] = {}
    references: dict[int, tuple[str, ...]] = {}
    for fields in records:
        if fields.system is None or fields.segment is None or fields.hypothesis is None:
            raise reader.error(fields.line, "needs 'system', 'segment' and 'hypothesis', as its records name systems")
        place = places.setdefault(fields.segment, len(places))
        hypotheses = systems.setdefault(fields.system, _Hypotheses())
        hypotheses.texts.add(fields.hypothesis)
        hypotheses.places.append(place)
        for what, agree in (
            ("another source", _agrees(sources, place, fields.source)),
            ("other references", _agrees(references, place, fields.references or None)),
        ):
            if not agree:
                raise reader.error(
                    fields.line,
                    f"segment {fields.segment} has {what} than in an earlier record",
                    remedy="give it the same in all its records, or in one of them only",
                )
    ids = list(places)
    numbers = range(len(ids))
    _complete(sources, "source", ids, file)
    _complete(references, "reference", ids, file)
    return Part(
        file=file,
        ids=ids,
        references=ListedReferences.pack((references[i] for i in numbers), file) if references else None,
        systems={system: _in_place(system, hypotheses, ids, file) for system, hypotheses in systems.items()},
        sources=Lines.pack((sources[i] for i in numbers), file) if sources else None,
    )


def _agrees(known: dict[int, T], place: int, value: T | None) -> bool:
    return value is None or known.setdefault(place, value) == value


def _complete(known: Mapping[int, object], what: str, ids: list[str], file: str) -> None:
    if known and len(known) < len(ids):
        missing = next(name for place, name in enumerate(ids) if place not in known)
        raise InputError(f"segment {missing} has no {what}", file=file, remedy="give it in one of its records")


def _in_place(system: str, hypotheses: _Hypotheses, ids: list[str], file: str) -> Lines:
    places = np.frombuffer(hypotheses.places, np.int64)
    counts = np.bincount(places, minlength=len(ids))
    if (counts != 1).any():
        place = int((counts != 1).argmax())
        problem = f"lacks segment {ids[place]}" if counts[place] == 0 else f"has segment {ids[place]} twice"
        raise InputError(f"system {system!r} {problem}", file=file, remedy="give each system each segment once")
    texts = hypotheses.texts.lines(file)
    if (places[:-1] < places[1:]).all():
        return texts
    return Lines.pack((texts[i] for i in np.argsort(places)), file)
