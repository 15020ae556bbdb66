"""Features: how many segments a second on one core, and how long texts grow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import tercet
from bench.measure import Figure, median_of, wmt13
from tercet.features import FeatureSet, feature_set

SETS = {"beer57": "≥ 20,000", "beer57:lowercase=true": "≥ 20,000", "beer57:tokenizer=intl": "≥ 20,000"}


def figures(data: Path) -> Iterator[Figure]:
    """CPU time, so that a busy machine does not count against it."""
    tercet.set_threads(1)
    segments = wmt13(data, systems=1)[0]
    for spec, wanted in SETS.items():
        chosen = feature_set(spec)
        chosen.transform(segments.hypotheses[:1], segments.sets[:1])
        seconds = median_of(5, lambda chosen=chosen: _cpu(chosen, segments.hypotheses, segments.sets))  # type: ignore[misc]
        yield Figure(f"{spec}, segments/s of one core", f"{len(segments.hypotheses) / seconds:,.0f}", wanted)
    for words in (1_000, 10_000):
        text = [" ".join(segments.hypotheses).split()[:words]]
        other = [" ".join(segments.references).split()[:words]]
        seconds = _cpu(feature_set("beer57"), [" ".join(text[0])], [(" ".join(other[0]),)])
        yield Figure(f"beer57, one segment of {words:,} words", f"{1000 * seconds:.1f} ms", "")


def _cpu(chosen: FeatureSet, hypotheses: list[str], references: list[tuple[str, ...]]) -> float:
    start = time.process_time()
    chosen.transform(hypotheses, references)
    return time.process_time() - start
