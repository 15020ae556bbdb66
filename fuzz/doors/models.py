"""Model files, recipes, manifests of resources, options in a word."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import tercet
from fuzz.target import target, written
from tercet.errors import TercetError
from tercet.features.registry import feature_set
from tercet.metrics.registry import metric
from tercet.rankers.joint_recipe import read_joint_recipe
from tercet.rankers.kernel_recipe import read_kernel_recipe
from tercet.rankers.loading import load_model
from tercet.rankers.models import load_checkpoint
from tercet.rankers.recipe import ranker_of, read_recipe
from tercet.rankers.skipgram_recipe import read_skipgram_recipe
from tercet.resources.cache import Manifest

SHIPPED = Path(tercet.__file__).parent
JOINT = SHIPPED / "models" / "joint"
RECIPES = [file.read_bytes() for file in sorted((SHIPPED / "recipes").glob("*.yaml"))]
NUMBERS = ["-1", "0", "1e999", "NaN", "Infinity", "9" * 30, "null", "[]", "{}", "true", '""', "1" + "0" * 400]


def _model(folder: Path) -> Path:
    model = folder / "model"
    if not model.is_dir():
        shutil.copytree(JOINT, model)
    return model


@target(
    "model-config",
    [(JOINT / "config.json").read_bytes()],
    [*NUMBERS, '"tercet-network"', '"tercet-trees"', '"tercet-joint"', '"columns"', '"options"', '"features"'],
)
def _config(data: bytes, folder: Path) -> None:
    model = _model(folder)
    written(model, "config.json", data)
    shutil.copy(JOINT / "weights.safetensors", model)
    load_model(model)


@target(
    "model-weights",
    [(JOINT / "weights.safetensors").read_bytes()],
    ['"F32"', '"F64"', '"BOOL"', '"shape":[', '"data_offsets":[0,', "__metadata__", *NUMBERS],
)
def _weights(data: bytes, folder: Path) -> None:
    model = _model(folder)
    shutil.copy(JOINT / "config.json", model)
    written(model, "weights.safetensors", data)
    load_model(model)


def _header(kind: str, data: bytes, folder: Path) -> None:
    """A header with its length before it and a body behind it, so that mutation need not guess these."""
    length, body = len(data).to_bytes(8, "little"), bytes(4096)
    if kind == "weights":
        _weights(length + data + body, folder)
    else:
        load_checkpoint(written(folder, "checkpoint.safetensors", length + data + body))


_WEIGHTS = (JOINT / "weights.safetensors").read_bytes()
_HEADER = _WEIGHTS[8 : 8 + int.from_bytes(_WEIGHTS[:8], "little")]
for _kind in ("weights", "checkpoint"):
    target(f"model-{_kind}-header", [_HEADER, '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'], NUMBERS)(
        partial(_header, _kind)
    )


@target(
    "recipe", [*RECIPES, "a: &x [1]\nb: *x\n"], ["&a ", "*a", "<<: *a", "!!python/object", "2001-99-99", "? ", *NUMBERS]
)
def _recipe(data: bytes, folder: Path) -> None:
    path = written(folder, "x.yaml", data)
    for reader in (ranker_of, read_recipe, read_joint_recipe, read_kernel_recipe, read_skipgram_recipe):
        try:
            reader(path)
        except TercetError:
            continue


@target(
    "manifest",
    [
        json.dumps(
            {"name": "a", "version": "1", "origin": ["x"], "date": "", "files": {"f": {"size": 1, "sha256": "0"}}}
        )
    ],
)
def _manifest(data: bytes, folder: Path) -> None:
    """As `tercet.resources.cache.status` reads it: these are what it takes for a manifest that is none."""
    try:
        Manifest.from_json(data.decode("utf-8", "replace"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


@target(
    "options",
    ["ter:normalized=true", "bleu:tokenize=13a,lowercase=true", "chrf:word_order=2", "hyter:window=1"],
    NUMBERS,
)
def _options(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for make in (metric, feature_set):
        try:
            make(text)
        except TercetError:
            continue
