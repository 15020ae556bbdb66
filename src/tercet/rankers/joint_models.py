"""Files of the joint-objective metric: the same folder of safetensors and JSON as every model of tercet."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

import tercet
from tercet.errors import InputError, OptionError, ResourceError, TercetError
from tercet.features.cache import FeatureCache
from tercet.output import whole_folder
from tercet.rankers.calibration import Calibration
from tercet.rankers.isotonic import Isotonic
from tercet.rankers.joint import Floats, JointOptions, JointRanker, Weights
from tercet.rankers.models import CONFIG, WEIGHTS, digest_of, read_config, read_tensors, without_version, write_model

FORMAT, VERSION = "tercet-joint", 1

_MAX_FEATURES, _MAX_HIDDEN, _MAX_CORNERS = 100_000, 10_000, 100_000
_LINE = "assessment.x", "assessment.y"


def digest(weights: Weights, calibration: Calibration, assessment: Isotonic | None) -> str:
    """A hash of all that is learned."""
    return digest_of(calibration, _arrays(weights, assessment))


def save(ranker: JointRanker, path: Path, *, log: str = "") -> None:
    """Writes the folder of a fitted metric, with its card."""
    from tercet.rankers.joint_card import model_card

    if ranker.weights_ is None:
        raise OptionError("this metric has learned nothing; call fit before save")
    config = {
        "format": FORMAT,
        "version": VERSION,
        "tercet": tercet.__version__,
        "signature": str(ranker.signature),
        "features": list(ranker.features),
        "feature_signatures": [str(one.signature) for one in ranker.feature_sets],
        "columns": len(ranker.names),
        "options": asdict(ranker.options),
        "calibration": asdict(ranker.calibration_),
        "corners": 0 if ranker.assessment_ is None else len(ranker.assessment_.x),
        "sha256": ranker.digest_,
        "card": ranker.card_,
    }
    with whole_folder(path, replaces=CONFIG) as folder:
        arrays = _arrays(ranker.weights_, ranker.assessment_)
        write_model(folder, config, arrays, model_card(config, ranker.explained()), log)


def load(path: Path, *, cache: FeatureCache | None = None) -> JointRanker:
    """The metric of a folder, checked: its version, its shapes, its hash, and whether its features are to be had."""
    config = read_config(path, FORMAT, VERSION)
    try:
        features = tuple(map(str, config["features"]))
        signatures = list(map(str, config["feature_signatures"]))
        columns, corners = int(config["columns"]), int(config["corners"])
        options = JointOptions(**config["options"])
        calibration = Calibration(**{name: float(value) for name, value in config["calibration"].items()})
        expected = str(config["sha256"])
        card = dict(config["card"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OptionError) as error:
        raise InputError(f"is not a model's configuration ({error})", file=path / CONFIG) from error
    sizes = {"columns": (columns, _MAX_FEATURES), "hidden": (options.hidden, _MAX_HIDDEN)}
    for name, (size, most) in (sizes | {"corners": (corners, _MAX_CORNERS)}).items():
        if not 0 <= size <= most:
            raise InputError(f"has an absurd size ({name} {size})", file=path / CONFIG)
    calibration.require_sound(path / CONFIG)

    shapes = Weights.shapes(columns, options.hidden) | (dict.fromkeys(_LINE, (corners,)) if corners else {})
    arrays = read_tensors(path / WEIGHTS, shapes)
    weights = Weights(**{name: arrays[name] for name in Weights._fields})
    if (weights.scale <= 0).any():
        raise InputError("scales a feature by nothing", file=path / WEIGHTS, remedy="get it again")
    try:
        line = Isotonic(*(arrays[name].astype(np.float64) for name in _LINE)) if corners else None
    except TercetError as error:
        raise InputError(str(error), file=path / WEIGHTS, remedy="get it again") from error
    if digest(weights, calibration, line) != expected:
        raise InputError("is not the file that its configuration describes", file=path / WEIGHTS, remedy="get it again")

    ranker = JointRanker(features, options, FeatureCache() if cache is None else cache)
    _check_features(path, ranker, signatures, columns)
    ranker.set_learned(weights, calibration, line)
    ranker.card_ = card
    return ranker


def _arrays(weights: Weights, assessment: Isotonic | None) -> dict[str, Floats]:
    line = {} if assessment is None else dict(zip(_LINE, (assessment.x, assessment.y), strict=True))
    return {name: np.ascontiguousarray(array, np.float32) for name, array in (weights._asdict() | line).items()}


def _check_features(path: Path, ranker: JointRanker, signatures: list[str], columns: int) -> None:
    """The feature sets are to be had here, and are those that the metric was trained with."""
    try:
        here = [without_version(str(one.signature)) for one in ranker.feature_sets]
        names = ranker.names
    except TercetError as error:
        raise ResourceError(f"{path}: its features are not available here: {error}") from error
    for trained, now in zip(map(without_version, signatures), here, strict=False):
        if trained != now:
            raise InputError(f"was trained with {trained}, and here is {now}", file=path, remedy="train it again")
    if len(here) != len(signatures) or len(names) != columns:
        raise InputError(f"names {columns} features, and here are {len(names)}", file=path / CONFIG)
