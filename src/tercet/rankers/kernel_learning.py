"""How a preference SVM learns from kernels: Nyström's features in the primal, or a Gram matrix in the dual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet.features.base import Array as Floats
from tercet.kernels.nystrom import whitening
from tercet.rankers import svm
from tercet.rankers.base import strict_tau
from tercet.rankers.pairs import Numbers
from tercet.rankers.tree_items import Compared

Array = NDArray[np.float64]
Report = Callable[[str], None]
CHOOSING = 1e-5  # how exactly the machines are solved that cross-validation compares
FLOOR = 1e-6  # of the greatest eigenvalue; kernels are kept as float32


class Setting(NamedTuple):
    """What cross-validation chooses: how much scores count beside trees, and what an error costs."""

    weight: float
    cost: float


@dataclass(frozen=True, eq=False)
class Learned:
    """The score of a translation: weights · kernels with the support + feature_weights · features."""

    weights: Array
    feature_weights: Array
    setting: Setting

    def scores(self, kernels: Floats, features: Floats) -> Array:
        """Of some translations, from their kernels with the support and their features."""
        found = np.asarray(kernels, np.float64) @ self.weights if len(self.weights) else np.zeros(len(features))
        return found + np.asarray(features, np.float64) @ self.feature_weights


def settings(costs: Sequence[float], weights: Sequence[float], *, trees: bool, features: bool) -> list[Setting]:
    """All candidates; from one cost to the next one's weights are a good start."""
    return [Setting(weight, cost) for weight in (weights if trees and features else (1.0,)) for cost in costs]


class Mapped(NamedTuple):
    """Nyström's features of all items, and what makes them of kernels with the landmarks."""

    kernels: Floats
    rows: Floats
    project: Array

    @classmethod
    @svm.one_thread()
    def of(cls, kernels: Floats, among: Floats) -> Mapped:
        """`kernels` are those of all items with the landmarks, `among` those of the landmarks with each other."""
        if not kernels.shape[1]:
            return cls(kernels, kernels, np.zeros((0, 0)))
        level = np.asarray(among, np.float64)
        project = whitening((level + level.T) / 2, FLOOR)
        return cls(kernels, kernels @ project.astype(np.float32), project)


@svm.one_thread()
def learn_features(
    mapped: Mapped,
    features: Floats,
    pairs: Compared,
    candidates: Sequence[Setting],
    *,
    folds: int,
    seed: int,
    report: Report | None = None,
) -> Learned:
    """A linear SVM over Nyström's features of the trees and the scores themselves; its weights are of landmarks."""
    used = np.unique(np.concatenate([pairs.first, pairs.second]))
    spread = _spread(mapped.rows, pairs)
    scaled, scales = _scaled(features, pairs, used)

    def rows(weight: float) -> Floats:
        return np.concatenate([mapped.rows / np.float32(spread), np.float32(np.sqrt(weight)) * scaled], axis=1)

    joined: dict[float, Floats] = {}

    def learn(setting: Setting, chosen: Compared, start: Array | None) -> tuple[Array, Array]:
        if setting.weight not in joined:
            joined.clear()
            joined[setting.weight] = rows(setting.weight)
            start = None
        weights = svm.primal(joined[setting.weight], chosen, setting.cost, start=start, tolerance=CHOOSING)
        return np.asarray(joined[setting.weight] @ weights.astype(np.float32), np.float64), weights

    best = svm.choose(candidates, learn, pairs, number=folds, seed=seed, report=_reported(report))
    weights = svm.primal(rows(best.weight), pairs, best.cost)
    size = mapped.rows.shape[1]
    return Learned(mapped.project @ weights[:size] / spread, np.sqrt(best.weight) * weights[size:] * scales, best)


@svm.one_thread()
def learn_gram(
    gram: Array,
    features: Floats,
    pairs: Compared,
    candidates: Sequence[Setting],
    *,
    folds: int,
    seed: int,
    report: Report | None = None,
) -> Learned:
    """The exact SVM over the Gram matrix of all items; its weights are those of items."""
    used = np.unique(np.concatenate([pairs.first, pairs.second]))
    scaled, scales = _scaled(features, pairs, used)
    diagonal = np.diag(gram)
    distances = diagonal[pairs.first] + diagonal[pairs.second] - 2 * gram[pairs.first, pairs.second]
    spread = float(distances.mean()) or 1.0
    linear = np.asarray(scaled, np.float64) @ np.asarray(scaled, np.float64).T if scaled.shape[1] else None

    def joined(weight: float) -> Array:
        return gram / spread if linear is None else gram / spread + weight * linear

    def learn(setting: Setting, chosen: Compared, start: Array | None) -> tuple[Array, Array]:
        matrix = joined(setting.weight)
        weights = svm.exact(matrix, chosen, setting.cost)
        return matrix @ weights, weights

    best = svm.choose(candidates, learn, pairs, number=folds, seed=seed, report=_reported(report))
    weights = svm.exact(joined(best.weight), pairs, best.cost)
    of_features = best.weight * (np.asarray(scaled, np.float64).T @ weights) * scales
    return Learned(weights / spread, of_features, best)


def agreement(learned: Learned, kernels: Floats, features: Floats, pairs: Compared) -> float:
    """Strict tau on some pairs."""
    return strict_tau(pairs.margins(learned.scores(kernels, features)), pairs.value.astype(np.float64))


def _spread(rows: Floats, pairs: Compared) -> float:
    """The root mean square of the differences that pairs make: costs mean the same whatever the features' scale."""
    total = 0.0
    for start in range(0, len(pairs), 4096):
        part = slice(start, start + 4096)
        total += float(((rows[pairs.first[part]] - rows[pairs.second[part]]).astype(np.float64) ** 2).sum())
    return float(np.sqrt(total / max(len(pairs), 1))) or 1.0


def _scaled(features: Floats, pairs: Compared, used: Numbers) -> tuple[Floats, Array]:
    """Features with unit deviation over the training items, then scaled as the trees are; and the factors."""
    if not features.shape[1]:
        return features, np.ones(0)
    deviation = features[used].astype(np.float64).std(axis=0)
    factors = np.divide(1, deviation, out=np.zeros_like(deviation), where=deviation > 0)
    middle = features[used].mean(axis=0, dtype=np.float64)
    scaled = ((features - middle) * factors).astype(np.float32)
    spread = _spread(scaled, pairs)
    return scaled / np.float32(spread), factors / spread


def _reported(report: Report | None) -> Callable[[Any, float], None] | None:
    if report is None:
        return None
    return lambda setting, tau: report(f"C {setting.cost:g}, weight of scores {setting.weight:g}: tau {100 * tau:.2f}")
