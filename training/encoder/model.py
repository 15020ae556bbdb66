"""The function that is trained: batches -> measures -> scores -> loss. Compiled once for each form and shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from training.encoder import bert, losses
from training.encoder.data import Batch
from training.encoder.matching import measures

Trainable = dict[str, Any]
"""`weights` of the encoder, the `mix` of precision, recall and cosine, and the `line` from scores to assessments."""
Fixed = tuple[bert.Parameters, bert.Parameters]
"""The published weights, and those that adapters stand beside: arguments, for constants would be compiled too."""


@dataclass(frozen=True, kw_only=True)
class Losses:
    """How much each loss counts."""

    pairwise: float = 1.0
    assessments: float = 1.0  # in `pairwise`: a difference of one standard deviation beside a comparison
    regression: float = 0.0
    systems: float = 0.0


@dataclass(frozen=True)
class Form:
    """All that changes the function but its arguments."""

    shape: bert.Shape
    rank: int
    scale: float
    trained: int
    losses: Losses = field(default_factory=Losses)

    @property
    def lower(self) -> range:
        """The layers that stay as they are."""
        return range(self.shape.layers - self.trained)

    @property
    def upper(self) -> range:
        """The layers that are trained."""
        return range(self.shape.layers - self.trained, self.shape.layers)

    def initial(self, parameters: bert.Parameters, seed: int) -> bert.Parameters:
        """What is trained of the encoder, before the first step."""
        if self.rank:
            return bert.low_rank(parameters, self.upper, self.rank, seed)
        inside = tuple(f"encoder.layer.{layer}." for layer in self.upper)
        return {name: one for name, one in parameters.items() if name.startswith(inside)}

    def fixed(self, parameters: bert.Parameters, precision: bert.Precision) -> Fixed:
        """What is not."""
        return parameters, bert.frozen(parameters, range(self.shape.layers) if self.rank else self.lower, precision)

    def merged(self, parameters: bert.Parameters, weights: bert.Parameters) -> bert.Parameters:
        """The weights of the trained encoder, under the published names."""
        return bert.merged(parameters, weights, self.scale) if self.rank else {**parameters, **weights}


@partial(jax.jit, static_argnames="form")
def measured(trainable: Trainable, fixed: Fixed, batch: Batch, form: Form) -> Array:
    """Precision, recall and cosine of every sequence with its reference."""
    (parameters, matrices), shape = fixed, form.shape
    seen = jnp.arange(batch.pieces.shape[1]) < jnp.maximum(batch.lengths, 1)[:, None]
    states = bert.embedded(parameters, batch.pieces, shape)
    below = bert.adapted(parameters, matrices, {}, 0.0)
    states = jax.lax.stop_gradient(bert.hidden_states(parameters, below, states, seen, shape, form.lower))
    if form.rank:
        linear = bert.adapted(parameters, matrices, trainable["weights"], form.scale)
    else:
        parameters = {**parameters, **trainable["weights"]}
        linear = bert.whole(parameters)
    states = bert.hidden_states(parameters, linear, states, seen, shape, form.upper)
    return measures(states, batch.lengths, batch.reference)


@partial(jax.jit, static_argnames="form")
def gradient(trainable: Trainable, fixed: Fixed, batch: Batch, form: Form) -> tuple[Array, Trainable]:
    """The loss of a batch and its gradient."""

    def loss(trainable: Trainable) -> Array:
        counts = form.losses
        scores = measured(trainable, fixed, batch, form) @ trainable["mix"]
        total = counts.pairwise * losses.pairwise(scores, batch.votes)
        if counts.regression:
            total += counts.regression * losses.regression(scores, trainable["line"], batch.assessed, batch.known)
        if counts.systems:
            total += counts.systems * losses.systems(scores, batch.members, batch.margins)
        return total

    return jax.value_and_grad(loss)(trainable)
