"""Training, rounding and saving of recurrent networks (JAX); tercet.language.recurrent applies them.

A network reads the vector of each word and the values of columns, rectifies, passes over the sentence from both sides
with gated recurrent units, and gives log odds for each token. While it learns it must also say other labels of the
tokens, which are dropped afterwards: what those ask for helps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from tercet import _native
from tercet.language.recurrent import LEVELS
from tercet.language.sequence import Integers, Sentences
from tercet.language.word_vectors import WordVectors
from training.perceptron import Trained

TOP = 4.0  # rectified units are cut off here
VOCABULARY = 30_000
_BATCH = 32
_LENGTHS = (16, 32, 64, 256)  # sentences are padded to one of these; of longer ones the beginning is seen
Parameters = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """How a network is trained."""

    hidden: int = 96
    epochs: int = 16
    rate: float = 2e-3
    decay: float = 1e-2
    dropout: float = 0.5
    input_dropout: float = 0.35
    unknown: float = 0.1  # share of the words, and of the values of `distrusted` columns, that are hidden in training
    distrusted: tuple[str, ...] = ("clause", "draft")
    others: float = 0.3  # weight of the other labels


@dataclass(frozen=True)
class Task:
    """Sentences with their columns; what starts where; other labels that help; how many values each of these has."""

    sentences: Sentences
    columns: Mapping[str, Integers]
    starts: NDArray[np.bool_]
    others: Mapping[str, Integers]
    sizes: Mapping[str, int]


@dataclass(frozen=True)
class Words:
    """The most frequent words of a table of vectors, as int8, sorted by hash; row 0 is for all others."""

    keys: NDArray[np.uint32]
    vectors: NDArray[np.int8]
    unit: float

    @classmethod
    def of(cls, table: WordVectors) -> Words:
        names = [name for name, row in table.rows.items() if row < VOCABULARY]
        keys, first = np.unique(_native.hash_words(names), return_index=True)
        vectors = table.matrix[[table.rows[names[i]] for i in first]]
        unit = float(np.quantile(np.abs(vectors), 0.999)) / 127
        whole = np.clip(np.rint(vectors / unit), -127, 127).astype(np.int8)
        return cls(keys, np.concatenate([np.zeros((1, vectors.shape[1]), np.int8), whole]), unit)

    def rows(self, sentences: Sentences) -> NDArray[np.int64]:
        hashes = _native.hash_words([word for sentence in sentences for word in sentence])
        place = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        return np.where(self.keys[place] == hashes, place + 1, 0)


def train(task: Task, words: Words, *, seeds: Sequence[int], options: Options, threshold: float) -> Trained:
    """A network for each seed, rounded to whole numbers."""
    table = np.stack([words.rows(task.sentences), *task.columns.values(), task.starts, *task.others.values()])
    edges = np.cumsum([0, *map(len, task.sentences)])
    rows = [table[:, first:last].T.astype(np.int32) for first, last in pairwise(edges.tolist())]
    network = Network(tuple(task.columns), tuple(task.others), words, options)
    step, optimizer = network.step(options.epochs * sum(1 for _ in batches(rows, None)))
    members = []
    for seed in seeds:
        parameters = network.initial(seed, task.sizes)
        state = optimizer.init(parameters)
        random, key = np.random.default_rng(seed), jax.random.key(seed, impl="rbg")
        for epoch in range(options.epochs):
            losses = []
            for batch in batches(rows, random):
                key, now = jax.random.split(key)
                parameters, state, loss = step(parameters, state, batch, now)
                losses.append(loss)
            print(f"seed {seed}, epoch {epoch + 1}: loss {float(np.mean(losses)):.4f}", flush=True)
        members.append(rounded(jax.tree.map(np.asarray, parameters), tuple(task.columns), words.unit))
    configuration = {
        "columns": list(task.columns),
        "threshold": threshold,
        "units": [units for _, units in members],
    }
    arrays = {name: np.stack([arrays[name] for arrays, _ in members]) for name in members[0][0]}
    gaps = np.diff(words.keys.astype(np.int64), prepend=0).astype(np.uint32)
    return Trained(configuration, arrays | {"key_gaps": gaps, "vectors": words.vectors})


def batches(rows: Sequence[NDArray[np.int32]], random: np.random.Generator | None) -> Iterator[NDArray[np.int32]]:
    """Sentences of like length, padded with zeros after a first column of ones that marks tokens."""
    groups: dict[int, list[int]] = {length: [] for length in _LENGTHS}
    for i, row in enumerate(rows):
        groups[next((length for length in _LENGTHS if len(row) <= length), _LENGTHS[-1])].append(i)
    made = []
    for length, group in groups.items():
        members = np.array(group, np.int64)
        if random is not None:
            random.shuffle(members)
        made += [(length, members[first : first + _BATCH]) for first in range(0, len(members), _BATCH)]
    order = np.arange(len(made)) if random is None else random.permutation(len(made))
    for length, members in (made[i] for i in order):
        batch = np.zeros((_BATCH, length, 1 + rows[0].shape[1]), np.int32)
        for row, i in zip(batch, members, strict=False):
            seen = rows[i][:length]
            row[: len(seen), 0], row[: len(seen), 1:] = 1, seen
        yield batch


@dataclass(frozen=True)
class Network:
    """The computation; parameters come from outside."""

    columns: tuple[str, ...]
    others: tuple[str, ...]
    words: Words
    options: Options

    def initial(self, seed: int, sizes: Mapping[str, int]) -> Parameters:
        random, hidden = np.random.default_rng(seed), self.options.hidden

        def normal(inputs: int, outputs: int, scale: float | None = None) -> NDArray[np.float32]:
            scale = 1 / np.sqrt(inputs) if scale is None else scale
            return (random.standard_normal((inputs, outputs)) * scale).astype(np.float32)

        parameters: Parameters = {"words": normal(self.words.vectors.shape[1], hidden, 0.2)}
        parameters |= {f"table_{name}": normal(sizes[name] + 1, hidden, 0.3) for name in self.columns}
        parameters["bias"] = np.zeros(hidden, np.float32)
        for side in ("forward", "backward"):
            parameters[f"{side}_inputs"], parameters[f"{side}_states"] = (normal(hidden, 3 * hidden) for _ in range(2))
            parameters[f"{side}_bias"] = np.zeros(3 * hidden, np.float32)
            parameters[f"hidden_{side}"] = normal(hidden, hidden, 1 / np.sqrt(2 * hidden))
        parameters["hidden_bias"] = np.zeros(hidden, np.float32)
        parameters |= {"out": normal(hidden, 1), "out_bias": np.zeros(1, np.float32)}
        for name in self.others:
            parameters[f"other_{name}"] = normal(hidden, sizes[name])
            parameters[f"other_{name}_bias"] = np.zeros(sizes[name], np.float32)
        return parameters

    def units(self, parameters: Parameters, batch: jax.Array, key: jax.Array) -> jax.Array:
        """The last hidden units of each token."""
        options = self.options
        keys = iter(jax.random.split(key, 8 + len(self.columns)))
        mask = batch[..., :1].astype(jnp.float32)

        def seen(values: jax.Array, name: str, hidden: int) -> jax.Array:
            if name not in (*options.distrusted, "word"):
                return values
            return jnp.where(jax.random.bernoulli(next(keys), options.unknown, values.shape), hidden, values)

        vectors = jnp.asarray(self.words.vectors, jnp.float32) * self.words.unit
        units = drop(next(keys), vectors[seen(batch[..., 1], "word", 0)], options.input_dropout) @ parameters["words"]
        for place, name in enumerate(self.columns, 2):
            table = parameters[f"table_{name}"]  # its last row stands for a value that is hidden
            units += drop(next(keys), table[seen(batch[..., place], name, len(table) - 1)], options.input_dropout)
        units = jnp.clip(units + parameters["bias"], 0, TOP) * mask
        hidden = parameters["hidden_bias"]
        for side in ("forward", "backward"):
            states = recurrent(parameters, side, units, mask)
            hidden += drop(next(keys), states, options.dropout) @ parameters[f"hidden_{side}"]
        return drop(next(keys), jnp.clip(hidden, 0, TOP), options.dropout)

    def loss(self, parameters: Parameters, batch: jax.Array, key: jax.Array) -> jax.Array:
        """Cross entropy of the starts but a sentence's own, and of the other labels."""
        units = self.units(parameters, batch, key)
        tokens = batch[..., 0] > 0
        inside = tokens & (jnp.arange(batch.shape[1]) > 0)
        place = 2 + len(self.columns)
        odds = (units @ parameters["out"] + parameters["out_bias"])[..., 0]
        total = (optax.sigmoid_binary_cross_entropy(odds, batch[..., place]) * inside).sum()
        for i, name in enumerate(self.others, place + 1):
            logits = units @ parameters[f"other_{name}"] + parameters[f"other_{name}_bias"]
            entropy = optax.softmax_cross_entropy_with_integer_labels(logits, batch[..., i])
            total += self.options.others * (entropy * tokens).sum()
        return total / tokens.sum()

    def step(self, steps: int) -> tuple[Any, optax.GradientTransformation]:
        """A compiled step of AdamW under a rate that falls to nothing, and its optimizer."""
        rate = optax.cosine_decay_schedule(self.options.rate, steps)
        optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=self.options.decay))

        @jax.jit
        def step(parameters: Parameters, state: Any, batch: jax.Array, key: jax.Array) -> tuple[Parameters, Any, Any]:
            loss, gradient = jax.value_and_grad(self.loss)(parameters, batch, key)
            change, state = optimizer.update(gradient, state, parameters)
            return optax.apply_updates(parameters, change), state, loss

        return step, optimizer


def drop(key: jax.Array, values: jax.Array, share: float) -> jax.Array:
    """Dropout (Srivastava et al. 2014)."""
    return jnp.where(jax.random.bernoulli(key, 1 - share, values.shape), values / (1 - share), 0.0)


def recurrent(parameters: Parameters, side: str, units: jax.Array, mask: jax.Array) -> jax.Array:
    """Gated recurrent units (Cho et al. 2014, with the reset after the product), from one side."""
    matrix, size = parameters[f"{side}_states"], units.shape[2]
    given = (units @ parameters[f"{side}_inputs"] + parameters[f"{side}_bias"]).transpose(1, 0, 2)

    def step(state: jax.Array, now: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        inputs, real = now
        carried = state @ matrix
        gates = jax.nn.sigmoid(inputs[:, : 2 * size] + carried[:, : 2 * size])
        update, reset = gates[:, :size], gates[:, size:]
        new = jnp.tanh(inputs[:, 2 * size :] + reset * carried[:, 2 * size :])
        state = jnp.where(real > 0, new + update * (state - new), state)
        return state, state

    start = jnp.zeros((units.shape[0], size), units.dtype)
    _, states = jax.lax.scan(step, start, (given, mask.transpose(1, 0, 2)), reverse=side == "backward")
    return states.transpose(1, 0, 2)


def rounded(
    parameters: Parameters, columns: Sequence[str], word_unit: float
) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
    """A network in whole numbers: int8 matrices and their units. Rectified units become shares of TOP."""
    arrays: dict[str, NDArray[Any]] = {}
    units: dict[str, float] = {}

    def keep(name: str, scale: float) -> float:
        unit = float(np.abs(parameters[name]).max()) / 127
        arrays[name] = np.rint(parameters[name] / unit).astype(np.int8)
        units[name] = unit * scale
        return unit

    unit = keep("words", word_unit / TOP) * word_unit
    for name in columns:
        arrays[f"table_{name}"] = np.rint(parameters[f"table_{name}"] / unit).astype(np.int32)
    arrays["bias"] = parameters["bias"] / np.float32(TOP)
    for side in ("forward", "backward"):
        keep(f"{side}_inputs", TOP)
        keep(f"{side}_states", 1.0)
        keep(f"hidden_{side}", 1 / TOP)
        arrays[f"{side}_bias"] = parameters[f"{side}_bias"]
    arrays["hidden_bias"] = parameters["hidden_bias"] / np.float32(TOP)
    keep("out", TOP)
    arrays["out_bias"] = parameters["out_bias"][0]
    assert LEVELS < 2**10
    return arrays, units
