"""Paired bootstrap of ten systems, 3,000 segments, 1,000 samples, beside sacreBLEU: from strings to p-values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import sacrebleu
from sacrebleu.significance import PairedTest

import tercet
from bench.lexical import _forget
from bench.measure import Result, race, wmt13
from tercet.metrics import BLEU
from tercet.metrics.significance import paired_bootstrap


def results(data: Path) -> Iterator[Result]:
    """Statistics of every system and the test against the first; then the test alone."""
    tercet.set_threads(1)
    systems = {f"system {i}": segments for i, segments in enumerate(wmt13(data, systems=10))}
    first = next(iter(systems.values()))
    bleu = BLEU()

    def peer() -> object:
        _forget()
        named = [(name, segments.hypotheses) for name, segments in systems.items()]
        return PairedTest(named, {"BLEU": sacrebleu.BLEU()}, [first.references], test_type="bs", n_samples=1000)()

    def ours() -> object:
        rows = {name: bleu.statistics(segments.hypotheses, segments.sets) for name, segments in systems.items()}
        return paired_bootstrap(bleu, rows, baseline="system 0", samples=1000)

    yield race(
        "paired bootstrap, 10 systems × 3,000 × 1,000",
        f"sacreBLEU {sacrebleu.__version__}",
        peer,
        ours,
        amount=1,
        unit="test",
        wanted="≥ 20 ×",
    )
