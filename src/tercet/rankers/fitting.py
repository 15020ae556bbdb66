"""A training from pairs to weights: features, scaling, the phases of the cost, calibration, what to remember of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError, TercetError
from tercet.features.cache import FeatureCache
from tercet.rankers.architecture import Architecture, Weights, margins
from tercet.rankers.assessed import Assessed
from tercet.rankers.base import strict_tau
from tercet.rankers.calibration import Calibration, calibrate
from tercet.rankers.inputs import Bounds, FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions, Progress
from tercet.rankers.pairs import Pairs
from tercet.rankers.tables import Tables, combined

try:
    import jax.numpy as jnp

    from tercet.rankers import training
except ImportError as error:  # pragma: no cover - only where the extra is not installed
    raise TercetError(f"training needs {error.name}; run `pip install 'tercet[train]'`") from error


@dataclass(frozen=True)
class Checkpoint:
    """Where a training stopped: enough to go on as if it had not."""

    key: str
    """A hash of the data and of all options but the number of epochs."""
    phase: int
    arrays: Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Fitted:
    """What a training found."""

    architecture: Architecture
    weights: Weights
    bounds: Bounds
    calibration: Calibration
    card: Mapping[str, Any]
    checkpoint: Checkpoint
    interrupted: bool


def fit(
    specs: FeatureSpecs,
    options: NetworkOptions,
    pairs: Pairs,
    validation: Pairs,
    *,
    cache: FeatureCache,
    progress: Progress | None = None,
    resume: Checkpoint | Fitted | None = None,
    features_done: Callable[[int], None] | None = None,
    keep: Callable[[Checkpoint], None] | None = None,
    assessed: Sequence[JudgedTexts] = (),
) -> Fitted:
    """Trains on the untied pairs and on what was assessed, stops by the validation data, and calibrates on them."""
    pairs.require_untied("training")
    validation.require_untied("validation")
    inputs = Inputs(specs, cache)
    same = validation.texts is pairs.texts
    tables = Tables.of(inputs, pairs.texts, features_done, judged=[pairs, validation] if same else [pairs])
    validating = tables if same else Tables.of(inputs, validation.texts, features_done, judged=[validation])
    also = Assessed.of(inputs, assessed) if assessed else None
    return fit_tables(
        inputs, options, tables, pairs, validating, validation, progress=progress, resume=resume, keep=keep, also=also
    )


def fit_tables(
    inputs: Inputs,
    options: NetworkOptions,
    tables: Tables,
    pairs: Pairs,
    validating: Tables,
    validation: Pairs,
    *,
    progress: Progress | None = None,
    resume: Checkpoint | Fitted | None = None,
    keep: Callable[[Checkpoint], None] | None = None,
    also: Assessed | None = None,
) -> Fitted:
    """The same with features that are there already."""
    chosen = pairs.require_untied("training")
    decided = validation.require_untied("validation")
    vectors, source, similarity, between = inputs.sizes
    architecture = Architecture(
        vectors=vectors,
        source=source,
        similarity=similarity,
        hidden=options.hidden,
        form=options.form,
        between=between,
    )
    bounds = tables.bounds(chosen)
    data = _data(tables, architecture, bounds, chosen.turned(options.order), also, options.order)
    held = _data(validating, architecture, bounds, decided)

    key = _key(inputs, options, pairs, validation, also)
    costs: list[training.Cost] = ["logistic", "kendall"] if options.cost == "logistic+kendall" else [options.cost]
    near_zero = options.gamma if costs[0] == "kendall" and options.near_zero else 1.0
    state, first = _initial(architecture, options, near_zero), 0
    if resume is not None:
        state, first = _resumed(resume, key, state, len(costs))
    interrupted, phase = False, first
    for phase in range(first, len(costs)):
        if phase > first:
            state = training.next_phase(state, options.epochs)
        cost = costs[phase]

        def report(done: int, taus: NDArray[np.float32], cost: str = cost) -> None:
            if progress:
                progress(cost, done, taus)

        state, interrupted = training.train(
            architecture, cost, _hyperparameters(options), state, data, held, report, _keeper(keep, key, phase)
        )
        if interrupted:
            break

    weights = training.weights_of(architecture, state.best)
    judged = _margins(validating, architecture, weights, bounds, validation)
    calibration = calibrate(judged.mean(axis=0), validation.value)
    card = {
        "training": _described(pairs),
        **(
            {}
            if also is None
            else {"assessed": {"texts": list(also.names), "translations": len(also.values), "sha256": also.digest}}
        ),
        "validation": {**_described(validation), "tau": taus_by_pair(judged.mean(axis=0), validation)},
        "members": [
            {"seed": seed, "cost": costs[phase], "best_epoch": int(epoch), "validation_tau": round(float(tau), 6)}
            for seed, epoch, tau in zip(options.members, state.best_epoch, state.best_tau, strict=True)
        ],
        "epochs": int(state.epoch),
        "interrupted": interrupted,
    }
    return Fitted(architecture, weights, bounds, calibration, card, _checkpoint(key, phase, state), interrupted)


def test_margins(fitted: Fitted, tables: Tables, pairs: Pairs) -> NDArray[np.float64]:
    """The margins of some pairs for each member, (members, pairs); the mean over references if there are several."""
    return _margins(tables, fitted.architecture, fitted.weights, fitted.bounds, pairs)


def taus_by_pair(found: NDArray[np.float64], pairs: Pairs) -> dict[str, float]:
    """Strict tau of each language pair, and their mean."""
    values = pairs.value.astype(np.float64)
    taus = {pair: strict_tau(found[places], values[places]) for pair, places in pairs.by_language_pair().items()}
    return {**taus, "mean": float(np.mean(list(taus.values())))}


def _data(
    tables: Tables,
    architecture: Architecture,
    bounds: Bounds,
    pairs: Pairs,
    also: Assessed | None = None,
    seed: int = 0,
) -> training.Data:
    rows, places = tables.rows(architecture, bounds, pairs)
    signs = pairs.value[places].astype(np.float32)
    if also is not None:
        more, of_more = also.rows(architecture, bounds, seed)
        rows, signs = np.concatenate([rows, more]), np.concatenate([signs, of_more])
    return training.Data.of(rows, signs)


def _margins(
    tables: Tables, architecture: Architecture, weights: Weights, bounds: Bounds, pairs: Pairs
) -> NDArray[np.float64]:
    rows, places = tables.rows(architecture, bounds, pairs)
    return np.stack([combined(one, places, len(pairs)) for one in margins(architecture, weights, rows)])


def _initial(architecture: Architecture, options: NetworkOptions, near_zero: float) -> training.State:
    return training.initial(architecture, options.members, options.epochs, order=options.order, near_zero=near_zero)


def _hyperparameters(options: NetworkOptions) -> training.Hyperparameters:
    names = ("epochs", "batch", "learning_rate", "l2", "gamma", "beta", "tie_weight", "patience", "both_ways")
    return training.Hyperparameters(**{name: getattr(options, name) for name in names})


def _described(pairs: Pairs) -> dict[str, Any]:
    return {
        "texts": [one.name for one in pairs.texts],
        "pairs": len(pairs.untied()),
        "ties": int(np.sum(pairs.value == 0)),
        "segments": len(np.unique(pairs.groups)),
        "sha256": pairs.sha256(),
    }


def _key(inputs: Inputs, options: NetworkOptions, pairs: Pairs, validation: Pairs, also: Assessed | None) -> str:
    same = asdict(replace(options, epochs=1, patience=None, references="mean"))
    parts = [training.STATE, inputs.signatures(), same, pairs.sha256(), validation.sha256()]
    if also is not None:
        parts.append(also.digest)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _keeper(keep: Callable[[Checkpoint], None] | None, key: str, phase: int) -> Callable[[training.State], None] | None:
    return None if keep is None else lambda state: keep(_checkpoint(key, phase, state))


def _checkpoint(key: str, phase: int, state: training.State) -> Checkpoint:
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in state._asdict().items():
        if isinstance(value, dict):
            arrays |= {f"{name}.{inner}": np.asarray(array) for inner, array in value.items()}
        else:
            arrays[name] = np.asarray(value)
    return Checkpoint(key, phase, arrays)


def _resumed(resume: Checkpoint | Fitted, key: str, fresh: training.State, phases: int) -> tuple[training.State, int]:
    """The state of a checkpoint; its history is cut or continued to the number of epochs that are wanted now."""
    checkpoint = resume.checkpoint if isinstance(resume, Fitted) else resume
    remedy = "train again without --resume"
    if checkpoint.key != key:
        raise OptionError(f"the training to resume had other data, features or options; {remedy}")
    found: dict[str, Any] = {}
    for name, value in fresh._asdict().items():
        if isinstance(value, dict):
            arrays = {inner: checkpoint.arrays.get(f"{name}.{inner}") for inner in value}
            wanted = value
        else:
            arrays, wanted = {"": checkpoint.arrays.get(name)}, {"": value}
        for inner, array in arrays.items():
            fits = array is not None and array.dtype == wanted[inner].dtype
            if not fits or (name != "taus" and array is not None and array.shape != wanted[inner].shape):
                raise OptionError(f"the checkpoint's {name} does not fit this training; {remedy}")
        found[name] = {k: jnp.asarray(v) for k, v in arrays.items()} if isinstance(value, dict) else arrays[""]
    taus = np.full(fresh.taus.shape, np.nan, np.float32)
    known = min(len(taus), len(found["taus"]), int(found["epoch"]))
    if found["taus"].ndim != 2 or found["taus"].shape[1] != taus.shape[1] or not 0 <= checkpoint.phase < phases:
        raise OptionError(f"the checkpoint does not fit this training; {remedy}")
    taus[:known] = found["taus"][:known]
    found |= {name: jnp.asarray(found[name]) for name in ("best_tau", "best_epoch", "epoch", "order")}
    return training.State(**{**found, "taus": jnp.asarray(taus)}), checkpoint.phase
