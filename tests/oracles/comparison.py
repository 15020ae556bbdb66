"""The statistics of a comparison as their definitions say them, slowly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import exp, log

import numpy as np


def exact_permutation(margins: Sequence[float]) -> float:
    """Two-sided p of the sum over all ways to turn signs."""
    observed = abs(sum(margins))
    every = [
        abs(sum(s * m for s, m in zip(signs, margins, strict=True))) for signs in product((1, -1), repeat=len(margins))
    ]
    return sum(total >= observed - 1e-9 for total in every) / len(every)


def bootstrap_p(margins: Sequence[float], samples: int, seed: int) -> tuple[float, float, float]:
    """Two-sided p of a mean of 0 by a bootstrap with numpy's own draws, and the 95 % interval of the mean."""
    values = np.asarray(margins)
    draws = np.random.default_rng(seed).integers(0, len(values), size=(samples, len(values)))
    means = values[draws].mean(axis=1)
    observed = values.mean()
    farther = sum(abs(mean - observed) >= abs(observed) - 1e-12 for mean in means)
    low, high = np.quantile(means, [0.025, 0.975])
    return (farther + 1) / (samples + 1), float(low), float(high)


def bradley_terry(
    wins: Sequence[Sequence[float]], penalty: float, steps: int = 20_000, rate: float = 0.01
) -> list[float]:
    """Strengths by plain gradient ascent on the penalised likelihood."""
    number = len(wins)
    theta = [0.0] * number
    games = sum(map(sum, wins)) or 1.0
    for _ in range(steps):
        slope = [-2 * penalty * t for t in theta]
        for i in range(number):
            for j in range(number):
                if i != j:
                    lost = 1 / (1 + exp(theta[i] - theta[j]))  # probability that j wins
                    slope[i] += wins[i][j] * lost
                    slope[j] -= wins[i][j] * lost
        theta = [t + rate * s * number / games * 10 for t, s in zip(theta, slope, strict=True)]
    return theta


def log_likelihood(theta: Sequence[float], wins: Sequence[Sequence[float]], penalty: float) -> float:
    """What the strengths maximise."""
    number = len(wins)
    found = -penalty * sum(t * t for t in theta)
    for i in range(number):
        for j in range(number):
            if i != j:
                found -= wins[i][j] * log(1 + exp(theta[j] - theta[i]))
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm (1979): step down, each p by the number of hypotheses not yet rejected."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, running = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - step) * p_values[i]))
        corrected[i] = running
    return corrected
