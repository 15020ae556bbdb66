"""Models that give every token a label: loaded from the package's weights, applied in cpp/sequence.cpp."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import ResourceError

MODELS = Path(__file__).parents[1] / "models"

Integers = NDArray[np.int32]
Sentences = list[tuple[str, ...]]


@dataclass(frozen=True)
class Labeller:
    """A linear sequence model: its labels, the columns that it reads beside the words, and the native model."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    native: _native.SequenceModel

    def label(self, sentences: Sentences, columns: Sequence[Integers] = ()) -> Integers:
        """The number of the best label for each token, all sentences one after the other."""
        if len(columns) != len(self.columns):
            raise ValueError(f"{len(columns)} columns for a model that reads {self.columns}")
        tokens = sum(map(len, sentences))
        table = np.empty((len(columns), tokens), np.int32)
        for row, column in zip(table, columns, strict=True):
            row[:] = column
        return self.native.label(sentences, table)

    def names(self, numbers: Integers) -> list[str]:
        """Labels by name."""
        return [self.labels[number] for number in numbers.tolist()]


def load(name: str, folder: Path = MODELS) -> Labeller:
    """The labeller that ships under a name."""
    configuration, arrays = read(name, folder)
    try:
        return make(configuration, arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise ResourceError(f"{folder / name}.npz: not the weights of a sequence model: {error}") from None


def make(configuration: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Labeller:
    """A labeller from its configuration and its weights."""
    labels = tuple(configuration["labels"])
    transitions = arrays["transitions"].astype(np.int32)
    if configuration.get("scheme") == "BIO":
        transitions = _without_broken_chunks(transitions, labels)
    native = _native.SequenceModel(
        configuration["templates"],
        lexicon(arrays),
        weight_table(arrays),
        np.ascontiguousarray(transitions.ravel()),
        len(labels),
    )
    return Labeller(labels, tuple(configuration["columns"]), native)


def read(name: str, folder: Path = MODELS) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Configuration and arrays of a model file; nothing in it is ever run."""
    weights, card = folder / f"{name}.npz", folder / f"{name}.json"
    try:
        configuration = json.loads(card.read_text(encoding="utf-8"))
        with np.load(weights, allow_pickle=False) as file:
            return configuration, {key: file[key] for key in file.files}
    except (OSError, ValueError, EOFError) as error:
        raise ResourceError(f"{weights}: cannot be read ({error}); install tercet again") from None


def lexicon(arrays: dict[str, NDArray[Any]]) -> _native.Lexicon:
    """Word classes of a model, or none."""
    keys, classes = arrays.get("lexicon_keys"), arrays.get("lexicon_classes")
    if keys is None or classes is None:
        return _native.Lexicon(np.empty(0, np.uint32), np.empty(0, np.uint16))
    return _native.Lexicon(keys, classes)


def weight_table(arrays: dict[str, NDArray[Any]]) -> _native.WeightTable:
    """The weights of a model, from gaps between sorted keys and the number of labels that each key has."""
    starts = np.concatenate([[0], np.cumsum(arrays["counts"], dtype=np.uint32)]).astype(np.uint32)
    keys = np.cumsum(arrays["key_gaps"], dtype=np.uint64).astype(np.uint32)
    return _native.WeightTable(keys, starts, arrays["labels"], arrays["weights"])


def _without_broken_chunks(transitions: Integers, labels: Sequence[str]) -> Integers:
    # I-X only after B-X or I-X: chunks are well formed whatever the weights say
    allowed = transitions.copy()
    for column, label in enumerate(labels):
        if label.startswith("I-"):
            for row, before in enumerate(("", *labels)):
                if before[2:] != label[2:]:
                    allowed[row, column] = -1_000_000
    return allowed
