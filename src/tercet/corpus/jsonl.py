"""JSON lines: one object a line, one record an object."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tercet.corpus.fields import Record
from tercet.corpus.files import Content
from tercet.corpus.lines import Lines
from tercet.corpus.part import Part
from tercet.corpus.records import read_records
from tercet.errors import InputError


def read_jsonl(content: Content, *, name: str) -> Part:
    """The records of a file of JSON lines; empty lines are passed over. A system without a name is `name`."""
    return read_records(_records(content), file=content.file, name=name)


def _records(content: Content) -> Iterator[Record]:
    for number, line in enumerate(Lines.of(content), start=1):
        if line:
            yield number, parse_record(line, file=content.file, line=number)


def parse_record(text: str, *, file: str, line: int) -> dict[str, object]:
    """The object of a line; what is none, or has a name twice, is an error."""
    if line == 1 and text.lstrip().startswith("["):
        raise InputError("is a JSON array", file=file, remedy="write one object a line, for instance with jq -c '.[]'")
    try:
        record = _DECODER.decode(text)
    except _Repeated as error:
        raise InputError(f"has {error.args[0]!r} twice", file=file, line=line, remedy="keep one of them") from error
    except (ValueError, RecursionError) as error:
        reason = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
        raise InputError(f"not JSON ({reason})", file=file, line=line, remedy="write one object a line") from error
    if not isinstance(record, dict):
        raise InputError("not a JSON object", file=file, line=line, remedy="write one object a line")
    return record


class _Repeated(Exception):
    """A name that an object has twice, of which JSON readers would silently drop one."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record: dict[str, object] = {}
    for name, value in pairs:
        if name in record:
            raise _Repeated(name)
        record[name] = value
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
