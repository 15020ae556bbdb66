"""A million segments on one process with two threads, and on two workers of Dask."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.command import tercet
from bench.datasets import write_dataset
from bench.measure import Figure

MILLION = 1_000_000


def figures(data: Path) -> Iterator[Figure]:
    """Time and memory of both, and whether they say the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        million = write_dataset(folder / "million.parquet", data, MILLION)
        score = ["score", "-q", "-i", million, "-m", "bleu", "chrf", "ter", "-f", "json"]
        one = tercet(*score, "--into", folder / "one", "-o", folder / "one.json", "-j", 2)
        dask = ["--engine", "dask", "--scheduler", "local:2", "-j", 1]
        two = tercet(*score, "--into", folder / "two", "-o", folder / "two.json", *dask)
        again = tercet(*score, "--into", folder / "two", "-o", folder / "again.json")
        parts = [
            [part.read_bytes() for part in sorted((folder / run / "parts").glob("*.parquet"))] for run in ("one", "two")
        ]
        same = (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes() and parts[0] == parts[1]
        size = sum(len(part) for part in parts[0]) / 1e6
    work = "score -m bleu chrf ter, 1,000,000 segments"
    yield Figure(f"{work}, one process, two threads", _shown(one.wall, one.cpu, one.megabytes), "")
    yield Figure(f"{work}, local:2", _shown(two.wall, two.cpu, two.megabytes), "each ≤ 1,024 MB")
    yield Figure("processor time of local:2 by that of one process", f"{two.cpu / one.cpu:.2f}", "≤ 1.15")
    yield Figure("time by the clock, the same", f"{two.wall / one.wall:.2f}", "≤ 1.15 with two free cores")
    yield Figure("scores and parts of both", "equal to the bit" if same else "DIFFERENT", "equal to the bit")
    yield Figure("the same command again, all parts there", _shown(again.wall, again.cpu, again.megabytes), "")
    yield Figure("parts: scores and statistics", f"{size:,.0f} MB", "")


def _shown(wall: float, cpu: float, megabytes: float) -> str:
    return f"{wall:.1f} s, {cpu:.1f} s of processors, {megabytes:,.0f} MB in the largest process"
