"""How like a hypothesis is to its reference, as the feature set `context` has it, so that gradients flow through it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

MEASURES = ("precision", "recall", "cosine")
_FAR = -2.0  # below every cosine


def measures(states: Array, lengths: Array, reference: Array) -> Array:
    """Greedy-matching precision and recall (Zhang et al. 2020) and the cosine of sentences: (sequences, 3).

    `lengths` counts the pieces of each sequence, special ones included; 0 is padding. `reference` is the number of the
    sequence that each is matched with. Special pieces are not matched, but they are in the mean of the sentence.
    Two texts without pieces match wholly, one without and one with not at all.
    """
    places = jnp.arange(states.shape[1])
    there = places < lengths[:, None]
    inner = there & (places > 0) & (places < lengths[:, None] - 1)
    pieces = _unit(states)
    similar = jnp.einsum("nqd,nkd->nqk", pieces, pieces[reference])
    both = inner[:, :, None] & inner[reference][:, None, :]
    similar = jnp.where(both, similar, _FAR)
    empty = ~inner.any(axis=1)
    neither, one_only = empty & empty[reference], empty ^ empty[reference]

    def matched(nearest: Array, chosen: Array) -> Array:
        return jnp.where(neither, 1.0, jnp.where(one_only, 0.0, _mean(nearest, chosen)))

    precision = matched(similar.max(axis=2), inner)
    recall = matched(similar.max(axis=1), inner[reference])
    mean = jnp.where(there[:, :, None], states, 0).sum(axis=1) / jnp.maximum(lengths, 1)[:, None]
    sentences = _unit(mean)
    cosine = jnp.sum(sentences * sentences[reference], axis=-1)
    return jnp.stack([precision, recall, cosine], axis=1)


def _unit(vectors: Array) -> Array:
    return vectors * jax.lax.rsqrt(jnp.maximum(jnp.sum(jnp.square(vectors), axis=-1, keepdims=True), 1e-24))


def _mean(values: Array, chosen: Array) -> Array:
    return jnp.where(chosen, values, 0).sum(axis=1) / jnp.maximum(chosen.sum(axis=1), 1)
