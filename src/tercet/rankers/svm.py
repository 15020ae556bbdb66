"""Support vector machines for preferences: exact over a Gram matrix, and in the primal over features. No intercept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import OptionError, TercetError
from tercet.rankers.base import strict_tau
from tercet.rankers.pairs import Numbers
from tercet.rankers.tree_items import Compared

Array = NDArray[np.float64]
Rows = NDArray[np.floating[Any]]


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra in one thread: sums in another order would give other digits, and so another model."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError as error:  # pragma: no cover - comes with scikit-learn
        raise TercetError("training needs scikit-learn; run `pip install 'tercet[train]'`") from error
    with threadpool_limits(1):
        yield


def primal(
    features: Rows, pairs: Compared, cost: float, *, start: Array | None = None, tolerance: float = 1e-8
) -> Array:
    """Weights w that minimise ½ |w|² + C Σ max(0, 1 - y (w·φ(first) - w·φ(second)))², by L-BFGS.

    Pairs are never written out: their margins are differences of the items' scores, their gradients sums over items.
    It ends when a step gains less than `tolerance` of the objective.
    """
    from scipy.optimize import minimize

    used, places = np.unique(np.concatenate([pairs.first, pairs.second]), return_inverse=True)
    rows = features[used] if len(used) < len(features) else features
    first, second = places[: len(pairs)], places[len(pairs) :]
    signs = pairs.value.astype(np.float64)

    def objective(weights: Array) -> tuple[float, Array]:
        scores = np.asarray(rows @ weights.astype(rows.dtype), np.float64)
        slack = np.maximum(0, 1 - signs * (scores[first] - scores[second]))
        pull = -2 * cost * slack * signs
        by_item = np.bincount(first, pull, len(rows)) - np.bincount(second, pull, len(rows))
        slope = weights + np.asarray(by_item.astype(rows.dtype) @ rows, np.float64)
        return float(0.5 * weights @ weights + cost * slack @ slack), slope

    begin = np.zeros(rows.shape[1]) if start is None else start
    found = minimize(
        objective,
        begin,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 500, "maxcor": 20, "ftol": tolerance, "gtol": 1e-9},
    )
    return np.asarray(found.x, np.float64)


def exact(gram: Array, pairs: Compared, cost: float) -> Array:
    """A weight for each item: its score is the sum of weight × kernel over all items (scikit-learn's SVC, precomputed).

    `gram` is that of the items. SVC's intercept is left out: a preference turned round must turn its margin round.
    """
    try:
        from sklearn.svm import SVC
    except ImportError as error:  # pragma: no cover - only where the extra is not installed
        raise TercetError("training needs scikit-learn; run `pip install 'tercet[train]'`") from error
    if len(np.unique(pairs.value)) < 2:  # SVC wants both classes: a preference is the same when turned round
        turn = np.arange(len(pairs)) % 2 == 1
        pairs = Compared(
            np.where(turn, pairs.second, pairs.first),
            np.where(turn, pairs.first, pairs.second),
            np.where(turn, -pairs.value, pairs.value),
            pairs.groups,
        )
    left = gram[pairs.first] - gram[pairs.second]
    machine = SVC(C=cost, kernel="precomputed", cache_size=500).fit(
        left[:, pairs.first] - left[:, pairs.second], pairs.value
    )
    weights = np.zeros(len(gram))
    np.add.at(weights, pairs.first[machine.support_], machine.dual_coef_[0])
    np.add.at(weights, pairs.second[machine.support_], -machine.dual_coef_[0])
    return weights


def folds(groups: Numbers, number: int, seed: int) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """The rest and the fold; no segment is on both sides."""
    every = np.random.default_rng(seed).permutation(np.unique(groups))
    if len(every) < number:
        raise OptionError(f"{number} folds of {len(every)} segments are not possible; give one `costs`, or more data")
    for fold in range(number):
        held = np.isin(groups, every[fold::number])
        yield ~held, held


def choose(
    candidates: Sequence[Any],
    learn: Callable[[Any, Compared, Array | None], tuple[Array, Array]],
    pairs: Compared,
    *,
    number: int,
    seed: int,
    report: Callable[[Any, float], None] | None = None,
) -> Any:
    """The candidate with the best mean tau over folds by segment; `learn` gives all items' scores and its weights.

    Each candidate starts from the weights of the one before, of the same fold.
    """
    if len(candidates) == 1:
        return candidates[0]
    taus = np.zeros((number, len(candidates)))
    for fold, (rest, held) in enumerate(folds(pairs.groups, number, seed)):
        known: Array | None = None
        for place, candidate in enumerate(candidates):
            scores, known = learn(candidate, pairs.where(rest), known)
            tested = pairs.where(held)
            taus[fold, place] = strict_tau(tested.margins(scores), tested.value.astype(np.float64))
    if report is not None:
        for candidate, tau in zip(candidates, taus.mean(axis=0), strict=True):
            report(candidate, float(tau))
    return candidates[int(np.argmax(taus.mean(axis=0)))]
