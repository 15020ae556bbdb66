"""WMT test sets in XML, as published since 2021: dataset, doc; src, ref, hyp; seg. One file holds everything."""

from __future__ import annotations

from collections.abc import Sequence
from xml.parsers import expat

from tercet.corpus.documents import Documents, Kind
from tercet.corpus.files import Content
from tercet.corpus.part import Part
from tercet.errors import InputError

_KINDS: dict[str, Kind] = {"src": "source", "ref": "reference", "hyp": "system"}


def read_wmt_xml(content: Content, *, translators: Sequence[str] | None = None) -> Part:
    """The source, the references (all, or those by `translators`) and the systems of a WMT file.

    As in WMT's own tools and sacreBLEU, documents of test suites and segments without any reference are left out.
    """
    return _Parser(content).part(translators)


class _Parser:
    """Follows the file element by element. Nothing can be declared in it, so nothing can grow or reach outside."""

    def __init__(self, content: Content) -> None:
        self._content, self._file = content, content.file
        self._documents = Documents(content.file)
        self._names: dict[str, int] = {}
        self._languages: dict[str, tuple[str, int]] = {}
        self._document: str | None = None
        self._kind: Kind | None = None
        self._who = ""
        self._segment: str | None = None
        self._text: list[str] = []

        self._expat = expat.ParserCreate("utf-8")  # whatever the file says that it is: it was checked
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.SkippedEntityHandler = self._skipped

    def part(self, translators: Sequence[str] | None) -> Part:
        try:
            self._expat.Parse(self._content.utf8().tobytes(), True)
        except expat.ExpatError as error:
            raise InputError(
                f"broken XML: {expat.ErrorString(error.code)}",
                file=self._file,
                line=error.lineno,
                remedy="mend the file there (an ampersand is written &amp;)",
            ) from error
        return self._documents.part(translators=translators, only_referenced=True)

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        if element == "doc":
            name = self._attribute(element, attributes, "id")
            if name in self._names:
                raise self._error(
                    f"document {name} stands here for the second time (first in line {self._names[name]})"
                )
            self._names[name] = self._line
            self._document = None if "testsuite" in attributes else name
        elif element in _KINDS and self._document is not None:
            self._kind = _KINDS[element]
            self._one_language(element, attributes)
            if element == "hyp":
                self._who = self._attribute(element, attributes, "system")
            else:
                self._who = attributes.get("translator", "ref") if element == "ref" else ""
        elif element == "seg" and self._kind is not None:
            self._segment = self._attribute(element, attributes, "id")
            self._text = []

    def _end(self, element: str) -> None:
        if element == "doc":
            self._document = None
        elif element in _KINDS:
            self._kind = None
        elif element == "seg" and self._segment is not None and self._kind is not None and self._document is not None:
            text = "".join(self._text)
            self._documents.add(self._kind, self._who, self._document, self._segment, text, line=self._line)
            self._segment = None

    def _characters(self, text: str) -> None:
        if self._segment is not None:
            self._text.append(text)

    def _document_type(self, name: str, system: str | None, public: str | None, declares: bool) -> None:
        if declares:  # entities, or values that every element would have
            raise self._error("has declarations in its DOCTYPE, which are not allowed", remedy="remove them")

    def _skipped(self, name: str, _: bool) -> None:
        raise self._error(f"unknown entity &{name};", remedy="write the character itself")

    def _one_language(self, element: str, attributes: dict[str, str]) -> None:
        language = attributes.get("lang") or attributes.get("language")
        if language and element != "hyp":  # what a system's output says of itself varies
            first, line = self._languages.setdefault(element, (language, self._line))
            if first != language:
                raise self._error(f"<{element}> is in {language!r} here but in {first!r} in line {line}")

    def _attribute(self, element: str, attributes: dict[str, str], name: str) -> str:
        if not attributes.get(name):
            raise self._error(f"<{element}> without {name}")
        return attributes[name]

    @property
    def _line(self) -> int:
        return self._expat.CurrentLineNumber

    def _error(self, problem: str, *, remedy: str = "mend the file there") -> InputError:
        return InputError(problem, file=self._file, line=self._line, remedy=remedy)
