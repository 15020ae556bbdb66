"""Bootstrap samples and permutations over stored numbers: samples are the tasks, and each reads the parts in turn.

A sample draws the same rows wherever it is computed, and adds them in the order of segments: its sums are, to the bit,
those of `bootstrap_sums` and `coin_sums` over one table. Of a dataset with n segments a task holds n bytes a sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.engine.drivers import Driver
from tercet.engine.running import Finished
from tercet.engine.store import Store

Array = NDArray[np.float64]
Draws = Literal["bootstrap", "coins"]

_MEMORY = 64 << 20  # bytes of drawn weights in a task, unless one sample alone has more
_MOST = 128  # samples of a task


@dataclass(frozen=True)
class Samples:
    """Some samples of some columns: a task."""

    store: Store
    parts: int
    rows: int
    blocks: int
    columns: tuple[str, ...]
    draws: Draws
    first: int
    samples: int
    seed: int


def sums(task: Samples) -> Array:
    """The sums of each sample, (samples, blocks * columns): those of the first block first."""
    width = task.blocks * len(task.columns)
    running = _native.RunningSums(task.draws, task.rows, width, first=task.first, samples=task.samples, seed=task.seed)
    for number in range(task.parts):
        running.add(rows(task.store, number, task.columns, task.blocks))
    return running.sums(task.samples)


def rows(store: Store, number: int, columns: Sequence[str], blocks: int) -> Array:
    """The numbers of a part, (segments, blocks * columns)."""
    table = np.stack([column.to_numpy() for column in store.read(number, columns)], axis=1).astype(np.float64)
    shaped = table.reshape(blocks, len(table) // blocks, len(columns))
    return np.ascontiguousarray(shaped.transpose(1, 0, 2)).reshape(-1, blocks * len(columns))


def resampled(
    finished: Finished, driver: Driver, draws: Draws, columns: Sequence[str], blocks: int, *, samples: int, seed: int
) -> Array:
    """The sums of all samples, (samples, blocks * columns)."""
    segments = len(finished.dataset)
    each = max(1, min(_MOST, _MEMORY // segments, -(-samples // driver.workers)))
    store = replace(finished.store, folder=finished.store.folder.absolute())
    tasks = [
        Samples(
            store,
            len(finished.receipts),
            segments,
            blocks,
            tuple(columns),
            draws,
            first,
            min(each, samples - first),
            seed,
        )
        for first in range(0, samples, each)
    ]
    return np.concatenate(driver.run(sums, tasks, lambda _: None))
