"""METEOR beside its original program: segments a second once both are warm, and the time to a first score."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tercet
from bench.measure import REPETITIONS, WALL, Result, Segments, median_of, race, seconds, wmt13
from tercet import resources
from tercet.errors import ResourceError
from tercet.metrics import METEOR

SEGMENTS = 3000


def results(data: Path) -> Iterator[Result]:
    """Needs Java and the resources meteor and meteor-java; the original's start is taken off its time."""
    try:
        jar = resources.find("meteor-java", "meteor-1.5.jar")
        resources.find("meteor")
    except ResourceError as error:
        print(f"METEOR is left out: {error}", file=sys.stderr)
        return
    if shutil.which("java") is None:
        print("METEOR is left out: there is no java on the PATH", file=sys.stderr)
        return
    tercet.set_threads(1)
    (segments,) = wmt13(data, segments=SEGMENTS)
    metric = METEOR()
    with tempfile.TemporaryDirectory() as folder:
        one = Segments(segments.hypotheses[:1], segments.references[:1])
        whole_command, one_command = (_command(jar, Path(folder) / str(i), s) for i, s in enumerate((segments, one)))
        theirs = np.array([float(line.split()[-1]) for line in _run(whole_command) if line.startswith("Segment")])
        ours = metric.segments(segments.hypotheses, segments.sets)
        equal = int((np.abs(theirs - ours) < 1e-4).sum())
        if equal < 0.999 * len(ours):
            raise AssertionError(f"only {equal} of {len(ours)} segments score as the original's")
        start = median_of(REPETITIONS, lambda: seconds(lambda: _run(one_command)))
        result = race(
            f"METEOR, {equal:,} of {len(ours):,} segments equal",
            "METEOR 1.5 (Java)",
            lambda: _run(whole_command),
            lambda: metric.segments(segments.hypotheses, segments.sets),
            amount=SEGMENTS,
            wanted="≥ 5 ×",
            clock=WALL,
        )
        yield Result(
            result.work, result.peer, result.peer_seconds - start, result.our_seconds, SEGMENTS, "segments", "≥ 5 ×"
        )
        cold = [sys.executable, "-m", "tercet", "score", "-b", "-m", "meteor", "-q", "-r", f"{folder}/1.ref"]
        yield race(
            "METEOR, from nothing to a first score",
            "METEOR 1.5 (Java)",
            lambda: _run(one_command),
            lambda: _run([*cold, "-t", f"{folder}/1.hyp"]),
            amount=1,
            unit="starts",
            wanted="≤ 1 s",
            clock=WALL,
        )


def _command(jar: Path, stem: Path, segments: Segments) -> list[str]:
    for ending, lines in ((".hyp", segments.hypotheses), (".ref", segments.references)):
        stem.with_suffix(ending).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return [
        *("java", "-Xmx2G", "-jar", str(jar), str(stem.with_suffix(".hyp")), str(stem.with_suffix(".ref"))),
        *("-l", "en", "-norm", "-t", "rank"),
    ]


def _run(command: list[str]) -> list[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
