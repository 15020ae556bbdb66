"""Scores of a dataset are those of the same texts in files, to the bit, whoever computes them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from tercet.engine import driver, open_dataset, score_dataset
from tercet.engine.drivers import Driver
from tercet.errors import TercetError
from tercet.metrics.scoring import Plan
from tests.engine.conftest import SEGMENTS, SYSTEMS, World

METRICS = ["bleu", "chrf:word_order=2", "ter"]


def scores(path: Path, into: Path, who: Driver, plan: Plan | None = None, size: int = 10, **options) -> list[dict]:
    dataset = open_dataset(str(path), size=size)
    return [one.as_json() for one in score_dataset(dataset, METRICS, into, who, plan, **options)]


PLANS = [
    Plan(components=True),
    Plan(confidence=130, paired="bs", samples=130, baseline="careful"),
    Plan(confidence=100, paired="ar", samples=300, baseline="hasty", seed=3),
    Plan(paired="bs", samples=77, baseline=None),
]


@pytest.mark.parametrize("plan", PLANS)
def test_files_one_process_and_two_workers_say_the_same(
    plan: Plan, world: World, stacked: Path, tmp_path: Path, workers: Driver
) -> None:
    from tercet.corpus import Corpus
    from tercet.metrics.registry import metric
    from tercet.metrics.scoring import score_corpus

    corpus = Corpus([(text,) for text in world.references], world.systems)
    wanted = [one.as_json() for one in score_corpus(corpus, {spec: metric(spec) for spec in METRICS}, plan)]
    with driver("single", None) as one:
        assert scores(stacked, tmp_path / "one", one, plan) == wanted
        assert scores(stacked, tmp_path / "other", one, plan, size=56) == wanted
    assert scores(stacked, tmp_path / "two", workers, plan) == wanted
    parts = [sorted((tmp_path / name / "parts").glob("*.parquet")) for name in ("one", "two")]
    assert [part.read_bytes() for part in parts[0]] == [part.read_bytes() for part in parts[1]]


def test_a_scheduler_is_found_by_its_address_or_its_file(stacked: Path, tmp_path: Path, workers: Driver) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"type": "Scheduler", "address": workers.client.scheduler.address}))
    wanted = scores(stacked, tmp_path / "here", workers)
    for number, address in enumerate((workers.client.scheduler.address, str(file))):
        with driver("dask", address) as there:
            assert scores(stacked, tmp_path / str(number), there) == wanted
    file.write_text("{}")
    with pytest.raises(TercetError, match="there is no Dask scheduler"), driver("dask", str(file)):
        pass


def test_what_is_wrong_with_a_record_is_said_by_workers_too(world: World, tmp_path: Path, workers: Driver) -> None:
    file = tmp_path / "data.parquet"
    hole = pl.when(pl.int_range(pl.len()) == 33).then(None).otherwise(pl.col("systems.hasty"))
    world.wide().with_columns(hole.alias("systems.hasty")).write_parquet(file)
    said = []
    with driver("single", None) as one:
        for who in (one, workers):
            with pytest.raises(TercetError) as error:
                scores(file, tmp_path / str(len(said)), who)
            said.append(str(error.value))
    assert said[0] == said[1]
    assert "data.parquet:34: 'systems.hasty' is null" in said[0]
    assert workers.run(abs, [-1, 2, -3], lambda _: None) == [1, 2, 3]  # and are ready for more


def test_without_dask_one_line_says_what_to_install(
    stacked: Path, tmp_path: Path, tercet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = tercet("score", "-i", stacked, "--into", tmp_path / "run", "--engine", "dask")
    assert run.code == 2
    assert run.err == "tercet: --engine dask needs Dask; install the extra with pip install 'tercet[dask]'\n"


def test_another_test_reads_the_same_parts(stacked: Path, tmp_path: Path, workers: Driver) -> None:
    scores(stacked, tmp_path / "run", workers)
    before = {part: part.stat().st_mtime_ns for part in (tmp_path / "run" / "parts").iterdir()}
    scores(stacked, tmp_path / "run", workers, PLANS[1])
    assert {part: part.stat().st_mtime_ns for part in (tmp_path / "run" / "parts").iterdir()} == before


def test_parts_hold_the_score_and_the_statistics_of_every_segment(
    world: World, stacked: Path, tmp_path: Path, tercet
) -> None:
    run = tercet(
        "score", "-i", stacked, "--into", tmp_path / "run", "--partition", 20, "-m", "bleu", "ter", "-f", "json"
    )
    assert run.code == 0, run.err
    table = pl.read_parquet(tmp_path / "run" / "parts" / "*.parquet")
    assert len(table) == SEGMENTS * len(SYSTEMS)
    of = table.filter(system="hasty")
    from tercet.metrics import BLEU, TER

    references = [(text,) for text in world.references]
    assert of["segment"].to_list() == [f"s{i}" for i in range(SEGMENTS)]
    assert of["bleu"].to_list() == BLEU().segments(world.systems["hasty"], references).tolist()
    edits = TER().statistics(world.systems["hasty"], references)[:, 0]
    assert of["ter.edits"].to_list() == edits.tolist()
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert [part["rows"] for part in manifest["parts"]] == [60, 60, 51]


def test_the_command_line_says_the_same_of_files_and_of_a_dataset(
    stacked: Path, plain: list, tmp_path: Path, tercet
) -> None:
    options = ["-m", *METRICS, "--paired-bs", "--confidence", "-f", "json"]
    files = tercet("score", *plain, *options)
    assert files.code == 0, files.err
    dataset = tercet("score", "-i", stacked, "--into", tmp_path / "run", "--partition", 20, *options)
    assert dataset.out == files.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--into", "x"], "--into is for a dataset; give it with -i"),
        (["-t", "x", "--engine", "dask"], "--engine is for a dataset"),
        (["-i", "DATA"], "give --into DIR"),
        (["-i", "DATA", "--into", "OUT", "-t", "x"], "-t does not go with it"),
        (["-i", "DATA", "--into", "OUT", "--segments"], "leave --segments out"),
        (["-i", "DATA", "--into", "OUT", "-m", "nist"], "nist looks at the references of the whole test set"),
        (["-i", "DATA", "--into", "OUT", "--systems", "bold"], "has no system 'bold'"),
        (["-i", "DATA", "--into", "OUT", "--systems", "hasty", "--paired-bs"], "needs two systems"),
        (["-i", "DATA", "--into", "OUT", "--scheduler", "local:2"], "give --engine dask too"),
        (["-i", "DATA", "--into", "OUT", "--engine", "dask", "--scheduler", "local:0"], "write local:2"),
        (["-i", "DATA", "--into", "OUT", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler"),
        (["-i", "DATA", "--into", "FULL"], "exists and is something else"),
        (["-i", "DATA", "--into", "DATA"], "is a file where a folder is meant"),
    ],
)
def test_one_clear_line(
    arguments: list[str], message: str, stacked: Path, tmp_path: Path, tercet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tercet.engine.drivers.PATIENCE", 0.5)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    places = {"DATA": stacked, "OUT": tmp_path / "out", "FULL": tmp_path / "full"}
    run = tercet("score", *(places.get(argument, argument) for argument in arguments))
    assert run.code == 2
    assert run.out == ""
    assert message in run.err
    assert run.err.count("\n") == 1
    assert (tmp_path / "full" / "thesis.txt").read_text() == "mine"


def test_nothing_of_dask_is_imported_by_one_process(stacked: Path, tmp_path: Path) -> None:
    import subprocess

    script = (
        "import sys; from tercet.engine import *\n"
        f"with driver('single', None) as one: score_dataset(open_dataset({str(stacked)!r}), ['ter'], "
        f"__import__('pathlib').Path({str(tmp_path / 'run')!r}), one)\n"
        "assert not {'dask', 'distributed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
