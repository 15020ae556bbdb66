"""Relative rankings as Appraise exports them (WMT15/16): XML, a `HIT` with `ranking-result`s in it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from xml.parsers import expat

import polars as pl

from tercet.corpus.files import load
from tercet.corpus.judgment_formats.pairwise import Collapsed
from tercet.corpus.judgment_formats.ranks import NOT_RANKED, RANKS, Duplicates, by_policy, check_number
from tercet.corpus.judgments import SCHEMA, Judgments
from tercet.corpus.languages import bare_system, language_code
from tercet.corpus.left_out import REFERENCE
from tercet.errors import InputError, OptionError

_DIGITS = 18  # as many as a number of 64 bits always has room for


def read_appraise(
    path: str | PathLike[str],
    *,
    collapsed: Collapsed = "expand",
    duplicates: Duplicates = "keep",
    first_segment: int = 1,
) -> Judgments:
    """All pairs of every ranking in the export; skipped rankings are left out.

    Systems whose outputs are the same were shown once (`system="A,B"`). Expanded, as WMT15/16 did, each is compared
    with all others and they tie with each other; kept, they are one system `A+B`.
    """
    if collapsed not in ("expand", "keep"):
        raise OptionError(f"collapsed={collapsed!r} is not allowed; it takes expand or keep")
    path = Path(path)
    export = _Export(path, collapsed == "expand", first_segment)
    export.parse(load(path).text())
    frame = pl.DataFrame(export.rows, schema=SCHEMA, orient="row")
    return by_policy(Judgments(frame, "comparison"), duplicates)


class _Export:
    """The rankings of an export as rows of the table, gathered while the parser goes through it."""

    def __init__(self, path: Path, expand: bool, first_segment: int) -> None:
        self.path, self.expand, self.first_segment = path, expand, first_segment
        self.rows: list[tuple[object, ...]] = []
        self._pair: str | None = None
        self._task: str | None = None
        self._result: Mapping[str, str] | None = None
        self._line = 0
        self._ranked: list[tuple[str | None, str, int]] = []
        self._results = 0
        self._parser = expat.ParserCreate("utf-8")  # whatever the file says that it is: it was checked

    def parse(self, text: str) -> None:
        parser = self._parser
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            problem = f"this is not well-formed XML ({expat.ErrorString(error.code)})"
            raise InputError(problem, file=self.path, line=error.lineno) from None

    def _error(self, problem: str, remedy: str = "") -> InputError:
        return InputError(problem, file=self.path, line=self._parser.CurrentLineNumber, remedy=remedy)

    def _doctype(self, *_: object) -> None:
        # No export has one; entities of a stranger's file are not for us to expand.
        raise self._error("a document type declaration in an Appraise export", "remove it")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name.lower() == "hit":
            codes = [language_code(attributes.get(f"{side}-language", "")) for side in ("source", "target")]
            if None in codes:
                raise self._error("a HIT without source-language and target-language that tercet knows")
            self._pair = "-".join(filter(None, codes))
        elif name == "ranking-task":
            self._task = attributes.get("id")
        elif name == "ranking-result":
            self._result, self._line, self._ranked = attributes, self._parser.CurrentLineNumber, []
        elif name == "translation" and self._result is not None:
            self._translation(attributes)

    def _translation(self, attributes: Mapping[str, str]) -> None:
        if self._pair is None:
            raise self._error("a ranking outside of a HIT")
        try:
            rank = int(attributes["rank"])
            names = attributes["system"].split(",")
        except (KeyError, ValueError):
            raise self._error("a translation without a system and a rank") from None
        if rank not in (NOT_RANKED, *RANKS):
            raise self._error(f"{rank} is not a rank; ranks are 1 to 5, and -1 where there is none")
        if rank == NOT_RANKED:
            return
        pair = self._pair
        bare = [(None, REFERENCE) if name.startswith("ref") else bare_system(name.strip(), pair) for name in names]
        if not self.expand:
            bare = [(bare[0][0], "+".join(system for _, system in bare))]
        self._ranked += [(testset, system, rank) for testset, system in bare]
        check_number(self.path, len(self._ranked), self._parser.CurrentLineNumber)

    def _end(self, name: str) -> None:
        if name != "ranking-result" or self._result is None:
            if name == "ranking-task":
                self._task = None
            return
        # The segment is the task's number; where results stand in no task, they carry it themselves.
        number = self._task if self._task is not None else self._result.get("id")
        judge = self._result.get("user")
        if self._ranked:
            if number is None or not (number.isdecimal() and len(number) <= _DIGITS):
                raise self._error(f"{(number or 'nothing')[:40]!r} is not the number of a segment")
            if int(number) < self.first_segment:
                remedy = f"if the export counts from {number}, say first_segment={number}"
                raise self._error(f"segment {number} where the first is {self.first_segment}", remedy)
            segment = int(number) - self.first_segment
            testset = next((name for name, _, _ in self._ranked if name), None)
            for i, (_, system, rank) in enumerate(self._ranked):
                for _, other, than in self._ranked[i + 1 :]:
                    value = float((than > rank) - (than < rank))
                    place = (judge, self._results, str(self.path), self._line)
                    self.rows.append((testset, self._pair, segment, system, other, value, *place))
        self._results += 1
        self._result = None
