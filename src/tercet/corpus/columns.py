"""Texts side by side in a file: columns between tabs, as `paste` makes them."""

from __future__ import annotations

from tercet.corpus.files import Content
from tercet.corpus.lines import Lines, Packer
from tercet.errors import InputError


def read_columns(content: Content, number: int | None = None) -> list[Lines]:
    """The columns of a file, each like a file of its own. Without a number, as many as its first line has."""
    lines = Lines.of(content)
    if number == 1:
        return [lines]
    expected = number or lines.raw(0).count(b"\t") + 1
    packers = [Packer() for _ in range(expected)]
    for i in range(len(lines)):
        cells = lines.raw(i).split(b"\t")
        if len(cells) != expected:
            raise InputError(
                f"{len(cells)} columns where {expected} are meant",
                file=content.file,
                line=i + 1,
                remedy="put one tab between two texts and none inside them",
            )
        for packer, cell in zip(packers, cells, strict=True):
            packer.add(cell)
    return [packer.lines(f"column {k} of {content.file}") for k, packer in enumerate(packers, start=1)]
