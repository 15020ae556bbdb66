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
from tercet.metrics.registry import metric as metric_of
from tercet.rankers.calibration import sigmoid
from tercet.rankers.joint import Array, JointRanker
from tercet.rankers.joint_data import Examples, examples
from tercet.rankers.joint_fitting import AlphaPoint, alpha_curve, described, fit_examples, prepared
from tercet.rankers.joint_models import save
from tercet.rankers.joint_recipe import JointRecipe
from tercet.rankers.judged_data import folds, hold_out, read_judged_folder
from tercet.rankers.models import CONFIG
from tercet.rankers.recipe import Folder

CURVE = "alpha.svg"
BASELINE = "chrf"


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
    everything = judged = read_folders(recipe.train, data)
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
    elif recipe.folds:
        ranker.card_["agreement"] = cross_validated(ranker, everything, recipe, hooks)
        ranker.card_["agreement_note"] = (
            f"Mean of {recipe.folds} trainings of the same kind, each on the parts of the data that it did not see."
        )
    hooks.write(
        model=output.name,
        signature=str(ranker.signature),
        **{key: ranker.card_[key] for key in ("training", "validation")},
    )
    save(ranker, output, log="\n".join(hooks.lines) + "\n")
    if points:
        from tercet.output import write_result
        from tercet.rankers.joint_curve import alpha_svg

        write_result(alpha_svg(points, options.alpha), output / CURVE)
    return ranker


def cross_validated(
    ranker: JointRanker, judged: Sequence[JudgedTexts], recipe: JointRecipe, hooks: Hooks
) -> list[dict[str, Any]]:
    """Agreement on each fold of the references of a metric that was trained on the others; the mean over folds."""
    part = recipe.validation if isinstance(recipe.validation, float) else 0.1
    values: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for number, (rest, fold) in enumerate(folds(judged, recipe.folds, recipe.split_seed), 1):
        again = JointRanker(ranker.features, ranker.options, ranker.cache)
        again.fit_judged(*hold_out(rest, part, recipe.split_seed))
        for row in agreement(again, fold):
            values.setdefault((row["data"], row["pair"], row["statistic"]), []).append((row["value"], row[BASELINE]))
        hooks.write(fold=number, best_epoch=again.card_["best_epoch"])
    rows = []
    for (data, pair, statistic), found in values.items():
        mean, baseline = np.mean(found, axis=0).tolist()
        rows.append({"data": data, "pair": pair, "statistic": statistic, "value": mean, BASELINE: baseline})
    return rows


def read_folders(folders: Sequence[Folder], data: Path) -> list[JudgedTexts]:
    """The judged texts of some folders."""
    return [texts for one in folders for texts in read_judged_folder(data / one.folder, one.pairs)]


def agreement(ranker: JointRanker, judged: Sequence[JudgedTexts]) -> list[dict[str, Any]]:
    """How far scores agree with people: of each text the tau of comparisons or r of assessments, and r of systems.

    Beside the metric's own `value` stands that of chrF on the same judgments.
    """
    chrf = metric_of(BASELINE)
    rows = []
    for texts in judged:
        part = examples([texts], ranker.feature_sets, ranker.cache)
        assert ranker.weights_ is not None
        scores = sigmoid(ranker.weights_.forward(part.rows))
        spans = [slice(start, start + length) for start, length in zip(*part.corpora[:2], strict=True)]
        ours = _agreement(part, scores, [scores[span].mean() for span in spans])

        references = list(texts.corpus.references)
        systems = (list(texts.corpus.systems[name]) for name in texts.judgments.systems())
        counts = np.concatenate([chrf.statistics(system, references) for system in systems])
        theirs = _agreement(part, chrf.score(counts), [float(chrf.score(counts[span].sum(axis=0))) for span in spans])
        for statistic, value in ours.items():
            about = {"data": texts.testset, "pair": texts.pair, "statistic": statistic}
            rows.append(about | {"value": value, BASELINE: theirs[statistic]})
    return rows


def _agreement(part: Examples, scores: Array, corpora: Sequence[float]) -> dict[str, float]:
    found = {}
    if len(part.sentences.better):
        right = scores[part.sentences.better] > scores[part.sentences.worse]
        found["strict tau, segments"] = float(2 * right.mean() - 1)
    if len(part.assessed.row) > 2:
        found["Pearson's r, segments"] = float(np.corrcoef(scores[part.assessed.row], part.assessed.value)[0, 1])
    if len(part.corpora.start) > 2:
        found["Pearson's r, systems"] = float(np.corrcoef(corpora, part.corpora.human)[0, 1])
    return found
