"""What every metric is: sufficient statistics, from which scores, intervals and tests all come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError
from tercet.options import check_options
from tercet.signature import Signature

Array = NDArray[np.float64]

# Segments given to a kernel at once: enough to keep threads busy, few enough to stream a million through little memory.
BATCH = 20_000


class Metric(ABC):
    """A hypothesis against its references gives a row of numbers; rows add up; a sum gives a score.

    Subclasses are frozen keyword-only dataclasses whose fields are the metric's options.
    """

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 2
    """How many are shown unless a user says otherwise: 2 on a scale to 100, more on a smaller one."""

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def label(self) -> str:
        """The name as papers print it."""
        return self.name.upper()

    @property
    def whole_set(self) -> bool:
        """Whether `for_references` must see the references of the whole test set before anything can be scored."""
        return False

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Everything that changes the number."""

    @property
    @abstractmethod
    def statistic_names(self) -> tuple[str, ...]:
        """What the columns of `statistics` are."""

    @abstractmethod
    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        """Sufficient statistics, float64 (segments, k), additive over segments."""

    @abstractmethod
    def score(self, statistics: Array) -> Array:
        """Scores over the last axis: of a row, of a sum of rows, of `weights @ statistics`."""

    def components(self, statistics: Array) -> Mapping[str, Array]:
        """Named numbers behind the score; the statistics themselves unless a metric has better ones."""
        return {name: statistics[..., i] for i, name in enumerate(self.statistic_names)}

    def exchanged(self, statistics: Array) -> Array | None:
        """The statistics of segments whose hypothesis and one reference change places; rows of NaN if they do not tell.

        None where a metric has to look at the texts again.
        """
        return None

    def parts(
        self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], Array, Array] | None:
        """What the score of each segment is a sum of: names, parts and what was counted, (segments, names).

        None where a metric is not taken apart; then an explanation shows it as a whole.
        """
        return None

    def for_references(self, references: Sequence[tuple[str, ...]]) -> Metric:
        """This metric with whatever it learns from the references of the whole test set; most learn nothing."""
        return self

    def for_segments(self) -> Metric:
        """The form of this metric that is used for single segments; most have only one."""
        return self

    def corpus(self, hypotheses: Sequence[str], references: References) -> float:
        """The score of a whole system."""
        sums = [rows.sum(axis=0) for _, rows in self._batches(hypotheses, references)]
        return float(self.score(np.stack(sums).sum(axis=0)))

    def segments(self, hypotheses: Sequence[str], references: References) -> Array:
        """The score of each segment."""
        scores = [metric.score(rows) for metric, rows in self.for_segments()._batches(hypotheses, references)]
        return np.concatenate(scores) if scores else np.empty(0)

    def _batches(self, hypotheses: Sequence[str], references: References) -> Iterator[tuple[Metric, Array]]:
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        if not texts:
            raise OptionError(f"{self.label}: no segments to score")
        metric = self.for_references(sets)
        for start in range(0, len(texts), BATCH):
            yield metric, metric.statistics(texts[start : start + BATCH], sets[start : start + BATCH])


def batch_sums(rows: Array) -> Array:
    """The sum of every batch of rows, (batches, k)."""
    return np.stack([rows[start : start + BATCH].sum(axis=0) for start in range(0, max(1, len(rows)), BATCH)])


def total(rows: Array) -> Array:
    """The sum of all rows, made batch by batch: the same to the bit whether rows come at once or in whole batches."""
    return np.asarray(batch_sums(rows).sum(axis=0), np.float64)


def ratio(above: ArrayLike, below: ArrayLike, *, when_empty: ArrayLike = 0.0) -> Array:
    """above / below, and `when_empty` where below is zero."""
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    empty = below == 0
    return np.where(empty, when_empty, above / np.where(empty, 1.0, below))
