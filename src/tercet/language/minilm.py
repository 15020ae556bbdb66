"""all-MiniLM-L6-v2 as CTranslate2 runs it: as published or with adapters, converted once, kept beside the resources.

Adapters are low-rank matrices that are added to the published weights before these are converted (Hu et al. 2022), so
that an adapted encoder costs what the published one costs. Two ship with the package: `tuned` learned from several
years' judgments, `tuned-wmt13` from one year's, so that what reads it can be trained and measured on the others.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet import resources
from tercet.errors import InputError, OptionError, ResourceError
from tercet.output import write_bytes
from tercet.resources.cache import sha256_of

NAME = "minilm"
PUBLISHED, TUNED, TAUGHT = "published", "tuned", "tuned-wmt13"
SHIPPED = (TUNED, TAUGHT)
LAYERS, DIMENSION = 6, 384
Precision = Literal["int8", "float32"]
Weights = Mapping[str, NDArray[np.float32]]

_MODELS = Path(__file__).parents[1] / "models"
_LAYOUT = 1  # of the converted folder; another number makes it anew


def identity() -> str:
    """The hash of the installed weights."""
    return resources.fingerprint(NAME)


def tokenizer_file() -> Path:
    """Its word pieces."""
    return resources.find(NAME, "tokenizer.json")


def adapters_file(variant: str) -> Path | None:
    """The adapters of an encoder: none of `published`, those that ship by their name, or a user's own file."""
    if variant == PUBLISHED:
        return None
    file = _MODELS / f"{variant}.safetensors" if variant in SHIPPED else Path(variant)
    if not file.is_file():
        if variant in SHIPPED:  # only where the package is not whole
            raise ResourceError(f"{file} is not there; install tercet again")
        raise OptionError(
            f"encoder={variant} is not allowed; it takes {', '.join((PUBLISHED, *SHIPPED))} or a file that "
            "training.encoder wrote"
        )
    return file


def adapters_identity(variant: str) -> str:
    """The hash of the adapters; nothing for the published encoder."""
    file = adapters_file(variant)
    return "" if file is None else _sha256(file, file.stat().st_mtime_ns)


@cache
def _sha256(file: Path, changed: int) -> str:
    return sha256_of(file)


def converted(layers: int = LAYERS, precision: Precision = "int8", variant: str = PUBLISHED) -> Path:
    """The folder of the first `layers` layers; made when it is first asked for, whole or not at all."""
    digest = adapters_identity(variant)
    name = f"{NAME}-{layers}-{precision}-{identity()[:16]}-{digest[:16]}{'-' if digest else ''}{_LAYOUT}"
    folder = resources.root().parent / "encoder" / name
    if (folder / "model.bin").is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix="."))
    try:
        _convert(weights(variant), _config(), layers, precision, draft)
        draft.chmod(0o755)
        try:
            draft.rename(folder)
        except OSError:  # another process was faster, and its folder is as good
            if not (folder / "model.bin").is_file():
                raise
    except OSError as error:
        raise ResourceError(
            f"{folder}: {error.strerror}; the encoder is kept there, so make room for 100 MB"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


def weights(variant: str = PUBLISHED) -> Weights:
    """The weights under their published names, with the adapters of that encoder added to them."""
    from safetensors.numpy import load_file

    found = load_file(resources.find(NAME, "model.safetensors"))
    file = adapters_file(variant)
    return found if file is None else merged(found, read_adapters(file))


class Adapters(NamedTuple):
    """What is added to matrices, as `NAME.down` (rank, inputs) and `NAME.up` (outputs, rank); how scores are mixed."""

    arrays: Weights
    scale: float
    mix: tuple[float, ...]
    """What the training found for precision, recall and the cosine of sentences."""


def read_adapters(file: Path) -> Adapters:
    """Adapters as `write_adapters` has written them, every name and shape checked when they are merged."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "np") as content:
            about = json.loads((content.metadata() or {}).get("tercet", "{}"))
            arrays = {name: np.asarray(content.get_tensor(name), np.float32) for name in content.keys()}  # noqa: SIM118
        return Adapters(arrays, float(about["scale"]), tuple(float(one) for one in about["mix"]))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"holds no adapters ({error})", file=file, remedy="give a file of training.encoder") from error


def write_adapters(file: Path, adapters: Adapters) -> None:
    """A safetensors file in 16 bits."""
    from safetensors.numpy import save

    about = json.dumps({"base": identity(), "scale": adapters.scale, "mix": [float(one) for one in adapters.mix]})
    small = {name: np.ascontiguousarray(array, np.float16) for name, array in adapters.arrays.items()}
    write_bytes(file, save(small, {"tercet": about}))


def merged(published: Weights, adapters: Adapters) -> Weights:
    """W + scale · up · down for every matrix that has adapters."""
    found = dict(published)
    for name, up in adapters.arrays.items():
        matrix, _, side = name.rpartition(".")
        if side not in ("up", "down") or f"{matrix}.weight" not in found or f"{matrix}.down" not in adapters.arrays:
            raise InputError(f"adapters for {name!r}, which the encoder does not have", file="encoder")
        if side == "up":
            down = adapters.arrays[f"{matrix}.down"]
            weight = found[f"{matrix}.weight"]
            if (up.shape[0], down.shape[1]) != weight.shape or up.shape[1] != down.shape[0]:
                raise InputError(f"adapters of {matrix} do not have its shape, {weight.shape}", file="encoder")
            found[f"{matrix}.weight"] = np.asarray(weight + adapters.scale * (up @ down), np.float32)
    return found


def _config() -> dict[str, Any]:
    config: dict[str, Any] = json.loads(resources.find(NAME, "config.json").read_text("utf-8"))
    return config


def _convert(all_weights: Weights, config: Mapping[str, Any], layers: int, precision: Precision, folder: Path) -> None:
    """BERT's parameters in CTranslate2's places (Devlin et al. 2019: post-norm, GELU, learned positions)."""
    from ctranslate2.specs import common_spec, transformer_spec

    encoder = transformer_spec.TransformerEncoderSpec(
        layers,
        config["num_attention_heads"],
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False
    encoder.embeddings[0].weight = all_weights["embeddings.word_embeddings.weight"]
    encoder.embeddings[1].weight = all_weights["embeddings.token_type_embeddings.weight"]
    encoder.position_encodings.encodings = all_weights["embeddings.position_embeddings.weight"]
    _norm(encoder.layernorm_embedding, all_weights, "embeddings.LayerNorm")
    for number, layer in enumerate(encoder.layer):
        at = f"encoder.layer.{number}."
        attention = layer.self_attention
        _linear(attention.linear[0], all_weights, *(f"{at}attention.self.{part}" for part in ("query", "key", "value")))
        _linear(attention.linear[1], all_weights, f"{at}attention.output.dense")
        _norm(attention.layer_norm, all_weights, f"{at}attention.output.LayerNorm")
        _linear(layer.ffn.linear_0, all_weights, f"{at}intermediate.dense")
        _linear(layer.ffn.linear_1, all_weights, f"{at}output.dense")
        _norm(layer.ffn.layer_norm, all_weights, f"{at}output.LayerNorm")

    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary(resources.find(NAME, "vocab.txt").read_text("utf-8").rstrip("\n").split("\n"))
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = config["layer_norm_eps"]
    spec.validate()
    spec.optimize(quantization=None if precision == "float32" else precision)
    spec.save(os.fspath(folder))


def _linear(place: Any, weights: Weights, *names: str) -> None:
    place.weight = np.concatenate([weights[f"{name}.weight"] for name in names])
    place.bias = np.concatenate([weights[f"{name}.bias"] for name in names])


def _norm(place: Any, weights: Weights, name: str) -> None:
    place.gamma, place.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]
