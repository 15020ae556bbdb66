"""The models `lite` and `base`: their agreement with people by cross-fitting, and the weights that ship.

    python -m training.default_models figures NAME ... --data DIR [--kept FOLDER]
    python -m training.default_models train NAME ... --data DIR [--kept FOLDER] [--output FOLDER]

`figures` prints strict tau on wmt12 (five folds by segment: each is decided by networks trained on the other folds and
on the recipe's other pairs; then, if there are such pairs, by networks that saw nothing of wmt12), and segment Pearson
on wmt15-da and wmt17-da by networks trained without that folder, with chrF beside them. `train` trains on everything
that the recipe names and writes the model with those figures into its card. Features and settings are those of
`recipes/NAME.yaml`; how they were chosen is in `training.default_choice`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.features.cache import FeatureCache
from tercet.language.sequence import MODELS
from tercet.metrics.registry import metric
from tercet.rankers.assessed import Assessed
from tercet.rankers.base import strict_tau
from tercet.rankers.fitting import Fitted, fit_tables, test_margins
from tercet.rankers.inputs import Inputs
from tercet.rankers.judged_data import read_judged_folder, sha256
from tercet.rankers.models import save
from tercet.rankers.network import NetworkRanker
from tercet.rankers.pairs import Pairs
from tercet.rankers.recipe import Folder, Recipe, find_recipe, read_recipe
from tercet.rankers.tables import Tables
from tercet.rankers.trainer import read_assessed, read_folders
from tercet.tables import Table

Array = NDArray[np.float64]

FOLDS, SEED, SAMPLES = 5, 1, 1000
FIGURES = 2  # another number where others are computed: what was kept is computed anew
COMPARED, ASSESSED = "wmt12", ("wmt15-da", "wmt17-da")
LIMITS = (
    "English references only; all training data are news of 2012 to 2017, translated into English by the systems of "
    "those years. Errors that only later systems make were never judged in them.",
    "Two people who are asked about the same pair of wmt12 agree to a tau of 38.8.",
    "The score of a single translation is its margin over its own reference: good for ranking segments of one language "
    "pair, and no percentage of anything.",
)


class Material:
    """The judged pairs of a recipe with their features, computed once."""

    def __init__(self, recipe: Recipe, data: Path) -> None:
        self.recipe = recipe
        self.inputs = Inputs(recipe.features, FeatureCache.default())
        self.pairs = read_folders(recipe.train, data)
        self.tables = Tables.of(self.inputs, self.pairs.texts, judged=[self.pairs])
        self.assessed = {one.folder: read_assessed([one], data) for one in recipe.assessed}
        digests = [self.pairs.sha256(), *(sha256(judged) for judged in self.assessed.values())]
        self.key = json.dumps([self.inputs.signatures(), repr(recipe), digests])

    def fitted(self, pairs: Pairs, without: str = "") -> Fitted:
        """The ensemble of the recipe, trained on these pairs and on all assessed folders but one."""
        held = self.recipe.validation
        assert isinstance(held, int), "the recipes of shipped models hold out a number of pairs"
        training, validation = pairs.hold_out(held, self.recipe.split_seed)
        used = [texts for folder, judged in self.assessed.items() if folder != without for texts in judged]
        also = Assessed.of(self.inputs, used) if used else None
        return fit_tables(self.inputs, self.recipe.options, self.tables, training, self.tables, validation, also=also)


def compared(material: Material, data: Path) -> dict[str, Any]:
    """Strict tau × 100 on wmt12 by five folds, for each language pair, with bootstrap intervals over segments."""
    test = read_folders([Folder(COMPARED)], data)
    of_test = {one.name for one in test.texts}
    known = np.array([one.name in of_test for one in material.pairs.texts])
    if not known.any():
        raise SystemExit(f"the recipe does not train on {COMPARED}; cross-fitting needs it")
    pairs = material.pairs
    tested = known[pairs.text]
    margins = np.full(len(pairs), np.nan)
    groups = np.random.default_rng(SEED).permutation(np.unique(pairs.groups[tested]))
    for fold in range(FOLDS):
        held = np.isin(pairs.groups, groups[fold::FOLDS])
        places = np.flatnonzero(held & tested)
        key = f"fold {fold} of {FOLDS} {material.key}"
        decided = material.inputs.cache.numbers(key, len(places), 1)  # of a run that was broken off
        if decided is None:
            fitted = material.fitted(pairs.where(~held))
            found = test_margins(fitted, material.tables, pairs.where(places)).mean(axis=0)
            decided = found.astype(np.float32)[:, None]
            material.inputs.cache.keep_numbers(key, decided)
        margins[places] = decided[:, 0]
    chosen = pairs.where(tested & (pairs.value != 0))
    return _taus(margins[tested & (pairs.value != 0)], chosen)


def transferred(material: Material, data: Path) -> dict[str, Any] | None:
    """The same by networks that saw nothing of wmt12, neither segments nor systems; None without other pairs."""
    of_test = {one.name for one in read_folders([Folder(COMPARED)], data).texts}
    pairs = material.pairs
    tested = np.array([one.name in of_test for one in pairs.texts])[pairs.text]
    apart = ~np.isin(pairs.groups, pairs.groups[tested])
    if not apart.any():
        return None
    chosen = pairs.where(tested & (pairs.value != 0))
    return _taus(test_margins(material.fitted(pairs.where(apart)), material.tables, chosen).mean(axis=0), chosen)


def _taus(margins: Array, pairs: Pairs) -> dict[str, Any]:
    values = pairs.value.astype(np.float64)
    places = pairs.by_language_pair()
    found = {pair: 100 * strict_tau(margins[at], values[at]) for pair, at in places.items()}
    # segments are drawn, for the judgments of one segment are not independent
    _, segment = np.unique(pairs.groups, return_inverse=True)
    agreed = np.sign(margins * values) > 0
    counts = np.random.default_rng(SEED).multinomial(
        segment.max() + 1, np.ones(segment.max() + 1) / (segment.max() + 1), SAMPLES
    )
    means = np.zeros(SAMPLES)
    for at in places.values():
        every = np.bincount(segment[at], minlength=segment.max() + 1)
        right = np.bincount(segment[at], agreed[at], segment.max() + 1)
        means += 100 * (2 * (counts @ right) / (counts @ every) - 1) / len(places)
    low, high = np.quantile(means, [0.025, 0.975])
    return {"pairs": found, "mean": float(np.mean(list(found.values()))), "low": float(low), "high": float(high)}


def assessed(material: Material, data: Path) -> dict[str, Any]:
    """Segment Pearson with direct assessments, the model's score of single translations beside chrF's."""
    found: dict[str, Any] = {}
    for folder in ASSESSED:
        ranker = NetworkRanker(material.recipe.features, material.recipe.options, FeatureCache.default())
        ranker.adopt(material.fitted(material.pairs, without=folder))
        others = [judged.corpus for name, texts in material.assessed.items() if name != folder for judged in texts]
        corpora = [*(text.corpus for text in material.pairs.texts), *others]
        references = {tuple(one) for corpus in corpora for one in corpus.references}
        rows = {}
        for judged in read_judged_folder(data / folder):
            if not judged.pair.endswith("-en"):
                continue
            hypotheses, sets, people = _segments(judged)
            if references & set(sets):
                raise SystemExit(f"{folder} {judged.pair}: has references that the model was trained on")
            ours = np.corrcoef(ranker.lone(hypotheses, sets), people)[0, 1]
            theirs = np.corrcoef(metric("chrf").segments(hypotheses, sets), people)[0, 1]
            rows[judged.pair] = [float(ours), float(theirs)]
        means = np.mean(list(rows.values()), axis=0)
        found[folder] = {"pairs": rows, "mean": means.tolist()}
    return found


def _segments(judged: JudgedTexts) -> tuple[list[str], list[tuple[str, ...]], Array]:
    """The translations that were assessed, their references, and the assessments."""
    frame = judged.judgments.of_segments().frame
    lines = {name: list(text) for name, text in judged.corpus.systems.items()}
    references = [tuple(one) for one in judged.corpus.references]
    hypotheses = [lines[system][segment] for system, segment in zip(frame["system"], frame["segment"], strict=True)]
    return hypotheses, [references[segment] for segment in frame["segment"]], frame["value"].to_numpy()


def figures(name: str, data: Path, kept: Path | None) -> dict[str, Any]:
    """All figures of a model; from the file of a run before, if its recipe was the same."""
    recipe = read_recipe(find_recipe(name))
    inputs = Inputs(recipe.features)
    key = json.dumps([FIGURES, inputs.signatures(), repr(recipe)])
    file = None if kept is None else kept / f"{name}.json"
    if file is not None and file.is_file():
        known = json.loads(file.read_text())
        if known.pop("key") == key:
            return dict(known)
    material = Material(recipe, data)
    found = {
        "compared": compared(material, data),
        "transferred": transferred(material, data),
        "assessed": assessed(material, data),
    }
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"key": key, **found}))
    return found


def tables(found: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """The figures of some models side by side."""
    names = list(found)
    pairs = list(found[names[0]]["compared"]["pairs"])
    taus = Table([f"{COMPARED}, strict tau × 100", *pairs, "mean", "95 %"])
    for kind, note in (("compared", ""), ("transferred", f", trained without {COMPARED}")):
        for name in names:
            if (one := found[name][kind]) is None:
                continue
            values = [f"{one['pairs'][pair]:.2f}" for pair in pairs]
            taus.add(f"{name}{note}", *values, f"{one['mean']:.2f}", f"{one['low']:.2f} to {one['high']:.2f}")
    shown = [taus]
    for folder in ASSESSED:
        rows = {name: found[name]["assessed"][folder] for name in names}
        pairs = list(rows[names[0]]["pairs"])
        table = Table([f"{folder}, segment Pearson", *pairs, "mean"])
        for name in names:
            of_pairs = [rows[name]["pairs"][pair][0] for pair in pairs]
            table.add(name, *(f"{value:.3f}" for value in of_pairs), f"{rows[name]['mean'][0]:.3f}")
        beside = rows[names[0]]
        of_pairs = [beside["pairs"][pair][1] for pair in pairs]
        table.add("chrF", *(f"{value:.3f}" for value in of_pairs), f"{beside['mean'][1]:.3f}")
        shown.append(table)
    return shown


def train(name: str, data: Path, kept: Path | None, output: Path) -> None:
    """The model that ships, with the figures of its recipe in its card."""
    recipe = read_recipe(find_recipe(name))
    material = Material(recipe, data)
    ranker = NetworkRanker(recipe.features, recipe.options, FeatureCache.default())
    ranker.adopt(material.fitted(material.pairs))
    described = {key: getattr(recipe, key) for key in ("title", "description", "licence")}
    shown = "\n\n".join(table.render("markdown").rstrip() for table in tables({name: figures(name, data, kept)}))
    ranker.card_ |= {
        **described,
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python -m training.default_models train {name} --data DIR",
        "figures": shown,
        "limits": list(LIMITS),
    }
    save(ranker, output / name)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.default_models")
    parser.add_argument("work", choices=["figures", "train"])
    parser.add_argument("names", nargs="+", help="recipes: lite, base")
    parser.add_argument(
        "--data", type=Path, required=True, help="folder that holds wmt12/, wmt13/, wmt15-da/, wmt17-da/"
    )
    parser.add_argument("--kept", type=Path, help="folder for figures, which a later run finds there")
    parser.add_argument("--output", type=Path, default=MODELS, help="folder for models (default: the package's)")
    arguments = parser.parse_args()
    if arguments.work == "train":
        for name in arguments.names:
            train(name, arguments.data, arguments.kept, arguments.output)
    else:
        found = {name: figures(name, arguments.data, arguments.kept) for name in arguments.names}
        print("\n\n".join(table.render("markdown").rstrip() for table in tables(found)))


if __name__ == "__main__":
    main()
