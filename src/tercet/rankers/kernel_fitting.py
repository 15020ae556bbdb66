"""Training a kernel ranker: trees, kernels, the machine, calibration, and what the card says of it."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.kernels import gram
from tercet.rankers import kernel_learning as learning
from tercet.rankers.base import strict_tau
from tercet.rankers.calibration import calibrate
from tercet.rankers.pairs import Pairs
from tercet.rankers.trainings import counted
from tercet.rankers.tree_items import Compared, Items, items_of
from tercet.rankers.tree_pairs import Array, Grove, TreeKernels

if TYPE_CHECKING:
    from tercet.rankers.kernel import KernelRanker, Progress

IN_MEMORY = 1 << 30  # bytes of a Gram matrix; a larger one is a file that is mapped


def fit(
    ranker: KernelRanker,
    pairs: Pairs,
    validation: Pairs,
    *,
    progress: Progress | None = None,
    report: Callable[[str], None] | None = None,
) -> None:
    """Fits the ranker, and writes down on its card what was done."""
    options = ranker.options
    train = pairs.require_untied("training")
    validation.require_untied("validation")
    items, (learned, held) = items_of([train, validation], options.features, ranker.cache)
    candidates = learning.settings(options.costs, options.weights, trees=True, features=bool(options.features))
    exact = len(train) <= options.exact
    teach = _exact if exact else _nystrom
    found, support, scores = teach(ranker, items, learned, candidates, progress, report)
    calibration = calibrate(held.margins(scores), held.value)
    ranker.set_learned(support["hypothesis"], support["reference"], found.weights, found.feature_weights, calibration)
    ranker.card_ = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": "exact" if exact else f"primal over Nyström's features of {options.landmarks} landmarks",
        "support": len(ranker.weights_),
        "cost": found.setting.cost,
        "weight": found.setting.weight,
        "training": described(train),
        "validation": described(validation) | {"tau": taus(validation.untied(), held.where(held.value != 0), scores)},
    }


def described(pairs: Pairs) -> dict[str, Any]:
    """What pairs are, for a card."""
    return {
        "texts": [one.name for one in pairs.texts],
        "pairs": int((pairs.value != 0).sum()),
        "ties": int((pairs.value == 0).sum()),
        "segments": len(np.unique(pairs.groups)),
        "sha256": pairs.sha256(),
    }


def taus(pairs: Pairs, compared: Compared, scores: Array) -> dict[str, float]:
    """Strict tau of each language pair."""
    margins, values = compared.margins(scores), compared.value.astype(np.float64)
    return {name: strict_tau(margins[places], values[places]) for name, places in pairs.by_language_pair().items()}


def _nystrom(
    ranker: KernelRanker,
    items: Items,
    pairs: Compared,
    candidates: Sequence[learning.Setting],
    progress: Progress | None,
    report: Callable[[str], None] | None,
) -> tuple[learning.Learned, Any, Array]:
    options = ranker.options
    used = np.unique(np.concatenate([pairs.first, pairs.second]))
    single = used[[len(items.references[i]) == 1 for i in used]]
    drawn = single if len(single) else used  # with several references a landmark is a translation beside the first
    chosen = np.sort(np.random.default_rng(options.seed).permutation(drawn)[: options.landmarks])
    grove = Grove(options.trees)
    support = grove.records([items.hypotheses[i] for i in chosen], [items.references[i][0] for i in chosen])
    kernels = TreeKernels(options.trees, tuple(support["hypothesis"]), tuple(support["reference"]), grove)
    advance = counted(progress, len(items.hypotheses))
    rows = kernels.rows(items.hypotheses, items.references, cache=ranker.cache, starts=items.starts, progress=advance)
    among = rows[chosen]
    if not len(single):
        among = kernels.transform([items.hypotheses[i] for i in chosen], [items.references[i][:1] for i in chosen])
    found = learning.learn_features(
        learning.Mapped.of(rows, among),
        items.features,
        pairs,
        candidates,
        folds=options.folds,
        seed=options.seed,
        report=report,
    )
    return found, support, found.scores(rows, items.features)


def _exact(
    ranker: KernelRanker,
    items: Items,
    pairs: Compared,
    candidates: Sequence[learning.Setting],
    progress: Progress | None,
    report: Callable[[str], None] | None,
) -> tuple[learning.Learned, Any, Array]:
    """Every item counts with all its references: the kernel of two is the mean over both sides' references."""
    from scipy.sparse import csr_array

    options = ranker.options
    counts = np.array([len(sets) for sets in items.references])
    rows = [text for text, sets in zip(items.hypotheses, items.references, strict=True) for _ in sets]
    beside = [reference for sets in items.references for reference in sets]
    records = Grove(options.trees).records(rows, beside)
    kernel = options.trees.both_sides()
    with tempfile.TemporaryDirectory(prefix="tercet-gram-") as folder:
        large = 8 * len(rows) ** 2 > IN_MEMORY
        matrix: Array = gram(kernel, records, file=Path(folder) / "gram.npy" if large else None, progress=progress)
        of_item = np.repeat(np.arange(len(counts)), counts)
        if (counts > 1).any():
            mean = csr_array((1 / counts[of_item], (of_item, np.arange(len(rows)))))
            matrix = mean @ (mean @ matrix).T
        found = learning.learn_gram(
            matrix, items.features, pairs, candidates, folds=options.folds, seed=options.seed, report=report
        )
        scores = np.asarray(matrix @ found.weights, np.float64) + items.features @ found.feature_weights
    weights = found.weights[of_item] / counts[of_item]
    kept = np.flatnonzero(weights)
    support = {side: [records[side][i] for i in kept] for side in ("hypothesis", "reference")}
    return learning.Learned(weights[kept], found.feature_weights, found.setting), support, scores
