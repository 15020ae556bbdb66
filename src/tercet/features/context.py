"""Word pieces of a hypothesis and its reference matched by their vectors in context (Zhang et al. 2020, BERTScore).

Every piece is matched with the piece of the other side that is nearest to it; precision is the mean over the pieces of
the hypothesis, recall over those of the reference, each also weighted by how rare a piece is (idf).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import as_hypotheses, as_references
from tercet.errors import OptionError
from tercet.features.base import Array, FeatureSet, SentenceVectors, checked
from tercet.features.registry import register
from tercet.language.encoder import Encoded, Encoder
from tercet.language.minilm import DIMENSION, PUBLISHED, adapters_identity
from tercet.signature import Signature

_MEASURES = ("precision", "recall", "f1")
_BATCH = 1024  # segments whose token vectors are in memory at once


@register("context")
@dataclass(frozen=True, kw_only=True)
class Context(FeatureSet):
    """Greedy matching of word pieces at each layer, and the cosine of the sentences; of several references the best."""

    layers: str = "6"
    """Layers of the encoder, with + between them. All but the last cost an encoder of their own."""
    precision: Literal["int8", "float32"] = "int8"
    encoder: str = PUBLISHED
    """`published`; `tuned`, which learned from people's judgments; or a file of adapters of training.encoder."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(part.isdecimal() for part in self.layers.split("+")):
            raise OptionError(f"context: layers={self.layers} is not allowed; it takes layers such as 6 or 3+6")
        _ = self._encoders  # layers that the encoder does not have

    @cached_property
    def _encoders(self) -> list[Encoder]:
        return [_encoder(int(layer), self.precision, self.encoder) for layer in self.layers.split("+")]

    @property
    def names(self) -> tuple[str, ...]:
        kinds = [f"{weighted}{measure}" for weighted in ("", "idf_") for measure in _MEASURES]
        name = _named("context", self.encoder)
        return tuple(f"{name}.{one.layers}.{kind}" for one in self._encoders for kind in (*kinds, "cosine"))

    @property
    def signature(self) -> Signature:
        return Signature.of(
            self.name,
            layers=self.layers,
            precision=self.precision,
            sha256=dict(self._encoders[0].signature.items)["sha256"],
            idf=_rarity_digest(),
            adapters=adapters_identity(self.encoder)[:16] or None,
        )

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        rows = np.empty((len(texts), len(self.names)), np.float64)
        for start in range(0, len(texts), _BATCH):
            part = slice(start, start + _BATCH)
            rows[part] = np.concatenate([_matched(one, texts[part], sets[part]) for one in self._encoders], axis=1)
        return checked(rows, len(texts), len(self.names), self.name)


@register("minilm")
@dataclass(frozen=True, kw_only=True)
class MiniLM(SentenceVectors):
    """The sentence vectors of all-MiniLM-L6-v2, of 384 dimensions; zeros for a text without word pieces."""

    precision: Literal["int8", "float32"] = "int8"
    encoder: str = PUBLISHED
    """As in `context`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._encoder

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{_named('minilm', self.encoder)}.{i}" for i in range(DIMENSION))

    @property
    def signature(self) -> Signature:
        return Signature(self.name, self._encoder.signature.items)

    @property
    def _encoder(self) -> Encoder:
        return _encoder(6, self.precision, self.encoder)

    def encode(self, texts: Sequence[str]) -> Array:
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for start in range(0, len(texts), _BATCH):
            for number, one in enumerate(self._encoder.encode(texts[start : start + _BATCH]), start):
                if len(one.pieces) > 2:
                    rows[number] = one.sentence
        return checked(rows, len(texts), DIMENSION, self.name)


@cache
def _encoder(layers: int, precision: Literal["int8", "float32"], variant: str) -> Encoder:
    return Encoder(layers=layers, precision=precision, variant=variant)


def _named(name: str, variant: str) -> str:
    """So that the same features of two encoders can stand side by side."""
    return name if variant == PUBLISHED else f"{name}-{Path(variant).stem}"


def _matched(encoder: Encoder, hypotheses: Sequence[str], sets: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    ours = encoder.encode(hypotheses)
    theirs = iter(encoder.encode([text for texts in sets for text in texts]))
    rows = []
    for hypothesis, texts in zip(ours, sets, strict=True):
        several = [_measures(hypothesis, next(theirs)) for _ in texts]
        rows.append(max(several, key=lambda row: row[2]))  # the reference with the best F1
    return np.array(rows).reshape(len(hypotheses), 2 * len(_MEASURES) + 1)


def _measures(hypothesis: Encoded, reference: Encoded) -> list[float]:
    """Precision, recall and F1, plain and weighted, and the cosine; of empty texts only two are equal."""
    cosine = float(hypothesis.sentence @ reference.sentence)
    if len(hypothesis.pieces) <= 2 or len(reference.pieces) <= 2:
        same = float(len(hypothesis.pieces) == len(reference.pieces))
        return [*[same] * 6, cosine]
    similar = hypothesis.inner @ reference.inner.T
    found: list[float] = []
    for weights in (None, rarity()):
        precision = _mean(similar.max(axis=1), hypothesis.pieces, weights)
        recall = _mean(similar.max(axis=0), reference.pieces, weights)
        found += [precision, recall, 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0]
    return [*found, cosine]


def _mean(nearest: NDArray[np.float32], pieces: NDArray[np.int64], weights: NDArray[np.float64] | None) -> float:
    return float(nearest.mean() if weights is None else np.average(nearest, weights=weights[pieces[1:-1]]))


@cache
def rarity() -> NDArray[np.float64]:
    """The idf of every word piece, from the counts that ship with the package."""
    with (files("tercet.models") / "pieces.npz").open("rb") as file:
        counts = np.load(file, allow_pickle=False)
        sentences, having = int(counts["sentences"]), counts["having"]
    # never 0, so that a text of full stops has a mean
    return np.asarray(np.log((sentences + 1) / (having + 1.0)) + 1e-3, np.float64)


@cache
def _rarity_digest() -> str:
    import hashlib

    return hashlib.sha256(np.round(rarity(), 9).tobytes()).hexdigest()[:8]
