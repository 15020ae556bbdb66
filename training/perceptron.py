"""Training, judging and saving of sequence models; the work is done in cpp/perceptron.cpp."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.language import sequence
from tercet.language.sequence import Integers, Labeller

SCALE = 64  # a weight of 1 is 64: small enough for int16, fine enough for an average


@dataclass
class Examples:
    """Sentences, their columns and their labels, flat like the columns."""

    sentences: list[tuple[str, ...]]
    gold: list[str]
    columns: list[Integers] = field(default_factory=list)


@dataclass(frozen=True)
class Trained:
    """A model as it will be shipped: rounded, pruned, and ready to label."""

    configuration: dict[str, Any]
    arrays: dict[str, NDArray[Any]]

    def labeller(self) -> Labeller:
        return sequence.make(self.configuration, self.arrays)


def train(
    examples: Examples,
    templates: Sequence[str],
    *,
    columns: Sequence[str] = (),
    scheme: str = "",
    lexicon: dict[str, NDArray[Any]] | None = None,
    epochs: int,
    cutoff: int,
    seed: int = 1,
    prune: float = 0.0,
    bias: dict[str, float] | None = None,
) -> Trained:
    """An averaged perceptron; weights below `prune` are left out, `bias` is added to a label's bias weight."""
    labels = sorted(set(examples.gold))
    number = {label: i for i, label in enumerate(labels)}
    gold = np.array([number[label] for label in examples.gold], np.int32)
    table = np.array(examples.columns, np.int32).reshape(len(columns), -1 if columns else 0)
    keys, starts, key_labels, weights, transitions = _native.train_sequence(
        list(templates),
        sequence.lexicon(lexicon or {}),
        examples.sentences,
        table,
        gold,
        labels=len(labels),
        epochs=epochs,
        cutoff=cutoff,
        seed=seed,
    )
    configuration = {"labels": labels, "columns": list(columns), "templates": list(templates), "scheme": scheme}
    arrays = pack(keys, starts, key_labels, weights, prune=prune)
    moves = np.rint(transitions * SCALE).reshape(len(labels) + 1, len(labels)).astype(np.int32)
    for label, weight in (bias or {}).items():  # the same for every transition into the label
        moves[:, number[label]] += round(weight * SCALE)
    return Trained(configuration, arrays | {"transitions": moves} | (lexicon or {}))


def pack(
    keys: NDArray[np.uint32],
    starts: NDArray[np.uint32],
    labels: NDArray[np.uint8],
    weights: NDArray[np.float64],
    *,
    prune: float,
) -> dict[str, NDArray[Any]]:
    """Weights as whole numbers by sorted keys, without those that round to nothing."""
    owners = np.repeat(np.arange(len(keys)), np.diff(starts))
    rounded = np.clip(np.rint(weights * SCALE), -32768, 32767).astype(np.int16)
    kept = np.abs(rounded) > max(prune * SCALE, 0)
    counts = np.bincount(owners[kept], minlength=len(keys))
    used = counts > 0
    gaps = np.diff(keys[used].astype(np.int64), prepend=0).astype(np.uint32)
    return {
        "key_gaps": gaps,
        "counts": counts[used].astype(np.uint8),
        "labels": labels[kept],
        "weights": rounded[kept],
    }


def average(models: Sequence[Trained], *, prune: float, bias: dict[str, float] | None = None) -> Trained:
    """One model with the mean weights of several that have the same labels and templates."""
    configuration = models[0].configuration
    pairs, weights = [], []
    for model in models:
        keys = np.cumsum(model.arrays["key_gaps"], dtype=np.uint64)
        pairs.append(np.repeat(keys, model.arrays["counts"]) * np.uint64(256) + model.arrays["labels"])
        weights.append(model.arrays["weights"] / (SCALE * len(models)))
    unique, place = np.unique(np.concatenate(pairs), return_inverse=True)
    means = np.bincount(place, np.concatenate(weights)).astype(np.float64)
    keys, first = np.unique(unique // np.uint64(256), return_index=True)
    starts = np.append(first, len(unique)).astype(np.uint32)
    labels = (unique % np.uint64(256)).astype(np.uint8)
    moves = np.mean([model.arrays["transitions"] for model in models], axis=0)
    for label, weight in (bias or {}).items():
        moves[:, configuration["labels"].index(label)] += weight * SCALE
    arrays = pack(keys.astype(np.uint32), starts, labels, means, prune=prune)
    return Trained(configuration, arrays | {"transitions": np.rint(moves).astype(np.int32)})


def save(name: str, trained: Trained, card: str, folder: Path = sequence.MODELS) -> None:
    """Writes NAME.npz, NAME.json and the card NAME.md, and says how big the weights are."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = dict(trained.arrays)
    np.savez_compressed(folder / f"{name}.npz", **arrays)
    (folder / f"{name}.json").write_text(json.dumps(trained.configuration, indent=1) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(card, encoding="utf-8")
    size = (folder / f"{name}.npz").stat().st_size
    print(f"{name}.npz: {size / 1e6:.2f} MB, {sum(array.size for array in arrays.values()):,} numbers")
