"""How far scores agree with people while a training runs, and the mix that agrees best with them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.encoder.data import Judged
from training.encoder.matching import MEASURES


def tau(judged: Judged, scores: list[NDArray[np.float32]]) -> float:
    """Strict tau over all votes of comparisons between different texts; NaN where there are none."""
    won = votes = 0.0
    for unit, row in zip(judged.units, scores, strict=True):
        for (first, second), weight in unit.votes.items():
            votes += weight
            won += weight * float(row[first - 1] > row[second - 1])
    return 2 * won / votes - 1 if votes else float("nan")


def pearson(judged: Judged, scores: list[NDArray[np.float32]]) -> float:
    """Pearson's correlation with the assessments of each text, the mean over texts; NaN where there are none."""
    by_text: dict[int, list[tuple[float, float]]] = {}
    for unit, row in zip(judged.units, scores, strict=True):
        for (place, text), value in unit.assessed.items():
            by_text.setdefault(text, []).append((value, float(row[place - 1])))
    found = [np.corrcoef(np.array(rows).T)[0, 1] for rows in by_text.values() if len(rows) > 2]
    return float(np.mean(found)) if found else float("nan")


def fitted_mix(judged: Judged, rows: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The numbers that mix precision, recall and cosine best, by the pairwise loss on comparisons and assessments."""
    better, worse, weights = _differences(judged, rows)
    return best_mix((better - worse).astype(np.float64), weights)


def best_mix(apart: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """The same from the differences between the better and the worse of each pair."""
    from scipy.optimize import minimize

    def loss(mix: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = apart @ mix
        slope = -weights / (1 + np.exp(margins))
        return float(np.sum(weights * np.logaddexp(0, -margins)) / weights.sum()), apart.T @ slope / weights.sum()

    return np.asarray(minimize(loss, np.full(len(MEASURES), 5.0), jac=True).x, np.float32)


def _differences(
    judged: Judged, rows: list[NDArray[np.float32]]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]]:
    better, worse, weights = [], [], []
    assessed: dict[int, list[tuple[float, NDArray[np.float32]]]] = {}
    for unit, table in zip(judged.units, rows, strict=True):
        for (first, second), weight in unit.votes.items():
            better.append(table[first - 1])
            worse.append(table[second - 1])
            weights.append(weight)
        for (place, text), value in unit.assessed.items():
            assessed.setdefault(text, []).append((value, table[place - 1]))
    for one in assessed.values():
        ranked = sorted(one, key=lambda pair: -pair[0])
        for shift in (len(ranked) // 4, len(ranked) // 2):  # pairs some quarters apart
            for high, low in zip(ranked, ranked[shift:], strict=False):
                better.append(high[1])
                worse.append(low[1])
                weights.append(judged.assessments * (high[0] - low[0]))
    return np.array(better), np.array(worse), np.array(weights, np.float64)
