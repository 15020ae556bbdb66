"""Model files: a folder of safetensors and JSON. Loading one runs none of it and checks it first."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import tercet
from tercet.errors import InputError, OptionError, ResourceError, TercetError
from tercet.features.cache import FeatureCache
from tercet.features.scaling import MinMax
from tercet.output import whole_folder
from tercet.rankers.architecture import Architecture, Weights
from tercet.rankers.calibration import Calibration
from tercet.rankers.inputs import Bounds, FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions, NetworkRanker

if TYPE_CHECKING:
    from tercet.rankers.fitting import Checkpoint

FORMAT, VERSION = "tercet-network", 1
CONFIG, WEIGHTS, CARD, CHECKPOINT = "config.json", "weights.safetensors", "README.md", "checkpoint.safetensors"

_MAX_JSON = 1 << 20
_MAX_FLOATS = 1 << 26  # 256 MB: some thousand times the networks of the paper
_MAX_SIZES = {"vectors": 100_000, "source": 100_000, "similarity": 10_000, "between": 10_000, "hidden": 10_000}
_MAX_MEMBERS = 4096


def digest(weights: Weights, bounds: Bounds, calibration: Calibration) -> str:
    """A hash of all that is learned."""
    return digest_of(calibration, _arrays(weights, bounds))


def digest_of(calibration: Calibration, arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """The same of any ranker: its calibration and its arrays."""
    found = hashlib.sha256(json.dumps([calibration.temperature, calibration.tie_band]).encode())
    for name, array in sorted(arrays.items()):
        found.update(name.encode() + np.ascontiguousarray(array, "<f4").tobytes())
    return found.hexdigest()


def write_model(
    folder: Path, config: Mapping[str, Any], arrays: dict[str, np.ndarray[Any, Any]], card: str, log: str
) -> None:
    """The files of any ranker, into a folder that is not yet in its place."""
    from safetensors.numpy import save_file

    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8", newline="\n")
    save_file(arrays, folder / WEIGHTS)
    (folder / CARD).write_text(card, "utf-8", newline="\n")
    if log:
        (folder / "training.jsonl").write_text(log, "utf-8", newline="\n")


def save(ranker: NetworkRanker, path: Path, *, checkpoint: Checkpoint | None = None, log: str = "") -> None:
    """Writes the folder of a fitted network, with its card and, if given, what `--resume` needs."""
    from tercet.rankers.card import model_card

    if ranker.architecture_ is None or ranker.weights_ is None or ranker.inputs_ is None:
        raise OptionError("this network has learned nothing; call fit before save")
    assert ranker.inputs_.bounds is not None
    config = {
        "format": FORMAT,
        "version": VERSION,
        "tercet": tercet.__version__,
        "signature": str(ranker.signature),
        "features": asdict(ranker.features),
        "feature_signatures": ranker.inputs_.signatures(),
        "architecture": asdict(ranker.architecture_),
        "options": asdict(ranker.options),
        "calibration": asdict(ranker.calibration_),
        "members": len(ranker.weights_.offset),
        "sha256": ranker.digest_,
        "card": ranker.card_,
    }
    with whole_folder(path, replaces=CONFIG) as folder:
        write_model(folder, config, _arrays(ranker.weights_, ranker.inputs_.bounds), model_card(config), log)
        if checkpoint is not None:
            save_checkpoint(checkpoint, folder / CHECKPOINT)


def load(path: Path, *, cache: FeatureCache | None = None) -> NetworkRanker:
    """The network of a folder, checked: its version, its shapes, its hash, and whether its features are to be had."""
    config = read_config(path)
    try:
        specs = FeatureSpecs(**{name: tuple(map(str, specs)) for name, specs in config["features"].items()})
        options = NetworkOptions(**config["options"])
        architecture = Architecture(**config["architecture"])
        calibration = Calibration(**{name: float(value) for name, value in config["calibration"].items()})
        members = int(config["members"])
        signatures = {name: list(map(str, found)) for name, found in config["feature_signatures"].items()}
        expected = str(config["sha256"])
        card = dict(config["card"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OptionError) as error:
        raise InputError(f"is not a model's configuration ({error})", file=path / CONFIG) from error
    _check_sizes(path, architecture, members, calibration)
    arrays = read_tensors(path / WEIGHTS, _shapes(architecture, members))
    weights = Weights(*(arrays[name] for name in Weights.shapes(architecture, members)))
    none = np.zeros(0, np.float32)
    bounds = Bounds(
        *(MinMax(*(arrays.get(f"{kind}.{end}", none) for end in ("low", "high"))) for kind in (*_KINDS, _BETWEEN))
    )
    if digest(weights, bounds, calibration) != expected:
        raise InputError("is not the file that its configuration describes", file=path / WEIGHTS, remedy="get it again")

    ranker = NetworkRanker(specs, options, FeatureCache.default() if cache is None else cache)
    _check_features(path, Inputs(specs), architecture, signatures)
    ranker.set_learned(architecture, weights, bounds, calibration)
    ranker.card_ = card
    return ranker


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Where a training stopped."""
    from safetensors.numpy import save_file

    temporary = path.with_name(f".{path.name}.part")
    arrays = {name: np.array(array, order="C") for name, array in checkpoint.arrays.items()}
    save_file(arrays, temporary, {"key": checkpoint.key, "phase": str(checkpoint.phase)})
    temporary.replace(path)


def load_checkpoint(path: Path) -> Checkpoint:
    """Where a training stopped."""
    from safetensors import SafetensorError, safe_open

    from tercet.rankers.fitting import Checkpoint

    if path.stat().st_size > 8 * _MAX_FLOATS:
        raise InputError("is too large for a checkpoint", file=path)
    try:
        with safe_open(path, "numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
            return Checkpoint(metadata["key"], int(metadata["phase"]), arrays)
    except (SafetensorError, KeyError, ValueError, OSError) as error:
        raise InputError(f"is no checkpoint ({error})", file=path, remedy="train again without --resume") from error


_KINDS = ("similarity", "vectors", "source")
_BETWEEN = "between"  # stands in the file only where a network takes it


def _arrays(weights: Weights, bounds: Bounds) -> dict[str, np.ndarray[Any, Any]]:
    found = {name: getattr(weights, name) for name in ("input", "bias", "output", "offset")}
    for kind in (*_KINDS, *([_BETWEEN] if len(bounds.between.low) else [])):
        scale: MinMax = getattr(bounds, kind)
        found |= {f"{kind}.low": scale.low, f"{kind}.high": scale.high}
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def _shapes(architecture: Architecture, members: int) -> dict[str, tuple[int, ...]]:
    sizes = {"similarity": architecture.similarity, "vectors": architecture.vectors, "source": architecture.source}
    if architecture.between:
        sizes[_BETWEEN] = architecture.between
    limits = {f"{kind}.{end}": (size,) for kind, size in sizes.items() for end in ("low", "high")}
    return {**Weights.shapes(architecture, members), **limits}


def read_config(path: Path, format: str = FORMAT, version: int = VERSION) -> dict[str, Any]:
    """The configuration of a model's folder, if it is of that format and version."""
    if not path.is_dir():
        problem = "no such model" if not path.exists() else "is a file where a model's folder is meant"
        raise InputError(problem, file=path, remedy="give -M the folder that `tercet train -o` wrote")
    file = path / CONFIG
    try:
        if file.stat().st_size > _MAX_JSON:
            raise InputError("is too large for a model's configuration", file=file)
        config = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=file, remedy="is this a model?") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON ({error})", file=file) from error
    if not isinstance(config, dict) or config.get("format") != format:
        raise InputError(f"is not a {format} model", file=file)
    if config.get("version") != version:
        raise InputError(
            f"has version {config.get('version')!r} of the format; this tercet reads {version}",
            file=file,
            remedy="use the tercet that wrote it, or train again",
        )
    return config


def _check_sizes(path: Path, architecture: Architecture, members: int, calibration: Calibration) -> None:
    sizes = {name: getattr(architecture, name) for name in _MAX_SIZES}
    absurd = {name: size for name, size in sizes.items() if not 0 <= size <= _MAX_SIZES[name]}
    if not 1 <= members <= _MAX_MEMBERS:
        absurd["members"] = members
    groups = 6  # at most
    floats = members * architecture.width * (groups * architecture.hidden + 1)
    if absurd or not 0 < floats <= _MAX_FLOATS:
        shown = ", ".join(f"{name} {size}" for name, size in (absurd or {**sizes, "members": members}).items())
        raise InputError(f"has an absurd size ({shown})", file=path / CONFIG)
    calibration.require_sound(path / CONFIG)


def read_tensors(file: Path, shapes: Mapping[str, tuple[int, ...]], integers: Collection[str] = ()) -> dict[str, Any]:
    """The arrays of a safetensors file, read only if its header states exactly these arrays and no more.

    They are float32, but for those named in `integers`, which are int32.
    """
    from safetensors.numpy import load_file

    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            start = stream.read(8)
            length = struct.unpack("<Q", start)[0] if len(start) == 8 else _MAX_JSON + 1
            if length > min(_MAX_JSON, size - 8):
                raise InputError("is not safetensors", file=file)
            header = json.loads(stream.read(length))
        header.pop("__metadata__", None)
        if set(header) != set(shapes):
            odd = sorted(set(header) ^ set(shapes))
            raise InputError(f"holds other arrays than its configuration says ({', '.join(odd)[:200]})", file=file)
        for name, shape in shapes.items():
            stated, kind = header[name], "I32" if name in integers else "F32"
            bounds = stated["data_offsets"]
            if (
                stated["dtype"] != kind
                or tuple(stated["shape"]) != shape
                or bounds[1] - bounds[0] != 4 * _product(shape)
            ):
                raise InputError(
                    f"{name} is {stated['dtype']} {stated['shape']} where {kind} {list(shape)} is meant", file=file
                )
        if size != 8 + length + sum(4 * _product(shape) for shape in shapes.values()):
            raise InputError("is longer or shorter than its header says", file=file, remedy="get it again")
        arrays = load_file(file)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=file) from error
    except TercetError:
        raise
    except Exception as error:  # whatever a damaged header makes of its readers
        raise InputError(f"is not safetensors ({error})", file=file) from error
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise InputError(f"{name} holds numbers that are not finite", file=file)
    return arrays


def _product(shape: tuple[int, ...]) -> int:
    found = 1
    for size in shape:
        found *= size
    return found


def _check_features(path: Path, inputs: Inputs, architecture: Architecture, known: Mapping[str, list[str]]) -> None:
    """The feature sets are to be had here, and are those that the network was trained with."""
    try:
        found, sizes = inputs.signatures(), inputs.sizes
    except TercetError as error:
        raise ResourceError(f"{path}: its features are not available here: {error}") from error
    for kind, signatures in known.items():
        here = [without_version(one) for one in found.get(kind, [])]
        for trained, now in zip(map(without_version, signatures), here, strict=False):
            if trained != now:
                raise InputError(f"was trained with {trained}, and here is {now}", file=path, remedy="train it again")
        if len(here) != len(signatures):
            raise InputError(f"names {len(signatures)} sets of {kind} features and uses {len(here)}", file=path)
    if sizes != (architecture.vectors, architecture.source, architecture.similarity, architecture.between):
        raise InputError(f"its features have {sizes} columns here, not those it was trained with", file=path)


def without_version(signature: str) -> str:
    """A signature of features as far as it tells whether they are the same numbers."""
    return "|".join(item for item in signature.split("|") if not item.startswith("version:"))
