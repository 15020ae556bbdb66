"""NIST test sets in the SGML of mteval: srcset, refset, tstset; doc; seg.

Many such files are not sound SGML: ampersands stand bare, the outermost element is missing, attributes have no quotes.
What mteval-v13a can make out is read; what would lose a text or put it in the wrong place is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tercet.corpus.documents import Documents, Kind
from tercet.corpus.files import Content
from tercet.corpus.part import Part, Role
from tercet.errors import InputError

_KINDS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_GIVEN_AS: dict[Role, Kind] = {"sources": "source", "references": "reference", "systems": "system"}

# How they begin only: where one ends is looked for once, so that the time does not grow with the square of a file.
_TAG = re.compile(r"(<!--)|<(/?)(srcset|refset|tstset|doc|seg)(?=[\s/>])", re.IGNORECASE)
_END = re.compile(r"<(/?)(seg|doc|srcset|refset|tstset)(?=[\s/>])", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]++))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def read_sgm(content: Content, role: Role, *, name: str, translators: Sequence[str] | None = None) -> Part:
    """The texts of an SGML file, of its references all or those by `translators`.

    A set that does not say what it is, is what the file was given for. A system without a sysid is called `name`.
    """
    return _Scanner(content, _GIVEN_AS[role], name).documents().part(translators=translators)


class _Scanner:
    def __init__(self, content: Content, kind: Kind, name: str) -> None:
        self._text, self._file, self._name = content.text(), content.file, name
        self._kind = kind
        self._set: dict[str, str] = {}
        self._doc: dict[str, str] | None = None
        self._segments = 0  # in this document
        self._at, self._line = 0, 1

    def documents(self) -> Documents:
        documents = Documents(self._file)
        place = 0
        while tag := _TAG.search(self._text, place):
            comment, closing, element = tag.group(1), tag.group(2), (tag.group(3) or "").lower()
            place = self._after("-->" if comment else ">", tag)
            rest = self._text[tag.end() : place - 1]
            if element in _KINDS:
                self._doc = None
                if not closing:
                    self._kind, self._set = _KINDS[element], _attributes(rest)
            elif element == "doc":
                self._doc = None if closing else self._opened(rest, tag.start())
            elif element == "seg" and not closing:
                place = self._segment(documents, tag.start(), rest, place)
        return documents

    def _opened(self, rest: str, place: int) -> dict[str, str]:
        attributes = _attributes(rest)
        if "docid" not in attributes:
            raise self._error("a <doc> without docid", place)
        self._segments = 0
        return attributes

    def _after(self, end: str, tag: re.Match[str]) -> int:
        """The place behind the end of what begins with this tag."""
        place = self._text.find(end, tag.end())
        if place < 0:
            raise self._error(f"{tag.group()} has no {end}", tag.start())
        return place + len(end)

    def _segment(self, documents: Documents, start: int, rest: str, place: int) -> int:
        if self._doc is None:
            raise self._error("a <seg> outside of a <doc>", start)
        self._segments += 1
        number = _attributes(rest).get("id", str(self._segments))
        text = ""
        if not rest.endswith("/"):
            end = _END.search(self._text, place)
            if end is None or (end.group(1), end.group(2).lower()) != ("/", "seg"):
                raise self._error(f"segment {number} of {self._doc['docid']} has no </seg>", start)
            text, place = self._text[place : end.start()], self._after(">", end)
        line = self._line_of(start)
        documents.add(self._kind, self._who(), self._doc["docid"], number, _unescaped(text), line=line)
        return place

    def _who(self) -> str:
        """Whose text it is: mteval's XML says so in the set, its SGML in each document."""
        if self._kind == "source":
            return ""
        both = {**self._set, **(self._doc or {})}
        if self._kind == "reference":
            return both.get("sysid") or both.get("refid") or "ref"
        return both.get("sysid") or self._name

    def _line_of(self, place: int) -> int:
        self._line += self._text.count("\n", self._at, place)
        self._at = place
        return self._line

    def _error(self, problem: str, place: int) -> InputError:
        return InputError(problem, file=self._file, line=self._line_of(place), remedy="mend the file there")


def _attributes(text: str) -> dict[str, str]:
    return {
        match.group(1).lower(): _unescaped(match.group(2) or match.group(3) or match.group(4) or "")
        for match in _ATTRIBUTE.finditer(text)
    }


def _unescaped(text: str) -> str:
    """The text with XML's five entities and character numbers resolved; any other ampersand is one."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _CHARACTERS[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    sound = 0 < number < 0xD800 or 0xDFFF < number < 0x110000
    return chr(number) if sound else match.group()
