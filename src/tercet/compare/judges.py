"""Who decides a comparison: a trained network, a trained kernel ranker, or any metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tercet.metrics.base import Metric
from tercet.rankers.kernel import KernelRanker
from tercet.rankers.network import NetworkRanker
from tercet.signature import Signature

Array = NDArray[np.float64]


class Judge(Protocol):
    """Margins of every two systems in every segment, and what they mean."""

    @property
    def signature(self) -> Signature:
        """Everything that changes a verdict."""

    def margins(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None,
    ) -> Array:
        """(systems, systems, segments); above 0 where the first is better."""

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        """1, 0 or -1."""

    def probability(self, margins: Array) -> Array:
        """How likely the first is the better one."""

    def notes(self) -> list[str]:
        """What a reader of the verdicts should know."""


@dataclass(frozen=True)
class NetworkJudge:
    """A trained network, with its probabilities and its tie band."""

    ranker: NetworkRanker

    @property
    def signature(self) -> Signature:
        return self.ranker.signature

    def margins(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None,
    ) -> Array:
        return self.ranker.margins(systems, references, sources)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        return self.ranker.calibration_.verdict(margins)

    def probability(self, margins: Array) -> Array:
        return self.ranker.calibration_.probability(margins)

    def notes(self) -> list[str]:
        assert self.ranker.inputs_ is not None
        counts, found = self.ranker.inputs_.counts, []
        if counts.clipped:
            found.append(f"{counts.clipped} of {counts.values} feature values lay outside the training data's range")
        if counts.without_vector:
            found.append(f"{counts.without_vector} sentences are empty or have no known word, and were given zeros")
        return found


@dataclass(frozen=True)
class KernelJudge:
    """A trained kernel ranker, with its probabilities and its tie band."""

    ranker: KernelRanker

    @property
    def signature(self) -> Signature:
        return self.ranker.signature

    def margins(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None,
    ) -> Array:
        return self.ranker.margins(systems, references, sources)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        return self.ranker.calibration_.verdict(margins)

    def probability(self, margins: Array) -> Array:
        return self.ranker.calibration_.probability(margins)

    def notes(self) -> list[str]:
        return []


@dataclass(frozen=True)
class MetricJudge:
    """A metric's segment scores: the better score wins. It knows no probabilities: a win is 1, a tie 1/2."""

    metric: Metric

    @property
    def signature(self) -> Signature:
        return self.metric.for_segments().signature

    def margins(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None,
    ) -> Array:
        scores = np.stack([self.metric.segments(system, references) for system in systems])
        scores = scores if self.metric.higher_is_better else -scores
        return np.asarray(scores[:, None] - scores[None], np.float64)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        return np.sign(margins).astype(np.int64)

    def probability(self, margins: Array) -> Array:
        return np.asarray((1 + np.sign(margins)) / 2, np.float64)

    def notes(self) -> list[str]:
        return []
