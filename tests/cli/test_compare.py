"""`tercet compare` as a user runs it."""

from __future__ import annotations

import json
from importlib.resources import files as package_files

import pytest

DEMO = package_files("tercet") / "demo"
THREE = ["-r", f"{DEMO / 'reference.txt'}", "-t", *(f"{DEMO / name}.txt" for name in ("literal", "careful", "hasty"))]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))


def test_one_screen_says_who_is_better(tercet):
    run = tercet("compare", *THREE, "-M", "joint", "--samples", "500")
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines[0] == "careful is best: far better than hasty and literal."
    assert lines[1] == "3 systems, 20 segments, 1 reference; model joint"
    assert len(lines) <= 24
    assert max(map(len, lines[:-1])) <= 120
    assert "no difference shown" in run.out


def test_many_systems_stand_in_a_matrix(tercet, files):
    paths = files(**{f"s{i}": "a b c d\n" * i + "x\n" * (12 - i) for i in range(10)}, ref="a b c d\n" * 12)
    run = tercet("compare", "-r", paths[-1], "-t", *paths[:-1], "-m", "chrf", "--samples", "200")
    assert run.code == 0
    assert len(run.out.splitlines()) <= 32
    assert "Row against column" in run.out
    assert "metric chrF2" in run.out


@pytest.mark.parametrize("model", [["-M", "joint"], ["-m", "ter"]], ids=["model", "metric"])
def test_the_json_others_rely_on(tercet, model):
    run = tercet("compare", *THREE, *model, "-f", "json", "--samples", "99")
    content = json.loads(run.out)
    assert content["model"] in ("joint", "TER")
    for pair in content["pairs"]:
        assert {"first", "second", "wins", "losses", "ties", "probability", "p_value"} <= set(pair)
        assert pair["wins"] + pair["losses"] + pair["ties"] == 20
    for ranked in content["ranking"]:
        assert {"system", "score", "rank", "cluster"} <= set(ranked)
    assert len(content["segments"]) == 60


def test_every_format_names_the_model(tercet):
    for form in ("text", "markdown", "latex"):
        assert "model joint" in tercet("compare", *THREE, "-M", "joint", "-f", form, "--samples", "99").out
    run = tercet("compare", *THREE, "-M", "joint", "-f", "tsv", "--segments", "--samples", "99")
    assert run.out.splitlines()[0].endswith("\tmodel")
    assert run.out.splitlines()[1].endswith("\tjoint")
    assert run.out.count("\n") > 60


def test_why(tercet):
    run = tercet("compare", *THREE, "-M", "joint", "--explain", "3", "--samples", "99")
    assert run.code == 0
    assert "segment 3, model joint" in run.out
    assert "Only careful has" in run.out
    content = json.loads(
        tercet(
            "compare", *THREE, "-M", "joint", "--explain", "3", "--pair", "hasty", "literal", "-f", "json",
            "--samples", "99",
        ).out
    )  # fmt: skip
    assert (content["first"]["system"], content["second"]["system"]) == ("hasty", "literal")


def test_the_report_is_written_beside_the_screen(tercet, tmp_path):
    target = tmp_path / "report.html"
    run = tercet("compare", *THREE, "-M", "joint", "--html", target, "--samples", "99")
    assert run.code == 0
    assert run.out.startswith("careful is best")
    assert run.err == ""
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-M", "joint", "-m", "chrf"], "-M and -m are two judges; choose one"),
        (["-M", "none-such"], "none-such: no such model"),
        (["--explain", "21"], "there is no segment 21; the corpus has 1 to 20"),
        (["--explain", "1", "--pair", "careful"], "a pair is two systems, not 1"),
        (["--explain", "1", "--pair", "careful", "nobody"], "there is no system 'nobody'"),
        (["--pair", "careful", "hasty"], "--pair says what to explain; give --explain N too"),
        (["--explain", "1", "-f", "latex"], "an explanation has no latex form"),
        (["--html", "/nowhere/report.html"], "/nowhere/report.html: cannot be written"),
    ],
)
def test_mistakes_are_one_line(tercet, arguments, message):
    run = tercet("compare", *THREE, *([] if "-M" in arguments else ["-M", "joint"]), "--samples", "50", *arguments)
    assert run.code == 2
    assert run.err.startswith(f"tercet: {message}")
    assert run.err.count("\n") == 1
