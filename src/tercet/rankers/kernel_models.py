"""Model files of a kernel ranker: support trees and weights in safetensors, their labels and the rest in JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import tercet
from tercet.errors import InputError, OptionError, ResourceError, TercetError
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.kernels.files import lay_flat, raise_trees
from tercet.kernels.forest import vocabulary_of
from tercet.language.trees import Tree
from tercet.output import whole_folder
from tercet.rankers.calibration import Calibration
from tercet.rankers.kernel import KernelOptions, KernelRanker
from tercet.rankers.models import CONFIG, WEIGHTS, read_config, read_tensors, without_version, write_model
from tercet.rankers.tree_pairs import TreeOptions

FORMAT, VERSION = "tercet-trees", 1
LABELS = "labels.json"
_MAX_LABELS = 1 << 26  # bytes
_MAX_NODES, _MAX_SUPPORT, _MAX_FEATURES = 1 << 27, 1 << 22, 10_000
SIDES = ("hypothesis", "reference")


def digest(ranker: KernelRanker) -> str:
    """A hash of all that is learned."""
    calibration = ranker.calibration_
    found = hashlib.sha256(json.dumps([calibration.temperature, calibration.tie_band]).encode())
    for trees in (ranker.hypotheses_, ranker.references_):
        for tree in trees:
            found.update(str(tree).encode("utf-8", "surrogatepass") + b"\n")
    for numbers in (ranker.weights_, ranker.feature_weights_):
        found.update(np.ascontiguousarray(numbers, "<f4").tobytes())
    return found.hexdigest()


def save(ranker: KernelRanker, path: Path, *, log: str = "") -> None:
    """Writes the folder of a fitted ranker, with its card."""
    from tercet.rankers.kernel_card import model_card

    if not len(ranker.weights_):
        raise OptionError("this ranker has learned nothing; call fit before save")
    labels = vocabulary_of((*ranker.hypotheses_, *ranker.references_))
    numbers = {label: number for number, label in enumerate(labels)}
    arrays: dict[str, Any] = {
        "weights": ranker.weights_.astype(np.float32),
        "feature_weights": ranker.feature_weights_.astype(np.float32),
    }
    nodes = {}
    for side, trees in zip(SIDES, (ranker.hypotheses_, ranker.references_), strict=True):
        arrays[f"{side}.labels"], arrays[f"{side}.counts"], arrays[f"{side}.sizes"] = lay_flat(trees, numbers)
        nodes[side] = len(arrays[f"{side}.labels"])
    config = {
        "format": FORMAT,
        "version": VERSION,
        "tercet": tercet.__version__,
        "signature": str(ranker.signature),
        "options": asdict(ranker.options),
        "tree_signature": str(ranker.options.trees.signature),
        "feature_signatures": [str(feature_set(spec).signature) for spec in ranker.options.features],
        "calibration": asdict(ranker.calibration_),
        "support": len(ranker.weights_),
        "nodes": nodes,
        "features": len(ranker.feature_weights_),
        "sha256": ranker.digest_,
        "card": ranker.card_,
    }
    with whole_folder(path, replaces=CONFIG) as folder:
        write_model(folder, config, arrays, model_card(config), log)
        (folder / LABELS).write_text(json.dumps(labels) + "\n", "utf-8", newline="\n")


def load(path: Path, *, cache: FeatureCache | None = None) -> KernelRanker:
    """The ranker of a folder, checked: version, shapes, trees, hash, and whether its trees are grown the same here."""
    config = read_config(path, FORMAT, VERSION)
    file = path / CONFIG
    try:
        stated = dict(config["options"])
        trees = TreeOptions(**stated.pop("trees"))
        lists = {name: tuple(stated.pop(name)) for name in ("features", "costs", "weights")}
        options = KernelOptions(**{"trees": trees, **lists, **stated})
        calibration = Calibration(**{name: float(value) for name, value in config["calibration"].items()})
        support, columns = int(config["support"]), int(config["features"])
        nodes = {side: int(config["nodes"][side]) for side in SIDES}
        signatures = [str(one) for one in config["feature_signatures"]]
        grown, expected, card = str(config["tree_signature"]), str(config["sha256"]), dict(config["card"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OptionError) as error:
        raise InputError(f"is not a model's configuration ({error})", file=file) from error
    sizes = {"support": (support, 1, _MAX_SUPPORT), "features": (columns, 0, _MAX_FEATURES)}
    sizes |= {f"nodes of the {side}s": (nodes[side], support, _MAX_NODES) for side in SIDES}
    for name, (size, least, most) in sizes.items():
        if not least <= size <= most:
            raise InputError(f"has an absurd size ({name} {size})", file=file)
    calibration.require_sound(file)
    _check_same(path, options, grown, signatures, columns)
    shapes: dict[str, tuple[int, ...]] = {"weights": (support,), "feature_weights": (columns,)}
    for side in SIDES:
        shapes |= {f"{side}.labels": (nodes[side],), f"{side}.counts": (nodes[side],), f"{side}.sizes": (support,)}
    whole = [name for name in shapes if "." in name]
    arrays = read_tensors(path / WEIGHTS, shapes, whole)
    labels = _labels(path / LABELS)
    hypotheses, references = (
        raise_trees(
            arrays[f"{side}.labels"], arrays[f"{side}.counts"], arrays[f"{side}.sizes"], labels, file=path / WEIGHTS
        )
        for side in SIDES
    )
    ranker = KernelRanker(options, FeatureCache.default() if cache is None else cache)
    ranker.set_learned(hypotheses, references, arrays["weights"], arrays["feature_weights"], calibration)
    ranker.card_ = card
    if ranker.digest_ != expected:
        raise InputError("is not the file that its configuration describes", file=path / WEIGHTS, remedy="get it again")
    return ranker


def _labels(file: Path) -> list[str]:
    try:
        if file.stat().st_size > _MAX_LABELS:
            raise InputError("is too large for a list of labels", file=file)
        labels = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=file) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON ({error})", file=file) from error
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise InputError("is not a list of labels", file=file, remedy="get it again")
    return labels


def _check_same(path: Path, options: KernelOptions, grown: str, signatures: Sequence[str], columns: int) -> None:
    """Trees and features are here what they were in training."""
    here = str(options.trees.signature)
    if without_version(grown) != without_version(here):
        raise InputError(
            f"was trained with other trees ({without_version(grown)}) than are grown here ({without_version(here)})",
            file=path,
            remedy="train it again",
        )
    try:
        sets = [feature_set(spec) for spec in options.features]
        found = [str(one.signature) for one in sets]
    except TercetError as error:
        raise ResourceError(f"{path}: its features are not available here: {error}") from error
    if [without_version(one) for one in found] != [without_version(one) for one in signatures]:
        trained, now = " ".join(map(without_version, signatures)), " ".join(map(without_version, found))
        raise InputError(f"was trained with {trained or 'no features'}, and here is {now or 'none'}", file=path)
    if sum(len(one.names) for one in sets) != columns:
        raise InputError("its features have other columns here than it was trained with", file=path)


def support_of(ranker: KernelRanker) -> list[tuple[Tree, Tree, float]]:
    """The support with its weights, the heaviest first."""
    order = np.argsort(-np.abs(ranker.weights_), kind="stable").tolist()
    return [(ranker.hypotheses_[i], ranker.references_[i], float(ranker.weights_[i])) for i in order]
