"""How a comparison is timed: in turn, several times, the median of each side."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

REPETITIONS = 3


@dataclass(frozen=True)
class Result:
    """One line of the table."""

    work: str
    peer: str
    peer_seconds: float
    our_seconds: float
    amount: float
    unit: str
    wanted: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster than the peer."""
        return self.peer_seconds / self.our_seconds


@dataclass(frozen=True)
class Figure:
    """A number without a peer, beside what is wanted of it."""

    name: str
    value: str
    wanted: str


def median_of(times: int, measure: Callable[[], float]) -> float:
    """The median of several measurements."""
    return median(measure() for _ in range(times))


Clock = Callable[[], float]

WALL: Clock = time.perf_counter
CPU: Clock = time.process_time
"""For work in one thread of this process: what else the machine does then hardly shows."""


def seconds(work: Callable[[], object], clock: Clock = WALL) -> float:
    """The time that one call takes."""
    start = clock()
    work()
    return clock() - start


def race(
    work: str,
    peer: str,
    theirs: Callable[[], object],
    ours: Callable[[], object],
    *,
    amount: float,
    unit: str = "segments",
    wanted: str = "",
    clock: Clock = CPU,
    repetitions: int = REPETITIONS,
) -> Result:
    """Both sides in turn, so that a busy moment of the machine meets both."""
    times = [(seconds(theirs, clock), seconds(ours, clock)) for _ in range(repetitions)]
    return Result(work, peer, median(t for t, _ in times), median(o for _, o in times), amount, unit, wanted)


@dataclass(frozen=True)
class Segments:
    """Real segments: hypotheses of one system and their references."""

    hypotheses: list[str]
    references: list[str]

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """The references in tercet's shape."""
        return [(reference,) for reference in self.references]


def wmt13(data: Path, systems: int = 1, segments: int = 3000) -> list[Segments]:
    """The first systems of WMT13 French-English."""
    folder = data / "wmt13"
    reference = _lines(folder / "references" / "newstest2013-ref.en")[:segments]
    outputs = sorted((folder / "system-outputs" / "newstest2013" / "fr-en").iterdir())[:systems]
    return [Segments(_lines(path)[:segments], reference) for path in outputs]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
