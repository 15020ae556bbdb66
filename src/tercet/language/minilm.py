"""all-MiniLM-L6-v2 as CTranslate2 runs it: the published weights, converted once and kept beside the resources."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tercet import resources
from tercet.errors import ResourceError

NAME = "minilm"
LAYERS, DIMENSION = 6, 384
Precision = Literal["int8", "float32"]
Weights = Mapping[str, NDArray[np.float32]]

_LAYOUT = 1  # of the converted folder; another number makes it anew


def identity() -> str:
    """The hash of the installed weights."""
    return resources.fingerprint(NAME)


def tokenizer_file() -> Path:
    """Its word pieces."""
    return resources.find(NAME, "tokenizer.json")


def converted(layers: int = LAYERS, precision: Precision = "int8") -> Path:
    """The folder of the first `layers` layers; made when it is first asked for, whole or not at all."""
    folder = resources.root().parent / "encoder" / f"{NAME}-{layers}-{precision}-{identity()[:16]}-{_LAYOUT}"
    if (folder / "model.bin").is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix="."))
    try:
        _convert(_weights(), _config(), layers, precision, draft)
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


def _weights() -> Weights:
    from safetensors.numpy import load_file

    return load_file(resources.find(NAME, "model.safetensors"))


def _config() -> dict[str, Any]:
    config: dict[str, Any] = json.loads(resources.find(NAME, "config.json").read_text("utf-8"))
    return config


def _convert(weights: Weights, config: Mapping[str, Any], layers: int, precision: Precision, folder: Path) -> None:
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
    encoder.embeddings[0].weight = weights["embeddings.word_embeddings.weight"]
    encoder.embeddings[1].weight = weights["embeddings.token_type_embeddings.weight"]
    encoder.position_encodings.encodings = weights["embeddings.position_embeddings.weight"]
    _norm(encoder.layernorm_embedding, weights, "embeddings.LayerNorm")
    for number, layer in enumerate(encoder.layer):
        at = f"encoder.layer.{number}."
        attention = layer.self_attention
        _linear(attention.linear[0], weights, *(f"{at}attention.self.{part}" for part in ("query", "key", "value")))
        _linear(attention.linear[1], weights, f"{at}attention.output.dense")
        _norm(attention.layer_norm, weights, f"{at}attention.output.LayerNorm")
        _linear(layer.ffn.linear_0, weights, f"{at}intermediate.dense")
        _linear(layer.ffn.linear_1, weights, f"{at}output.dense")
        _norm(layer.ffn.layer_norm, weights, f"{at}output.LayerNorm")

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
