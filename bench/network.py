"""Training the pairwise network beside a plain `lax.scan` in JAX, and many seeds beside one after the other.

The plain trainer is what one writes first: a matrix for each group of nodes, `jax.random.permutation`, a scan over
batches, a Python loop over epochs with the validation tau fetched after each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from bench.measure import Result, race
from tercet.rankers import training
from tercet.rankers.architecture import Architecture

PAIRS, VALIDATION, EPOCHS, SEEDS = 10_000, 1000, 25, 16
ARCHITECTURE = Architecture(vectors=50, source=0, similarity=0)  # 150 numbers a pair
OPTIONS = training.Hyperparameters(
    epochs=EPOCHS,
    batch=30,
    learning_rate=0.01,
    l2=1e-4,
    gamma=100,
    beta=100,
    tie_weight=0.01,
    patience=None,
    both_ways=False,
)


def results(data: Path) -> Iterator[Result]:
    """Epochs a second, without compilation, on random input: its values do not change the work."""
    random = np.random.default_rng(0)
    rows = random.uniform(-1, 1, (PAIRS + VALIDATION, ARCHITECTURE.width)).astype(np.float32)
    sign = random.choice([-1, 1], PAIRS + VALIDATION).astype(np.float32)
    plain = _plain(rows, sign)
    ours = {seeds: _ours(rows, sign, seeds) for seeds in (1, SEEDS)}
    for run in (plain, *ours.values()):
        run()
    work = f"network, {PAIRS:,} pairs of {ARCHITECTURE.width} numbers"
    yield race(work, "plain lax.scan", plain, ours[1], amount=EPOCHS, unit="epochs", wanted="≥ 1 ×")
    yield race(
        f"{work}, {SEEDS} seeds at once",
        "one after another",
        lambda: [ours[1]() for _ in range(SEEDS)],
        ours[SEEDS],
        amount=EPOCHS * SEEDS,
        unit="epochs",
        wanted=f"≥ {SEEDS // 4} ×",
    )
    yield race(
        f"{work}, {SEEDS} seeds at once",
        "plain lax.scan, one after another",
        lambda: [plain() for _ in range(SEEDS)],
        ours[SEEDS],
        amount=EPOCHS * SEEDS,
        unit="epochs",
        wanted=f"≥ {SEEDS // 4} ×",
    )


def _ours(rows: np.ndarray, sign: np.ndarray, seeds: int) -> Callable[[], object]:
    learned = training.Data.of(rows[:PAIRS], sign[:PAIRS])
    held = training.Data.of(rows[PAIRS:], sign[PAIRS:])
    start = training.initial(ARCHITECTURE, tuple(range(seeds)), EPOCHS)
    return lambda: training.train(ARCHITECTURE, "logistic", OPTIONS, start, learned, held)


def _plain(rows: np.ndarray, sign: np.ndarray) -> Callable[[], object]:
    size, nodes, batch = ARCHITECTURE.vectors, ARCHITECTURE.hidden, OPTIONS.batch
    learned, held = jnp.asarray(rows[:PAIRS]), jnp.asarray(rows[PAIRS:])
    signs, held_signs = jnp.asarray(sign[:PAIRS]), jnp.asarray(sign[PAIRS:])
    keys = jax.random.split(jax.random.key(0), 4)
    draw = jax.nn.initializers.glorot_uniform()
    start = {f"w{i}": draw(keys[i], (2 * size, nodes)) for i in range(3)}
    start |= {f"b{i}": jnp.zeros(nodes) for i in range(3)} | {
        "v": draw(keys[3], (3 * nodes, 1))[:, 0],
        "c": jnp.zeros(()),
    }
    adagrad = optax.adagrad(OPTIONS.learning_rate, 0.0, 1e-6)

    def activation(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        x1, x2, xr = x[:, :size], x[:, size : 2 * size], x[:, 2 * size :]
        sides = [jnp.concatenate(pair, axis=1) for pair in ((x1, x2), (x1, xr), (x2, xr))]
        hidden = [jnp.tanh(side @ params[f"w{i}"] + params[f"b{i}"]) for i, side in enumerate(sides)]
        return jnp.concatenate(hidden, axis=1) @ params["v"] + params["c"]

    def loss(params: dict[str, jax.Array], x: jax.Array, s: jax.Array) -> jax.Array:
        decay = sum(jnp.sum(params[name] ** 2) for name in ("w0", "w1", "w2", "v"))
        return jnp.mean(jax.nn.softplus(-s * activation(params, x))) + OPTIONS.l2 * decay

    @jax.jit
    def epoch(params: dict[str, jax.Array], memory: object, key: jax.Array) -> tuple[object, object, jax.Array]:
        order = jax.random.permutation(key, PAIRS)[: PAIRS // batch * batch].reshape(-1, batch)

        def step(carry: tuple[object, object], places: jax.Array) -> tuple[tuple[object, object], None]:
            params, memory = carry
            slopes = jax.grad(loss)(params, learned[places], signs[places])
            updates, memory = adagrad.update(slopes, memory, params)
            return (optax.apply_updates(params, updates), memory), None

        (params, memory), _ = lax.scan(step, (params, memory), order)
        swapped = jnp.concatenate([held[:, size : 2 * size], held[:, :size], held[:, 2 * size :]], axis=1)
        margins = activation(params, held) - activation(params, swapped)
        return params, memory, 2 * jnp.mean(margins * held_signs > 0) - 1

    def run() -> float:
        params, memory, best = start, adagrad.init(start), -1.0
        for number in range(EPOCHS):
            params, memory, tau = epoch(params, memory, jax.random.key(number))
            best = max(best, float(tau))
        return best

    return run
