"""Settings chosen among several by cross-validation within the training data, which no test sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.features.cache import MemoryCache
from tercet.rankers.joint import JointRanker, Progress
from tercet.rankers.joint_agreement import agreement, both_levels
from tercet.rankers.joint_fitting import fit_examples, prepared
from tercet.rankers.joint_recipe import Choice
from tercet.rankers.judged_data import folds, hold_out


@dataclass(frozen=True)
class Chosen:
    """The choice that did best, and how each did."""

    best: Choice
    scores: tuple[tuple[str, float], ...]


def choose(
    choices: Sequence[Choice],
    judged: Sequence[JudgedTexts],
    *,
    number: int,
    validation: float,
    seed: int,
    progress: Progress | None = None,
    told: Callable[[str, float], None] = lambda said, score: None,
) -> Chosen:
    """Trains every choice on all folds of the references but one, and measures it on that one, for each of the folds.

    Each training holds a part of what it has out for its own validation. The first of equal choices wins.
    """
    scores = np.zeros((len(choices), number))
    for fold, (rest, left_out) in enumerate(folds(judged, number, seed)):
        sides = hold_out(rest, validation, seed)
        cache = MemoryCache()
        for place, choice in enumerate(choices):
            ranker = JointRanker(choice.features, choice.options, cache)
            learned, held = (prepared(part, ranker.feature_sets, choice.options, cache) for part in sides)
            fitted = fit_examples(choice.options, learned, held, progress=progress)
            if fitted.interrupted:  # with no model to keep yet, there is nothing to go on with
                raise KeyboardInterrupt
            ranker.adopt(fitted)
            scores[place, fold] = both_levels(agreement(ranker, left_out, baseline=False))
    means = scores.mean(axis=1)
    for choice, mean in zip(choices, means.tolist(), strict=True):
        told(choice.said, mean)
    said = tuple((choice.said, mean) for choice, mean in zip(choices, means.tolist(), strict=True))
    return Chosen(choices[int(means.argmax())], said)
