"""Soft matching written down place by place, for one pair of texts without padding."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def soft_matches(
    similar: np.ndarray, weights: tuple[list[float], list[float]], kinds: tuple[list[int], list[int]]
) -> dict[str, float]:
    hypothesis, reference = similar.shape
    sides = {
        "hypothesis": [max(row) for row in similar.tolist()],
        "reference": [max(row) for row in similar.T.tolist()],
    }
    lengths = {"hypothesis": hypothesis, "reference": reference}
    found: dict[str, float] = {}
    for prefix, weighted in (("", False), ("idf_", True)):
        means = []
        for near, weight in zip(sides.values(), weights, strict=True):
            share = weight if weighted else [1.0] * len(near)
            means.append(sum(n * w for n, w in zip(near, share, strict=True)) / sum(share))
        precision, recall = means
        total = precision + recall
        found |= {f"{prefix}precision": precision, f"{prefix}recall": recall}
        found[f"{prefix}f1"] = 2 * precision * recall / total if total > 0 else 0.0
    for (side, near), kind in zip(sides.items(), kinds, strict=True):
        size = lengths[side]
        found[f"worst.{side}"] = min(near)
        found[f"tenth.{side}"] = float(np.quantile(near, 0.1))
        for bound in (0.5, 0.7):
            found[f"below{bound}.{side}"] = sum(max(0.0, bound - n) for n in near) / size
        found[f"above0.9.{side}"] = sum(n > 0.9 for n in near) / size
        for number, name in enumerate(("common", "middle", "rare")):
            found[f"missing.{name}.{side}"] = sum(1 - n for n, k in zip(near, kind, strict=True) if k == number) / size
    to = {
        "hypothesis": [row.index(max(row)) for row in similar.tolist()],
        "reference": [row.index(max(row)) for row in similar.T.tolist()],
    }
    for side, places in to.items():
        steps = [b - a for a, b in pairwise(places)]
        found[f"adjacent.{side}"] = sum(step == 1 for step in steps) / len(steps) if steps else 1.0
        if side == "hypothesis":
            found["forward"] = sum(step > 0 for step in steps) / len(steps) if steps else 1.0
    found["displaced"] = (
        sum(abs(to["hypothesis"][i] / reference - i / hypothesis) for i in range(hypothesis)) / hypothesis
    )
    return found
