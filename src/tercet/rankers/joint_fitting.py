"""A training from judged texts to weights: features, scaling, the objective, calibration, and the curve of α."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError, TercetError
from tercet.features.base import FeatureSet
from tercet.features.cache import FeatureCache
from tercet.rankers.calibration import Calibration, calibrate, sigmoid
from tercet.rankers.isotonic import Isotonic
from tercet.rankers.joint import Floats, JointOptions, Progress, Weights
from tercet.rankers.joint_data import Examples, examples
from tercet.rankers.judged_data import sha256

try:
    from tercet.rankers import joint_training as training
except ImportError as error:  # pragma: no cover - only where the extra is not installed
    raise TercetError(f"training needs {error.name}; run `pip install 'tercet[train]'`") from error


@dataclass(frozen=True)
class Fitted:
    """What a training found."""

    weights: Weights
    calibration: Calibration
    assessment: Isotonic | None
    card: dict[str, Any]
    interrupted: bool


@dataclass(frozen=True)
class AlphaPoint:
    """What one α gives on the validation data."""

    alpha: float
    tau: float
    pearson: float

    @property
    def score(self) -> float:
        """Sentences and corpora alike: the mean of both, whatever α is."""
        return (self.tau + self.pearson) / 2


def fit(
    features: Sequence[FeatureSet],
    options: JointOptions,
    judged: Sequence[JudgedTexts],
    validation: Sequence[JudgedTexts],
    *,
    cache: FeatureCache,
    progress: Progress | None = None,
) -> Fitted:
    """Trains, takes the epoch that validates best, and calibrates on the validation data."""
    learned, held = (prepared(part, features, options, cache) for part in (judged, validation))
    fitted = fit_examples(options, learned, held, progress=progress)
    fitted.card["training"] |= described(judged)
    fitted.card["validation"] |= described(validation)
    return fitted


def prepared(
    judged: Sequence[JudgedTexts], features: Sequence[FeatureSet], options: JointOptions, cache: FeatureCache
) -> Examples:
    """Examples with the pairs of sentences that assessments give."""
    found = examples(judged, features, cache)
    return found.with_sentences_of_assessments(options.assessed_pairs, options.assessed_difference, options.seed)


def fit_examples(
    options: JointOptions, learned: Examples, held: Examples, *, progress: Progress | None = None
) -> Fitted:
    """The same with examples that are there already."""
    _check(options, learned, "training", corpora=2)
    _check(options, held, "validation", corpora=3 if options.select == "score" else 2)
    deviation = learned.rows.std(axis=0, dtype=np.float64).astype(np.float32)
    if options.scaling == "standard":
        center = learned.rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        scale = np.where(deviation > 0, deviation, np.float32(1))
    else:
        center, scale = np.zeros_like(deviation), np.ones_like(deviation)
    scaled = [replace(part, rows=((part.rows - center) / scale).astype(np.float32)) for part in (learned, held)]
    found = training.train(_hyperparameters(options), options.hidden, scaled[0], scaled[1], progress)
    weights = _weights(found.params, center, scale, deviation)
    if options.center:
        middle = np.float32(np.median(weights.forward(learned.rows)))
        weights = weights._replace(bias=weights.bias - middle)
        found.params["bias"] = found.params["bias"] - middle
    activations = weights.forward(held.rows)
    calibration, assessment = _calibrated(activations, held)
    tau, pearson = training.measured(found.params, scaled[1])
    card = {
        "best_epoch": found.best_epoch,
        "epochs": len(found.scores),
        "interrupted": found.interrupted,
        "validation_scores": [round(float(score), 6) for score in found.scores],
        "training": _counted(learned),
        "validation": _counted(held) | {"tau": tau, "pearson": None if np.isnan(pearson) else pearson},
    }
    return Fitted(weights, calibration, assessment, card, found.interrupted)


def alpha_curve(
    options: JointOptions,
    learned: Examples,
    held: Examples,
    alphas: Sequence[float],
    *,
    progress: Progress | None = None,
) -> list[tuple[AlphaPoint, Fitted]]:
    """The joint objective trained with each α, and how each does on the validation data; up to an interruption."""
    found = []
    for alpha in alphas:
        chosen = replace(options, objective="joint", alpha=float(alpha))
        fitted = fit_examples(chosen, learned, held, progress=progress)
        validation = fitted.card["validation"]
        if validation["pearson"] is None:
            raise OptionError("α cannot be chosen without corpora to validate on; add judgments of three systems")
        found.append((AlphaPoint(float(alpha), validation["tau"], validation["pearson"]), fitted))
        if fitted.interrupted:
            break
    return found


def described(judged: Sequence[JudgedTexts]) -> dict[str, Any]:
    """What the card says of data."""
    return {
        "texts": [f"{texts.testset} {texts.pair}" for texts in judged],
        "judgments": sum(len(texts.judgments) for texts in judged),
        "sha256": sha256(judged),
    }


def _counted(part: Examples) -> dict[str, Any]:
    return {
        "pairs": len(part.sentences.better),
        "assessments": len(part.assessed.row),
        "corpora": len(part.corpora.start),
        "corpus_pairs": len(part.corpora.pairs()[0]),
    }


def _check(options: JointOptions, part: Examples, what: str, *, corpora: int) -> None:
    if options.objective != "corpus" and not len(part.sentences.better):
        raise OptionError(f"the {what} data hold no pair of sentences that anybody told apart; add judgments")
    if options.objective == "sentence":
        return
    most = np.bincount(part.corpora.text).max(initial=0)
    if most < corpora or not len(part.corpora.pairs()[0]):
        raise OptionError(
            f"the {what} data hold no text with {corpora} systems that people told apart, which the objective "
            f"{options.objective} needs; add judgments, or take the objective sentence"
        )


def _weights(params: dict[str, Floats], center: Floats, scale: Floats, deviation: Floats) -> Weights:
    arrays = {name: np.ascontiguousarray(value, np.float32) for name, value in params.items()}
    arrays["bias"] = arrays["bias"].reshape(1)
    return Weights(**arrays, center=center, scale=scale, deviation=deviation)


def _calibrated(
    activations: np.ndarray[Any, np.dtype[np.float64]], held: Examples
) -> tuple[Calibration, Isotonic | None]:
    better, worse = activations[held.sentences.better], activations[held.sentences.worse]
    calibration = calibrate(better - worse, np.ones(len(better), np.int64))
    if len(held.assessed.row) < 2:
        return calibration, None
    return calibration, Isotonic.fit(sigmoid(activations[held.assessed.row]), held.assessed.value)


def _hyperparameters(options: JointOptions) -> training.Hyperparameters:
    names = ("objective", "alpha", "epochs", "batch", "learning_rate", "l2", "select", "seed")
    return training.Hyperparameters(**{name: getattr(options, name) for name in names})
