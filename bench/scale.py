"""What does not compare with a peer: how soon the command line answers, a million segments in little memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import REPETITIONS, Figure, median_of, wmt13

MILLION = 1_000_000


def figures(data: Path) -> Iterator[Figure]:
    """Seconds and megabytes, beside what is wanted."""
    yield Figure("tercet --help", f"{median_of(REPETITIONS, lambda: _tercet('--help')[0]):.2f} s", "< 0.3 s")
    (segments,) = wmt13(data)
    times = MILLION // len(segments.hypotheses) + 1
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("reference", "system")]
        for file, lines in zip(files, (segments.references, segments.hypotheses), strict=True):
            block = "".join(line + "\n" for line in lines)
            with file.open("w", encoding="utf-8") as out:
                for _ in range(times):
                    out.write(block)
        took, megabytes = _tercet("score", "-q", "-r", files[0], "-t", files[1], "-m", "bleu", "chrf", "ter")
    name = "tercet score -m bleu chrf ter, 1,000,000 segments, all cores"
    yield Figure(f"{name}: time", f"{took:.1f} s", "")
    yield Figure(f"{name}: peak memory", f"{megabytes:,.0f} MB", "< 1,024 MB")


def _tercet(*arguments: str | Path) -> tuple[float, float]:
    """Seconds that a command takes, and the most memory that it holds, in megabytes."""
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "tercet", *map(str, arguments)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"tercet {arguments[0]} ended with {child.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024
