"""A recipe and a folder of data give the folder of a joint-objective metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from tercet.corpus.judged import JudgedTexts
from tercet.features.cache import FeatureCache
from tercet.rankers.joint import JointRanker, Progress
from tercet.rankers.joint_agreement import Row, agreement, mean_over_parts
from tercet.rankers.joint_choice import Chosen, choose
from tercet.rankers.joint_fitting import AlphaPoint, alpha_curve, described, fit_examples, prepared
from tercet.rankers.joint_models import save
from tercet.rankers.joint_recipe import BY_FOLDER, Choice, JointRecipe
from tercet.rankers.judged_data import folds, hold_out, leave_out, read_judged_folder
from tercet.rankers.recipe import TEXTS, Folder
from tercet.rankers.trainings import TrainingLog, require_place

CURVE = "alpha.svg"


@dataclass
class Hooks(TrainingLog):
    """What is told while it happens."""

    advance: Callable[[int], None] = lambda epochs: None
    """So many epochs more, of all that `JointRecipe.total_epochs` counts."""

    def progress(self) -> Progress:
        """For trainings one after the other: each counts from the start again."""
        last = 0

        def advanced(done: int, scores: object) -> None:
            nonlocal last
            self.advance(done - last if done > last else done)
            last = done

        return advanced


@dataclass(frozen=True)
class Learned:
    """A trained metric, and what was chosen on the way to it."""

    ranker: JointRanker
    choice: Chosen | None
    alphas: list[AlphaPoint]


def train(recipe: JointRecipe, data: Path, output: Path, *, hooks: Hooks | None = None) -> JointRanker:
    """Trains and writes the model; with the best epoch so far if the training is interrupted."""
    hooks = hooks or Hooks()
    require_place(output)
    by_folder = [read_judged_folder(data / one.folder, one.pairs) for one in recipe.train]
    judged = [texts for folder in by_folder for texts in folder]
    validation = None if isinstance(recipe.validation, float) else read_folders(recipe.validation, data)
    test = read_folders(recipe.test, data)

    cache = FeatureCache.default()
    learned = learn(recipe, judged, validation, cache, hooks)
    ranker, card = learned.ranker, learned.ranker.card_
    for epoch, score in enumerate(card.pop("validation_scores"), 1):
        hooks.write(objective=ranker.options.objective, epoch=epoch, score=score)
    card |= {name: getattr(recipe, name) for name in (*TEXTS, "use")}
    card |= {"date": datetime.now(UTC).date().isoformat(), "alphas": [vars(point) for point in learned.alphas]}
    card["choices"] = [list(one) for one in learned.choice.scores] if learned.choice else []
    if test:
        card["test"] = described(test)
        card["agreement"] = agreement(ranker, test)
        card["agreement_note"] = "On the test data, which the training did not see."
    elif recipe.folds and not card["interrupted"]:
        rows = cross_validated(recipe, by_folder, cache, hooks)
        card |= {"agreement": rows, "interrupted": not rows}
        parts = "folders" if recipe.folds == BY_FOLDER else f"{recipe.folds} parts of all references"
        card["agreement_note"] = (
            f"Not of this model, but of one for each of the {parts}, measured there and trained on the rest alone; "
            "whatever this model chose on its data, each of them chose on its own."
        )
    hooks.write(
        model=output.name, signature=str(ranker.signature), **{key: card[key] for key in ("training", "validation")}
    )
    save(ranker, output, log=hooks.text())
    if learned.alphas:
        from tercet.output import write_result
        from tercet.rankers.joint_curve import alpha_svg

        write_result(alpha_svg(learned.alphas, ranker.options.alpha), output / CURVE)
    return ranker


def learn(
    recipe: JointRecipe,
    judged: Sequence[JudgedTexts],
    validation: Sequence[JudgedTexts] | None,
    cache: FeatureCache,
    hooks: Hooks,
) -> Learned:
    """One metric as a recipe has it: features and options chosen, α chosen, trained."""
    part = recipe.validation if isinstance(recipe.validation, float) else 0.1
    choice, chosen = Choice(recipe.features, recipe.options), None
    if recipe.choices:
        chosen = choose(
            recipe.choices,
            judged,
            number=recipe.choice_folds,
            validation=part,
            seed=recipe.split_seed,
            progress=hooks.progress(),
            told=lambda said, score: hooks.write(choice=said, score=round(score, 6)),
        )
        choice = chosen.best
    if validation is None:
        judged, validation = hold_out(judged, part, recipe.split_seed)
    ranker = JointRanker(choice.features, choice.options, cache)
    learned, held = (prepared(side, ranker.feature_sets, choice.options, cache) for side in (judged, validation))
    points: list[AlphaPoint] = []
    if recipe.alphas:
        curve = alpha_curve(choice.options, learned, held, recipe.alphas, progress=hooks.progress())
        points = [point for point, _ in curve]
        for point in points:
            hooks.write(alpha=point.alpha, tau=round(point.tau, 6), pearson=round(point.pearson, 6))
        best, fitted = max(curve, key=lambda one: one[0].score)
        ranker.options = replace(choice.options, alpha=best.alpha)
    else:
        fitted = fit_examples(choice.options, learned, held, progress=hooks.progress())
    ranker.adopt(fitted)
    ranker.card_["training"] |= described(judged)
    ranker.card_["validation"] |= described(validation)
    return Learned(ranker, chosen, points)


def cross_validated(
    recipe: JointRecipe, by_folder: Sequence[list[JudgedTexts]], cache: FeatureCache, hooks: Hooks
) -> list[Row]:
    """Agreement on each part of the data of a metric that was chosen and trained on the others; none if interrupted."""
    parts = []
    judged = [texts for folder in by_folder for texts in folder]
    splits = leave_out(by_folder) if isinstance(recipe.folds, str) else folds(judged, recipe.folds, recipe.split_seed)
    for number, (rest, left_out) in enumerate(splits, 1):
        try:
            again = learn(recipe, rest, None, cache, hooks).ranker
        except KeyboardInterrupt:
            return []
        if again.card_["interrupted"]:
            return []
        parts.append(agreement(again, left_out))
        hooks.write(fold=number, best_epoch=again.card_["best_epoch"], signature=str(again.signature))
    return mean_over_parts(parts)


def read_folders(folders: Sequence[Folder], data: Path) -> list[JudgedTexts]:
    """The judged texts of some folders."""
    return [texts for one in folders for texts in read_judged_folder(data / one.folder, one.pairs)]
