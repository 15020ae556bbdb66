"""The objectives of Stanojević & Sima'an (2017, section 2) in JAX, and the examples on the device that they look at."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tercet.rankers.joint_data import Examples

Params = dict[str, jax.Array]


class Data(NamedTuple):
    """Examples on the device."""

    rows: jax.Array
    """With as many rows of zeros at the end as the longest corpus has, so that a slice of that length always fits."""
    differences: jax.Array
    """Rows of the better sentences less those of the worse: all that a linear model looks at; without them, nothing."""
    better: jax.Array
    worse: jax.Array
    sentence_text: jax.Array
    start: jax.Array
    length: jax.Array
    human: jax.Array
    corpus_text: jax.Array
    corpus_better: jax.Array
    corpus_worse: jax.Array
    margin: jax.Array

    @classmethod
    def of(cls, examples: Examples, *, linear: bool = False) -> Data:
        """The examples, those of a corpus one after the other."""
        columns = examples.rows.shape[1]
        padding = np.zeros((longest_of(examples), columns), np.float32)
        chosen = slice(None if linear else 0)
        sides = (examples.rows[side[chosen]] for side in examples.sentences[:2])
        better, worse, margin = examples.corpora.pairs()
        whole = partial(jnp.asarray, dtype=jnp.int32)
        floats = partial(jnp.asarray, dtype=jnp.float32)
        return cls(
            floats(np.concatenate([examples.rows, padding])),
            floats(np.subtract(*sides)),
            whole(examples.sentences.better),
            whole(examples.sentences.worse),
            whole(examples.sentences.text),
            whole(examples.corpora.start),
            whole(examples.corpora.length),
            floats(examples.corpora.human),
            whole(examples.corpora.text),
            whole(better),
            whole(worse),
            floats(margin),
        )


def forward(params: Params, rows: jax.Array) -> jax.Array:
    """φᵀw + b, and where there is a hidden layer, what it adds."""
    linear = rows @ params["linear"] + params["bias"]
    if not params["output"].shape[0]:
        return linear
    return linear + jnp.tanh(rows @ params["hidden"] + params["hidden_bias"]) @ params["output"]


def sentence_loss(better: jax.Array, worse: jax.Array) -> jax.Array:
    """Section 2.1: the mean of max(0, 1 - Δ), Δ the difference of the unsquashed scores."""
    return jnp.maximum(0, 1 - (better - worse)).mean()


def corpus_loss(better: jax.Array, worse: jax.Array, human: jax.Array) -> jax.Array:
    """Section 2.2: max(0, Δhuman - Δcorpus), Δcorpus the difference of the corpus scores."""
    return jnp.maximum(0, human - (better - worse))


def corpus_score(params: Params, data: Data, corpus: jax.Array, longest: int) -> jax.Array:
    """The mean of sigmoids over a corpus's rows; past its end, rows of others are looked at and given no weight."""
    length = data.length[corpus]
    inside = jnp.arange(longest) < length
    rows = lax.dynamic_slice_in_dim(data.rows, data.start[corpus], longest)
    return jnp.sum(jnp.where(inside, jax.nn.sigmoid(forward(params, rows)), 0)) / length


def longest_of(examples: Examples) -> int:
    """How many segments the longest corpus has."""
    return int(max(examples.corpora.length.max(initial=1), 1))
