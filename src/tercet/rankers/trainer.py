"""A recipe and a folder of data give a model's folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import InputError
from tercet.rankers.data import read_pairs
from tercet.rankers.fitting import Checkpoint, Fitted, fit, taus_by_pair, test_margins
from tercet.rankers.inputs import Inputs
from tercet.rankers.judged_data import read_judged_folder
from tercet.rankers.models import CHECKPOINT, load_checkpoint, save, save_checkpoint
from tercet.rankers.network import NetworkRanker
from tercet.rankers.pairs import Pairs
from tercet.rankers.recipe import TEXTS, Folder, PairsRecipe, Recipe
from tercet.rankers.tables import Tables
from tercet.rankers.trainings import TrainingLog, counted, require_place


@dataclass
class Hooks(TrainingLog):
    """What is told while it happens."""

    features: Callable[[int, int], None] = lambda done, total: None
    """Called with the systems done and all systems."""
    epochs: Callable[[str, int, NDArray[np.float32]], None] = lambda cost, done, taus: None


def train(
    recipe: Recipe, data: Path, output: Path, *, resume: bool = False, hooks: Hooks | None = None
) -> NetworkRanker:
    """Trains and writes the model, with the best epoch so far if the training is interrupted."""
    hooks = hooks or Hooks()
    require_place(output)
    partial = output.with_name(output.name + ".checkpoint")
    checkpoint = _checkpoint(output, partial) if resume else None
    pairs, validation = training_pairs(recipe, data)
    test = read_folders(recipe.test, data) if recipe.test else None
    ranker = NetworkRanker(recipe.features, recipe.options)

    texts = [
        *pairs.texts,
        *([] if validation.texts is pairs.texts else validation.texts),
        *(test.texts if test else ()),
    ]
    features_done = counted(hooks.features, sum(len(one.corpus.systems) for one in texts))
    seen = 0

    def progress(cost: str, epoch: int, taus: NDArray[np.float32]) -> None:
        nonlocal seen
        hooks.epochs(cost, epoch, taus)
        seen = 0 if epoch <= seen else seen
        for number in range(seen, epoch):
            hooks.write(cost=cost, epoch=number + 1, tau=[round(float(tau), 6) for tau in taus[number]])
        seen = epoch

    partial.parent.mkdir(parents=True, exist_ok=True)
    fitted = fit(
        recipe.features,
        recipe.options,
        pairs,
        validation,
        cache=ranker.cache,
        progress=progress,
        resume=checkpoint,
        features_done=features_done,
        keep=lambda state: save_checkpoint(state, partial),
        assessed=read_assessed(recipe.assessed, data),
    )
    ranker.adopt(fitted)
    described = {name: getattr(recipe, name) for name in TEXTS}
    ranker.card_ |= {**described, "date": datetime.now(UTC).date().isoformat()}
    if test is not None:
        ranker.card_["test"] = _tested(recipe, ranker, fitted, test, features_done)
    hooks.write(
        model=str(output),
        signature=str(ranker.signature),
        **{name: ranker.card_.get(name) for name in ("members", "interrupted", "training", "validation", "test")},
    )
    save(ranker, output, checkpoint=fitted.checkpoint, log=hooks.text())
    partial.unlink(missing_ok=True)
    return ranker


def read_folders(folders: Sequence[Folder], data: Path) -> Pairs:
    """The judged pairs of some folders."""
    return Pairs.concat([read_pairs(data / one.folder, one.pairs) for one in folders])


def read_assessed(folders: Sequence[Folder], data: Path) -> list[JudgedTexts]:
    """The assessed texts of some folders."""
    return [texts for one in folders for texts in read_judged_folder(data / one.folder, one.pairs)]


def training_pairs(recipe: PairsRecipe, data: Path) -> tuple[Pairs, Pairs]:
    """The pairs that a ranker learns from, and those that tell when it has learned enough."""
    pairs = read_folders(recipe.train, data)
    pairs.require_untied("training")
    if isinstance(recipe.validation, int):
        return pairs.hold_out(recipe.validation, recipe.split_seed)
    return pairs, read_folders(recipe.validation, data)


def _tested(
    recipe: Recipe, ranker: NetworkRanker, fitted: Fitted, test: Pairs, features_done: Callable[[int], None]
) -> dict[str, Any]:
    inputs = Inputs(recipe.features, ranker.cache)
    tables = Tables.of(inputs, test.texts, features_done, judged=[test])
    found = test_margins(fitted, tables, test)
    alone = [taus_by_pair(one, test)["mean"] for one in found]
    return {
        "texts": [one.name for one in test.texts],
        "pairs": len(test.untied()),
        "ties": int(np.sum(test.value == 0)),
        "segments": len(np.unique(test.groups)),
        "sha256": test.sha256(),
        "tau": taus_by_pair(found.mean(axis=0), test),
        "tau_of_members": [round(tau, 6) for tau in alone],
    }


def _checkpoint(output: Path, partial: Path) -> Checkpoint:
    for file in (partial, output / CHECKPOINT):
        if file.is_file():
            return load_checkpoint(file)
    raise InputError("there is no training to resume", file=output, remedy="train without --resume first")
