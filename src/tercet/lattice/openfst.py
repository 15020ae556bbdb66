"""OpenFst's text form: lattices made elsewhere come in, ours go out to its tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tercet.errors import InputError
from tercet.lattice.automaton import Lattice

EPSILON = ("<eps>", "<epsilon>", "ε")


def to_openfst(lattice: Lattice) -> str:
    """An acceptor with words as symbols: `source target word word` a line, the final states last."""
    lines = [f"{edge.source}\t{edge.target}\t{word}\t{word}" for edge in sorted(lattice.edges) for word in edge.words]
    return "\n".join([*lines, *map(str, lattice.finals)]) + "\n"


def to_symbols(lattices: Iterable[Lattice]) -> str:
    """A symbol table of all words, for fstcompile; 0 is the empty word."""
    words = sorted({word for lattice in lattices for edge in lattice.edges for word in edge.words})
    return "".join(f"{word}\t{number}\n" for number, word in enumerate([EPSILON[0], *words]))


def from_openfst(text: str, *, symbols: Mapping[str, str] | None = None, file: Path | None = None) -> Lattice:
    """The lattice of an acceptor, or of the input side of a transducer; weights are not looked at.

    The first line's source is the start, as in OpenFst. With a table of symbols, labels are its numbers.
    """
    arcs: list[tuple[str, str, str | None]] = []
    finals: list[str] = []
    start: str | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        start = fields[0] if start is None else start
        if not all(field.isdecimal() for field in fields[: 1 if len(fields) <= 2 else 2]):
            raise InputError("states are numbers", file=file, line=number, remedy="a line is source target word [word]")
        if len(fields) <= 2:  # a final state, perhaps with a weight
            finals.append(fields[0])
        elif len(fields) > 5:
            raise InputError(
                f"{len(fields)} fields", file=file, line=number, remedy="a line is source target word [word]"
            )
        else:
            arcs.append((fields[0], fields[1], _word(fields[2], symbols, file, number)))
    if start is None:
        raise InputError("no states", file=file, remedy="an automaton has a line for each arc and final state")
    try:
        return Lattice.make(arcs, start, finals)
    except InputError as error:
        raise InputError(str(error), file=file) from None


def read_symbols(path: Path) -> dict[str, str]:
    """A table of symbols: a word and its number a line; the words by their numbers."""
    table: dict[str, str] = {}
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError("not UTF-8", file=path) from None
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise InputError("not a symbol and its number", file=path, line=number)
        table[fields[1]] = fields[0]
    return table


def _word(label: str, symbols: Mapping[str, str] | None, file: Path | None, line: int) -> str | None:
    if symbols is not None:
        if label not in symbols:
            raise InputError(
                f"symbol {label} is not in the table", file=file, line=line, remedy="give the table it was made with"
            )
        label = symbols[label]
    return None if label in EPSILON else label
