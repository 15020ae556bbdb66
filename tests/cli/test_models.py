"""Models on the command line: the one that decides by default, and `-M` of score and evaluate."""

from __future__ import annotations

import json
from importlib.resources import files as package_files

import pytest

DEMO = package_files("tercet") / "demo"
TWO = ["-r", f"{DEMO / 'reference.txt'}", "-t", *(f"{DEMO / name}.txt" for name in ("careful", "hasty"))]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))


def test_lite_decides_where_nothing_is_installed_and_every_form_names_it(tercet):
    for form in ("text", "json", "tsv", "markdown", "latex"):
        run = tercet("compare", *TWO, "--samples", "99", "-f", form)
        assert run.code == 0
        assert "lite" in run.out
    assert json.loads(tercet("compare", *TWO, "--samples", "99", "-f", "json").out)["model"] == "lite"


def test_score_shows_models_beside_metrics(tercet):
    run = tercet("score", *TWO, "-m", "chrf", "-M", "lite", "joint", "-f", "json")
    assert run.code == 0
    metrics = json.loads(run.out)["metrics"]
    assert list(metrics) == ["chrf", "lite", "joint"]
    systems = metrics["lite"]["systems"]
    assert systems["careful"]["score"] > systems["hasty"]["score"]


def test_evaluate_takes_models(tercet, tmp_path):
    lines = {name: (DEMO / f"{name}.txt").read_text("utf-8") for name in ("reference", "careful")}
    for kind, text in {
        "reference": lines["reference"],
        "mt-system": lines["careful"],
        "source": lines["careful"],
    }.items():
        (tmp_path / f"newstest2099.{kind}.xx-en").write_text(text, "utf-8")
    scores = "".join(f"{i % 7 / 7}\n" for i in range(20))
    (tmp_path / "newstest2099.human.xx-en").write_text(scores, "utf-8")
    run = tercet("evaluate", "--corpus", tmp_path, "-m", "chrf", "-M", "lite", "-f", "json", "--samples", "50")
    assert run.code == 0, run.err
    assert {row["scorer"] for row in json.loads(run.out)["results"]} == {"chrf", "lite"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", *TWO, "-M", "nobody"], "no such model"),
        (["score", *TWO, "-M", "base"], "tercet resources install minilm"),
        (["evaluate", "--corpus", "x"], "models with -M"),
    ],
)
def test_models_that_cannot_be_used(tercet, arguments, message):
    run = tercet(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert len(run.err.splitlines()) == 1
