"""`python -m fuzz` in small: every door is there, takes its own examples, and answers some mutations of them."""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

pytest.importorskip("yaml", reason="recipes need the extra train: pip install 'tercet[train]'")
pytest.importorskip("python_multipart", reason="uploads need the extra serve: pip install 'tercet[serve]'")

from fuzz.doors import ROOMS
from fuzz.findings import Findings, Tally
from fuzz.mutation import mutated
from fuzz.target import TARGETS, target
from tercet.errors import TercetError

for _room in ROOMS:
    importlib.import_module(f"fuzz.doors.{_room}")

ROOT = Path(__file__).parents[2]
SECONDS = 0.15
"""Of processor time for each target, here."""
READERS = {"lines", "columns", "jsonl", "parquet", "sgm", "wmt-xml", "nbest", "scores", "openfst", "trees", "recipe"}


def test_every_kind_of_file_has_a_target() -> None:
    from tercet.corpus.judgment_formats.recognise import FORMATS

    assert set(TARGETS) >= READERS
    assert {f"judgments-{name}" for name in FORMATS} <= set(TARGETS)
    assert all(one.seeds for one in TARGETS.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_only_errors_of_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    found = TARGETS[name]
    chance = random.Random(zlib.crc32(name.encode()))
    until = time.process_time() + SECONDS
    inputs = [*found.seeds]
    while inputs or time.process_time() < until:
        data = inputs.pop() if inputs else mutated(found.seeds, found.words, chance, most=1 << 14)
        try:
            found.door(data, tmp_path)
        except TercetError as error:
            line = str(error)
            assert line and "\n" not in line  # noqa: PT018


def test_what_is_found_is_kept_once(tmp_path: Path) -> None:
    findings = Findings(tmp_path)
    for data in (b"a", b"b"):
        try:
            raise KeyError("x")
        except KeyError as error:
            findings.add(error, data)
    [kept] = tmp_path.glob("*.bin")
    assert kept.read_bytes() == b"a"
    assert kept.with_suffix(".txt").read_text("utf-8").startswith("KeyError")


def test_a_run_counts_and_its_findings_are_looked_at_again(tmp_path: Path) -> None:
    folder = tmp_path / "symbols" / "findings"
    folder.mkdir(parents=True)
    (folder / "old.bin").write_bytes(b"\xff")  # which once was an error of another kind
    (folder / "old.txt").write_text("UnicodeDecodeError", "utf-8")
    command = [
        sys.executable,
        "-m",
        "fuzz",
        "symbols",
        "--seconds",
        "1",
        "--engine",
        "plain",
        "--folder",
        str(tmp_path),
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert json.loads((tmp_path / "symbols" / "tally.json").read_text("utf-8"))["executions"] > 10
    assert Tally.read(tmp_path / "symbols" / "tally.json").seconds > 0
    assert (tmp_path / "symbols" / "mended" / "old.bin").is_file()
    assert list(folder.glob("*")) == []


def test_a_target_is_a_function_with_examples() -> None:
    @target("toy", ["a", b"b"], ["c"])
    def door(data: bytes, folder: Path) -> None:
        pass

    try:
        toy = TARGETS["toy"]
        assert (toy.door, toy.seeds, toy.words, toy.room) == (door, (b"a", b"b"), (b"c",), __name__)
    finally:
        del TARGETS["toy"]
