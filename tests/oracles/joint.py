"""The losses of Stanojević & Sima'an (2017) by the book, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence


def forward(row: Sequence[float], weights: Sequence[float], bias: float) -> float:
    """φᵀw + b."""
    return sum(x * w for x, w in zip(row, weights, strict=True)) + bias


def sentence_loss(
    better: Sequence[Sequence[float]], worse: Sequence[Sequence[float]], weights: Sequence[float], bias: float
) -> float:
    """Section 2.1."""
    deltas = [forward(b, weights, bias) - forward(w, weights, bias) for b, w in zip(better, worse, strict=True)]
    return sum(max(0.0, 1 - delta) for delta in deltas) / len(deltas)


def corpus_score(rows: Sequence[Sequence[float]], weights: Sequence[float], bias: float) -> float:
    """The mean of sigmoids."""
    return sum(1 / (1 + math.exp(-forward(row, weights, bias))) for row in rows) / len(rows)


def expected_wins(comparisons: Sequence[tuple[int, int, int]], systems: int) -> list[float]:
    """Koehn (2012), from (first, second, value)."""
    found = []
    for one in range(systems):
        rates = []
        for other in range(systems):
            met = [
                value if first == one else -value
                for first, second, value in comparisons
                if {first, second} == {one, other} and value and one != other
            ]
            if met:
                rates.append(sum(value > 0 for value in met) / len(met))
        found.append(sum(rates) / len(rates) if rates else math.nan)
    return found
