"""The sentence encoder: a vector for every word piece of a text in its context, and one for the text.

Texts are encoded once each, batched by length. A text longer than the encoder's window is read in windows that overlap
by half, and every piece has the vector of the window in which it stands nearest to the middle.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tercet
from tercet.errors import OptionError
from tercet.language import minilm
from tercet.signature import Signature

Vectors = NDArray[np.float32]

WINDOW = 512  # positions that the model has, the two special pieces included
BATCH = 64  # sequences at once
KEPT = 256 << 20  # bytes of encoded texts that are kept, those used last


@dataclass(frozen=True, eq=False)
class Encoded:
    """The word pieces of a text and their vectors, special pieces first and last."""

    pieces: NDArray[np.int64]
    vectors: Vectors

    @property
    def inner(self) -> Vectors:
        """The vectors of the text's own pieces, of length 1."""
        vectors = self.vectors[1:-1]
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)

    @property
    def sentence(self) -> Vectors:
        """One vector for all of it: the mean over all pieces, of length 1 (Reimers & Gurevych 2019)."""
        mean = self.vectors.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), np.float32)


@dataclass(frozen=True, kw_only=True)
class Encoder:
    """all-MiniLM-L6-v2 (`tercet resources install minilm`), or its first layers."""

    layers: int = minilm.LAYERS
    precision: minilm.Precision = "int8"
    variant: str = minilm.PUBLISHED
    """`published`; `tuned` or `tuned-wmt13`, taught by people's judgments (docs/tuned.md); or a file of adapters."""
    _kept: OrderedDict[str, Encoded] = field(default_factory=OrderedDict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.layers <= minilm.LAYERS:
            raise OptionError(f"encoder: layers={self.layers} is not allowed; it takes 1 to {minilm.LAYERS}")
        minilm.adapters_file(self.variant)  # an encoder that does not exist

    @property
    def signature(self) -> Signature:
        """Everything that changes a vector."""
        return Signature.of(
            "minilm",
            layers=self.layers,
            precision=self.precision,
            sha256=minilm.identity()[:16],
            window=WINDOW,
            adapters=minilm.adapters_identity(self.variant)[:16] or None,
        )

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """The word pieces of each text with their vectors, and a vector of the whole."""
        wanted = list(dict.fromkeys(texts))
        missing = [text for text in wanted if text not in self._kept]
        found = {text: self._kept[text] for text in wanted if text in self._kept}
        found.update(zip(missing, self._encode(missing), strict=True))
        for text in wanted:
            self._kept[text] = found[text]
            self._kept.move_to_end(text)
        self._forget()
        return [found[text] for text in texts]

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        parts = [self.encode(texts[start : start + 4096]) for start in range(0, len(texts), 4096)]
        rows = [one.sentence for part in parts for one in part]
        return np.stack(rows) if rows else np.zeros((0, minilm.DIMENSION), np.float32)

    def _encode(self, texts: Sequence[str]) -> list[Encoded]:
        read = self._tokenizer.encode_batch([_legal(text) for text in texts])
        pieces = [np.asarray(one.ids, np.int64) for one in read]
        windows = [(number, start) for number, ids in enumerate(pieces) for start in _window_starts(len(ids))]
        sequences = [_window(pieces[number], start) for number, start in windows]
        order = np.argsort([len(one) for one in sequences], kind="stable")
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        with ThreadPoolExecutor(max(1, tercet.threads())) as crew:
            done = crew.map(lambda batch: self._forward([sequences[i] for i in batch]), batches)
            vectors: list[Vectors] = [np.empty(0, np.float32)] * len(sequences)
            for batch, states in zip(batches, done, strict=True):
                for place, i in enumerate(batch):
                    vectors[i] = states[place, : len(sequences[i])]
        parts: list[list[tuple[int, Vectors]]] = [[] for _ in texts]
        for (number, start), states in zip(windows, vectors, strict=True):
            parts[number].append((start, states))
        return [Encoded(ids, _joined(part, len(ids))) for ids, part in zip(pieces, parts, strict=True)]

    def _forward(self, sequences: list[NDArray[np.int64]]) -> Vectors:
        output = self._model.forward_batch([one.tolist() for one in sequences])
        return np.array(output.last_hidden_state, np.float32)

    def _forget(self) -> None:
        size = sum(one.vectors.nbytes for one in self._kept.values())
        while size > KEPT:
            _, one = self._kept.popitem(last=False)
            size -= one.vectors.nbytes

    @cached_property
    def _model(self) -> Any:
        ctranslate2 = _imported("ctranslate2")
        threads = max(1, tercet.threads())
        folder = str(minilm.converted(self.layers, self.precision, self.variant))
        return ctranslate2.Encoder(
            folder, device="cpu", compute_type=self.precision, inter_threads=threads, intra_threads=1
        )

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = _imported("tokenizers").Tokenizer.from_file(str(minilm.tokenizer_file()))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


def _imported(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise OptionError(f"the sentence encoder needs {name}; run pip install 'tercet[encoder]'") from error


def _legal(text: str) -> str:
    """Lone surrogates, which the tokenizer cannot take, as the replacement character."""
    return text.encode("utf-8", "replace").decode() if any("\ud800" <= c <= "\udfff" for c in text) else text


def _window_starts(length: int) -> Iterator[int]:
    """Where windows start, counted in the text's own pieces."""
    inside, room = length - 2, WINDOW - 2
    yield 0
    if inside > room:
        last = inside - room
        yield from range(room // 2, last, room // 2)
        yield last


def _window(pieces: NDArray[np.int64], start: int) -> NDArray[np.int64]:
    if len(pieces) <= WINDOW:
        return pieces
    return np.concatenate([pieces[:1], pieces[1 + start : start + WINDOW - 1], pieces[-1:]])


def _joined(parts: Sequence[tuple[int, Vectors]], length: int) -> Vectors:
    """One row for each piece, from the window in which it stands farthest from an edge."""
    if len(parts) == 1:
        return np.ascontiguousarray(parts[0][1])
    whole = np.empty((length, parts[0][1].shape[1]), np.float32)
    middles = np.array([start + (len(states) - 2) / 2 for start, states in parts])
    places = np.arange(length - 2)
    nearest = np.abs(places[:, None] + 0.5 - middles).argmin(axis=1)
    for window, (start, states) in enumerate(parts):
        mine = places[nearest == window]
        whole[1 + mine] = states[1 + mine - start]
    whole[0], whole[-1] = parts[0][1][0], parts[-1][1][-1]
    return whole
