"""A recipe and a folder of data give the folder of a kernel ranker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tercet.rankers.kernel import KernelRanker
from tercet.rankers.kernel_fitting import described
from tercet.rankers.kernel_models import save
from tercet.rankers.kernel_recipe import KernelRecipe
from tercet.rankers.pairs import Pairs
from tercet.rankers.recipe import TEXTS
from tercet.rankers.trainer import read_folders, training_pairs
from tercet.rankers.trainings import TrainingLog, counted, require_place
from tercet.rankers.tree_items import items_of
from tercet.rankers.tree_pairs import Grove, TreeKernels


@dataclass
class Hooks(TrainingLog):
    """What is told while it happens."""

    kernels: Callable[[int, int], None] = lambda done, total: None


def train(recipe: KernelRecipe, data: Path, output: Path, *, hooks: Hooks | None = None) -> KernelRanker:
    """Trains, tests if there is something to test on, and writes the model."""
    hooks = hooks or Hooks()
    require_place(output)
    pairs, validation = training_pairs(recipe, data)
    test = read_folders(recipe.test, data) if recipe.test else None
    ranker = KernelRanker(recipe.options)
    ranker.fit(pairs, validation, progress=hooks.kernels, report=lambda text: hooks.write(tried=text))
    ranker.card_ |= {name: getattr(recipe, name) for name in TEXTS}
    if test is not None:
        ranker.card_["test"] = described(test) | {"tau": _taus(ranker, test.untied(), hooks)}
    hooks.write(model=str(output), signature=str(ranker.signature), **ranker.card_)
    save(ranker, output, log=hooks.text())
    return ranker


def _taus(ranker: KernelRanker, test: Pairs, hooks: Hooks) -> dict[str, float]:
    from tercet.rankers.kernel_fitting import taus

    options = ranker.options
    items, (compared,) = items_of([test], options.features, ranker.cache)
    kernels = TreeKernels(options.trees, ranker.hypotheses_, ranker.references_, Grove(options.trees))
    advance = counted(hooks.kernels, len(items.hypotheses))
    rows = kernels.rows(items.hypotheses, items.references, cache=ranker.cache, progress=advance)
    scores = rows.astype(np.float64) @ ranker.weights_ + items.features @ ranker.feature_weights_
    found = taus(test, compared, scores)
    return found | {"mean": float(np.mean(list(found.values())))}
