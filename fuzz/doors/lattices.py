"""Lattices, and the tables of paraphrases that they are made of."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.target import target, written
from tercet.errors import TercetError
from tercet.lattice.automaton import Lattice
from tercet.lattice.files import read_lattices, to_json_lines
from tercet.lattice.index import Pair, PhraseIndex, compile_index
from tercet.lattice.openfst import read_symbols, to_openfst
from tercet.lattice.paraphrase_files import read_pairs
from tercet.lattice.search import Search

PPDB = (
    "[NN] ||| car ||| motor car ||| PPDB2.0Score=3.5 p(e|f)=1.2 p(f|e)=0.5 ||| 0-1 ||| Equivalence\n"
    "[VB] ||| go ||| walk ||| p(e|f)=1.2 p(f|e)=0.5 ||| 0-0 ||| X\n"
)


@target("openfst", ["0\t1\ta\ta\n0\t1\tb\tb\t0.5\n1\t2\t<eps>\t<eps>\n2\t3\tc\n3\t1.5\n", "0\n"], ["<eps>", "\t", "0"])
def _openfst(data: bytes, folder: Path) -> None:
    for lattice in read_lattices(written(folder, "x.fst", data)):
        _used(lattice)


@target(
    "lattice-json",
    ['{"states": 2, "edges": [[0, 1, ["a", "b"]]], "finals": [1]}\n', to_json_lines([Lattice.of(["a", "b"])])],
    ['"edges"', "1e999", "null", "\\ud800", "[0, 1, ['a']]"],
)
def _json(data: bytes, folder: Path) -> None:
    for lattice in read_lattices(written(folder, "x.jsonl", data)):
        _used(lattice)


@target("symbols", ["<eps>\t0\na\t1\nb\t2\n"])
def _symbols(data: bytes, folder: Path) -> None:
    read_symbols(written(folder, "symbols.txt", data))


@target(
    "paraphrases", [PPDB, "car auto automobile\ngo\twalk away\n", gzip.compress(PPDB.encode())], [" ||| ", "p(e|f)="]
)
def _paraphrases(data: bytes, folder: Path) -> None:
    for name in ("x.txt", "x.gz"):
        for policy in ("skip", "error"):
            try:
                list(read_pairs(written(folder, name, data), on_missing=policy))  # type: ignore[arg-type]
            except TercetError:
                continue


@cache
def _index() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index"
        compile_index([Pair("a b", "c", 0.5, "NN"), Pair("c", "a", 0.25), Pair("a", "b a c")], path, source="fuzz")
        return path.read_bytes()


@target("phrase-index", [_index()])
def _phrase_index(data: bytes, folder: Path) -> None:
    index = PhraseIndex.open(written(folder, "index", data))
    for _, _, phrase in index.spans(["a", "b", "c", "\ud800"]):
        index.paraphrases(phrase)


def _used(lattice: Lattice) -> None:
    assert lattice.paths >= 1
    assert lattice.lengths[0] <= lattice.lengths[1]
    if lattice.arcs < 200:
        assert list(lattice.sample(1, seed=1))
        to_openfst(lattice)
        for normalize in ("reference", "sum", "longer"):
            Search(normalize=normalize, window=2).match("a b c", lattice)  # type: ignore[arg-type]
    if lattice.arcs < 20:
        lattice.minimised()
