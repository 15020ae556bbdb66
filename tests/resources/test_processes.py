"""Two processes at once, and one that is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tercet import resources
from tercet.resources.entry import Compiled
from tests.resources.conftest import Declare

pytestmark = pytest.mark.faults

STEP = """
import time
from pathlib import Path

def slowly(source, target):
    with (Path(__file__).parent / "runs").open("a") as runs:
        runs.write("run\\n")
    time.sleep({seconds})
    target.write_bytes(b"".join(path.read_bytes() for path in sorted(source.rglob("*.*"))))
"""

INSTALL = """
import sys
from pathlib import Path

sys.path[:0] = [{root!r}, {folder!r}]
from tercet import resources
from tercet.resources import table
from tercet.resources.entry import Compiled
from tests.resources.conftest import toy

wheel = Path({wheel!r})
table.RESOURCES["toy"] = toy(wheel, compiled=Compiled("slow_step:slowly", "all.bin", 20_000))
print(resources.install("toy", sources=[wheel], progress=lambda what, done, total: print(what, flush=True)))
"""


def start(folder: Path, wheel: Path, *, seconds: float) -> subprocess.Popen[str]:
    (folder / "slow_step.py").write_text(STEP.format(seconds=seconds))
    script = INSTALL.format(root=str(Path(__file__).parents[2]), folder=str(folder), wheel=str(wheel))
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def declared(declare: Declare) -> None:
    declare(compiled=Compiled("slow_step:slowly", "all.bin", 20_000))


@pytest.mark.usefixtures("declared")
def test_two_at_once_both_end_well(cache: Path, toy_wheel: Path, tmp_path: Path) -> None:
    processes = [start(tmp_path, toy_wheel, seconds=2) for _ in range(2)]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    results = sorted(output.splitlines()[-1] for output, _ in outputs)
    assert results == ["False", "True"]  # one installs, the other finds it done
    waited = ["waiting for another installation of toy" in output for output, _ in outputs]
    assert sorted(waited) == [False, True]
    assert (tmp_path / "runs").read_text() == "run\n"
    assert resources.verify("toy")
    assert sorted(path.name for path in cache.iterdir()) == [".toy.lock", "toy"]


@pytest.mark.usefixtures("declared")
def test_after_a_killed_process_nothing_is_found_and_all_can_be_installed(
    cache: Path, toy_wheel: Path, tmp_path: Path
) -> None:
    process = start(tmp_path, toy_wheel, seconds=600)
    try:
        patience = time.monotonic() + 60
        while not (tmp_path / "runs").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < patience
            time.sleep(0.02)
    finally:
        process.kill()
        process.communicate()
    assert (cache / ".toy.partial").exists()
    assert resources.status("toy").state == "missing"

    second = start(tmp_path, toy_wheel, seconds=0)
    output, error = second.communicate(timeout=60)
    assert output.splitlines()[-1] == "True", error
    assert "waiting" not in output  # the lock died with its holder
    assert sorted(path.name for path in cache.iterdir()) == [".toy.lock", "toy"]
