"""Training the network with JAX: epochs, their validation and the choice of the best stay on the device.

The host is asked nothing for an epoch; it starts runs of many epochs, short enough that a person can interrupt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from numpy.typing import NDArray

from tercet.rankers.architecture import Architecture, Floats, Weights
from tercet.rankers.seeds import Params, Seeds, softplus

Cost = Literal["logistic", "kendall"]

RUN_SECONDS = 2.0  # of one call: how long an interruption may have to wait
KEEP_SECONDS = 60.0  # between checkpoints
PADDING = 1024  # rows
TIE = 1e-5  # two translations alike tie in truth; in single precision their activations may differ by less than this
STATE = 2  # raised when an older state can no longer be gone on from
FORGETS = 0.0, 1e-6  # Adagrad as Duchi et al. (2011) have it: nothing summed up at first, and a small constant


@dataclass(frozen=True)
class Hyperparameters:
    """What section 4.4 of the paper sets."""

    epochs: int
    batch: int
    learning_rate: float
    l2: float
    gamma: float
    beta: float
    tie_weight: float
    patience: int | None
    """Stop after so many epochs without a better one; None never stops early."""
    both_ways: bool
    """Every epoch, a coin tells which hypothesis of each example stands first."""


class State(NamedTuple):
    """All that a later run needs to go on as if nothing had happened."""

    params: Params
    sums: Params
    """Adagrad's sums of squares."""
    best: Params
    best_tau: jax.Array
    """(seeds,)"""
    best_epoch: jax.Array
    epoch: jax.Array
    order: jax.Array
    """Seed of the order of the examples, which all seeds share: a seed alone learns the same as among others."""
    taus: jax.Array
    """(epochs, seeds), NaN for epochs to come"""


class Data(NamedTuple):
    """Rows of input; `sign` is 1 where the first hypothesis is better, -1 where the second is, 0 in padding."""

    rows: jax.Array
    sign: jax.Array
    number: jax.Array
    """Of the rows that are meant, which stand first."""

    @classmethod
    def of(cls, rows: Floats, sign: NDArray[np.float32]) -> Data:
        """Padded, so that trainings of almost the same size, such as those of folds, share one compilation."""
        empty = -len(rows) % PADDING
        padded = np.concatenate([rows, np.zeros((empty, rows.shape[1]), np.float32)])
        signs = np.concatenate([sign, np.zeros(empty, np.float32)])
        return cls(jnp.asarray(padded), jnp.asarray(signs, jnp.float32), jnp.int32(len(rows)))


Progress = Callable[[int, NDArray[np.float32]], None]
"""Called with the epochs done and the taus (epochs, seeds) up to then."""


def initial(
    architecture: Architecture, seeds: tuple[int, ...], epochs: int, *, order: int = 0, near_zero: float = 1.0
) -> State:
    """Weights drawn uniformly as Glorot & Bengio (2010) have it, biases zero; each seed by itself.

    `near_zero` divides the weights to the output: the Kendall cost is flat wherever γΔ is far from 0.
    """
    drawn = [_glorot(architecture, seed, near_zero) for seed in seeds]
    stacked = {name: np.stack([one[name] for one in drawn], axis=-1) for name in drawn[0]}
    sums = {name: np.full_like(value, FORGETS[0]) for name, value in stacked.items()}
    sums["input"][architecture.mask == 0] = np.inf  # a weight that is not there never moves
    layout = Seeds(architecture, len(seeds))
    params, memory = (
        {name: jnp.asarray(value) for name, value in layout.packed(arrays).items()} for arrays in (stacked, sums)
    )
    return _start(params, memory, len(seeds), epochs, jnp.uint32(order))


def _start(params: Params, sums: Params, seeds: int, epochs: int, order: jax.Array) -> State:
    return State(
        params=params,
        sums=sums,
        best=params,
        best_tau=jnp.full(seeds, -jnp.inf),
        best_epoch=jnp.zeros(seeds, jnp.int32),
        epoch=jnp.int32(0),
        order=order,
        taus=jnp.full((epochs, seeds), jnp.nan),
    )


def next_phase(state: State, epochs: int) -> State:
    """Training goes on from the best weights with another cost; the best so far stays to be beaten.

    So do Adagrad's sums: with fresh ones, the first steps would throw the weights far from where they were.
    """
    fresh = _start(state.best, state.sums, len(state.best_tau), epochs, state.order)
    return fresh._replace(best_tau=state.best_tau)


def _glorot(architecture: Architecture, seed: int, near_zero: float) -> dict[str, Floats]:
    random = np.random.default_rng(seed)
    mask = architecture.mask
    seen = mask.sum(axis=0)
    limits = np.sqrt(6 / np.maximum(seen + max(architecture.hidden, 1), 1))
    to_output = np.sqrt(6 / (architecture.nodes + seen[-1] + 1)) / near_zero
    limits[-1] = to_output
    return {
        "input": (mask * random.uniform(-limits, limits, mask.shape)).astype(np.float32),
        "bias": np.zeros(architecture.nodes, np.float32),
        "output": random.uniform(-to_output, to_output, architecture.nodes).astype(np.float32),
        "offset": np.zeros((), np.float32),
    }


def train(
    architecture: Architecture,
    cost: Cost,
    options: Hyperparameters,
    state: State,
    training: Data,
    validation: Data,
    progress: Progress | None = None,
    keep: Callable[[State], None] | None = None,
) -> tuple[State, bool]:
    """Trains to the last epoch, or until no seed has patience left; the state, and whether it was interrupted."""
    chunk, kept = 1, time.perf_counter()
    try:
        while True:
            start, began = int(state.epoch), time.perf_counter()
            if start >= options.epochs:
                return state, False
            stop = min(start + chunk, options.epochs)
            state = run(architecture, cost, options, state, training, validation, stop)
            done = int(state.epoch)
            if progress:
                progress(done, np.asarray(state.taus[:done]))
            if done < stop or done >= options.epochs:
                return state, False
            if keep and time.perf_counter() - kept > KEEP_SECONDS:
                keep(state)
                kept = time.perf_counter()
            seconds = time.perf_counter() - began
            chunk = max(1, min(2 * chunk, int(chunk * RUN_SECONDS / max(seconds, 1e-3))))
    except KeyboardInterrupt:
        return state, True


def run(
    architecture: Architecture,
    cost: Cost,
    options: Hyperparameters,
    state: State,
    training: Data,
    validation: Data,
    stop: int,
) -> State:
    """The state after epoch `stop`, or after the last for which a seed has patience."""
    found: State = _run(architecture, cost, options, len(state.best_tau), state, training, validation, stop)
    return found


def weights_of(architecture: Architecture, params: Mapping[str, Any]) -> Weights:
    """The weights as they are applied and saved."""
    found = Seeds(architecture, len(params["offset"])).unpacked(params)
    return Weights(**{name: np.ascontiguousarray(np.moveaxis(value, -1, 0)) for name, value in found.items()})


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _run(
    architecture: Architecture,
    cost: Cost,
    options: Hyperparameters,
    seeds: int,
    state: State,
    training: Data,
    validation: Data,
    stop: int,
) -> State:
    layout, swapped = Seeds(architecture, seeds), jnp.asarray(architecture.swapped)
    paper = architecture.form == "paper"
    one_way = paper and cost == "logistic"

    def differences(params: Params, rows: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Activations with the hypotheses in both orders; the second half of the rows is the first one swapped."""
        found = layout.activations(params, rows)
        one, other = jnp.split(found, 2, axis=0 if layout.upright else 1)
        return one, other

    def loss(params: Params, rows: jax.Array, sign: jax.Array) -> jax.Array:
        if one_way:
            costs = softplus(-layout.along(sign) * layout.activations(params, rows))  # eq. 4
        else:
            one, other = differences(params, rows)
            if cost == "logistic":
                costs = softplus(-layout.along(sign) * (one - other))
            else:  # eq. 6 with its sign put right, and the term against ties
                delta = jax.nn.sigmoid(one) - jax.nn.sigmoid(other) if paper else jnp.tanh((one - other) / 2)
                ties = options.tie_weight * jnp.exp(-options.beta * delta**2 / 2)
                costs = jax.nn.sigmoid(-options.gamma * layout.along(sign) * delta) + ties
        decay = sum(jnp.sum(weights**2) for weights in layout.decayed(params))
        return costs.sum() + options.l2 * decay  # J is a sum over examples, not their mean

    adagrad = optax.adagrad(options.learning_rate, *FORGETS)
    steps = -(-training.number // options.batch)
    within = jnp.arange(options.batch)
    size = len(training.sign)
    rows, sign = training.rows, training.sign
    if options.both_ways or not one_way:  # the same examples with their hypotheses swapped stand behind them
        rows, sign = jnp.concatenate([rows, rows[:, swapped]]), jnp.concatenate([sign, -sign])
    judged = jnp.concatenate([validation.rows, validation.rows[:, swapped]])

    def step(number: jax.Array, carry: tuple[Params, Any, jax.Array]) -> tuple[Params, Any, jax.Array]:
        params, memory, order = carry
        places = order[(number * options.batch + within) % training.number]  # the last batch is full too
        shown = places if one_way else jnp.concatenate([places, (places + size) % (2 * size)])
        # a barrier, or XLA deals out the few rows to several threads, which takes ten times as long
        batch = lax.optimization_barrier((rows[shown], sign[places]))  # type: ignore[no-untyped-call]
        slopes = jax.grad(loss)(params, *batch)
        updates, memory = adagrad.update(slopes, memory, params)
        return optax.apply_updates(params, updates), memory, order

    def epoch(state: State) -> State:
        key = jax.random.fold_in(jax.random.key(state.order), state.epoch)
        order = _shuffled(key, size, training.number)
        if options.both_ways:
            order = order + size * jax.random.bernoulli(jax.random.fold_in(key, 1), shape=(size,)).astype(jnp.int32)
        memory = _with_sums(adagrad.init(state.params), state.sums)
        params, memory, _ = lax.fori_loop(0, steps, step, (state.params, memory, order))
        one, other = differences(params, judged)
        concordant = layout.by_seed((one - other) * layout.along(validation.sign) > TIE)
        tau = 2 * concordant / validation.number - 1  # strict: a tie counts against
        patient = True if options.patience is None else state.epoch - state.best_epoch <= options.patience
        better = (tau >= state.best_tau) & patient  # the latest of equals
        return State(
            params=params,
            sums=_sums(memory),
            best=layout.chosen(better, params, state.best),
            best_tau=jnp.where(better, tau, state.best_tau),
            best_epoch=jnp.where(better, state.epoch + 1, state.best_epoch),
            epoch=state.epoch + 1,
            order=state.order,
            taus=state.taus.at[state.epoch].set(tau),
        )

    def goes_on(state: State) -> jax.Array:
        more = state.epoch < stop
        return more if options.patience is None else more & jnp.any(state.epoch - state.best_epoch <= options.patience)

    return lax.while_loop(goes_on, epoch, state)


def _shuffled(key: jax.Array, size: int, number: jax.Array) -> jax.Array:
    """The numbers below `size`, first those below `number` in random order, then the others.

    Random bits above, the number itself below: to sort such words is four times faster than to sort pairs. Where the
    size leaves too few bits for chance, pairs it is.
    """
    bits = max((size - 1).bit_length(), 1)
    places = jnp.arange(size, dtype=jnp.uint32)
    random = jnp.where(places < number, jax.random.bits(key, (size,)) >> 1, jnp.uint32(0xFFFFFFFF))
    if bits > 18:
        return jnp.argsort(random)
    words = lax.sort((random >> bits << bits) | places, is_stable=False)
    return (words & ((1 << bits) - 1)).astype(jnp.int32)


def _sums(memory: Any) -> Params:
    found: Params = memory[0].sum_of_squares
    return found


def _with_sums(memory: Any, sums: Params) -> Any:
    return (memory[0]._replace(sum_of_squares=sums), *memory[1:])
