"""Trees, word vectors, running text, METEOR's tables, stored parses."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from fuzz.target import target, written
from tercet.errors import TercetError
from tercet.kernels.files import raise_trees, read_trees
from tercet.kernels.forest import Forest
from tercet.kernels.trees import PartialTree
from tercet.language import meteor_compile, running_text
from tercet.language.meteor_tables import MeteorTables
from tercet.language.parse_store import Parse, ParseStore, key_of
from tercet.language.skipgram import SkipGram
from tercet.language.trees import Tree, read
from tercet.language.word_vectors import WordVectors

TREE = "(S (NP (DT the) (NN c\\(at)) (VP \\u000041 \\e x\\_y))\n(S a)"
WORD2VEC = b"2 2\na " + np.array([1, 2], "<f4").tobytes() + b"\nb " + np.array([3, 4], "<f4").tobytes() + b"\n"


@target("trees", [TREE, "( (S (NN a) (-LRB- -LRB-)))"], ["(", ")", "\\u", "\\u110000", "\\ud80000", "\\_", "\\e"])
def _trees(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for penn in (True, False):
        trees = read(text, penn=penn)
        for tree in trees:
            if not penn:
                assert read(str(tree)) == [tree], "what is written reads back as the same tree"
            tree.depth()
        _kernel(trees)


@target("tree-files", ['{"labels": ["a", "b"], "parents": [-1, 0]}\n{"labels": ["c"], "parents": [-1]}\n', TREE])
def _tree_files(data: bytes, folder: Path) -> None:
    for name in ("x.jsonl", "x.txt"):
        try:
            _kernel(read_trees(written(folder, name, data)))
        except TercetError:
            continue


@target("tree-arrays", [np.array([0, 2, 1, 2, 0, 0, 3], np.int32).tobytes()])
def _tree_arrays(data: bytes, folder: Path) -> None:
    numbers = np.frombuffer(data[: len(data) // 4 * 4], np.int32)
    nodes = len(numbers) // 5 * 2
    raise_trees(numbers[:nodes], numbers[nodes : 2 * nodes], numbers[2 * nodes :], ["a", "b", "c"], file=Path("x"))


def _kernel(trees: list[Tree]) -> None:
    small = [tree for tree in trees if len(str(tree)) < 300][:4]
    if small:
        kernel = PartialTree(decay=0.4, vertical=0.4)
        assert np.isfinite(kernel(small, small)).all()
        Forest.of(small)


@target("vectors", ["a 1 2\nb 3 4\n", "2 2\na 1 2\nb 3 4\n", WORD2VEC], ["2 2\n", "nan", "1e999"])
def _vectors(data: bytes, folder: Path) -> None:
    vectors = WordVectors.read(written(folder, "x.vec", data))
    assert np.isfinite(vectors.means(["a b c"])).all()


def _npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)  # type: ignore[arg-type]
    return stream.getvalue()


@target("vectors-npy", [_npy(np.ones((2, 3), np.float32))], ["'descr'", "'|O'", "'shape': (2, 3)", "99999999999999999"])
def _vectors_npy(data: bytes, folder: Path) -> None:
    words = written(folder, "x.txt", b"a\nb\n")
    WordVectors.read(written(folder, "x.npy", data), words=words).means(["a b"])


@target("vectors-words", [b"a\nb\n", b"PAR1"])
def _vectors_words(data: bytes, folder: Path) -> None:
    matrix = written(folder, "x.npy", _npy(np.ones((2, 3), np.float32)))
    for name in ("x.txt", "x.parquet"):
        try:
            WordVectors.read(matrix, words=written(folder, name, data)).means(["a b"])
        except TercetError:
            continue


def _skipgram() -> bytes:
    rows = {"word": np.ones((2, 3), np.int8), "context": np.ones((2, 3), np.int8)}
    tags = {"tags": np.ones(2, np.uint64), "tag_names": np.frombuffer(b'["NN"]', np.uint8)}
    return save({"words": np.frombuffer(b"a\nb", np.uint8), **rows, **tags}, {"about": "{}"})


@target("skipgram", [_skipgram()], ['"dtype":"I8"', '"shape":[2,3]', '"data_offsets":[0,6]', '"F64"', '"BF16"'])
def _skipgram_file(data: bytes, folder: Path) -> None:
    SkipGram.read(written(folder, "x.safetensors", data))


@target("running-text", ["a/nn b/vb\n", "(S (NN a) (VB b))\n", "a NN B-NP\nb VB B-VP\n\n", "plain text.\n"], ["/nn "])
def _running(data: bytes, folder: Path) -> None:
    inner = folder / "running"
    inner.mkdir(exist_ok=True)
    written(inner, "x", data)
    list(running_text.sentences(inner))


@cache
def _meteor() -> bytes:
    from tempfile import TemporaryDirectory

    from tests.toy_meteor import wheel

    with TemporaryDirectory() as folder:
        meteor_compile.compile_tables(wheel(Path(folder)), Path(folder) / "tables")
        return (Path(folder) / "tables").read_bytes()


@target("meteor-tables", [_meteor()])
def _meteor_tables(data: bytes, folder: Path) -> None:
    tables = MeteorTables.open(written(folder, "meteor.tables", data))
    tables.native  # noqa: B018
    tables.paraphrases("a b")
    tables.synsets("car")


_PARSE = Parse((0, 2), (1, 3), "(S 0 1)", np.ones(2, np.float32))


@cache
def _store() -> bytes:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        store = ParseStore(Path(folder) / "parses")
        store.add(key_of("a b"), _PARSE)
        store.close()
        return (Path(folder) / "parses").read_bytes()


@target("parse-store", [_store(), json.dumps({"starts": []})])
def _parses(data: bytes, folder: Path) -> None:
    store = ParseStore(written(folder, "parses", data))
    for key in list(store._places):
        store.get(key)
