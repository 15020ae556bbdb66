"""The network of many seeds as one: the forward pass of all of them is one product, laid out as a processor likes it.

All weights that touch the input are one matrix with a column for each hidden node of each seed, and one of each seed
that goes straight to the output (see `tercet.rankers.architecture`). A few seeds are fastest with the matrix lying on
its side; many with it upright, where a vector register holds a node of many seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

MANY = 8
Params = dict[str, jax.Array]


@dataclass(frozen=True)
class Seeds:
    """How the weights of some seeds lie."""

    nodes: int
    """Hidden nodes of one seed."""
    number: int

    @property
    def upright(self) -> bool:
        """Whether an input is a row of the matrix, not a column."""
        return self.number >= MANY

    def packed(self, matrices: NDArray[Any]) -> NDArray[Any]:
        """The matrix of all seeds, from (width, columns, seeds)."""
        flat = matrices.reshape(len(matrices), -1)
        return flat if self.upright else np.ascontiguousarray(flat.T)

    def unpacked(self, matrix: NDArray[Any]) -> NDArray[Any]:
        """(width, columns, seeds) from the matrix of all seeds."""
        flat = matrix if self.upright else matrix.T
        return flat.reshape(len(flat), self.nodes + 1, self.number)

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
        columns = jnp.tile(better, self.nodes + 1)
        places = {"input": columns if self.upright else columns[:, None]}
        return {name: jnp.where(places.get(name, better), new[name], old[name]) for name in new}

    def _lying(self, params: Params, rows: jax.Array) -> jax.Array:
        before = (params["input"] @ rows.T).reshape(self.nodes + 1, self.number, len(rows))
        hidden = jnp.tanh(before[: self.nodes] + params["bias"][..., None])
        summed = (hidden * params["output"][..., None]).sum(axis=0)
        return summed + before[self.nodes] + params["offset"][:, None]

    def _upright(self, params: Params, rows: jax.Array) -> jax.Array:
        before, hidden = _product(rows, params["input"]), self.nodes * self.number
        straight = before[:, hidden:] + params["offset"]
        if not hidden:
            return straight
        bias, output = (_repeated(params[name].reshape(-1), len(rows)) for name in ("bias", "output"))
        summing = np.tile(np.eye(self.number, dtype=np.float32), (self.nodes, 1))  # over the nodes of each seed
        return (jnp.tanh(before[:, :hidden] + bias) * output) @ summing + straight


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
