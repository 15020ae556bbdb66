"""A small recurrent network that says of every token how likely something starts with it; numpy applies it.

All products of matrices are of whole numbers below 2**24, where float32 is exact: the result for a sentence depends
neither on its neighbours in the batch nor on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import ResourceError
from tercet.language import sequence
from tercet.language.sequence import Integers, Sentences

Floats = NDArray[np.float32]
LEVELS = 1023  # steps between 0 and 1 of a state: with 128 inputs of int8 weights a sum stays below 2**24
MOST_INPUTS = 128
_PADDED = 8192  # tokens in a batch, padding included


@dataclass(frozen=True)
class Whole:
    """A matrix of whole numbers and what they are multiples of."""

    numbers: Floats
    unit: float

    def of(self, levels: Floats) -> Floats:
        """The product with states, given as whole numbers of 1/LEVELS."""
        product: Floats = levels @ self.numbers
        product *= np.float32(self.unit / LEVELS)
        return product


@dataclass(frozen=True)
class Direction:
    """A layer of gated recurrent units (Cho et al. 2014) that reads from one side; gates: update, reset, new."""

    inputs: Whole
    states: Whole
    bias: Floats

    def read(self, levels: Floats) -> Floats:
        """States, as whole numbers of 1/LEVELS, after each token of a batch: tokens first, sentences second."""
        size = self.states.numbers.shape[0]
        given = self.inputs.of(levels.reshape(-1, levels.shape[2])).reshape(*levels.shape[:2], 3 * size)
        given += self.bias
        state = np.zeros((levels.shape[1], size), np.float32)
        result = np.empty((*levels.shape[:2], size), np.float32)
        before = state
        for now, out in zip(given, result, strict=True):
            carried = self.states.of(before)
            gates = _sigmoid(now[:, : 2 * size] + carried[:, : 2 * size])
            update, reset = gates[:, :size], gates[:, size:]
            new = np.tanh(now[:, 2 * size :] + reset * carried[:, 2 * size :])
            state = new + update * (state - new)
            before = np.rint(state * LEVELS, out=out)
        return result


@dataclass(frozen=True)
class Batch:
    """Sentences side by side.

    `tokens` has the numbers of their tokens; `places` which of these stands at each step of each sentence, read from
    the left and from the right; `kept` which places hold a token and no padding.
    """

    tokens: NDArray[np.int64]
    places: tuple[NDArray[np.int64], NDArray[np.int64]]
    kept: NDArray[np.bool_]


@dataclass(frozen=True)
class Member:
    """One network: tokens to hidden units, both directions, and a number for each token."""

    words: Whole  # vectors of words to hidden units
    tables: tuple[Floats, ...]  # hidden units of each value of each column, in units of `words`
    bias: Floats
    directions: tuple[Direction, Direction]
    hidden: tuple[Whole, Whole]
    hidden_bias: Floats
    out: Whole
    out_bias: float

    def scores(self, vectors: Floats, columns: Sequence[Integers], batch: Batch) -> Floats:
        """Log odds for each token of a batch."""
        units = vectors @ self.words.numbers
        for table, column in zip(self.tables, columns, strict=True):
            units += table[column]
        units *= np.float32(self.words.unit)
        units += self.bias
        levels = _levels(units)
        hidden = self.hidden_bias
        for direction, matrix, places in zip(self.directions, self.hidden, batch.places, strict=True):
            read = direction.read(levels[places])[batch.kept]
            states = np.empty_like(read)
            states[places[batch.kept]] = read  # padding is left out
            hidden = hidden + matrix.of(states)
        result: Floats = self.out.of(_levels(hidden))[:, 0]
        result += np.float32(self.out_bias)
        return result


def _sigmoid(x: Floats) -> Floats:
    result: Floats = np.float32(0.5) * np.tanh(np.float32(0.5) * x) + np.float32(0.5)
    return result


def _levels(units: Floats) -> Floats:
    # rectified, between 0 and 1, in whole numbers of 1/LEVELS
    result: Floats = np.rint(np.clip(units, 0, 1) * LEVELS)
    return result


@dataclass(frozen=True)
class RecurrentNetwork:
    """Networks that were trained from different beginnings; their mean decides."""

    columns: tuple[str, ...]
    threshold: float
    keys: NDArray[np.uint32]  # hashes of the known words, sorted; row i + 1 of `vectors` is that of word i
    vectors: Floats
    members: tuple[Member, ...]

    def starts(self, sentences: Sentences, columns: Sequence[Integers]) -> NDArray[np.bool_]:
        """For each token, all sentences one after the other, whether something starts with it."""
        result: NDArray[np.bool_] = self.scores(sentences, columns) > self.threshold
        return result

    def scores(self, sentences: Sentences, columns: Sequence[Integers]) -> Floats:
        """The log odds of that."""
        if len(columns) != len(self.columns):
            raise ValueError(f"{len(columns)} columns for a network that reads {self.columns}")
        hashes = _native.hash_words([word for sentence in sentences for word in sentence])
        place = np.minimum(np.searchsorted(self.keys, hashes), len(self.keys) - 1)
        rows = np.where(self.keys[place] == hashes, place + 1, 0)
        result: Floats = np.empty(len(rows), np.float32)
        for batch in _batches([len(sentence) for sentence in sentences]):
            given = [column[batch.tokens] for column in columns]
            vectors = self.vectors[rows[batch.tokens]]
            scores = [member.scores(vectors, given, batch) for member in self.members]
            result[batch.tokens] = np.mean(scores, axis=0)
        return result


def _batches(lengths: Sequence[int]) -> Iterator[Batch]:
    # sentences of like length together, the longest first; empty ones are in no batch
    first = np.cumsum([0, *lengths])
    sizes = np.asarray(lengths, np.int64)
    by_length = np.argsort(sizes, kind="stable")
    end, nothing = len(sizes), int((sizes == 0).sum())
    while end > nothing:
        longest = int(sizes[by_length[end - 1]])
        start = max(nothing, end - max(1, _PADDED // longest))
        chosen = by_length[start:end]
        tokens = np.concatenate([np.arange(first[i], first[i + 1]) for i in chosen])
        size = sizes[chosen]
        begin = np.cumsum(size) - size
        step = np.arange(longest)[:, None]
        kept = step < size
        yield Batch(tokens, (np.where(kept, begin + step, 0), np.where(kept, begin + size - 1 - step, 0)), kept)
        end = start


def load(name: str, folder: Path = sequence.MODELS) -> RecurrentNetwork:
    """The network that ships under a name."""
    configuration, arrays = sequence.read(name, folder)
    try:
        return make(configuration, arrays)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ResourceError(f"{folder / name}.npz: not the weights of a recurrent network: {error}") from None


def make(configuration: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> RecurrentNetwork:
    """A network from its configuration and its weights."""
    columns = tuple(configuration["columns"])

    def member(number: int) -> Member:
        units: dict[str, float] = configuration["units"][number]

        def floats(name: str) -> Floats:
            return np.asarray(arrays[name][number], np.float32)

        def whole(name: str) -> Whole:
            if arrays[name].shape[1] > MOST_INPUTS or np.abs(arrays[name]).max() > 127:
                raise ValueError(f"{name} is too big to be exact")
            return Whole(floats(name), units[name])

        def direction(side: str) -> Direction:
            return Direction(whole(f"{side}_inputs"), whole(f"{side}_states"), floats(f"{side}_bias"))

        return Member(
            whole("words"),
            tuple(floats(f"table_{column}") for column in columns),
            floats("bias"),
            (direction("forward"), direction("backward")),
            (whole("hidden_forward"), whole("hidden_backward")),
            floats("hidden_bias"),
            whole("out"),
            float(arrays["out_bias"][number]),
        )

    keys = np.cumsum(arrays["key_gaps"], dtype=np.uint64).astype(np.uint32)
    vectors = arrays["vectors"].astype(np.float32)
    if len(vectors) != len(keys) + 1:
        raise ValueError("as many vectors as words, and one for all others")
    members = tuple(member(number) for number in range(len(configuration["units"])))
    return RecurrentNetwork(columns, float(configuration["threshold"]), keys, vectors, members)
