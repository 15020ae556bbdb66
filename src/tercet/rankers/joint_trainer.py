"""A recipe and a folder of data give the folder of a joint-objective metric."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import InputError
from tercet.features.cache import FeatureCache
from tercet.rankers.joint import JointRanker
from tercet.rankers.joint_data import examples
from tercet.rankers.joint_fitting import AlphaPoint, alpha_curve, described, fit_examples, prepared
from tercet.rankers.joint_models import save
from tercet.rankers.joint_recipe import JointRecipe
from tercet.rankers.judged_data import hold_out, read_judged_folder
from tercet.rankers.models import CONFIG
from tercet.rankers.recipe import Folder

CURVE = "alpha.svg"


@dataclass
class Hooks:
    """What is told while it happens."""

    epochs: Callable[[str, int, NDArray[np.float32]], None] = lambda objective, done, scores: None
    log: Callable[[str], None] = lambda line: None
    lines: list[str] = field(default_factory=list)

    def write(self, **entry: Any) -> None:
        """One more line of the log."""
        line = json.dumps(entry)
        self.lines.append(line)
        self.log(line)


def train(recipe: JointRecipe, data: Path, output: Path, *, hooks: Hooks | None = None) -> JointRanker:
    """Trains and writes the model; with the best epoch so far if the training is interrupted."""
    hooks = hooks or Hooks()
    if output.exists() and not (output.is_dir() and ((output / CONFIG).is_file() or not any(output.iterdir()))):
        raise InputError("exists and is no model", file=output, remedy="choose another -o")
    judged = read_folders(recipe.train, data)
    if isinstance(recipe.validation, float):
        judged, validation = hold_out(judged, recipe.validation, recipe.split_seed)
    else:
        validation = read_folders(recipe.validation, data)
    test = read_folders(recipe.test, data)

    options, cache = recipe.options, FeatureCache.default()
    ranker = JointRanker(recipe.features, options, cache)
    learned, held = (prepared(part, ranker.feature_sets, options, cache) for part in (judged, validation))
    points: list[AlphaPoint] = []
    if recipe.alphas:
        curve = alpha_curve(options, learned, held, recipe.alphas)
        points = [point for point, _ in curve]
        for point in points:
            hooks.write(alpha=point.alpha, tau=round(point.tau, 6), pearson=round(point.pearson, 6))
        best, fitted = max(curve, key=lambda one: one[0].score)
        ranker.options = options = replace(options, alpha=best.alpha)
    else:
        fitted = fit_examples(
            options, learned, held, progress=lambda done, scores: hooks.epochs(options.objective, done, scores)
        )
    for epoch, score in enumerate(fitted.card["validation_scores"], 1):
        hooks.write(objective=options.objective, epoch=epoch, score=score)
    ranker.adopt(fitted)
    ranker.card_["training"] |= described(judged)
    ranker.card_["validation"] |= described(validation)
    ranker.card_ |= {name: getattr(recipe, name) for name in ("title", "description", "licence")}
    ranker.card_ |= {"date": datetime.now(UTC).date().isoformat(), "alphas": [vars(point) for point in points]}
    del ranker.card_["validation_scores"]  # they are in the log
    if test:
        ranker.card_["test"] = described(test)
        ranker.card_["agreement"] = agreement(ranker, test)
        ranker.card_["agreement_note"] = "On the test data, which the training did not see."
    hooks.write(
        model=str(output),
        signature=str(ranker.signature),
        **{key: ranker.card_[key] for key in ("training", "validation")},
    )
    save(ranker, output, log="\n".join(hooks.lines) + "\n")
    if points:
        from tercet.output import write_result
        from tercet.rankers.joint_curve import alpha_svg

        write_result(alpha_svg(points, options.alpha), output / CURVE)
    return ranker


def read_folders(folders: Sequence[Folder], data: Path) -> list[JudgedTexts]:
    """The judged texts of some folders."""
    return [texts for one in folders for texts in read_judged_folder(data / one.folder, one.pairs)]


def agreement(ranker: JointRanker, judged: Sequence[JudgedTexts]) -> list[dict[str, Any]]:
    """How far scores agree with people: of each text the tau of comparisons or r of assessments, and r of systems."""
    rows = []
    for texts in judged:
        part = examples([texts], ranker.feature_sets, ranker.cache)
        assert ranker.weights_ is not None
        activations = ranker.weights_.forward(part.rows)
        scores = 0.5 * (1 + np.tanh(0.5 * activations))
        about = {"data": texts.testset, "pair": texts.pair}
        if len(part.sentences.better):
            right = activations[part.sentences.better] > activations[part.sentences.worse]
            rows.append(about | {"statistic": "strict tau, segments", "value": float(2 * right.mean() - 1)})
        if len(part.assessed.row) > 2:
            r = np.corrcoef(scores[part.assessed.row], part.assessed.value)[0, 1]
            rows.append(about | {"statistic": "Pearson's r, segments", "value": float(r)})
        if len(part.corpora.start) > 2:
            spans = zip(part.corpora.start, part.corpora.length, strict=True)
            means = [scores[start : start + length].mean() for start, length in spans]
            rows.append(
                about
                | {"statistic": "Pearson's r, systems", "value": float(np.corrcoef(means, part.corpora.human)[0, 1])}
            )
    return rows
