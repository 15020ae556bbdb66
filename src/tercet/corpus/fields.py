"""The fields of a record, under the names that files give them, with their types checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tercet.errors import InputError

SOURCE = ("source", "src")
REFERENCES = ("references", "reference", "ref")
HYPOTHESIS = ("hypothesis", "mt", "translation")
SEGMENT = ("segment", "segment_id", "id")
SYSTEM, SYSTEMS = "system", "systems"

_KINDS = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object", str: "text"}
_REMEDY = "see docs/formats.md for the fields"

Record = tuple[int, Mapping[str, object]]
"""The line or row that a record stands in, and what it holds by name; null is the same as nothing."""


@dataclass(frozen=True)
class Fields:
    """What a record says of a segment."""

    line: int
    segment: str | None
    source: str | None
    references: tuple[str, ...]
    system: str | None
    """Whose hypothesis it is, where the record says so."""
    hypothesis: str | None
    systems: Mapping[str, str]

    def present(self) -> frozenset[str]:
        """What there is, in words."""
        given = {
            "a segment id": self.segment,
            "a source": self.source,
            "a reference": self.references or None,
            "a system": self.system,
            "a hypothesis": self.hypothesis,
        }
        return frozenset(
            [what for what, value in given.items() if value is not None] + [f"system {name!r}" for name in self.systems]
        )


class FieldReader:
    """Reads records of one file; what is wrong in one is an error that names its line."""

    def __init__(self, file: str) -> None:
        self._file = file

    def read(self, record: Record) -> Fields:
        """The fields of a record; those it does not need are not looked at."""
        line, values = record
        key, segment = self._one(line, values, SEGMENT)
        if segment is not None and (not isinstance(segment, str | int) or isinstance(segment, bool)):
            raise self.error(line, f"{key!r} is {_kind(segment)}, not text or a whole number")
        fields = Fields(
            line=line,
            segment=None if segment is None else str(segment),
            source=self._text(line, *self._one(line, values, SOURCE)),
            references=self._references(line, values),
            system=self._text(line, SYSTEM, values.get(SYSTEM)),
            hypothesis=self._text(line, *self._one(line, values, HYPOTHESIS)),
            systems=self._systems(line, values),
        )
        if fields.systems and (fields.hypothesis is not None or fields.system is not None):
            raise self.error(line, f"has {SYSTEMS!r} beside a system of its own", remedy="keep one of them")
        return fields

    def error(self, line: int, problem: str, *, remedy: str = _REMEDY) -> InputError:
        """An error at a line of this file."""
        return InputError(problem, file=self._file, line=line, remedy=remedy)

    def _references(self, line: int, values: Mapping[str, object]) -> tuple[str, ...]:
        key, value = self._one(line, values, REFERENCES)
        items = value if isinstance(value, list) else [] if value is None else [value]
        return tuple(self._sound(line, key, item) for item in items)

    def _systems(self, line: int, values: Mapping[str, object]) -> dict[str, str]:
        named = values.get(SYSTEMS, {})
        if not isinstance(named, Mapping):
            raise self.error(line, f"{SYSTEMS!r} is {_kind(named)}, not texts by name")
        flat = {key[len(SYSTEMS) + 1 :]: text for key, text in values.items() if key.startswith(f"{SYSTEMS}.")}
        if both := named.keys() & flat.keys():
            raise self.error(line, f"system {min(both)!r} is given twice", remedy="keep one of them")
        return {str(name): self._sound(line, f"{SYSTEMS}.{name}", text) for name, text in {**named, **flat}.items()}

    def _one(self, line: int, values: Mapping[str, object], keys: Sequence[str]) -> tuple[str, object]:
        found = [key for key in keys if values.get(key) is not None]
        if len(found) > 1:
            raise self.error(line, f"has both {found[0]!r} and {found[1]!r}", remedy="keep one of them")
        return (found[0], values[found[0]]) if found else ("", None)

    def _text(self, line: int, key: str, value: object) -> str | None:
        return None if value is None else self._sound(line, key, value)

    def _sound(self, line: int, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.error(line, f"{key!r} is {_kind(value)}, not text")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                raise self.error(line, f"{key!r} holds half of a surrogate pair", remedy="write both halves") from error
        return value


def _kind(value: object) -> str:
    return "null" if value is None else _KINDS.get(type(value), type(value).__name__)
