"""`tercet lattice` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

REFERENCE = "Matt Damon downplays diversity in filmmaking"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options for lattices from a small table."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    (tmp_path / "table.txt").write_text(
        "downplays belittles understates\ndiversity richness\nfilmmaking\tmaking films\n"
    )
    return ["-m", f"hytera:sources={tmp_path / 'table.txt'},content=no,vectors=none"]


def test_counts_samples_and_explains(tercet, made: list[str]) -> None:
    run = tercet(
        "lattice", REFERENCE, *made, "--sample", 2, "--hypothesis", "damon belittles richness in films", "--explain"
    )
    assert run.code == 0, run.err
    assert "12" in run.out.splitlines()[2].split()
    assert "random paths" in run.out
    assert ["matt", "insertion"] in [line.split() for line in run.out.splitlines()]


def test_json(tercet, made: list[str]) -> None:
    run = tercet(
        "lattice", REFERENCE, *made, "--hypothesis", "matt damon belittles richness", "--explain", "-f", "json"
    )
    [found] = json.loads(run.out)["lattices"]
    assert {name: found[name] for name in ("paths", "states", "arcs", "lengths", "edits", "length", "path")} == {
        "paths": 12, "states": 8, "arcs": 11, "lengths": [6, 7], "edits": 2, "length": 6,
        "path": "matt damon belittles richness in filmmaking",
    }  # fmt: skip
    assert found["score"] == pytest.approx(100 / 3)
    assert [step["edit"] for step in found["steps"]] == ["match"] * 4 + ["insertion"] * 2


def test_pictures_exports_and_imports(tercet, made: list[str], tmp_path: Path) -> None:
    for name in ("out.fst", "out.jsonl"):
        run = tercet("lattice", REFERENCE, *made, "--draw", tmp_path / "out.svg", "--export", tmp_path / name)
        assert run.code == 0, run.err
        again = tercet("lattice", "--import", tmp_path / name, *made, "--minimise", "-f", "json")
        assert json.loads(again.out)["lattices"][0]["paths"] == 12
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert "belittles\t" in (tmp_path / "out.symbols").read_text()


def test_files_of_segments(tercet, files, made: list[str]) -> None:
    first, second, translations = files(first="downplays\nx y\n", second="diversity\nz\n", hyp="richness\nx\n")
    run = tercet("lattice", "-r", first, second, "-t", translations, *made, "-f", "json")
    assert [(one["paths"], one["score"]) for one in json.loads(run.out)["lattices"]] == [(5, 0.0), (2, 50.0)]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "give a sentence"),
        (["a", "-r", "f"], "one of them only"),
        (["a", "--explain"], "--explain needs a translation"),
        (["a", "-m", "bleu"], "has no lattices"),
        (["a", "--export", "out.pdf"], "does not say the format"),
        (["--import", "nowhere"], "cannot be read"),
    ],
)
def test_mistakes_are_one_line(tercet, made: list[str], arguments: list[str], problem: str) -> None:
    run = tercet("lattice", *arguments, *(made if "-m" not in arguments else []))
    assert run.code == 2
    assert problem in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0 1 a\n1 0 b\n1\n", "cycle through state 0"),
        ("0 1 a\n1\n3\n", "final state 3 cannot be reached"),
        ("0 1 a\n", "no final state"),
    ],
)
def test_automata_that_are_no_lattices(tercet, tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "bad.fst").write_text(text)
    run = tercet("lattice", "--import", tmp_path / "bad.fst", "-m", "hyter")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert problem in run.err
    assert "bad.fst" in run.err


def test_a_symbol_that_no_table_has(tercet, tmp_path: Path) -> None:
    (tmp_path / "symbols.txt").write_text("<eps> 0\na 1\n")
    (tmp_path / "1.fst").write_text("0 1 1 1\n1 2 9 9\n2\n")
    run = tercet("lattice", "--import", tmp_path, "-m", "hyter")
    assert run.code == 2
    assert "1.fst:2: symbol 9 is not in the table" in run.err


def test_an_empty_reference(tercet, made: list[str], tmp_path: Path) -> None:
    run = tercet("lattice", "", *made, "--hypothesis", "a b", "--draw", tmp_path / "out.svg", "-f", "json")
    [found] = json.loads(run.out)["lattices"]
    assert (found["paths"], found["lengths"], found["score"]) == (1, [0, 0], 100.0)


def test_score_knows_it(tercet, files, made: list[str]) -> None:
    reference, good, bad = files(
        ref=f"{REFERENCE}\n", good="Matt Damon belittles richness in filmmaking\n", bad="Matt\n"
    )
    run = tercet("score", "-r", reference, "-t", good, bad, "-m", made[1], "-f", "json")
    assert run.code == 0, run.err
    [found] = json.loads(run.out)["metrics"].values()
    assert [system["score"] for system in found["systems"].values()] == [0.0, pytest.approx(500 / 6)]


@pytest.mark.filterwarnings("always::tercet.errors.TercetWarning")
@pytest.mark.parametrize("verb", ["lattice", "score"])
def test_broken_lines_of_a_table(tercet, files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    table = tmp_path / "pairs.txt"
    table.write_text("cat feline\nalone\nmat rug\nlonely\n")
    [text] = files(ref="the cat\n")
    metric = f"hytera:sources={table},content=no,vectors=none"
    command = {
        "lattice": ["lattice", "-r", text, "-m", metric],
        "score": ["score", "-r", text, "-t", text, "-m", metric],
    }
    run = tercet(*command[verb])
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert f"{table}:2: " in run.err
    assert "--on-missing skip" in run.err
    for _ in range(2):  # the second time the table is compiled
        run = tercet(*command[verb], "--on-missing", "skip")
        assert run.code == 0, run.err
        assert f"2 broken lines left out, the first: {table}:2: a head without paraphrases" in run.err
