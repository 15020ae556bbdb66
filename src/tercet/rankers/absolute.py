"""Scores of single translations from a ranker that only compares two (Bradley & Terry 1952)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_PRIOR = 1e-5  # keeps strengths finite where one translation wins against all others for certain
_STEPS = 100


def bradley_terry(probabilities: Array) -> Array:
    """Log-strengths of each segment's hypotheses, mean 0, from the probability that one is better than another.

    `probabilities` is (segments, hypotheses, hypotheses), with p[i, j] + p[j, i] = 1; the diagonal is not looked at.
    The strengths maximise the likelihood of one soft comparison of every two, by Newton's method.
    """
    segments, number, _ = probabilities.shape
    apart = 1 - np.eye(number)
    strength = np.zeros((segments, number))
    for _ in range(_STEPS):
        difference = strength[:, :, None] - strength[:, None, :]
        expected = 0.5 * (1 + np.tanh(0.5 * difference))
        slope = ((probabilities - expected) * apart).sum(axis=2) - _PRIOR * strength
        weight = expected * (1 - expected) * apart
        curve = _PRIOR * np.eye(number) - weight
        curve[:, np.arange(number), np.arange(number)] += weight.sum(axis=2)
        move = np.linalg.solve(curve, slope[..., None])[..., 0]
        move *= np.minimum(
            1, 2 / np.maximum(np.abs(move).max(axis=1, keepdims=True), 1e-300)
        )  # far from home: in steps
        strength += move
        if np.abs(move).max(initial=0) < 1e-10:
            break
    return np.asarray(strength - strength.mean(axis=1, keepdims=True), np.float64)
