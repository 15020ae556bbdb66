"""What a segment costs, by verb and model; how that grows; and what 10^9 segments would take: docs/scale.md."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.command import tercet
from bench.datasets import write_dataset
from bench.measure import CPU, Figure, seconds, wmt13
from tercet.errors import ResourceError
from tercet.resources import status

BILLION = 1_000_000_000
WORKERS = (16, 128, 1024)


@dataclass(frozen=True)
class Case:
    """A command, over how many segments and systems it is measured, and the resource that it needs."""

    name: str
    arguments: tuple[str, ...]
    segments: int
    systems: int = 1
    resource: str = ""


CASES = (
    Case("score -m bleu", ("score", "-m", "bleu"), 200_000),
    Case("score -m chrf", ("score", "-m", "chrf"), 100_000),
    Case("score -m ter", ("score", "-m", "ter"), 100_000),
    Case("score -m bleu chrf ter", ("score", "-m", "bleu", "chrf", "ter"), 100_000),
    Case("score -m bleu chrf ter, eight systems", ("score", "-m", "bleu", "chrf", "ter"), 20_000, 8),
    Case("score -m meteor", ("score", "-m", "meteor"), 40_000, 1, "meteor"),
    Case("compare -m chrf, two systems", ("compare", "-m", "chrf"), 60_000, 2),
    Case("compare -m chrf, eight systems", ("compare", "-m", "chrf"), 20_000, 8),
    Case("compare -M joint, two systems", ("compare", "-M", "joint"), 20_000, 2),
    Case("features -F beer57", ("features", "-F", "beer57"), 60_000),
    Case("features -F context", ("features", "-F", "context"), 800, 1, "minilm"),
)


def figures(data: Path) -> Iterator[Figure]:
    """A table a subject; processor time throughout, one thread."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, case in enumerate(CASES):
            yield from _case(case, data, folder / str(number))
        yield from _tests(data, folder / "tests")
        yield from _workers(data, folder / "workers")
    yield from _lengths(data)


def _case(case: Case, data: Path, folder: Path) -> Iterator[Figure]:
    try:
        if case.resource and status(case.resource).state != "installed":
            raise ResourceError(f"the resource {case.resource} is not installed")
    except ResourceError as error:
        yield Figure(case.name, f"not measured: {error}", "")
        return
    folder.mkdir()
    few, many = case.segments // 8, case.segments
    costs = []
    for segments in (few, many):
        file = write_dataset(folder / f"{segments}.parquet", data, segments, systems=case.systems)
        options = ("-q", "-j", "1", "-i", file, "--into", folder / f"into{segments}", "--partition", many)
        samples = ("--samples", "1") if case.arguments[0] == "compare" else ()
        costs.append(tercet(*case.arguments, *options, *samples))
    each = (costs[1].cpu - costs[0].cpu) / (many - few)
    size = sum(part.stat().st_size for part in (folder / f"into{many}" / "parts").glob("*.parquet")) / many
    hours = " / ".join(f"{BILLION * each / 3600 / workers:,.1f}" for workers in WORKERS)
    yield Figure(
        case.name,
        f"{1e6 * each:,.0f} µs a segment, {costs[1].megabytes:,.0f} MB with {many:,} at once, {size:.0f} bytes kept",
        f"10⁹ on {' / '.join(map(str, WORKERS))} workers: {hours} h",
    )


def _tests(data: Path, folder: Path) -> Iterator[Figure]:
    """What a sample costs, when all parts are there."""
    folder.mkdir()
    segments, samples = 40_000, 1000
    file = write_dataset(folder / "data.parquet", data, segments, systems=2)
    command = ("score", "-q", "-j", "1", "-m", "bleu", "-i", file, "--into", folder / "into")
    tercet(*command)
    plain = tercet(*command).cpu
    for name, flags in (("--paired-bs", ("--paired-bs",)), ("--paired-ar", ("--paired-ar",))):
        each = (tercet(*command, *flags, "--samples", samples).cpu - plain) / (segments * samples)
        hours = " / ".join(f"{BILLION * samples * each / 3600 / workers:,.1f}" for workers in WORKERS)
        yield Figure(
            f"{name}, BLEU, two systems",
            f"{1e9 * each:.1f} ns a segment and sample",
            f"10⁹ × {samples:,} on {' / '.join(map(str, WORKERS))} workers: {hours} h",
        )


def _workers(data: Path, folder: Path) -> Iterator[Figure]:
    """What workers and partitions cost by themselves."""
    folder.mkdir()
    segments = 3000
    file = write_dataset(folder / "data.parquet", data, segments)
    command = ("score", "-q", "-m", "bleu", "-i", file)
    alone = tercet(*command, "--into", folder / "alone", "--partition", segments).cpu
    many = tercet(*command, "--into", folder / "many", "--partition", 10).cpu
    yield Figure("a partition more, one process", f"{1e3 * (many - alone) / (segments // 10 - 1):.1f} ms", "")
    dask = ("--engine", "dask", "-j", "1", "--scheduler")
    few = {}
    for workers in (1, 2, 4):
        few[workers] = tercet(
            *command, "--into", folder / f"few{workers}", "--partition", segments, *dask, f"local:{workers}"
        ).cpu
        yield Figure(f"Dask with {workers} workers, beside the work", f"{few[workers] - alone:.1f} s of processors", "")
    cut = tercet(*command, "--into", folder / "cut", "--partition", 10, *dask, "local:1").cpu
    yield Figure("a partition more, Dask", f"{1e3 * (cut - few[1]) / (segments // 10 - 1):.1f} ms", "")


def _lengths(data: Path) -> Iterator[Figure]:
    """Segments joined to longer ones: what a word costs."""
    from tercet.metrics.registry import metric

    (real,) = wmt13(data)
    for name in ("bleu", "chrf", "ter"):
        one, found = metric(name), []
        for times in (1, 2, 4, 8):
            starts = range(0, 3000 - times + 1, times)
            hypotheses = [" ".join(real.hypotheses[start : start + times]) for start in starts]
            references = [(" ".join(real.references[start : start + times]),) for start in starts]
            took = seconds(lambda one=one, h=hypotheses, r=references: one.statistics(h, r), CPU)  # type: ignore[misc]
            words = sum(len(text.split()) for text in hypotheses)
            found.append(f"{1e6 * took / words:.2f}")
        yield Figure(f"{name}: µs a word, segments of 1, 2, 4 and 8 sentences", " / ".join(found), "")
