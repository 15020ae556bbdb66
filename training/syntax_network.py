"""The syntax network in JAX: the forward pass of `tercet.language.syntax`, the heads for training, the cost."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tercet.language.syntax import DIMENSION, LAYERS

UNITS = 48
SIZES = {"word": 40, "tag": 16, "chunk": 8}
Params = dict[str, Any]
Batch = dict[str, Any]


def initial(words: int, tags: int, chunks: int, kinds: int, groups: int, *, seed: int, units: int = UNITS) -> Params:
    """Glorot's weights; gates start open to what was before."""
    random = np.random.default_rng(seed)

    def glorot(*shape: int) -> np.ndarray:
        limit = np.sqrt(6 / (shape[0] + shape[1]))
        return random.uniform(-limit, limit, shape)

    params = {
        name: random.normal(0, 0.1, (rows, SIZES[name]))
        for name, rows in (("word", words), ("tag", tags), ("chunk", chunks))
    }
    width = sum(SIZES.values())
    for layer in range(LAYERS):
        # for each direction: new, forget, reset, passed
        parts = [glorot(width, units) for _ in range(8)]
        params[f"layer{layer}.input"] = np.concatenate(parts, axis=1)
        bias = np.zeros((2, 4, units))
        bias[:, 1] = 1.0
        params[f"layer{layer}.bias"] = bias.ravel()
        params[f"layer{layer}.memory"] = random.uniform(-0.1, 0.1, (2, 2, units))
        width = 2 * units
    params["vector.weight"], params["vector.bias"] = glorot(2 * width + 1, DIMENSION), np.zeros(DIMENSION)
    params["real.weight"], params["real.bias"] = glorot(DIMENSION, 1)[:, 0], np.zeros(())
    params["kinds.weight"], params["kinds.bias"] = glorot(DIMENSION, kinds), np.zeros(kinds)
    params["profile.weight"], params["profile.bias"] = glorot(DIMENSION, groups), np.zeros(groups)
    params["errors.weight"], params["errors.bias"] = glorot(width, 1)[:, 0], np.zeros(())
    return {name: jnp.asarray(array, jnp.float32) for name, array in params.items()}


def forward(params: Params, batch: Batch) -> tuple[jax.Array, jax.Array]:
    """Vectors (sentences, 25) and states (steps, sentences, 2 × units); words, tags, chunks are (steps, sentences)."""
    size = batch["size"]
    steps = batch["words"].shape[0]
    time = jnp.arange(steps)[:, None]
    inside = time < size
    mask = inside[..., None].astype(jnp.float32)
    backward = jnp.where(inside, size - 1 - time, time)
    states = jnp.concatenate([params[name][batch[f"{name}s"]] for name in SIZES], axis=-1)
    for layer in range(LAYERS):
        given = states @ params[f"layer{layer}.input"] + params[f"layer{layer}.bias"]
        states = _layer(given, params[f"layer{layer}.memory"], backward) * mask
    mean = states.sum(axis=0) / size[:, None]
    highest = jnp.where(inside[..., None], states, -jnp.inf).max(axis=0)
    length = jnp.log1p(size.astype(jnp.float32))[:, None] / 4
    pooled = jnp.concatenate([mean, highest, length], axis=1)
    return jnp.tanh(pooled @ params["vector.weight"] + params["vector.bias"]), states


def _layer(given: jax.Array, memory: jax.Array, backward: jax.Array) -> jax.Array:
    _, rows, width = given.shape
    units = width // 8
    turned = jnp.take_along_axis(given[..., width // 2 :], backward[..., None], axis=0)
    both = jnp.stack([given[..., : width // 2], turned], axis=1)

    def step(cell: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        new, forget, reset, passed = jnp.split(x, 4, axis=-1)
        forget = jax.nn.sigmoid(forget + memory[:, 0, None] * cell)
        reset = jax.nn.sigmoid(reset + memory[:, 1, None] * cell)
        cell = new + forget * (cell - new)
        return cell, passed + reset * (jnp.tanh(cell) - passed)

    _, out = jax.lax.scan(step, jnp.zeros((2, rows, units)), both)
    return jnp.concatenate([out[:, 0], jnp.take_along_axis(out[:, 1], backward[..., None], axis=0)], axis=-1)


def scores(params: Params, vectors: jax.Array) -> jax.Array:
    """Log odds that people wrote the sentence."""
    return vectors @ params["real.weight"] + params["real.bias"]


def cost(params: Params, batch: Batch, weights: dict[str, float]) -> tuple[jax.Array, jax.Array]:
    """The cost of a batch whose sentences are all originals, then all first copies, then all second copies."""
    vectors, states = forward(params, batch)
    found = scores(params, vectors)
    real, light, heavy = jnp.split(found, 3)
    told = (_soft(-real) + 0.5 * (_soft(light) + _soft(heavy))).mean()
    paired = (_soft(light - real) + _soft(heavy - light)).mean()
    kinds = vectors @ params["kinds.weight"] + params["kinds.bias"]
    named = (_soft(kinds) - batch["kinds"] * kinds).mean(axis=0).sum()
    profile = vectors @ params["profile.weight"] + params["profile.bias"]
    kept = jnp.square(profile - batch["profile"]).mean()
    errors = states @ params["errors.weight"] + params["errors.bias"]
    inside = jnp.arange(states.shape[0])[:, None] < batch["size"]
    placed = jnp.where(inside, _soft(errors) - batch["errors"] * errors, 0).sum() / inside.sum()
    parts = jnp.stack([told, paired, named, kept, placed])
    total = sum(weights[name] * part for name, part in zip(WEIGHTS, parts, strict=True))
    return total, parts


WEIGHTS = {"told": 1.0, "paired": 1.0, "kinds": 0.2, "profile": 0.3, "places": 1.0}


def _soft(x: jax.Array) -> jax.Array:
    return jnp.logaddexp(x, 0.0)
