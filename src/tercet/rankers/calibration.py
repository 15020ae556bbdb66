"""How sure a margin is: a temperature for probabilities, and a band of margins that are called ties."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """Learned from margins on validation data and what people said there."""

    temperature: float = 1.0
    """probability = sigmoid(margin / temperature)"""
    tie_band: float = 0.0
    """A margin of no more than this, either way, is a tie."""
    log_loss: float = float("nan")
    """Of the calibrated probabilities, in nats a pair, where a coin has 0.693."""

    def require_sound(self, file: Path) -> None:
        """An error that names the file where it states what no calibration gives."""
        if not 0 < self.temperature < float("inf") or not 0 <= self.tie_band < float("inf"):
            raise InputError("has a temperature or a tie band that no calibration gives", file=file)

    def probability(self, margins: Array) -> Array:
        """How likely people prefer the first, of those who prefer one."""
        return sigmoid(margins / self.temperature)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        """1 where the first is better, -1 where the second is, 0 for a tie."""
        return np.where(np.abs(margins) <= self.tie_band, 0, np.sign(margins)).astype(np.int64)


def calibrate(margins: Array, values: NDArray[np.int64]) -> Calibration:
    """The temperature that makes what people said likeliest, and the band that agrees with them most often.

    Ties of people say nothing about the temperature. Without any of them the band is 0: only equal margins are ties.
    """
    decided = values != 0
    temperature, loss = _temperature(margins[decided] * values[decided])
    return Calibration(temperature, _tie_band(margins, values), loss)


def sigmoid(values: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * values))


def _temperature(agreed: Array) -> tuple[float, float]:
    """Maximum likelihood for one parameter; `agreed` is above 0 where the margin is on people's side."""
    from scipy.optimize import minimize_scalar

    spread = float(np.abs(agreed).mean()) if len(agreed) else 0.0
    if spread == 0:
        return 1.0, float(np.log(2))

    def loss(log_temperature: float) -> float:
        return float(np.logaddexp(0, -agreed / np.exp(log_temperature)).mean())

    middle = np.log(spread)
    found = minimize_scalar(loss, bounds=(middle - 10, middle + 10), method="bounded")
    return float(np.exp(found.x)), float(found.fun)


def _tie_band(margins: Array, values: NDArray[np.int64]) -> float:
    """The band with most verdicts as people's, ties included (Deutsch et al. 2023); the narrowest of equals."""
    if not np.any(values == 0):
        return 0.0
    size = np.abs(margins)
    order = np.argsort(size, kind="stable")
    # widening the band past a pair makes it a tie: right if people tied, and no longer right if the margin was
    gain = (values == 0).astype(np.int64) - (margins * values > 0)
    totals = np.cumsum(gain[order])
    ends = np.flatnonzero(np.diff(size[order], append=np.inf) > 0)  # equal margins fall into the band together
    at = int(np.argmax(totals[ends]))
    if totals[ends][at] <= 0:
        return 0.0
    inside = size[order][ends[at]]
    outside = size[order][ends[at] + 1] if ends[at] + 1 < len(size) else inside
    return float((inside + outside) / 2)
