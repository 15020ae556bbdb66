"""How a sentence is built, as 25 numbers: a small recurrent network over words, tags and chunks, in numpy.

Two layers of simple recurrent units (Lei et al. 2018) read the sentence in both directions; their states are
pooled over the words. It was trained to tell sentences that people wrote from the same sentences with errors of
machine translation: `training/syntax.py`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tercet
from tercet import _native
from tercet.errors import ResourceError
from tercet.language import english, sequence
from tercet.language.english import Tokens
from tercet.language.pipeline import EnglishPipeline, english_pipeline, sentences_of

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

NAME = "syntax"
DIMENSION = 25
LAYERS = 2
ROWS = 64  # sentences that go through the network together
TILE = 256  # words whose products are made together
_BATCH = 512  # texts that are analysed at a time
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "´": "'"})
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Columns:
    """What the network reads of some texts, one after the other: `ends[i]` is where text i ends."""

    words: Integers
    tags: Integers
    chunks: Integers
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)


@dataclass(frozen=True)
class Vocabulary:
    """Words by hash; an unknown word is known by the hash of its last three letters."""

    keys: NDArray[np.uint32]
    """Sorted."""
    suffixes: int

    def rows(self, forms: Sequence[str]) -> Integers:
        """The row of each form in the table of words."""
        distinct = {form: place for place, form in enumerate(dict.fromkeys(forms))}
        places = np.fromiter(map(distinct.__getitem__, forms), np.int64, len(forms))
        return self._rows(list(distinct))[places]

    def _rows(self, forms: Sequence[str]) -> Integers:
        plain = [normalized(form) for form in forms]
        hashes = _native.hash_words(plain)
        if not len(self.keys):
            return np.zeros(len(plain), np.int32)
        found = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        rows = found.astype(np.int32)
        unknown = np.flatnonzero(self.keys[found] != hashes)
        rows[unknown] = self.unknown([plain[i] for i in unknown.tolist()])
        return rows

    def unknown(self, plain: Sequence[str]) -> Integers:
        """The rows of words that are not in the table."""
        ends = _native.hash_words([form[-3:] for form in plain])
        return (len(self.keys) + ends % np.uint32(self.suffixes)).astype(np.int32)


def normalized(form: str) -> str:
    """A word as the network knows it: small letters, plain quotes, every digit 0."""
    form = form.lower()
    if not form.isascii():
        form = form.translate(_QUOTES)
    if form in {"``", "''"}:
        return '"'
    return form if form.isalpha() else _DIGIT.sub("0", form)


def read_columns(texts: Sequence[Tokens], vocabulary: Vocabulary, pipeline: EnglishPipeline) -> Columns:
    """Words, tags and chunks of tokenized texts as numbers."""
    sentences, _ = sentences_of(texts)
    tags = pipeline.tagger.label(sentences)
    chunks = pipeline.chunker.label(sentences, [tags])
    words = vocabulary.rows([form for text in texts for form in text.forms])
    return Columns(words, tags, chunks, np.cumsum([len(text.forms) for text in texts], dtype=np.int64))


@dataclass(frozen=True)
class SyntaxNetwork:
    """The network with its weights; see `training/syntax_network.py` for the same in JAX."""

    weights: Mapping[str, Floats]
    vocabulary: Vocabulary
    tags: tuple[str, ...]
    """The tags and chunk labels that the rows of the weights stand for."""
    chunks: tuple[str, ...]
    sha256: str = ""
    """Of the weights, and of the tagger's and chunker's."""

    @cached_property
    def _tables(self) -> tuple[Floats, Floats, Floats]:
        # the first layer's products with every word, tag and chunk, computed once
        w, sizes = self.weights, [self.weights[name].shape[1] for name in ("word", "tag", "chunk")]
        parts = np.split(w["layer0.input"], np.cumsum(sizes)[:-1])
        word, tag, chunk = (w[name] @ part for name, part in zip(("word", "tag", "chunk"), parts, strict=True))
        return word, tag, chunk + w["layer0.bias"]

    def encode(self, texts: Sequence[str], pipeline: EnglishPipeline | None = None) -> Floats:
        """The vector of each text, (texts, 25), between -1 and 1; a text without tokens has zeros."""
        pipeline = pipeline or english_pipeline()
        if (pipeline.tagger.labels, pipeline.chunker.labels) != (self.tags, self.chunks):
            raise ResourceError(
                "the syntax network was made for a tagger and a chunker with other labels; "
                "run python -m training.syntax, or install tercet again"
            )

        def part(start: int) -> Floats:
            tokens = [english.tokens(text) for text in texts[start : start + _BATCH]]
            return self.apply(read_columns(tokens, self.vocabulary, pipeline))

        # a second thread tags while the first one multiplies
        with ThreadPoolExecutor(max(1, min(tercet.threads(), -(-len(texts) // _BATCH)))) as crew:
            found = list(crew.map(part, range(0, len(texts), _BATCH)))
        return np.concatenate([np.zeros((0, DIMENSION), np.float32), *found])

    def well_formed(self, vectors: Floats) -> Floats:
        """How sure the network is that people wrote the sentences of these vectors: log odds, 0 for the zero vector."""
        scores = (vectors * self.weights["real.weight"]).sum(axis=1) + self.weights["real.bias"]
        return np.where(vectors.any(axis=1), scores, np.float32(0)).astype(np.float32)

    def apply(self, columns: Columns) -> Floats:
        """The vectors of texts whose words, tags and chunks are known."""
        lengths = np.diff(columns.ends, prepend=0)
        found = np.zeros((len(columns), DIMENSION), np.float32)
        order = np.argsort(lengths, kind="stable")
        order = order[lengths[order] > 0]
        for start in range(0, len(order), ROWS):
            rows = order[start : start + ROWS]
            found[rows] = self._batch(columns, rows, lengths)
        return found

    def _batch(self, columns: Columns, rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> Floats:
        size = lengths[rows]
        time = np.arange(int(size.max()))[:, None]
        inside = time < size  # (steps, rows)
        places = np.where(inside, (columns.ends - lengths)[rows] + time, 0)
        word, tag, chunk = self._tables
        given = word[columns.words[places]]
        given += tag[columns.tags[places]]
        given += chunk[columns.chunks[places]]
        mask = inside[..., None].astype(np.float32)
        backward = np.where(inside, size - 1 - time, time)  # each text turned around within its own length
        states = self._layer(0, given, mask, backward)
        for layer in range(1, LAYERS):
            given = _product(states, self.weights[f"layer{layer}.input"])
            given += self.weights[f"layer{layer}.bias"]
            states = self._layer(layer, given, mask, backward)
        return self._pooled(states, mask, size)

    def _layer(self, layer: int, given: Floats, mask: Floats, backward: NDArray[np.int64]) -> Floats:
        """States in both directions, (steps, rows, 2 × units), from the products of the inputs."""
        steps, rows, width = given.shape
        units = width // 8
        columns = np.arange(rows)
        # (steps, 2, rows, 4, units): forwards, and each text backwards
        both = np.stack([given[..., : width // 2], given[backward, columns, width // 2 :]], axis=1)
        both = both.reshape(steps, 2, rows, 4, units)
        new, gates_in, passed = both[..., 0, :], both[..., 1:3, :], both[..., 3, :]  # gates: forget, reset
        gates_in *= np.float32(0.5)  # sigmoid(x) is (1 + tanh(x / 2)) / 2
        gates_by = self.weights[f"layer{layer}.memory"][:, None] * np.float32(0.5)  # (2, 1, 2, units)
        cell = np.zeros((2, rows, units), np.float32)
        gates = np.empty((2, rows, 2, units), np.float32)
        out = np.empty((steps, 2, rows, units), np.float32)
        for t in range(steps):  # in place: most of the time goes to memory
            np.multiply(gates_by, cell[:, :, None], out=gates)
            gates += gates_in[t]
            np.tanh(gates, out=gates)
            gates *= np.float32(0.5)
            gates += np.float32(0.5)
            cell -= new[t]
            cell *= gates[:, :, 0]
            cell += new[t]
            state = np.tanh(cell, out=out[t])
            state -= passed[t]
            state *= gates[:, :, 1]
            state += passed[t]
        turned = out[:, 1][backward, columns]
        return np.concatenate([out[:, 0], turned], axis=-1) * mask

    def _pooled(self, states: Floats, mask: Floats, size: NDArray[np.int64]) -> Floats:
        mean = states.sum(axis=0) / size[:, None].astype(np.float32)
        highest = np.where(mask > 0, states, np.float32(-np.inf)).max(axis=0)
        length = np.log1p(size.astype(np.float32))[:, None] / np.float32(4)
        pooled = np.concatenate([mean, highest, length], axis=1).astype(np.float32)
        vectors: Floats = np.tanh(_product(pooled, self.weights["vector.weight"]) + self.weights["vector.bias"])
        return vectors


def _product(left: Floats, right: Floats) -> Floats:
    """Rows times a matrix, always so many at once: BLAS may round differently for another number of rows."""
    rows = left.reshape(-1, left.shape[-1])
    tiles = np.zeros((-(-len(rows) // TILE), TILE, rows.shape[1]), np.float32)
    tiles.reshape(-1, rows.shape[1])[: len(rows)] = rows
    found: Floats = np.matmul(tiles, right).reshape(-1, right.shape[1])[: len(rows)]
    return found.reshape(*left.shape[:-1], right.shape[1])


def load(folder: Path = sequence.MODELS) -> SyntaxNetwork:
    """The network that stands in a folder."""
    configuration, arrays = sequence.read(NAME, folder)
    try:
        keys = np.cumsum(arrays.pop("word_gaps"), dtype=np.uint64).astype(np.uint32)
        weights = {name: array.astype(np.float32) for name, array in arrays.items()}
        vocabulary = Vocabulary(keys, int(configuration["suffixes"]))
        network = SyntaxNetwork(
            weights, vocabulary, tuple(configuration["tags"]), tuple(configuration["chunks"]), _fingerprint(folder)
        )
        _check(network)
    except (KeyError, ValueError, TypeError) as error:
        file = folder / f"{NAME}.npz"
        raise ResourceError(f"{file}: not the weights of a syntax network: {error}; install tercet again") from None
    return network


def _fingerprint(folder: Path) -> str:
    # tags and chunks change the vectors too
    digest = hashlib.sha256()
    for name in (NAME, "tagger", "chunker"):
        file = folder / f"{name}.npz"
        if file.is_file():
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _check(network: SyntaxNetwork) -> None:
    w, units = network.weights, network.weights["layer0.memory"].shape[-1]
    rows = {
        "word": len(network.vocabulary.keys) + network.vocabulary.suffixes,
        "tag": len(network.tags),
        "chunk": len(network.chunks),
    }
    shapes: dict[str, tuple[int, ...]] = {name: (number, w[name].shape[1]) for name, number in rows.items()}
    inputs = [sum(w[name].shape[1] for name in rows), *[2 * units] * (LAYERS - 1)]
    for layer, size in enumerate(inputs):
        shapes[f"layer{layer}.input"] = (size, 8 * units)
        shapes[f"layer{layer}.bias"] = (8 * units,)
        shapes[f"layer{layer}.memory"] = (2, 2, units)
    shapes |= {"vector.weight": (4 * units + 1, DIMENSION), "vector.bias": (DIMENSION,)}
    shapes |= {"real.weight": (DIMENSION,), "real.bias": ()}
    for name, shape in shapes.items():
        if w[name].shape != shape:
            raise ValueError(f"{name} has the shape {w[name].shape}, not {shape}")
        if not np.isfinite(w[name]).all():
            raise ValueError(f"{name} has numbers that are not finite")


@cache
def syntax_network() -> SyntaxNetwork:
    """The network that ships, loaded once."""
    return load()
