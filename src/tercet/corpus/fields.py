"""The fields of a record, under the names that files give them, with their types checked."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(slots=True)
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

    def has_the_same_as(self, other: Fields) -> bool:
        """Whether both have texts of the same kinds, by the same systems."""
        return (
            (self.segment is None) == (other.segment is None)
            and (self.source is None) == (other.source is None)
            and (not self.references) == (not other.references)
            and (self.system is None) == (other.system is None)
            and (self.hypothesis is None) == (other.hypothesis is None)
            and self.systems.keys() == other.systems.keys()
        )

    def present(self) -> set[str]:
        """What there is, in words."""
        given = {
            "a segment id": self.segment,
            "a source": self.source,
            "a reference": self.references or None,
            "a system": self.system,
            "a hypothesis": self.hypothesis,
        }
        return {what for what, value in given.items() if value is not None} | {
            f"system {name!r}" for name in self.systems
        }


class FieldReader:
    """Reads records of one file; what is wrong in one is an error that names its line."""

    def __init__(self, file: str) -> None:
        self._file = file

    def read(self, record: Record) -> Fields:
        """The fields of a record; what else it holds is not looked at."""
        line, values = record
        key, segment = self._one(line, values, SEGMENT)
        if segment is not None and not isinstance(segment, str):
            if not isinstance(segment, int) or isinstance(segment, bool):
                raise self.error(line, f"{key!r} is {_kind(segment)}, not text or a whole number")
            segment = str(segment)
        systems = self._systems(line, values)
        system = self._text(line, SYSTEM, values.get(SYSTEM))
        hypothesis = self._text(line, *self._one(line, values, HYPOTHESIS))
        if systems and (hypothesis is not None or system is not None):
            raise self.error(line, f"has {SYSTEMS!r} beside a system of its own", remedy="keep one of them")
        source = self._text(line, *self._one(line, values, SOURCE))
        return Fields(line, segment, source, self._references(line, values), system, hypothesis, systems)

    def error(self, line: int, problem: str, *, remedy: str = _REMEDY) -> InputError:
        """An error at a line of this file."""
        return InputError(problem, file=self._file, line=line, remedy=remedy)

    def _references(self, line: int, values: Mapping[str, object]) -> tuple[str, ...]:
        key, value = self._one(line, values, REFERENCES)
        if value is None:
            return ()
        if isinstance(value, list):
            return tuple([self._sound(line, key, item) for item in value])
        return (self._sound(line, key, value),)

    def _systems(self, line: int, values: Mapping[str, object]) -> Mapping[str, str]:
        named = values.get(SYSTEMS)
        flat = [key for key in values if key.startswith("systems.")]
        if named is None and not flat:
            return {}
        if named is not None and not isinstance(named, Mapping):
            raise self.error(line, f"{SYSTEMS!r} is {_kind(named)}, not texts by name")
        texts = {str(name): self._sound(line, f"{SYSTEMS}.{name}", text) for name, text in (named or {}).items()}
        for key in flat:
            name = key.removeprefix("systems.")
            if name in texts:
                raise self.error(line, f"system {name!r} is given twice", remedy="keep one of them")
            texts[name] = self._sound(line, key, values[key])
        return texts

    def _one(self, line: int, values: Mapping[str, object], keys: tuple[str, ...]) -> tuple[str, object]:
        found: tuple[str, object] = ("", None)
        for key in keys:
            value = values.get(key)
            if value is not None:
                if found[0]:
                    raise self.error(line, f"has both {found[0]!r} and {key!r}", remedy="keep one of them")
                found = (key, value)
        return found

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
