"""Lattices in files: OpenFst text and JSON lines, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from tercet.errors import InputError
from tercet.lattice.automaton import Lattice
from tercet.lattice.files import read_lattices, to_json_lines
from tercet.lattice.openfst import from_openfst, to_openfst, to_symbols
from tests.lattice.lattices import lattices


@given(lattices().filter(lambda lattice: lattice.states > 1))
def test_there_and_back(lattice: Lattice) -> None:
    assert set(from_openfst(to_openfst(lattice)).sentences()) == set(lattice.sentences())


def test_weights_empty_words_and_transducers() -> None:
    text = "0 1 the the 0.5\n0 1 a\n1 2 <eps> <eps> 1\n\n1 2 big large\n2 3 cat\n3 0.25\n"
    assert set(from_openfst(text).sentences()) == {
        ("the", "cat"), ("a", "cat"), ("the", "big", "cat"), ("a", "big", "cat")
    }  # fmt: skip


def test_folders_with_a_table_of_symbols(tmp_path: Path) -> None:
    first, second = Lattice.of(["a", "b"]), Lattice.of(["b"])
    symbols = to_symbols([first, second])
    assert symbols == "<eps>\t0\na\t1\nb\t2\n"
    (tmp_path / "symbols.txt").write_text(symbols)
    (tmp_path / "seg10.fst").write_text("0 1 2 2\n1\n")
    (tmp_path / "seg9.fst").write_text("0 1 1 1\n1 2 0 0\n2 3 2 2\n3\n")
    assert read_lattices(tmp_path) == [first, second]
    (tmp_path / "seg11.fst").write_text("0 1 7 7\n1\n")
    with pytest.raises(InputError, match=r"seg11\.fst:1: symbol 7 is not in the table"):
        read_lattices(tmp_path)


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "lattices.jsonl"
    some = [Lattice.of(["猫"]), Lattice.union([Lattice.of(["a"]), Lattice.of(["b", "c"])])]
    path.write_text(to_json_lines(some), encoding="utf-8")
    assert read_lattices(path) == some


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no states"),
        ("0 1 a\n1 0 b\n1\n", "cycle through state 0"),
        ("0 1 a\n", "no final state"),
        ("0 1 a\n2 3 b\n3\n1\n", "final state 3 cannot be reached"),
        ("0 x a\n1\n", "1: states are numbers"),
        ("0 1 a b c d\n1\n", "1: 6 fields"),
        ('{"states": 1}\n', "1: not a lattice in JSON"),
        ('{"states": 2, "edges": [[0, 1, []]], "finals": [1]}\n', "1: not a lattice in JSON"),
        ("{nothing}\n", "1: not JSON"),
    ],
)
def test_files_that_are_no_lattices(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "some.fst"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as error:
        read_lattices(path)
    assert "some.fst" in str(error.value)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no lattices"):
        read_lattices(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_lattices(tmp_path / "none.fst")
