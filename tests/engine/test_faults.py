"""What goes wrong in a long run: nothing is lost, nothing is doubled, nothing broken is taken for whole."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tercet.engine import driver, open_dataset
from tercet.engine.running import Finished, finished
from tercet.errors import TercetError
from tests.engine.conftest import make_world
from tests.engine.slow import Slow, die, lines, run

PARTITIONS = 20
pytestmark = pytest.mark.faults


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twenty partitions of three segments."""
    file = tmp_path / "data.parquet"
    make_world(3 * PARTITIONS).long().write_parquet(file)
    return file


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def single(data: Path, folder: Path, log: Path, seconds: float = 0.0) -> Finished:
    with (
        driver("single", None) as one,
        finished(
            open_dataset(str(data), size=3), Slow(("bleu", "ter"), "error", seconds, str(log)), folder, one
        ) as found,
    ):
        return found


def parts(folder: Path) -> dict[str, object]:
    """Every part and its receipt but for the run's key, and nothing else."""
    found: dict[str, object] = {}
    for path in sorted((folder / "parts").iterdir()):
        receipt = json.loads(path.read_bytes()) if path.suffix == ".json" else {}
        found[path.name] = {**receipt, "key": ""} if receipt else path.read_bytes()
    return found


@pytest.fixture
def sound(data: Path, tmp_path: Path) -> dict[str, object]:
    """The parts of a run that nothing has disturbed."""
    single(data, tmp_path / "sound", tmp_path / "sound.log")
    found = parts(tmp_path / "sound")
    assert len(found) == 2 * PARTITIONS
    return found


def wait_for(what: str, condition, seconds: float = 60) -> None:
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience, f"no {what} after {seconds} seconds"
        time.sleep(0.01)


def test_a_killed_worker_loses_and_doubles_nothing(
    data: Path, sound: dict[str, object], log: Path, tmp_path: Path
) -> None:
    killed: list[str] = []

    def kill_one() -> None:
        wait_for("part in work", lambda: len(lines(log)) >= 4)
        killed.append(lines(log)[-1][0])
        os.kill(int(killed[0]), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    run(str(data), str(tmp_path / "run"), str(log), 0.1)
    killer.join()
    assert parts(tmp_path / "run") == sound
    seen = lines(log)
    assert len({process for process, _ in seen}) >= 2
    last = max(place for place, (process, _) in enumerate(seen) if process == killed[0])
    assert any(process != killed[0] for process, _ in seen[last + 1 :])  # others went on
    assert len(seen) <= PARTITIONS + 1  # the part that it had in work
    assert len(lines(Path(f"{log}.loads"))) <= 1 + len({process for process, _ in seen})  # once a process


def test_a_partition_that_ends_its_workers_ends_the_run() -> None:
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        driver("dask", "local:1") as one,
        pytest.raises(TercetError, match=r"a partition has ended several workers.*smaller --partition") as error,
    ):
        one.run(die, [1], lambda _: None)
    assert "\n" not in str(error.value)


def test_a_killed_client_is_resumed(data: Path, sound: dict[str, object], log: Path, tmp_path: Path) -> None:
    folder, program = tmp_path / "run", tmp_path / "client.py"
    call = f"run({str(data)!r}, {str(folder)!r}, {str(log)!r}, 0.15)"
    program.write_text(f"from tests.engine.slow import run\nif __name__ == '__main__':\n    {call}\n")
    client = subprocess.Popen(
        [sys.executable, str(program)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for("half of the parts", lambda: len(list(folder.glob("parts/*.json"))) >= PARTITIONS // 2)
    finally:
        client.kill()
        client.wait()
    workers = {int(process) for process, _ in lines(log)}
    wait_for("end of the workers", lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    done = {path.stem for path in folder.glob("parts/*.json")}
    assert PARTITIONS // 2 <= len(done) < PARTITIONS
    started = len(lines(log))
    assert started - len(done) <= 2  # what the two workers had in work
    found = single(data, folder, log, seconds=0.15)
    assert found.computed == PARTITIONS - len(done)
    assert len(lines(log)) <= PARTITIONS + 2
    assert parts(folder) == sound


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_told_and_the_run_continues(
    data: Path, sound: dict[str, object], log: Path, small_disk: Path
) -> None:
    folder = small_disk / "run"
    with pytest.raises(TercetError, match=r"No space left on device.*run the same command again") as error:
        single(data, folder, log)
    assert "\n" not in str(error.value)
    kept = {path.stem for path in folder.glob("parts/*.json")}
    assert 0 < len(kept) < PARTITIONS
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    found = single(data, folder, log)
    assert found.computed >= PARTITIONS - len(kept)
    assert parts(folder) == sound


def test_a_file_that_may_not_grow_is_as_a_full_disk(
    data: Path, sound: dict[str, object], log: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(TercetError, match="cannot be written") as error:
            single(data, folder, log)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "\n" not in str(error.value)
    assert not list(folder.glob("parts/*"))
    single(data, folder, log)
    assert parts(folder) == sound


@pytest.mark.parametrize("damage", ["changed", "cut short", "gone", "receipt cut short", "receipt of another part"])
def test_a_damaged_part_is_found_and_computed_again(
    damage: str, data: Path, sound: dict[str, object], log: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    single(data, folder, log)
    part = folder / "parts" / "000007.parquet"
    content = part.read_bytes()
    if damage == "changed":
        part.write_bytes(content[:300] + bytes([content[300] ^ 1]) + content[301:])
    elif damage == "cut short":
        part.write_bytes(content[:-100])
    elif damage == "gone":
        part.unlink()
    elif damage == "receipt cut short":
        part.with_suffix(".json").write_bytes(part.with_suffix(".json").read_bytes()[:50])
    else:
        part.with_suffix(".json").write_bytes((folder / "parts" / "000008.json").read_bytes())
    assert single(data, folder, log).computed == 1
    assert parts(folder) == sound
    assert single(data, folder, log).computed == 0


def test_what_a_killed_process_left_unfinished_is_swept_away(
    data: Path, sound: dict[str, object], log: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    single(data, folder, log)
    (folder / "parts" / "000003.json").unlink()
    (folder / "parts" / ".000003.parquet.x7y2").write_bytes(b"PAR1 half")
    assert single(data, folder, log).computed == 1
    assert parts(folder) == sound


def test_another_plan_or_another_input_is_refused(data: Path, log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    single(data, folder, log)
    before = parts(folder)
    with pytest.raises(TercetError, match="holds the parts of another command; choose another --into, or add --anew"):
        single(data, folder, log, seconds=0.01)
    make_world(3 * PARTITIONS, seed=6).long().write_parquet(data)
    with pytest.raises(TercetError, match=r"its input has changed since: .*data.parquet"):
        single(data, folder, log)
    assert parts(folder) == before
    with driver("single", None) as one:
        work = Slow(("bleu", "ter"), "error", 0.0, str(log))
        with finished(open_dataset(str(data), size=3), work, folder, one, anew=True) as found:
            assert found.computed == PARTITIONS
    assert parts(folder) != before


def test_two_clients_do_not_work_in_one_folder(data: Path, log: Path, tmp_path: Path) -> None:
    folder, errors = tmp_path / "run", []

    def other() -> None:
        wait_for("part", lambda: bool(lines(log)))
        try:
            single(data, folder, tmp_path / "log", seconds=0.02)
        except TercetError as error:
            errors.append(str(error))

    second = threading.Thread(target=other)
    second.start()
    single(data, folder, log, seconds=0.02)
    second.join()
    assert len(errors) == 1
    assert "another tercet is at work in it" in errors[0]


def test_a_worker_with_another_version_takes_no_part(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from tercet.engine.store import Store
    from tercet.engine.work import Task, compute

    dataset = open_dataset(str(data), size=3)
    work = Slow(("ter",), "error", 0.0, str(tmp_path / "log"))
    task = Task(work, ("0.0.1",), replace(dataset, partitions=()), dataset.partitions[0], Store(tmp_path, ""))
    with pytest.raises(TercetError, match=r"a worker has .* where 0.0.1 is meant; install the same tercet"):
        compute(task)
