"""Lists of several translations of each segment: N lines a segment, Moses' n-best lists, JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tercet.corpus import files
from tercet.corpus.files import File
from tercet.corpus.lines import Lines
from tercet.errors import InputError, OptionError

Format = Literal["plain", "moses", "jsonl"]

_BARS = "|||"


@dataclass(frozen=True)
class NBest:
    """The translations of each segment, in the order of the file; at least one for each."""

    segments: Sequence[tuple[str, ...]]
    file: str

    def __len__(self) -> int:
        return len(self.segments)


def read_nbest(file: File, *, form: Format | None = None, number: int | None = None) -> NBest:
    """The lists of a file. What it is, is told from its first line unless `form` says it.

    A plain file has `number` lines for each segment. A line of Moses is `segment ||| translation ||| …`, segments
    counted from 0. A JSON line is `{"hypotheses": ["…", …]}`, the segments in their order.
    """
    lines = Lines.of(files.load(file))
    kind = form or _guess(lines[0], number)
    if kind != "plain" and number is not None:
        raise OptionError(f"{lines.name}: the number of translations is for plain files, and this one is {kind}")
    if kind == "moses":
        return NBest(_moses(lines), lines.name)
    if kind == "jsonl":
        return NBest(_jsonl(lines), lines.name)
    if number is None or number < 1:
        raise OptionError(f"{lines.name}: a plain list needs the number of translations of each segment; give -n N")
    if len(lines) % number:
        raise InputError(
            f"has {len(lines)} lines, which is no multiple of {number}", file=lines.name, remedy="check -n"
        )
    return NBest([tuple(lines[at : at + number]) for at in range(0, len(lines), number)], lines.name)


def _guess(line: str, number: int | None) -> Format:
    if number is not None:
        return "plain"
    if line.lstrip().startswith("{"):
        return "jsonl"
    place, bars, _ = line.partition(_BARS)
    return "moses" if bars and place.strip().isdecimal() and len(place.strip()) <= 18 else "plain"


def _moses(lines: Lines) -> list[tuple[str, ...]]:
    found: list[list[str]] = []
    for number, line in enumerate(lines, start=1):
        fields = line.split(_BARS)
        place = fields[0].strip()
        if len(fields) < 2 or not place.isdecimal() or len(place) > 18:
            raise InputError(
                "not a line of an n-best list", file=lines.name, line=number, remedy="write segment ||| translation"
            )
        segment = int(place)
        if segment == len(found):
            found.append([])
        elif segment != len(found) - 1:
            raise InputError(
                f"segment {segment} where {max(0, len(found) - 1)} or {len(found)} was meant",
                file=lines.name,
                line=number,
                remedy="sort the list by segment, from 0, and give every segment a translation",
            )
        found[-1].append(fields[1].strip())
    return [tuple(texts) for texts in found]


def _jsonl(lines: Lines) -> list[tuple[str, ...]]:
    found = []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            texts = json.loads(line)["hypotheses"]
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise InputError(
                "not a JSON object with hypotheses",
                file=lines.name,
                line=number,
                remedy='write {"hypotheses": ["…", "…"]}',
            ) from error
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise InputError(
                "hypotheses is not a list of texts", file=lines.name, line=number, remedy="give one text or more"
            )
        found.append(tuple(texts))
    if not found:
        raise InputError("holds no lists, only empty lines", file=lines.name)
    return found
