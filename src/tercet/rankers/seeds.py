"""The networks of several seeds as one: products that serve all of them, laid out as a processor likes it.

A few seeds are fastest with all weights that touch the input in one matrix (see `tercet.rankers.architecture`), which
lies on its side: a row for each hidden node of each seed. Many are fastest with an upright matrix for each group of
nodes, without the parts of the input that the group does not see: a vector register then holds a node of many seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from tercet.rankers.architecture import Architecture

MANY = 8
Params = dict[str, jax.Array]


@dataclass(frozen=True)
class Seeds:
    """How the weights of some seeds lie."""

    architecture: Architecture
    number: int

    @property
    def upright(self) -> bool:
        """Whether an input is a row of the matrices, not a column."""
        return self.number >= MANY

    @property
    def _straight(self) -> int:
        """Where in a row of input the part begins that goes straight to the output."""
        seen = np.flatnonzero(self.architecture.mask[:, -1])
        return int(seen[0]) if len(seen) else self.architecture.width

    @property
    def _groups(self) -> list[tuple[list[slice], slice]]:
        """Of each group of hidden nodes: the parts of the input that it sees, and its nodes."""
        parts, size = self.architecture.parts, self.architecture.hidden
        return [
            ([parts[name] for name in group], slice(i * size, (i + 1) * size))
            for i, group in enumerate(self.architecture.groups)
        ]

    def packed(self, weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The weights as they are trained, from `input` (width, columns, seeds) and the others with seeds last."""
        matrices = weights["input"]
        if not self.upright:
            return {**weights, "input": np.ascontiguousarray(matrices.reshape(len(matrices), -1).T)}
        found = {name: value for name, value in weights.items() if name != "input"}
        found["straight"] = np.ascontiguousarray(matrices[self._straight :, -1])
        for i, (parts, nodes) in enumerate(self._groups):
            seen = np.concatenate([matrices[part, nodes] for part in parts])
            found[f"input.{i}"] = seen.reshape(len(seen), -1)
        return found

    def unpacked(self, params: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """The weights as `packed` was given them."""
        width, nodes = self.architecture.width, self.architecture.nodes
        arrays = {name: np.asarray(value) for name, value in params.items()}
        if not self.upright:
            return {**arrays, "input": arrays["input"].T.reshape(width, nodes + 1, self.number)}
        matrices = np.zeros((width, nodes + 1, self.number), np.float32)
        matrices[self._straight :, -1] = arrays["straight"]
        for i, (parts, places) in enumerate(self._groups):
            seen = arrays[f"input.{i}"].reshape(-1, self.architecture.hidden, self.number)
            ends = np.cumsum([part.stop - part.start for part in parts])
            for part, weights in zip(parts, np.split(seen, ends[:-1]), strict=True):
                matrices[part, places] = weights
        return {"input": matrices, **{name: arrays[name] for name in ("bias", "output", "offset")}}

    def decayed(self, params: Params) -> list[jax.Array]:
        """The weights that L2 is about: all but the biases."""
        return [value for name, value in params.items() if not name.startswith(("bias", "offset"))]

    def activations(self, params: Params, rows: jax.Array) -> jax.Array:
        """The network before its sigmoid: a value for each row and seed, along the axes that `along` tells of."""
        return self._upright(params, rows) if self.upright else self._lying(params, rows)

    def along(self, values: jax.Array) -> jax.Array:
        """One value for each row of input, ready to be joined with activations."""
        return values[:, None] if self.upright else values

    def by_seed(self, values: jax.Array) -> jax.Array:
        """The sum over all rows of what has the axes of activations, (seeds,)."""
        return jnp.sum(values, axis=0 if self.upright else 1)

    def chosen(self, better: jax.Array, new: Params, old: Params) -> Params:
        """The new weights of the seeds that are better, the old ones of the others."""

        def choose(name: str) -> jax.Array:
            lying = name == "input"
            long = new[name].shape[0 if lying else -1]
            places = jnp.tile(better, long // self.number)
            return jnp.where(places[:, None] if lying else places, new[name], old[name])

        return {name: choose(name) for name in new}

    def _lying(self, params: Params, rows: jax.Array) -> jax.Array:
        before = (params["input"] @ rows.T).reshape(-1, self.number, len(rows))
        hidden = jnp.tanh(before[:-1] + params["bias"][..., None])
        summed = (hidden * params["output"][..., None]).sum(axis=0)
        return summed + before[-1] + params["offset"][:, None]

    def _upright(self, params: Params, rows: jax.Array) -> jax.Array:
        straight = rows[:, self._straight :] @ params["straight"] + params["offset"]
        hidden = []
        for i, (parts, nodes) in enumerate(self._groups):
            seen = jnp.concatenate([rows[:, part] for part in parts], axis=1)
            bias, output = (_repeated(params[name][nodes].reshape(-1), len(rows)) for name in ("bias", "output"))
            hidden.append(jnp.tanh(_product(seen, params[f"input.{i}"]) + bias) * output)
        if not hidden:
            return straight
        summing = np.tile(np.eye(self.number, dtype=np.float32), (self.architecture.hidden, 1))
        return sum(hidden[1:], hidden[0]) @ summing + straight  # over groups, then over the nodes of a group


@jax.custom_vjp
def _product(rows: jax.Array, matrix: jax.Array) -> jax.Array:
    """rows @ matrix; the rows are data and have no slope."""
    return rows @ matrix


def _product_forward(rows: jax.Array, matrix: jax.Array) -> tuple[jax.Array, jax.Array]:
    return rows @ matrix, rows


def _product_backward(rows: jax.Array, slopes: jax.Array) -> tuple[jax.Array, jax.Array]:
    # a copy that is transposed in fact: the product with one that is so by its strides takes three times as long
    turned: jax.Array = lax.optimization_barrier(rows.T)  # type: ignore[no-untyped-call]
    return jnp.zeros_like(rows), turned @ slopes


_product.defvjp(_product_forward, _product_backward)


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def _repeated(row: jax.Array, times: int) -> jax.Array:
    """The row, many times; slopes are summed up by a product, which is faster than to reduce them."""
    return jnp.broadcast_to(row, (times, len(row)))


def _repeated_forward(row: jax.Array, times: int) -> tuple[jax.Array, None]:
    return jnp.broadcast_to(row, (times, len(row))), None


def _repeated_backward(times: int, _: None, slopes: jax.Array) -> tuple[jax.Array]:
    return (jnp.ones(times, slopes.dtype) @ slopes,)


_repeated.defvjp(_repeated_forward, _repeated_backward)


@jax.custom_jvp
def softplus(values: jax.Array) -> jax.Array:
    """log(1 + exp(x)); its slope is written out, for JAX's own goes by a logarithm, which is slow on a processor."""
    return jax.nn.softplus(values)


@softplus.defjvp
def _slope_of_softplus(at: tuple[jax.Array], along: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
    return softplus(at[0]), jax.nn.sigmoid(at[0]) * along[0]
