"""Files as they arrive: parsed while they stream, kept in memory only. Their names are names and never paths."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from tercet.corpus import Corpus, read
from tercet.corpus.files import STDIN, Content
from tercet.corpus.names import system_name
from tercet.errors import InputError, OptionError, visible
from tercet.serve.limits import Limits

logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # what it warns of is in our answer

FIELDS = ("references", "translations", "source")
_MOST_PARTS = 200
_MOST_HEADER = 4_000
_MOST_NAME = 120


@dataclass
class _Part:
    role: str = ""
    name: str | None = None
    data: bytearray = field(default_factory=bytearray)


@dataclass
class Upload:
    """What was sent for a comparison."""

    parts: list[_Part] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(len(part.data) for part in self.parts)

    def corpus(self, limits: Limits) -> Corpus:
        """The corpus, read as `tercet compare` reads files, with the same errors."""
        found: dict[str, list[Content]] = {name: [] for name in FIELDS}
        room = limits.upload
        for part in self.parts:
            if part.role not in FIELDS:
                raise OptionError(f"there is no field {part.role!r}; a comparison takes {', '.join(FIELDS)}")
            if part.name == "" and not part.data:  # what a browser sends for a file that nobody chose
                continue
            name = _label(part.name) or f"{part.role}-{len(found[part.role]) + 1}"
            content = Content.of(name, part.data, most=room)
            if content.starts_with(b"PAR1"):  # a few bytes of it can stand for any number of rows
                raise InputError("Parquet is not taken here", file=name, remedy="use tercet compare")
            room -= len(content.data)
            found[part.role].append(content)
        for name, flag in (("references", "reference"), ("translations", "translation")):
            if not found[name]:
                raise InputError(f"there are no {name}", remedy=f"send at least one file as {name}, a {flag} a line")
        if len(found["source"]) > 1:
            raise InputError(f"there are {len(found['source'])} sources", remedy="send one file as source")
        _check_names(found["translations"])
        source = found["source"][0] if found["source"] else None
        corpus = read(found["translations"], found["references"], source)
        limits.check(corpus)
        return corpus


async def receive(stream: AsyncIterator[bytes], content_type: str) -> Upload:
    """The parts of a multipart/form-data body. How much may come is the guard's business."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise UnsupportedError("files are taken as multipart/form-data; with curl: -F references=@ref.txt")
    reader = _Reader()
    try:
        parser = MultipartParser(boundary, reader.callbacks())  # type: ignore[arg-type]
        async for chunk in stream:
            parser.write(chunk)
        parser.finalize()
    except FormParserError as error:
        raise InputError(f"the body is not multipart/form-data: {error}") from error
    if not reader.ended:
        raise InputError("the body ends before its last boundary", remedy="send it again")
    return Upload(reader.parts)


class UnsupportedError(OptionError):
    """A body of another kind than files come in."""


class _Reader:
    """Collects parts as the parser meets them."""

    def __init__(self) -> None:
        self.parts: list[_Part] = []
        self.ended = False
        self._header: list[bytearray] = [bytearray(), bytearray()]
        self._disposition = b""

    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._add(0, data[start:end]),
            "on_header_value": lambda data, start, end: self._add(1, data[start:end]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_end,
            "on_part_data": lambda data, start, end: self.parts[-1].data.extend(data[start:end]),
            "on_end": self._end,
        }

    def _begin(self) -> None:
        if len(self.parts) >= _MOST_PARTS:
            raise InputError(f"there are more than {_MOST_PARTS} files", remedy="send fewer")
        self.parts.append(_Part())
        self._header, self._disposition = [bytearray(), bytearray()], b""

    def _add(self, which: int, piece: bytes) -> None:
        if sum(map(len, self._header)) + len(piece) > _MOST_HEADER:
            raise InputError("the header of a file is too long", remedy="give the file a shorter name")
        self._header[which] += piece

    def _header_end(self) -> None:
        if bytes(self._header[0]).lower() == b"content-disposition":
            self._disposition = bytes(self._header[1])
        self._header = [bytearray(), bytearray()]

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"filename")
        self.parts[-1].role = options.get(b"name", b"").decode("utf-8", "replace")
        self.parts[-1].name = None if name is None else name.decode("utf-8", "replace")

    def _end(self) -> None:
        self.ended = True


def _label(name: str | None) -> str:
    """What messages and systems are called after a file: the last part of its name, without what cannot be seen."""
    last = visible((name or "").replace("\\", "/").rpartition("/")[2]).strip()
    if last in ("", ".", "..", STDIN):  # `-` would be this server's stdin
        return ""
    return last if len(last) <= _MOST_NAME else last[: _MOST_NAME // 2 - 1] + "…" + last[-_MOST_NAME // 2 :]


def _check_names(translations: list[Content]) -> None:
    seen: dict[str, str] = {}
    for content in translations:
        name = system_name(content)
        if name in seen:
            raise InputError(
                f"{seen[name]} and {content.file} would both be system {name!r}",
                remedy="leave one out, or rename one of the files",
            )
        seen[name] = content.file
