"""Corpora from files: plain text and columns, formats told apart, systems named."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from tercet.corpus import Corpus, read
from tercet.corpus.names import system_name, system_names
from tests.corpus.conftest import Write, complaint


def systems(corpus: Corpus) -> dict[str, list[str]]:
    return {name: list(texts) for name, texts in corpus.systems.items()}


def test_plain_files(write: Write) -> None:
    corpus = read(
        [write("A.txt", "a1\na2\n"), write("B.out.gz", gzip.compress(b"b1\nb2"))],
        [write("ref.en", "r1\nr2\n"), write("ref2.en", "q1\n\n")],
        write("src.de", "s1\ns2\n"),
    )
    assert systems(corpus) == {"A": ["a1", "a2"], "B": ["b1", "b2"]}
    assert list(corpus.references) == [("r1", "q1"), ("r2", "")]
    assert list(corpus.sources or ()) == ["s1", "s2"]
    assert corpus.ids is None


def test_empty_references_may_be_missing_ones(write: Write) -> None:
    files = [write("ref.en", "r1\n\nr3\n"), write("ref2.en", "q1\nq2\n\n")]
    hypotheses = write("A.txt", "a\nb\nc\n")
    assert list(read([hypotheses], files).references) == [("r1", "q1"), ("", "q2"), ("r3", "")]
    corpus = read([hypotheses], files, empty_references="missing")
    assert list(corpus.references) == [("r1", "q1"), ("", "q2"), ("r3",)]
    assert complaint(lambda: read([hypotheses], files, empty_references="drop")) == (  # type: ignore[arg-type]
        "empty_references='drop' is not allowed; it takes text or missing"
    )


def test_names_in_a_mapping(write: Write) -> None:
    ref = write("ref", "r\n")
    corpus = read({"baseline": write("a/out.txt", "a\n"), "ours": write("b/out.txt", "b\n")}, [ref])
    assert systems(corpus) == {"baseline": ["a"], "ours": ["b"]}
    several = write("two.tsv", "a\tb\n")
    assert complaint(lambda: read({"one": several}, [ref])) == (
        "two.tsv: holds 2 systems, which cannot all be called 'one'"
    )


def test_unequal_numbers_of_segments_name_the_files(write: Write) -> None:
    ref, short = write("ref.en", "r1\nr2\n"), write("A.txt", "a\n")
    assert complaint(lambda: read([short], [ref])) == (
        "system 'A' (A.txt) has 1 segments but the references (ref.en) have 2; "
        "systems, references and source must hold the same segments"
    )
    assert complaint(lambda: read([ref], [ref], short)).startswith(
        "the source (A.txt) has 1 segments but the references"
    )
    assert complaint(lambda: read([ref], [ref, short])) == (
        "A.txt has 1 segments but ref.en has 2; files of references must hold the same segments"
    )


def test_no_references(write: Write) -> None:
    assert complaint(lambda: read([write("A.txt", "a\n")])) == "there are no references; give a file of references"


def test_a_corpus_without_systems(write: Write) -> None:
    assert systems(read([], [write("ref", "r\n")])) == {}


@pytest.mark.parametrize("name", ["ref.en", "ref.tsv"])
def test_references_in_columns(write: Write, name: str) -> None:
    ref, hypotheses = write(name, "r1\tq1\nr2\t\n"), write("A.txt", "a\nb\n")
    assert list(read([hypotheses], [ref], num_refs=2).references) == [("r1", "q1"), ("r2", "")]
    assert list(read([hypotheses], [ref], num_refs=2, empty_references="missing").references) == [("r1", "q1"), ("r2",)]
    unsaid = list(read([hypotheses], [ref]).references)
    assert unsaid == ([("r1\tq1",), ("r2",)] if name == "ref.en" else [("r1", "q1"), ("r2", "")])
    assert complaint(lambda: read([hypotheses], [ref], num_refs=3)) == (
        f"{name}:1: 2 columns where 3 are meant; put one tab between two texts and none inside them"
    )
    assert complaint(lambda: read([hypotheses], [ref], num_refs=0)) == "num_refs=0 is not allowed; it takes 1 or more"


def test_systems_in_columns(write: Write) -> None:
    ref = write("ref", "r1\nr2\n")
    assert systems(read([write("all.tsv", "a1\tb1 \r\na2\tb2\r\n")], [ref])) == {
        "all:1": ["a1", "a2"],
        "all:2": ["b1", "b2"],
    }
    assert systems(read([write("all.txt", "a1\tb1\n\tb2\n")], [ref], num_systems=2)) == {
        "all:1": ["a1", ""],
        "all:2": ["b1", "b2"],
    }
    assert systems(read([write("one.tsv", "a1\na2\n")], [ref])) == {"one": ["a1", "a2"]}
    uneven = write("uneven.tsv", "a\tb\na\tb\tc\n")
    assert complaint(lambda: read([uneven], [ref])).startswith("uneven.tsv:2: 3 columns where 2 are meant; ")
    assert complaint(lambda: read([ref], [ref], uneven)).startswith("uneven.tsv:2: 3 columns where 2 are meant; ")
    assert complaint(lambda: read([ref], [ref], "all.tsv")) == (
        "all.tsv: has 2 columns; give a source with one text a line"
    )
    data = write("A.jsonl", '{"mt": "a", "ref": "r"}\n')
    assert complaint(lambda: read([data], num_systems=2)) == (
        "a number of columns is given for systems, but none of their files is text"
    )


def test_columns_agree_with_sacrebleu(write: Write, tmp_path: Path) -> None:
    write("ref", "the cat sat on the mat\ta cat sat on a mat\nhello there world\thi there world\n")
    write("hyp", "the cat sat on a mat\nhello there big world\n")
    run = [sys.executable, "-m", "sacrebleu", "ref", "-i", "hyp", "--num-refs", "2", "-b", "-w", "6"]
    theirs = float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    from tercet.metrics import BLEU

    corpus = read(["hyp"], ["ref"], num_refs=2)
    assert BLEU().corpus(corpus.systems["hyp"], corpus.references) == pytest.approx(theirs, abs=1e-6)


def test_stdin_once_only(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = write("ref", "r1\nr2\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert systems(read(["-"], [ref])) == {"stdin": ["a", "b"]}
    for call in (lambda: read(["-", "-"], [ref]), lambda: read(["-"], ["-"]), lambda: read(["-"], [ref], "-")):
        assert complaint(call) == "stdin (-) is given twice and can be read once; save it to a file first"


def test_a_format_that_is_said_is_not_guessed(write: Write) -> None:
    line = '{"mt": "a", "ref": "r"}'
    path = write("data.jsonl", f"{line}\n")
    assert systems(read([path])) == {"data": ["a"]}
    assert systems(read([path], [path], format="text")) == {"data": [line]}
    assert systems(read([write("records.txt", line)], format="jsonl")) == {"records": ["a"]}
    assert complaint(lambda: read([path], format="csv")) == (  # type: ignore[arg-type]
        "format='csv' is not allowed; it takes text, tsv, sgm, xml, jsonl, parquet"
    )


SEGMENT = '<doc docid="d" sysid="X"><seg id="1">a</seg></doc>'


@pytest.mark.parametrize(
    ("name", "text", "name_of_system"),
    [
        ("out", f"\n<tstset setid='t'>{SEGMENT}</tstset>", "X"),
        ("out", f"\ufeff<?xml version='1.0'?>\n<!-- note -->\n<mteval><tstset>{SEGMENT}</tstset></mteval>", "X"),
        ("out.sgm", SEGMENT, "X"),
        ("out.SGML", SEGMENT, "X"),
        ("out.xml", f"<TSTSET>{SEGMENT}</TSTSET>", "X"),
        ("out", '<dataset><doc id="d"><hyp system="Y"><seg id="1">a</seg></hyp></doc></dataset>', "Y"),
        ("out", "<tstset> is how such a file begins", None),
        ("out", SEGMENT, "out"),
        ("out", "<b>a</b>", "out"),
        ("out.xml", "a", None),
    ],
)
def test_markup_is_known_by_its_beginning(write: Write, name: str, text: str, name_of_system: str | None) -> None:
    path, ref = write(name, text), write("ref", "r\n")
    if name_of_system:
        assert list(read([path], [ref]).systems) == [name_of_system]
    else:
        assert complaint(lambda: read([path], [ref])) in (
            "out.xml: is neither a WMT nor an mteval test set; its first element must be one of theirs",
            "out: holds no segments; see docs/formats.md for what can be read",
        )


def test_the_same_system_in_two_files(write: Write) -> None:
    first = write("one.sgm", f"<tstset>{SEGMENT}</tstset>")
    second = write("two.sgm", f"<tstset>{SEGMENT}</tstset>")
    assert complaint(lambda: read([first, second], [write("ref", "r\n")])) == (
        "two.sgm: system 'X' is in one.sgm already; leave one of them out"
    )


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("A.txt", "A"),
        ("runs/A.out", "A"),
        ("A.hyp", "A"),
        ("A.txt.gz", "A"),
        ("A.gz", "A"),
        ("A.TXT", "A"),
        ("A.txt.txt", "A.txt"),
        ("A.en", "A.en"),
        ("newstest2017.online-B.0.cs-en", "newstest2017.online-B.0.cs-en"),
        ("A", "A"),
        (".txt", ".txt"),
        ("-", "stdin"),
        ("A.jsonl", "A"),
        ("A.hyp.sgm", "A.hyp"),
    ],
)
def test_a_system_is_called_after_its_file(file: str, name: str) -> None:
    assert system_name(file) == name
    assert system_name(Path(file)) == name


def test_files_of_the_same_name_are_told_apart_by_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert system_names(["a/out.txt", "b/out.txt", "c/else.txt"]) == ["a/out", "b/out", "else"]
    assert system_names(["out.txt", "b/out.txt"]) == ["here/out", "b/out"]
    remedy = "leave one out, or rename one of the files or its folder"
    assert complaint(lambda: system_names(["a/out.txt", "a/out.hyp"])) == (
        f"a/out.txt and a/out.hyp would both be system 'a/out'; {remedy}"
    )
    assert (
        complaint(lambda: system_names(["A.txt", "A.txt"]))
        == f"A.txt and A.txt would both be system 'here/A'; {remedy}"
    )
    assert complaint(lambda: system_names(["1/a/out", "2/a/out"])) == (
        f"1/a/out and 2/a/out would both be system 'a/out'; {remedy}"
    )


def test_a_large_corpus_is_never_in_memory_at_once(write: Write) -> None:
    line = "A sentence of some length that stands for any other. " * 4
    for name in ("A.txt", "ref", "ref2"):
        write(name, f"{line}\n" * 100_000)  # 21 MB each
    corpus = read(["A.txt"], ["ref", "ref2"])
    tracemalloc.start()
    try:
        segments = sum(len(batch.references) for batch in corpus.batches(1000))
        assert sum(1 for _ in corpus.references) == sum(1 for _ in corpus.systems["A"]) == segments == 100_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * 2**20


def test_nothing_heavy_is_imported() -> None:
    check = "import sys, tercet.corpus; assert 'polars' not in sys.modules and 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)
