"""Tables for people and for programs: text, TSV, Markdown and LaTeX from the same cells."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tercet.errors import visible

Format = Literal["text", "json", "tsv", "markdown", "latex"]

_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"})


@dataclass(frozen=True)
class Cell:
    """What stands in a cell; `strong` marks the best of a column."""

    text: str
    strong: bool = False


@dataclass
class Table:
    """Rows under named columns. Columns of text are set flush left, the others, numbers, flush right."""

    columns: Sequence[str]
    title: str = ""
    text_columns: Collection[int] = (0,)
    rows: list[list[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Lines that belong to the table: signatures, what was left out, how to read a mark."""

    def add(self, *cells: Cell | str) -> None:
        """One more row."""
        assert len(cells) == len(self.columns)
        given = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
        self.rows.append([Cell(visible(cell.text.replace("\t", " ")), cell.strong) for cell in given])

    def render(self, form: str, *, color: bool = False) -> str:
        """The table in one of the formats but JSON."""
        return _RENDERERS[form](self, color)


def render_all(tables: Iterable[Table], form: str, *, color: bool = False) -> str:
    """Several tables, one after the other."""
    return "\n\n".join(table.render(form, color=color) for table in tables) + "\n"


def best(values: Sequence[float], *, higher_is_better: bool, decimals: int) -> list[bool]:
    """Which of the values are best, as they are printed: equal to the eye is equal."""
    shown = [round(value, decimals) for value in values]
    known = [value for value in shown if value == value]
    if len(known) < 2:
        return [False] * len(shown)
    top = max(known) if higher_is_better else min(known)
    return [value == top for value in shown]


def _text(table: Table, color: bool) -> str:
    widths = [max([width(name), *(width(row[i].text) for row in table.rows)]) for i, name in enumerate(table.columns)]

    def line(cells: Sequence[Cell]) -> str:
        parts = []
        for i, (cell, room) in enumerate(zip(cells, widths, strict=True)):
            gap = " " * (room - width(cell.text))
            shown = f"\x1b[1m{cell.text}\x1b[0m" if cell.strong and color else cell.text
            parts.append(shown + gap if i in table.text_columns else gap + shown)
        return "  ".join(parts).rstrip()

    lines = [table.title] if table.title else []
    lines += [line([Cell(name) for name in table.columns]), "  ".join("─" * room for room in widths)]
    lines += [line(row) for row in table.rows]
    return "\n".join(lines + table.notes)


def _tsv(table: Table, color: bool) -> str:
    # one line a row, whatever a name holds; notes would break a reader, so they are left to the other formats
    rows = [list(table.columns), *([cell.text for cell in row] for row in table.rows)]
    return "\n".join("\t".join(" ".join(text.split("\t")) for text in row) for row in rows)


def _markdown(table: Table, color: bool) -> str:
    def line(texts: Iterable[str]) -> str:
        return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"

    rule = ["---" if i in table.text_columns else "---:" for i in range(len(table.columns))]
    lines = [f"**{table.title}**", ""] if table.title else []
    lines += [line(table.columns), line(rule)]
    lines += [line(f"**{cell.text}**" if cell.strong else cell.text for cell in row) for row in table.rows]
    return "\n".join(lines + ([""] + [f"- {note}" for note in table.notes] if table.notes else []))


def _latex(table: Table, color: bool) -> str:
    def line(texts: Iterable[str]) -> str:
        return "  " + " & ".join(texts) + r" \\"

    columns = "".join("l" if i in table.text_columns else "r" for i in range(len(table.columns)))
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"  \toprule", line(_escaped(name) for name in table.columns)]
    lines.append(r"  \midrule")
    for row in table.rows:
        lines.append(line(rf"\textbf{{{_escaped(cell.text)}}}" if cell.strong else _escaped(cell.text) for cell in row))
    lines += [r"  \bottomrule", r"\end{tabular}"]
    head = [f"% {table.title}"] if table.title else []
    return "\n".join(head + lines + [f"% {note}" for note in table.notes])


def _escaped(text: str) -> str:
    return text.replace("\\", "\0").translate(_LATEX).replace("\0", r"\textbackslash{}").replace("±", r"$\pm$")


def width(text: str) -> int:
    """Columns that a terminal gives to a text."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


_RENDERERS: dict[str, Callable[[Table, bool], str]] = {
    "text": _text,
    "tsv": _tsv,
    "markdown": _markdown,
    "latex": _latex,
}
