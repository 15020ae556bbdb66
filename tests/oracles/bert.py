"""BERT's encoder (Devlin et al. 2019), one sequence at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf, softmax

Array = NDArray[np.float64]


def hidden_states(weights: Mapping[str, Array], ids: Sequence[int], *, layers: int, heads: int) -> Array:
    """The vectors of the word pieces after that many layers."""
    states = (
        weights["embeddings.word_embeddings.weight"][list(ids)]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    states = _norm(weights, "embeddings.LayerNorm", states)
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        attended = _linear(
            weights, f"{at}attention.output.dense", _attention(weights, f"{at}attention.self.", states, heads)
        )
        states = _norm(weights, f"{at}attention.output.LayerNorm", states + attended)
        inner = _linear(weights, f"{at}intermediate.dense", states)
        inner = inner * 0.5 * (1 + erf(inner / sqrt(2)))  # GELU
        states = _norm(weights, f"{at}output.LayerNorm", states + _linear(weights, f"{at}output.dense", inner))
    return states


def _attention(weights: Mapping[str, Array], at: str, states: Array, heads: int) -> Array:
    query, key, value = (
        _linear(weights, at + part, states).reshape(len(states), heads, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / sqrt(query.shape[-1])
    return np.asarray((softmax(scores, axis=-1) @ value).transpose(1, 0, 2).reshape(states.shape))


def _linear(weights: Mapping[str, Array], name: str, states: Array) -> Array:
    return states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _norm(weights: Mapping[str, Array], name: str, states: Array) -> Array:
    centred = states - states.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt(states.var(axis=-1, keepdims=True) + 1e-12)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]
