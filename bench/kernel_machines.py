"""The exact preference SVM and the one over Nyström's features, on 5,000 pairs of WMT13."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tercet
from bench.measure import WALL, Figure
from tercet.features.cache import FeatureCache
from tercet.rankers.base import strict_tau
from tercet.rankers.data import read_pairs
from tercet.rankers.kernel import KernelOptions, KernelRanker
from tercet.rankers.tree_items import items_of

PAIRS = 5000
LANDMARKS = (125, 250, 500, 1000)


def figures(data: Path) -> Iterator[Figure]:
    """Trained on 5,000 pairs by whole segments, compared on another 5,000; C by cross-validation in the former."""
    tercet.set_threads(1)
    judged = read_pairs(data / "wmt13", ["fr-en"])
    rest, train = judged.hold_out(PAIRS, 1)
    _, test = rest.hold_out(PAIRS, 2)
    test = test.untied()
    items, (compared,) = items_of([test])
    values = compared.value.astype(np.float64)

    def trained(options: KernelOptions) -> tuple[KernelRanker, np.ndarray, float, float]:
        start = WALL()
        ranker = KernelRanker(options, FeatureCache(None)).fit(train, test)
        spent = WALL() - start
        margins = compared.margins(ranker.scores(items.hypotheses, items.references))
        return ranker, margins, strict_tau(margins, values), spent

    exact, expected, tau, spent = trained(KernelOptions())
    assert exact.card_["machine"] == "exact"
    yield Figure(
        f"exact, {exact.card_['training']['pairs']} pairs: tau × 100 on {len(test)} others", f"{100 * tau:.2f}", ""
    )
    yield Figure("exact: support, C, seconds", f"{len(exact.weights_)}, {exact.card_['cost']:g}, {spent:.0f}", "")
    for number in LANDMARKS:
        found, margins, tau, spent = trained(KernelOptions(exact=0, landmarks=number))
        same = float(np.mean(np.sign(margins) == np.sign(expected)))
        shown = f"{100 * tau:.2f}; r {np.corrcoef(margins, expected)[0, 1]:.3f}, {100 * same:.1f} % of decisions"
        yield Figure(f"Nyström, {number} landmarks: tau × 100; margins against the exact ones", shown, "")
        yield Figure(f"Nyström, {number} landmarks: C, seconds", f"{found.card_['cost']:g}, {spent:.0f}", "")
