"""Two threads beside one: the peer is tercet itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import tercet
from bench.measure import WALL, Result, race, wmt13
from tercet.metrics import BLEU, TER, ChrF, Metric


def results(data: Path) -> Iterator[Result]:
    """The kernels alone, as `statistics` runs them."""
    segments = wmt13(data)[0]
    many: list[tuple[str, Metric, int]] = [("BLEU", BLEU(), 20), ("chrF", ChrF(), 10), ("TER", TER(), 10)]
    for name, metric, times in many:
        hypotheses, sets = segments.hypotheses * times, segments.sets * times

        def run(
            threads: int,
            metric: Metric = metric,
            hypotheses: list[str] = hypotheses,
            sets: list[tuple[str, ...]] = sets,
        ) -> object:
            tercet.set_threads(threads)
            return metric.statistics(hypotheses, sets)

        yield race(
            f"{name}, two threads",
            "one thread",
            lambda run=run: run(1),
            lambda run=run: run(2),
            amount=len(hypotheses),
            wanted="≥ 1.7 ×",
            clock=WALL,
        )
    tercet.set_threads(1)
