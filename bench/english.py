"""How many sentences a second are read, in one thread, on real translations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import tercet
from bench.measure import CPU, REPETITIONS, Figure, median_of, seconds, wmt13
from tercet.language import analyze

WORK = (("tags and chunks", False, "SYN", "≥ 2,000"), ("tags, chunks, units, relations", True, "DIS+SYN", "≥ 500"))


def figures(data: Path) -> Iterator[Figure]:
    """From raw text to analyses, and to trees."""
    tercet.set_threads(1)
    texts = wmt13(data)[0].hypotheses
    analyze(texts[:10])  # the weights are loaded
    for name, discourse, kind, wanted in WORK:

        def read(discourse: bool = discourse) -> None:
            analyze(texts, discourse=discourse)

        def grow(discourse: bool = discourse, kind: str = kind) -> None:
            for analysis in analyze(texts, discourse=discourse):
                analysis.tree(kind)

        rate = len(texts) / median_of(REPETITIONS, lambda read=read: seconds(read, CPU))
        yield Figure(f"{name}, sentences a second", f"{rate:,.0f}", wanted)
        rate = len(texts) / median_of(REPETITIONS, lambda grow=grow: seconds(grow, CPU))
        yield Figure(f"{name} and a {kind} tree, sentences a second", f"{rate:,.0f}", wanted)
