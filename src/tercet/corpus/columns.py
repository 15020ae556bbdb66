"""Texts side by side in a file: columns between tabs, as `paste` makes them."""

from __future__ import annotations

import io

from tercet.corpus.files import Content
from tercet.corpus.lines import Lines, Packer
from tercet.errors import InputError


def read_columns(content: Content, number: int | None = None) -> list[Lines]:
    """The columns of a file, each like a file of its own. Without a number, as many as its first line has."""
    if number == 1:
        return [Lines.of(content)]
    packers = [Packer() for _ in range(number or 0)]
    for place, line in enumerate(io.BytesIO(content.utf8().data), start=1):  # which only b"\\n" divides
        cells = line.removesuffix(b"\n").split(b"\t")
        packers = packers or [Packer() for _ in cells]
        if len(cells) != len(packers):
            raise InputError(
                f"{len(cells)} columns where {len(packers)} are meant",
                file=content.file,
                line=place,
                remedy="put one tab between two texts and none inside them",
            )
        for packer, cell in zip(packers, cells, strict=True):
            packer.add(cell)
    return [packer.lines(f"column {k} of {content.file}") for k, packer in enumerate(packers, start=1)]
