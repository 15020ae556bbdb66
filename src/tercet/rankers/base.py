"""What every ranker is: two translations of one segment give which is better, and how sure that is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References
from tercet.rankers.calibration import Calibration
from tercet.rankers.pairs import Pairs
from tercet.signature import Signature

Array = NDArray[np.float64]


@runtime_checkable
class Ranker(Protocol):
    """Learns from judged pairs; `margin(a, b) == -margin(b, a)`."""

    @property
    def signature(self) -> Signature:
        """Everything that changes a margin, the learned weights included."""

    def fit(self, pairs: Pairs, validation: Pairs | None = None) -> Self:
        """Learns from the pairs that somebody won; the validation data tell when to stop and how sure to be."""

    def margin(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        """Above 0 where the first is better."""

    def probability(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        """How likely people prefer the first, of those who prefer one; calibrated on the validation data."""

    def save(self, path: Path) -> None:
        """Writes a folder that appears whole or not at all."""


class Calibrated(ABC):
    """Rankers whose margins became probabilities on validation data."""

    calibration_: Calibration

    @abstractmethod
    def margin(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: References,
        sources: Sequence[str] | None = None,
    ) -> Array:
        """Above 0 where the first translation is better; margin(a, b) == -margin(b, a)."""

    def probability(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: References,
        sources: Sequence[str] | None = None,
    ) -> Array:
        """How likely people prefer the first, of those who prefer one; calibrated on the validation data."""
        return self.calibration_.probability(self.margin(first, second, references, sources))


def strict_tau(margins: Array, values: Array) -> float:
    """Kendall's tau of WMT11 and WMT12: (concordant - discordant - ties) / all; people's ties are left out."""
    decided = values != 0
    concordant = np.sum(margins[decided] * values[decided] > 0)
    return float(2 * concordant / decided.sum() - 1) if decided.any() else float("nan")
