"""What `python -m fuzz` and a careful look found: the bytes, and the one line that they now give."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tercet import _native, resources
from tercet.corpus.files import Content
from tercet.corpus.jsonl import read_jsonl
from tercet.corpus.judgment_formats.recognise import read_judgments
from tercet.corpus.parquet import read_parquet
from tercet.corpus.scores import read_scores
from tercet.engine.dataset import open_dataset
from tercet.engine.parquet_runs import read_runs
from tercet.errors import ResourceError, TercetError
from tercet.language.skipgram import SkipGram
from tercet.language.trees import read as read_trees
from tercet.language.word_vectors import WordVectors
from tercet.lattice import sources
from tercet.lattice.files import read_lattices
from tercet.lattice.openfst import read_symbols
from tercet.resources.cache import Entry, Manifest
from tercet.tables import Table
from tests.hostile.conftest import Within

DEEP = b'{"a":' * 3000
APPRAISE = b"""<?xml version="1.0" encoding="%s"?>
<r><HIT source-language="deu" target-language="eng"><ranking-task id="%s"><ranking-result user="a">
<translation system="a" rank="1"/><translation system="b" rank="2"/></ranking-result></ranking-task></HIT></r>"""
RANKINGS = (
    b"srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
)


def scores(path: Path) -> object:
    return read_scores(path, system="s")


def npy(path: Path) -> object:
    words = path.with_name("words.txt")
    words.write_bytes(b"a\n")
    return WordVectors.read(path, words=words)


def word_table(path: Path) -> object:
    matrix = path.with_name("m.npy")
    np.save(matrix, np.ones((1, 2), np.float32))
    return WordVectors.read(matrix, words=path)


@pytest.mark.parametrize(
    ("reader", "name", "data", "problem"),
    [
        (scores, "x.score", DEEP, ':1: not an object with a "score"'),
        (scores, "x.score", b'{"score": 1' + b"0" * 400 + b"}", ":1: score a very large number is not a finite number"),
        (
            scores,
            "x.score",
            b'{"score": 1, "segment": 99999999999999999999}',
            ":1: segment 99999999999999999999 is not",
        ),
        (read_lattices, "x.jsonl", DEEP, ":1: not JSON (maximum recursion depth exceeded"),
        (
            read_lattices,
            "x.jsonl",
            b'{"states": 1e999, "edges": [], "finals": [0]}',
            ":1: not a lattice in JSON (cannot conv",
        ),
        (read_symbols, "symbols.txt", b"\xff 0\n", ": not UTF-8"),
        (read_judgments, "x.xml", APPRAISE % (b"x-unknown", b"1"), None),
        (
            read_judgments,
            "x.xml",
            APPRAISE % (b"utf-8", b"9" * 5000),
            f":3: {'9' * 40!r} is not the number of a segment",
        ),
        (read_judgments, "x.xml", APPRAISE % (b"utf-8", b"9" * 20), f":3: {'9' * 20!r} is not the number of a segment"),
        (
            read_judgments,
            "x.csv",
            RANKINGS + b'Czech,English,4,4,"anna,a,1,b,2,c,3\nCzech,English,4,4,bert",a,1,b,2,c,3\n',
            ":2: quotes that do not fit together (unexpected end of data)",
        ),
        (
            read_judgments,
            "x.csv",
            RANKINGS + b'Czech,English,4,4,"' + b"a" * 200_000 + b'",a,1,b,2,c,3\n',
            ":2: quotes that do not fit together (field larger than field limit (131072))",
        ),
        (npy, "x.npy", b"PK\x05\x06" + bytes(18), ": is not an npy file that can be read (it does not begin as one)"),
        (npy, "x.npy", b"\x93NUMPY\x01\x00\x02\x00()", ": is not an npy file that can be read"),
        (npy, "x.npy", b"\x93NUMPY\x01\x00\x02\x00{\n", ": is not an npy file that can be read"),
        (word_table, "x.parquet", b"PAR1", ": not a table of words (parquet: File out of specification"),
        (
            SkipGram.read,
            "x.safetensors",
            b"\x3e\0\0\0\0\0\0\0" + b'{"words":{"dtype":"U8","shape":[],"data_offsets":[0,1]}      }a',
            ": not a file of skip-gram vectors ('word')",
        ),
    ],
)
def test_one_line(
    reader: Callable[[Path], object], name: str, data: bytes, problem: str | None, tmp_path: Path, within: Within
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    if problem is None:  # what an XML file says of its encoding is not asked: it was checked to be UTF-8
        assert reader(path)
        return
    with within(5.0), pytest.raises(TercetError) as error:
        reader(path)
    assert str(error.value).startswith(f"{path}{problem}")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400 + len(str(path))


def test_a_table_that_makes_its_reader_panic(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    stream = io.BytesIO()
    pl.DataFrame({"reference": ["x", "y"], "mt": ["p", ""]}).write_parquet(stream)
    sound = stream.getvalue()
    for place in range(4, len(sound) - 4):
        data = bytearray(sound)
        data[place] ^= 0x94
        with contextlib.suppress(TercetError):
            read_parquet(Content.of("x.parquet", bytes(data)), name="x")
        path.write_bytes(data)
        with contextlib.suppress(TercetError):
            found = open_dataset(str(path))
            read_runs(found.columns, found.partitions[0].runs)
    capfd.readouterr()  # Rust tells of its panics on stderr itself


def test_a_name_that_stands_twice_is_found_in_time(within: Within) -> None:
    names = ", ".join(f'"k{i}": 0' for i in range(100_000))
    with within(3.0), pytest.raises(TercetError, match=r"^x:1: has 'k99999' twice; keep one of them$"):
        read_jsonl(Content.of("x", f'{{{names}, "k99999": 1}}\n'.encode()), name="x")


@pytest.mark.parametrize("escape", ["\\u110000", "\\uffffff", "\\u00004", "\\u"])
def test_an_escape_beyond_the_last_character(escape: str) -> None:
    """Is none: the backslash stands before a `u`, as before any other letter."""
    assert read_trees(f"(S {escape})")[0].leaves() == (escape[1:],)
    assert read_trees("(S \\u10ffff\\u00d800)")[0].leaves() == ("\U0010ffff\ud800",)


NONE = 0xFFFFFFFF


def table(**changed: list[int]) -> _native.Phrases:
    """Two words, `a` and `b`; `a` has the paraphrase `b`."""
    whole = {
        "text_start": [0, 1, 2],
        "text_slot": [0, 1, NONE, NONE],
        "child_slot": [NONE, NONE],
        "last_word": [0, 1],
        "parent": [NONE, NONE],
        "paraphrase": [1],
        "paraphrase_start": [0, 1, 1],
    }
    arrays = {name: np.array(values, np.uint32) for name, values in (whole | changed).items()}
    return _native.Phrases(np.frombuffer(b"ab", np.uint8), **arrays)


@pytest.mark.parametrize(
    "changed",
    [
        {"text_start": [0, 4_000_000_000, 2]},
        {"text_start": [0, 1]},
        {"text_start": []},
        {"text_slot": [7, 7, 7, 7]},
        {"text_slot": [0, 1, 0, 1], "text_start": [0, 0, 0]},  # full: a search that would never end
        {"text_slot": []},
        {"text_slot": [0]},
        {"text_slot": [0, 1, NONE]},
        {"last_word": []},
        {"last_word": [0, 9]},
        {"parent": [NONE, 1]},  # its own parent: a walk that would never end
        {"parent": [1, 0]},
        {"parent": []},
        {"paraphrase": [4_000_000_000]},
        {"paraphrase_start": [0, 4_000_000_000, 1]},
        {"paraphrase_start": [1, 0, 1]},
        {"paraphrase_start": [0]},
    ],
)
def test_a_damaged_table_is_an_error_and_no_crash(changed: dict[str, list[int]]) -> None:
    def look(phrases: _native.Phrases) -> list[object]:
        phrases.spans(["a", "b"])
        return [phrases.paraphrases(node) for node in (0, 1)]

    with pytest.raises(ResourceError, match="a table of language data is damaged; run `tercet resources verify`"):
        look(table(**changed))


def test_a_sound_table_is_read() -> None:
    places = [[0 if i == a else 1 if i == b else NONE for i in range(4)] for a, b in permutations(range(4), 2)]
    slots = next(slots for slots in places if table(text_slot=slots).spans(["a"]) == [(0, 1, 0)])
    assert table(text_slot=slots).paraphrases(0) == [("b",)]


def test_derived_tables_are_verified_and_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "list.txt"
    file.write_text("car auto automobile\n", "utf-8")
    sources._of_file.cache_clear()

    def opened() -> list[str]:
        sources._of_file.cache_clear()
        index = sources._of_file(file, 0, "error")
        return [one.words[0] for _, _, phrase in index.spans(["car"]) for one in index.paraphrases(phrase)]

    assert opened() == ["auto", "automobile"]
    [(path, problem)] = sources.verify_compiled()
    assert problem == ""
    whole = path.read_bytes()
    run = subprocess.run([sys.executable, "-m", "tercet", "resources", "verify"], capture_output=True, text=True)
    assert (run.returncode, run.stdout.splitlines()[-1], run.stderr) == (0, f"{path.name}: whole", "")
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    run = subprocess.run([sys.executable, "-m", "tercet", "resources", "verify"], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (
        2,
        f"tercet: {path}: the table of paraphrases is damaged (sha256 differs); remove it, and it is made anew\n",
    )
    for left in (0, 5, 100, len(whole) // 2):
        path.write_bytes(whole[:left])
        assert opened() == ["auto", "automobile"]  # found to be cut short, and made again
        assert [problem for _, problem in sources.verify_compiled()] == [""]


def test_a_manifest_that_was_changed_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path))
    resource = resources.named("minilm")
    folder = resources.root() / "minilm"
    folder.mkdir(parents=True)
    files = {}
    for wanted in resource.archives[0].wanted:
        (folder / wanted.name).write_bytes(b"evil")
        files[wanted.name] = Entry(4, hashlib.sha256(b"evil").hexdigest())
    manifest = Manifest("minilm", resource.version, ("x",), "", files)
    (folder / "manifest.json").write_text(manifest.to_json(), "utf-8")
    assert resources.status("minilm").state == "installed"  # as far as sizes tell
    with pytest.raises(ResourceError, match=r"states another sha256 of model\.safetensors than 53aa51172d"):
        resources.verify("minilm")


def test_a_manifest_that_is_nested_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path))
    folder = resources.root() / "minilm"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("[" * 5000, "utf-8")
    found = resources.status("minilm")
    assert (found.state, found.problem) == ("broken", f"{folder / 'manifest.json'}: not a manifest")


ESCAPE = "a\x1b[2J"


@pytest.mark.parametrize("name", [ESCAPE, "a\nb", "a\u202eb"])
def test_a_name_does_nothing_to_a_terminal(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"segment": "1", "system": name, "mt": "a", "ref": "a"}) + "\n", "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "tercet", "score", "-t", str(path), "-m", "chrf"], capture_output=True, text=True
    )
    assert run.returncode == 2
    assert run.stderr == f"tercet: {path}: the system {name!r} has control characters in its name; rename it\n"
    table = Table(["System", "Score"])
    table.add(name, "1")
    for form in ("text", "tsv", "markdown", "latex"):
        assert "a\ufffd" in table.render(form)
        assert name not in table.render(form)


def test_an_error_does_nothing_to_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from tercet.cli import _fail

    with pytest.raises(SystemExit):
        _fail(f"x: {ESCAPE} is\nwrong \U0001f469\u200d\U0001f52c")
    assert capsys.readouterr().err == "tercet: x: a\ufffd[2J is wrong \U0001f469\u200d\U0001f52c\n"
