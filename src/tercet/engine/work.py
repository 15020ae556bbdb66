"""What is computed of a partition: a pure function of the work and the texts, the same wherever it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

import tercet
from tercet.engine.dataset import Dataset, Partition
from tercet.engine.store import Receipt, Store
from tercet.engine.texts import Texts, read_texts
from tercet.errors import OptionError, ResourceError

if TYPE_CHECKING:
    import polars as pl

REFERENCES = "references"
"""Among a part's facts: how many references a segment has."""


@dataclass(frozen=True)
class Work(ABC):
    """A plan small enough to send: names and options, from which every process loads what they mean, once."""

    @abstractmethod
    def load(self) -> Any:
        """Metrics, models, indices: everything that is slow to have."""

    @abstractmethod
    def signatures(self, loaded: Any) -> list[str]:
        """Everything that changes a number."""

    @abstractmethod
    def part(self, loaded: Any, texts: Texts) -> tuple[pl.DataFrame, dict[str, Any]]:
        """The numbers of a partition's segments, and what later steps add up."""

    def describe(self) -> dict[str, Any]:
        """The work as JSON, with the signatures of all that it uses."""
        return {
            "work": type(self).__name__,
            **{key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()},
            "signatures": self.signatures(loaded(self)),
            "version": tercet.__version__,
        }


@lru_cache(maxsize=4)
def loaded(work: Work) -> Any:
    """What a work needs; loaded once in every process."""
    return work.load()


@dataclass(frozen=True)
class Task:
    """One partition, and what to do with it. It travels to a worker, so it holds no texts and no numbers."""

    work: Work
    signatures: tuple[str, ...]
    """As the client has them: a worker with another version or other resources must not take part."""
    dataset: Dataset
    """Without its partitions."""
    partition: Partition
    store: Store


@dataclass(frozen=True)
class Outcome:
    """The receipt of a part, and whether it had to be computed or was there."""

    receipt: Receipt
    computed: bool


def compute(task: Task) -> Outcome:
    """Makes sure that a part is there and whole: reads the partition, computes its numbers, writes them.

    Workers look for themselves whether it is: so a resumed run checks many parts at a time, and a scheduler that asks
    twice, because it lost a worker with the answer, is answered at once.
    """
    if (receipt := task.store.whole(task.partition.number)) is not None:
        return Outcome(receipt, False)
    ready = loaded(task.work)
    if task.signatures != (here := (tercet.__version__, *task.work.signatures(ready))):
        different = next((f"{a} where {b} is meant" for a, b in zip(here, task.signatures, strict=False) if a != b), "")
        raise ResourceError(f"a worker has {different}; install the same tercet and resources on all workers")
    texts = read_texts(task.dataset, task.partition)
    table, facts = task.work.part(ready, texts)
    facts[REFERENCES] = sorted({len(references) for references in texts.references})
    return Outcome(task.store.write(task.partition.number, table, facts), True)


def refuse_whole_sets(names: Mapping[str, bool]) -> None:
    """An error for the first of these that cannot be computed partition by partition."""
    for name, whole in names.items():
        if whole:
            raise OptionError(
                f"{name} looks at the references of the whole test set, and no partition holds them; "
                "leave it out, or use -r and -t"
            )


def block_rows(ids: Sequence[str], names: Sequence[Mapping[str, str]], columns: Mapping[str, np.ndarray]) -> Any:
    """A table of blocks below each other: for each of `names` the rows of all segments.

    `columns` are (blocks, segments).
    """
    import polars as pl

    number = len(ids)
    labels = {
        key: pl.Series([one[key] for one in names], dtype=pl.String).gather(np.repeat(np.arange(len(names)), number))
        for key in names[0]
    }
    segments = pl.Series(ids, dtype=pl.String)
    return pl.DataFrame(
        {
            "segment": pl.concat([segments] * len(names)),
            **labels,
            **{name: np.ascontiguousarray(values).reshape(-1) for name, values in columns.items()},
        }
    )
