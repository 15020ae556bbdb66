"""A work over a dataset: what is done already is kept, the rest is computed, and a manifest vouches for all of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import tercet
from tercet.engine.dataset import Dataset
from tercet.engine.drivers import Driver, Progress
from tercet.engine.store import About, Receipt, Store, complete, opened
from tercet.engine.work import REFERENCES, Task, Work, compute, loaded


@dataclass(frozen=True)
class Finished:
    """All parts of a run."""

    store: Store
    dataset: Dataset
    receipts: list[Receipt]
    """In the order of the partitions, in which everything is added up."""
    computed: int
    """How many parts had to be computed; the others were there."""
    signatures: tuple[str, ...]
    """Everything that changed a number."""

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How many references a segment has: one number, or several where it varies."""
        return tuple(sorted({count for one in self.receipts for count in one.facts[REFERENCES]}))


@contextmanager
def finished(
    dataset: Dataset, work: Work, folder: Path, driver: Driver, *, anew: bool = False, progress: Progress | None = None
) -> Iterator[Finished]:
    """The run in a folder, brought to its end; the folder is ours as long as the block lasts.

    `progress` is called with the number of partitions that were found or computed since the last call.
    """
    tell = progress or (lambda number: None)
    light = replace(dataset, partitions=(), files=())
    about = About(
        work.describe(),
        [asdict(file) for file in dataset.files],
        {"systems": list(dataset.systems), "segments": [one.segments for one in dataset.partitions]},
    )
    signatures = (tercet.__version__, *work.signatures(loaded(work)))
    with opened(folder, about, anew=anew) as store:
        there = Store(folder.absolute(), about.key)
        tasks = [Task(work, signatures, light, partition.absolute(), there) for partition in dataset.partitions]
        outcomes = driver.run(compute, tasks, lambda _: tell(1))
        receipts = [outcome.receipt for outcome in outcomes]
        complete(store, about, receipts)
        computed = sum(outcome.computed for outcome in outcomes)
        yield Finished(store, dataset, receipts, computed, signatures[1:])
