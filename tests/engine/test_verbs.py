"""Comparisons, agreement and features of a dataset are those of the same texts in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tercet.compare import choose_judge, compare
from tercet.corpus import Corpus
from tercet.engine import Driver, driver, open_dataset
from tercet.engine.comparing import compare_dataset
from tercet.engine.extraction import extract_features
from tercet.features.registry import feature_set
from tests.engine.conftest import SEGMENTS, SYSTEMS, World


@pytest.mark.parametrize("who", [{"metric": "ter"}, {"model": "joint"}, {"model": "lite"}])
def test_comparisons_are_the_same(
    who: dict[str, str], world: World, stacked: Path, tmp_path: Path, workers: Driver
) -> None:
    corpus = Corpus([(text,) for text in world.references], world.systems)
    wanted = compare(corpus, choose_judge(**who), samples=200).as_json()
    del wanted["segments"]
    dataset = open_dataset(str(stacked), size=10)
    with driver("single", None) as one:
        found = [
            compare_dataset(dataset, tmp_path / name, runs, samples=200, **who).as_json()
            for name, runs in (("one", one), ("two", workers))
        ]
    assert found[0].pop("segments") == found[1].pop("segments") == []
    assert found[0] == found[1]
    # sums over partitions that are no whole batches, and matrix products of other sizes, differ in the last digit
    assert found[0]["signature"] == wanted["signature"]
    for here, there in zip(found[0]["pairs"], wanted["pairs"], strict=True):
        assert [here["wins"], here["ties"]] == [there["wins"], there["ties"]]
        assert here["margin"] == pytest.approx(there["margin"], rel=1e-12)
    table = pl.read_parquet(tmp_path / "two" / "parts" / "*.parquet")
    assert len(table) == SEGMENTS * 3
    assert table.columns == ["segment", "first", "second", "margin", "verdict", "probability"]
    wins = table.filter(first="careful", second="literal")["verdict"].to_list().count(1)
    assert wins == next(pair["wins"] for pair in found[0]["pairs"] if pair["second"] == "literal")


def test_partitions_of_whole_batches_say_the_same_as_files_to_the_bit(
    world: World, stacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tercet.metrics.base.BATCH", 10)
    corpus = Corpus([(text,) for text in world.references], world.systems)
    wanted = compare(corpus, choose_judge(metric="ter"), samples=200).as_json()
    del wanted["segments"]
    for size in (10, 30):
        with driver("single", None) as one:
            dataset = open_dataset(str(stacked), size=size)
            found = compare_dataset(dataset, tmp_path / str(size), one, metric="ter", samples=200).as_json()
        del found["segments"]
        assert found == wanted


def test_features_are_the_same(world: World, stacked: Path, tmp_path: Path, workers: Driver) -> None:
    names = ["beer57", "bleu.components", "chrf"]
    extract_features(open_dataset(str(stacked), size=10), names, tmp_path / "run", workers)
    table = pl.read_parquet(tmp_path / "run" / "parts" / "*.parquet").filter(system="literal")
    sets = [(text,) for text in world.references]
    columns = [column for column in table.columns if column not in ("segment", "system")]
    wanted = np.concatenate([feature_set(name).transform(world.systems["literal"], sets) for name in names], axis=1)
    np.testing.assert_array_equal(table.select(columns).to_numpy(), wanted)
    assert len(set(columns)) == wanted.shape[1]


def test_the_command_line_writes_features(stacked: Path, tmp_path: Path, tercet) -> None:
    arguments = ["features", "-i", stacked, "--into", tmp_path / "run", "--partition", 30]
    run = tercet(*arguments, "-F", "ter", "bleu.components", "-f", "json")
    assert run.code == 0, run.err
    found = json.loads(run.out)
    assert found["rows"] == SEGMENTS * len(SYSTEMS)
    assert len(found["parts"]) == 2
    assert "ter" in found["columns"]
    assert tercet(*arguments, "-F", "chrf").err.count("holds the parts of another command") == 1
    assert "nist.components looks at the references" in tercet(*arguments, "-F", "nist.components").err
    assert tercet(*arguments, "-F", "chrf", "--anew").out.startswith("171 rows of 3 columns in 2 parts")


def test_the_command_line_compares_a_dataset(stacked: Path, plain: list, tmp_path: Path, tercet) -> None:
    files = tercet("compare", *plain, "-m", "chrf", "--samples", 100)
    run = tercet(
        "compare", "-i", stacked, "--into", tmp_path / "run", "--partition", 20, "-m", "chrf", "--samples", 100
    )
    assert (run.code, run.err) == (0, "")
    assert run.out == files.out
    assert "-r" in tercet("compare", "-m", "chrf").err
    mixed = tercet("compare", "-i", stacked, "--into", tmp_path / "x", "--html", "report.html", "-m", "chrf")
    assert "--html does not go with it" in mixed.err
    one = tercet("compare", "-i", stacked, "--into", tmp_path / "x", "--systems", "hasty", "-m", "chrf")
    assert "a comparison needs two systems or more" in one.err
    nist = tercet("compare", "-i", stacked, "--into", tmp_path / "x", "-m", "nist")
    assert "nist looks at the references of the whole test set" in nist.err


@pytest.fixture
def judged(world: World, tmp_path: Path) -> tuple[Path, Path]:
    """Direct assessments of the dataset, as a table and as the same in a folder of a WMT tree."""
    table, tree = tmp_path / "judgments.jsonl", tmp_path / "tree"
    folder = tree / "system-outputs" / "news" / "xx-en"
    folder.mkdir(parents=True)
    (tree / "references").mkdir()
    (tree / "references" / "news-ref.en").write_text("".join(f"{text}\n" for text in world.references))
    for name, texts in world.systems.items():
        (folder / f"news.xx-en.{name}").write_text("".join(f"{text}\n" for text in texts))
    draw = np.random.default_rng(3)
    lines = ["LP DATA SYSTEM SID HUMAN"]
    for name, texts in world.systems.items():
        for number, text in enumerate(texts, 1):
            worth = len(text) / (1 + len(world.references[number - 1])) + draw.normal(0, 0.1)
            lines.append(f"xx-en news {name} {number} {worth:.4f}")
    table = tmp_path / "DA-seglevel.csv"
    table.write_text("\n".join(lines) + "\n")
    return table, tree


def test_agreement_is_the_same(stacked: Path, judged: tuple[Path, Path], tmp_path: Path, tercet) -> None:
    table, tree = judged
    options = ["--judgments", table, "-m", "bleu", "chrf", "ter", "--samples", 100, "-f", "json"]
    for level in ("segment", "system"):
        wanted = tercet("evaluate", "--corpus", tree, *options, "--level", level)
        assert wanted.code == 0, wanted.err
        run = tercet(
            "evaluate", "-i", stacked, "--into", tmp_path / "run", "--partition", 20, *options, "--level", level
        )
        assert (run.code, run.err) == (0, "")
        assert run.out == wanted.out
    assert "give them with --judgments" in tercet("evaluate", "-i", stacked, "--into", tmp_path / "x", "-m", "ter").err
    assert "give --corpus DIR or -i DATASET" in tercet("evaluate", "-m", "ter").err
    table.write_text(table.read_text() + "xx-en news bold 1 0.5\n")
    unknown = tercet("evaluate", "-i", stacked, "--into", tmp_path / "x", *options)
    assert "bold" in unknown.err
    assert unknown.err.count("\n") == 1
