"""A corpus from files of any format that tercet knows."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar, get_args

from tercet.corpus import files
from tercet.corpus.columns import read_columns
from tercet.corpus.corpus import Corpus
from tercet.corpus.files import STDIN, Content, File
from tercet.corpus.jsonl import read_jsonl
from tercet.corpus.lines import Lines
from tercet.corpus.names import system_names
from tercet.corpus.part import Part, Role
from tercet.corpus.references import EmptyReferences, References, join
from tercet.corpus.sgm import read_sgm
from tercet.corpus.wmt_xml import read_wmt_xml
from tercet.errors import InputError, OptionError, ShapeError, visible

Format = Literal["text", "tsv", "sgm", "xml", "jsonl", "parquet"]

S = TypeVar("S", Lines, References)

_BY_ENDING: dict[str, Format] = {
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
# What was once taken for a comment is never taken for several: tried in every way, they take time without end.
_MARKUP = re.compile(
    rb"\s*+(?>(?:<\?xml[^>]*+>|<!DOCTYPE[^>]*+>|<!--.*?-->)\s*+)*+<(mteval|srcset|refset|tstset|dataset)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_HEAD = 4096  # bytes in which a file shows that it is markup


def read(
    translations: Sequence[File] | Mapping[str, File],
    references: Sequence[File] = (),
    source: File | None = None,
    *,
    format: Format | None = None,
    num_refs: int | None = None,
    num_systems: int | None = None,
    empty_references: EmptyReferences = "text",
    translators: Sequence[str] | None = None,
) -> Corpus:
    """The corpus that some files make: plain text, tab-separated columns, SGML, WMT XML, JSON lines or Parquet.

    `translations` are called after their files, or as a mapping says. A file that holds references or sources too
    brings them along where no other files are given for them. `-` is stdin.

    `format` is what all files are, whatever they look like. `num_refs` and `num_systems` are numbers of columns between
    tabs; by default a `.tsv` file has as many as its first line, and in any other file a tab is part of the text.
    `empty_references="missing"` takes an empty line of the second and later references for no reference.
    `translators` keeps only their references of a WMT XML file.
    """
    if empty_references not in get_args(EmptyReferences):
        raise OptionError(f"empty_references={empty_references!r} is not allowed; it takes text or missing")
    given = list(translations.values()) if isinstance(translations, Mapping) else list(translations)
    others = [*references, *([] if source is None else [source])]
    if [os.fspath(file) for file in (*given, *others)].count(STDIN) > 1:
        raise InputError("stdin (-) is given twice and can be read once", remedy="save it to a file first")
    names = list(translations) if isinstance(translations, Mapping) else system_names(given)

    reader = _Reader(format, num_refs, num_systems, translators)
    source_parts = [] if source is None else [reader.part(source, "sources")]
    reference_parts = [reader.part(file, "references") for file in references]
    system_parts = [reader.part(file, "systems", name) for file, name in zip(given, names, strict=True)]
    reader.check_options_used()
    if isinstance(translations, Mapping):
        system_parts = [_renamed(part, name) for part, name in zip(system_parts, names, strict=True)]

    leading = next((part for part in (*source_parts, *reference_parts, *system_parts) if part.ids is not None), None)
    if leading is not None and leading.ids is not None:
        ids, of = leading.ids, leading.file
        source_parts, reference_parts, system_parts = (
            [part.in_order(ids, of=of) for part in parts] for parts in (source_parts, reference_parts, system_parts)
        )

    found = [part.references for part in reference_parts or system_parts if part.references is not None]
    if not found:
        raise ShapeError("there are no references; give a file of references")
    sources = [part.sources for part in source_parts or (*reference_parts, *system_parts) if part.sources is not None]
    return Corpus(
        references=join(found, empty=empty_references) if reference_parts else _agreed(found, "references"),
        systems=_united(system_parts),
        sources=_agreed(sources, "sources") if sources else None,
        ids=None if leading is None else leading.ids,
    )


def read_references(
    references: Sequence[File], source: File | None = None
) -> tuple[Sequence[tuple[str, ...]], Sequence[str] | None]:
    """References and sources alone, for translations that come from elsewhere."""
    reader = _Reader(None, None, None, None)
    parts = [reader.part(file, "references") for file in references]
    found = [part.references for part in parts if part.references is not None]
    return join(found), None if source is None else reader.part(source, "sources").sources


class _Reader:
    """Reads files one by one, under options that hold for all of them."""

    def __init__(
        self,
        format: Format | None,
        num_refs: int | None,
        num_systems: int | None,
        translators: Sequence[str] | None,
    ) -> None:
        if format is not None and format not in get_args(Format):
            raise OptionError(f"format={format!r} is not allowed; it takes {', '.join(get_args(Format))}")
        for option, number in (("num_refs", num_refs), ("num_systems", num_systems)):
            if number is not None and number < 1:
                raise OptionError(f"{option}={number} is not allowed; it takes 1 or more")
        self._format, self._translators = format, translators
        self._columns: dict[Role, int | None] = {"references": num_refs, "systems": num_systems, "sources": None}
        self._read: set[tuple[Role, Format]] = set()

    def part(self, file: File, role: Role, name: str = "") -> Part:
        """What a file holds, which must be what it was given for, perhaps among other things."""
        content = files.load(file)
        format = self._format or detect(content, file)
        self._read.add((role, format))
        part = self._part(content, role, name or system_names([file])[0], format)
        if not getattr(part, role):
            held = [other for other in get_args(Role) if getattr(part, other)]
            raise InputError(f"holds {' and '.join(held)}{' but ' if held else ''}no {role}", file=content.file)
        for system in part.systems:
            if system != visible(system):  # it would be shown, in tables and on terminals
                raise InputError(
                    f"the system {system!r} has control characters in its name", file=content.file, remedy="rename it"
                )
        return part

    def _part(self, content: Content, role: Role, name: str, format: Format) -> Part:
        if format == "sgm":
            return read_sgm(content, role, name=name, translators=self._translators)
        if format == "xml":
            return read_wmt_xml(content, translators=self._translators)
        if format == "jsonl":
            return read_jsonl(content, name=name)
        if format == "parquet":
            from tercet.corpus.parquet import read_parquet  # polars takes its time

            return read_parquet(content, name=name)
        number = self._columns[role] or (None if format == "tsv" else 1)
        return Part.plain(read_columns(content, number), role, file=content.file, name=name)

    def check_options_used(self) -> None:
        """An option that no file could heed is an error."""
        if self._translators is not None and not {format for _, format in self._read} & {"sgm", "xml"}:
            raise OptionError("translators are told apart in SGML and XML files only; none is given")
        for role, number in self._columns.items():
            formats = {format for other, format in self._read if other == role}
            if number is not None and formats and not formats & {"text", "tsv"}:
                raise OptionError(f"a number of columns is given for {role}, but none of their files is text")


def detect(content: Content, file: File) -> Format:
    """The format of a file, by the ending of its name and by how it begins."""
    ending = Path(files.bare_name(file)).suffix.lower()
    if ending in _BY_ENDING:
        return _BY_ENDING[ending]
    if content.starts_with(b"PAR1"):
        return "parquet"
    head = content.data[:_HEAD].tobytes().removeprefix(b"\xef\xbb\xbf")
    if root := _MARKUP.match(head):
        return "xml" if root.group(1).lower() == b"dataset" else "sgm"
    if ending == ".xml":
        raise InputError(
            "is neither a WMT nor an mteval test set",
            file=content.file,
            remedy="its first element must be one of theirs",
        )
    return "sgm" if ending in (".sgm", ".sgml") else "text"


def _renamed(part: Part, name: str) -> Part:
    if len(part.systems) > 1:
        raise InputError(f"holds {len(part.systems)} systems, which cannot all be called {name!r}", file=part.file)
    (lines,) = part.systems.values()
    return replace(part, systems={name: lines})


def _united(parts: Sequence[Part]) -> dict[str, Lines]:
    systems: dict[str, Lines] = {}
    for part in parts:
        for name, lines in part.systems.items():
            if name in systems:
                raise InputError(
                    f"system {name!r} is in {systems[name].name} already",
                    file=part.file,
                    remedy="leave one of them out",
                )
            systems[name] = lines
    return systems


def _agreed(found: Sequence[S], what: str) -> S:
    """What several files hold, if it is the same in all."""
    first = found[0]
    for other in found[1:]:
        if len(other) != len(first):
            raise ShapeError(
                f"{other.name} has {what} for {len(other)} segments but {first.name} for {len(first)}; "
                "all files must hold the same segments"
            )
        for number, (here, there) in enumerate(zip(other, first, strict=True), start=1):
            if here != there:
                raise InputError(
                    f"the {what} of segment {number} differ from those in {first.name}",
                    file=other.name,
                    remedy=f"give {what} in a file of their own",
                )
    return first
