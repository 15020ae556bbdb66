"""What does not compare with a peer: how soon the command line answers, a million segments in little memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.command import tercet
from bench.measure import REPETITIONS, Figure, median_of, wmt13

MILLION = 1_000_000


def figures(data: Path) -> Iterator[Figure]:
    """Seconds and megabytes, beside what is wanted."""
    yield Figure("tercet --help", f"{median_of(REPETITIONS, lambda: tercet('--help').wall):.2f} s", "< 0.3 s")
    (segments,) = wmt13(data)
    times = MILLION // len(segments.hypotheses) + 1
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("reference", "system")]
        for file, lines in zip(files, (segments.references, segments.hypotheses), strict=True):
            block = "".join(line + "\n" for line in lines)
            with file.open("w", encoding="utf-8") as out:
                for _ in range(times):
                    out.write(block)
        cost = tercet("score", "-q", "-r", files[0], "-t", files[1], "-m", "bleu", "chrf", "ter")
    name = "tercet score -m bleu chrf ter, 1,000,000 segments, all cores"
    yield Figure(f"{name}: time", f"{cost.wall:.1f} s", "")
    yield Figure(f"{name}: peak memory", f"{cost.megabytes:,.0f} MB", "< 1,024 MB")
