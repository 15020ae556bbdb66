"""Word pieces of a hypothesis and its reference matched by their vectors in context (Zhang et al. 2020, BERTScore).

Every piece is matched with the piece of the other side that is nearest to it; precision is the mean over the pieces of
the hypothesis, recall over those of the reference, each also weighted by how rare a piece is (idf). The details tell
more of the same matches; see `tercet.features.matching`.
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
from tercet.features.matching import DETAILS, MATCHED, WEIGHTED, batches, equal_or_apart, soft_matches
from tercet.features.registry import register
from tercet.language.encoder import Encoded, Encoder
from tercet.language.minilm import DIMENSION, PUBLISHED, adapters_identity
from tercet.signature import Signature

_BATCH = 1024  # segments whose token vectors are in memory at once
_KINDS = (2.5, 5.5)  # idf: of common pieces it is below the first, of rare ones not below the second


@register("context")
@dataclass(frozen=True, kw_only=True)
class Context(FeatureSet):
    """Greedy matching of word pieces at each layer, and the cosine of the sentences; of several references the best."""

    layers: str = "6"
    """Layers of the encoder, with + between them. All but the last cost an encoder of their own."""
    precision: Literal["int8", "float32"] = "int8"
    encoder: str = PUBLISHED
    """`published`; `tuned` or `tuned-wmt13`, which learned from people's judgments; or a file of training.encoder."""
    details: bool = False
    """Whether there is more than means: the worst matches, what kind of pieces is missing, the order of matches."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(part.isdecimal() for part in self.layers.split("+")):
            raise OptionError(f"context: layers={self.layers} is not allowed; it takes layers such as 6 or 3+6")
        _ = self._encoders  # layers that the encoder does not have

    @cached_property
    def _encoders(self) -> list[Encoder]:
        return [_encoder(int(layer), self.precision, self.encoder) for layer in self.layers.split("+")]

    @property
    def _kinds(self) -> tuple[str, ...]:
        return (*MATCHED, *WEIGHTED, *(DETAILS if self.details else ()), "cosine")

    @property
    def names(self) -> tuple[str, ...]:
        name = _named("context", self.encoder)
        return tuple(f"{name}.{one.layers}.{kind}" for one in self._encoders for kind in self._kinds)

    @property
    def between_names(self) -> tuple[str, ...]:
        name = _named("context", self.encoder)
        return tuple(f"{name}.{one.layers}.between.{kind}" for one in self._encoders for kind in ("f1", "cosine"))

    @property
    def signature(self) -> Signature:
        return Signature.of(
            self.name,
            layers=self.layers,
            precision=self.precision,
            sha256=dict(self._encoders[0].signature.items)["sha256"],
            idf=_rarity_digest(),
            adapters=adapters_identity(self.encoder)[:16] or None,
            details=self.details or None,
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
            rows[part] = np.concatenate([self._best(one, texts[part], sets[part]) for one in self._encoders], axis=1)
        return checked(rows, len(texts), len(self.names), self.name)

    def between(self, first: Sequence[str], second: Sequence[str]) -> Array:
        ordered = [
            sorted(pair) for pair in zip(first, second, strict=True)
        ]  # so that it is the same both ways, exactly
        rows = np.empty((len(ordered), len(self.between_names)))
        for start in range(0, len(ordered), _BATCH):
            one, other = ([pair[side] for pair in ordered[start : start + _BATCH]] for side in (0, 1))
            found = [_pairwise(encoder, one, other)[:, [2, -1]] for encoder in self._encoders]
            rows[start : start + _BATCH] = np.concatenate(found, axis=1)
        return checked(rows, len(ordered), len(self.between_names), self.name)

    def _best(
        self, encoder: Encoder, hypotheses: Sequence[str], sets: Sequence[tuple[str, ...]]
    ) -> NDArray[np.float64]:
        """Of several references the row of the one with the best F1, the first of equals."""
        repeated = [text for text, texts in zip(hypotheses, sets, strict=True) for _ in texts]
        every = _pairwise(encoder, repeated, [text for texts in sets for text in texts])
        ends = np.cumsum([len(texts) for texts in sets])
        best = [
            end - len(texts) + int(np.argmax(every[end - len(texts) : end, 2]))
            for end, texts in zip(ends, sets, strict=True)
        ]
        kept = [i for i, kind in enumerate((*MATCHED, *WEIGHTED, *DETAILS, "cosine")) if kind in self._kinds]
        return every[best][:, kept]


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


def _pairwise(encoder: Encoder, hypotheses: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    encoded = encoder.encode([*hypotheses, *references])
    return matched(encoded[: len(hypotheses)], encoded[len(hypotheses) :])


def matched(ours: Sequence[Encoded], theirs: Sequence[Encoded]) -> NDArray[np.float64]:
    """All that is known of each text's matches with its counterpart, and last the cosine of the sentences."""
    rows = np.empty((len(ours), len(MATCHED) + len(WEIGHTED) + len(DETAILS) + 1))
    rows[:, -1] = [float(one.sentence @ other.sentence) for one, other in zip(ours, theirs, strict=True)]
    lengths = [np.array([len(one.pieces) - 2 for one in side], np.int64) for side in (ours, theirs)]
    empty = np.minimum(*lengths) == 0
    rows[empty, :-1] = equal_or_apart((lengths[0] == lengths[1])[empty])
    full = np.flatnonzero(~empty)
    for places in batches(lengths[0][full], lengths[1][full]):
        chosen = full[places]
        (one, here), (other, there) = (_padded([side[i] for i in chosen]) for side in (ours, theirs))
        weights = rarity()[here], rarity()[there]
        kinds = np.searchsorted(_KINDS, weights[0], side="right"), np.searchsorted(_KINDS, weights[1], side="right")
        rows[chosen, :-1] = soft_matches((one, other), (lengths[0][chosen], lengths[1][chosen]), weights, kinds)
    return rows


def _padded(texts: Sequence[Encoded]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Vectors of length 1, (texts, longest, dimension), and their pieces."""
    longest = max(len(one.pieces) for one in texts) - 2
    vectors = np.zeros((len(texts), longest, texts[0].vectors.shape[1]), np.float32)
    pieces = np.zeros((len(texts), longest), np.int64)
    for row, one in enumerate(texts):
        size = len(one.pieces) - 2
        vectors[row, :size], pieces[row, :size] = one.inner, one.pieces[1:-1]
    return vectors, pieces


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
