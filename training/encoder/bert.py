"""BERT's encoder (Devlin et al. 2019) in JAX, from the published safetensors: all weights, or low-rank adapters.

Parameters are a flat dictionary under the published names. Sequences are rows of word pieces with padding after them.
How a matrix is applied is a function of its own (`whole` and `adapted`), so that there is one encoder for both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

Parameters = dict[str, Array]
Precision = Literal["float32", "bfloat16"]
Linear = Callable[[str, Array], Array]  # the name of a matrix and states -> the states after it

MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NOT_SEEN = -1e9  # added to the score of a place that is padding


@dataclass(frozen=True)
class Shape:
    """What the published configuration says of the model."""

    layers: int
    heads: int
    epsilon: float

    @classmethod
    def read(cls, file: Path) -> Shape:
        config = json.loads(file.read_text("utf-8"))
        return cls(config["num_hidden_layers"], config["num_attention_heads"], config["layer_norm_eps"])


def read_parameters(file: Path) -> Parameters:
    """The published weights; what the encoder does not use, such as the pooler, is left out."""
    from safetensors.numpy import load_file

    return {
        name: jnp.asarray(weight, jnp.float32)
        for name, weight in load_file(file).items()
        if name.startswith(("embeddings.", "encoder.")) and weight.dtype.kind == "f"
    }


def low_rank(parameters: Mapping[str, Array], layers: range, rank: int, seed: int) -> Parameters:
    """Adapters of all matrices of some layers (Hu et al. 2022): down at random, up 0, so that nothing changes yet."""
    random = np.random.default_rng(seed)
    found: Parameters = {}
    for layer in layers:
        for matrix in MATRICES:
            name = f"encoder.layer.{layer}.{matrix}"
            outputs, inputs = parameters[f"{name}.weight"].shape
            down = random.standard_normal((rank, inputs)) / np.sqrt(inputs)
            found[f"{name}.down"] = jnp.asarray(down, jnp.float32)
            found[f"{name}.up"] = jnp.zeros((outputs, rank), jnp.float32)
    return found


def merged(parameters: Mapping[str, Array], adapters: Mapping[str, Array], scale: float) -> Parameters:
    """The weights with the adapters added: W + scale · up · down."""
    found = dict(parameters)
    for name, up in adapters.items():
        if name.endswith(".up"):
            matrix = name.removesuffix(".up")
            found[f"{matrix}.weight"] = found[f"{matrix}.weight"] + scale * (up @ adapters[f"{matrix}.down"])
    return found


def nearest_low_rank(published: Mapping[str, Array], trained: Mapping[str, Array], rank: int) -> dict[str, Any]:
    """Adapters nearest to the difference of two sets of weights, by the singular vectors of every matrix.

    What changed besides the matrices (biases, norms) is left out.
    """
    found: dict[str, Any] = {}
    for name in published:
        matrix = name.removesuffix(".weight")
        if not matrix.endswith(MATRICES) or np.array_equal(published[name], trained[name]):
            continue
        left, sizes, right = np.linalg.svd(np.asarray(trained[name]) - np.asarray(published[name]), full_matrices=False)
        root = np.sqrt(sizes[:rank])
        found[f"{matrix}.up"], found[f"{matrix}.down"] = left[:, :rank] * root, root[:, None] * right[:rank]
    return found


def embedded(parameters: Mapping[str, Array], pieces: Array, shape: Shape) -> Array:
    """Words and places, before the first layer: (sequences, places, dimensions)."""
    states = (
        parameters["embeddings.word_embeddings.weight"][pieces]
        + parameters["embeddings.position_embeddings.weight"][: pieces.shape[1]]
        + parameters["embeddings.token_type_embeddings.weight"][0]
    )
    return _norm(parameters, "embeddings.LayerNorm", states, shape.epsilon)


def hidden_states(
    parameters: Mapping[str, Array], linear: Linear, states: Array, seen: Array, shape: Shape, layers: range
) -> Array:
    """The states after some layers, from those before them; only places that are `seen` are attended to."""
    sequences, places, dimension = states.shape
    bias = jnp.repeat(jnp.where(seen, 0.0, _NOT_SEEN), shape.heads, axis=0)[:, None, :]

    def by_head(flat: Array) -> Array:  # one product of matrices a head: twice as fast on a CPU as an axis for heads
        split = flat.reshape(sequences, places, shape.heads, -1).transpose(0, 2, 1, 3)
        return split.reshape(sequences * shape.heads, places, -1)

    for layer in layers:
        at = f"encoder.layer.{layer}."
        query, key, value = (
            by_head(linear(f"{at}attention.self.{part}", states)) for part in ("query", "key", "value")
        )
        scores = jnp.einsum("bqd,bkd->bqk", query, key) / np.sqrt(query.shape[-1]) + bias
        attended = jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, axis=-1), value)
        attended = attended.reshape(sequences, shape.heads, places, -1).transpose(0, 2, 1, 3)
        attended = linear(f"{at}attention.output.dense", attended.reshape(sequences, places, dimension))
        states = _norm(parameters, f"{at}attention.output.LayerNorm", states + attended, shape.epsilon)
        inner = _gelu(linear(f"{at}intermediate.dense", states))
        states = _norm(parameters, f"{at}output.LayerNorm", states + linear(f"{at}output.dense", inner), shape.epsilon)
    return states


def whole(parameters: Mapping[str, Array]) -> Linear:
    """Matrices as they are, in 32 bits."""

    def linear(name: str, states: Array) -> Array:
        return states @ parameters[f"{name}.weight"].T + parameters[f"{name}.bias"]

    return linear


def frozen(parameters: Mapping[str, Array], layers: range, precision: Precision) -> Parameters:
    """Matrices that are not trained, twice: as they are for the way back, and turned for the way forth.

    XLA multiplies on a CPU without a detour only where neither factor is transposed.
    """
    kind = jnp.dtype(precision)
    found: Parameters = {}
    for layer in layers:
        for matrix in MATRICES:
            name = f"encoder.layer.{layer}.{matrix}"
            weight = parameters[f"{name}.weight"]
            found[f"{name}.back"] = weight.astype(kind)
            found[f"{name}.forth"] = jnp.asarray(np.ascontiguousarray(np.asarray(weight).T)).astype(kind)
    return found


def adapted(
    parameters: Mapping[str, Array], matrices: Mapping[str, Array], adapters: Mapping[str, Array], scale: float
) -> Linear:
    """Frozen matrices, and beside those that have them low-rank adapters: x Wᵀ + scale · (x downᵀ) upᵀ."""

    def linear(name: str, states: Array) -> Array:
        flat = states.reshape(-1, states.shape[-1])
        product = _frozen_product(flat, matrices[f"{name}.forth"], matrices[f"{name}.back"])
        if f"{name}.up" in adapters:
            product = product + scale * ((flat @ adapters[f"{name}.down"].T) @ adapters[f"{name}.up"].T)
        return product.reshape(*states.shape[:-1], -1) + parameters[f"{name}.bias"]

    return linear


@jax.custom_vjp
def _frozen_product(states: Array, forth: Array, back: Array) -> Array:
    return _product(states, forth)


def _frozen_forth(states: Array, forth: Array, back: Array) -> tuple[Array, Array]:
    return _product(states, forth), back


def _frozen_back(back: Array, gradient: Array) -> tuple[Array, None, None]:
    return _product(gradient, back), None, None


_frozen_product.defvjp(_frozen_forth, _frozen_back)


def _product(states: Array, matrix: Array) -> Array:
    """In the matrix's precision, with sums in 32 bits."""
    return jax.lax.dot(states.astype(matrix.dtype), matrix, preferred_element_type=jnp.float32)


def _gelu(states: Array) -> Array:
    """By erf itself: jax.nn.gelu goes by erfc, which costs a CPU three times as much."""
    return states * 0.5 * (1 + jax.lax.erf(states * np.float32(np.sqrt(0.5))))


def _norm(parameters: Mapping[str, Array], name: str, states: Array, epsilon: float) -> Array:
    centred = states - states.mean(axis=-1, keepdims=True)
    scaled = centred * jax.lax.rsqrt(jnp.square(centred).mean(axis=-1, keepdims=True) + epsilon)
    return scaled * parameters[f"{name}.weight"] + parameters[f"{name}.bias"]


def to_numpy(parameters: Mapping[str, Array]) -> dict[str, Any]:
    """The same as numpy arrays, which is how they are written to files."""
    return {name: np.asarray(array) for name, array in parameters.items()}
