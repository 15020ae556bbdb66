"""Files of lattices: JSON lines, OpenFst text, and folders of these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tercet.errors import InputError, OptionError
from tercet.lattice.automaton import Lattice
from tercet.lattice.openfst import from_openfst, read_symbols, to_openfst, to_symbols
from tercet.output import whole_file

SYMBOLS = ("symbols.txt", "words.txt", "isyms.txt")
"""A folder's table of symbols, if its automata have numbers for words."""


def read_lattices(path: Path) -> list[Lattice]:
    """The lattices of a file; or of a folder, its files in the order of their names, 2 before 10."""
    try:
        if path.is_dir():
            files = [file for file in path.iterdir() if file.is_file() and file.name not in SYMBOLS]
            table = next((path / name for name in SYMBOLS if (path / name).is_file()), None)
            symbols = None if table is None else read_symbols(table)
            found = [_one(file, symbols) for file in sorted(files, key=_natural)]
        else:
            text = path.read_text(encoding="utf-8")
            found = _json_lines(text, path) if text.lstrip().startswith("{") else [from_openfst(text, file=path)]
    except UnicodeDecodeError:
        raise InputError("not UTF-8", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    if not found:
        raise InputError("no lattices", file=path)
    return found


def write_lattices(lattices: Sequence[Lattice], path: Path) -> None:
    """Writes JSON lines or OpenFst text, as the file's name ends, with a table of symbols beside the latter."""
    if path.suffix in (".json", ".jsonl"):
        text = to_json_lines(lattices)
    elif path.suffix in (".fst", ".txt"):
        if len(lattices) != 1:
            raise OptionError(f"{path}: OpenFst text holds one lattice, not {len(lattices)}; write .jsonl")
        text = to_openfst(lattices[0])
        with whole_file(path.with_suffix(".symbols")) as file:
            file.write(to_symbols(lattices))
    else:
        raise OptionError(f"{path}: the name does not say the format; it ends in .fst, .txt, .json or .jsonl")
    with whole_file(path) as file:
        file.write(text)


def to_json_lines(lattices: Iterable[Lattice]) -> str:
    """A lattice a line."""
    return "".join(json.dumps(lattice.as_json(), ensure_ascii=False) + "\n" for lattice in lattices)


def digest(lattices: Sequence[Lattice]) -> str:
    """sha256 of their contents."""
    return hashlib.sha256(to_json_lines(lattices).encode("utf-8", "surrogatepass")).hexdigest()


def _one(file: Path, symbols: dict[str, str] | None) -> Lattice:
    text = file.read_text(encoding="utf-8")
    if not text.lstrip().startswith("{"):
        return from_openfst(text, symbols=symbols, file=file)
    lattices = _json_lines(text, file)
    if len(lattices) != 1:
        raise InputError(f"{len(lattices)} lattices in a file of a folder", file=file, remedy="one file a segment")
    return lattices[0]


def _json_lines(text: str, file: Path) -> list[Lattice]:
    lattices = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"not JSON ({error})", file=file, line=number) from None
            lattices.append(Lattice.from_json(entry, file=f"{file}:{number}"))
    return lattices


def _natural(file: Path) -> tuple[tuple[int, int | str], ...]:
    """Names with their numbers as numbers: 2 before 10."""
    from re import findall

    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in findall(r"[0-9]+|[^0-9]+", file.name))
