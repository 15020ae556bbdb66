"""Training for the objectives of Stanojević & Sima'an (2017): all epochs and the choice among them on the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from numpy.typing import NDArray

from tercet.rankers.joint_data import Examples
from tercet.rankers.joint_objectives import Data, Params, corpus_loss, corpus_score, forward, longest_of, sentence_loss

Objective = Literal["sentence", "corpus", "joint"]
Select = Literal["score", "loss"]
Progress = Callable[[int, NDArray[np.float32]], None]
"""Called with the epochs done and the validation scores up to then."""

_RUN = 10  # epochs of one call: an interruption waits no longer


@dataclass(frozen=True)
class Hyperparameters:
    """What section 3 of the paper sets."""

    objective: Objective
    alpha: float
    epochs: int
    batch: int
    learning_rate: float
    l2: float
    select: Select
    seed: int

    @property
    def weights(self) -> tuple[float, float]:
        """Of the losses of sentences and of corpora."""
        return {"sentence": (1.0, 0.0), "corpus": (0.0, 1.0), "joint": (self.alpha, 1 - self.alpha)}[self.objective]

    @property
    def form(self) -> Form:
        """What is compiled."""
        of_sentences, of_corpora = self.weights
        return Form(of_sentences > 0, of_corpora > 0, self.select)

    @property
    def numbers(self) -> Numbers:
        """What one compilation serves any values of."""
        return Numbers(*map(jnp.float32, (*self.weights, self.learning_rate, self.l2)))


class Form(NamedTuple):
    """Which losses there are, and what epochs are chosen by."""

    sentences: bool
    corpora: bool
    select: Select


class Numbers(NamedTuple):
    """The weights of the losses, the learning rate and the strength of L2."""

    of_sentences: jax.Array
    of_corpora: jax.Array
    learning_rate: jax.Array
    l2: jax.Array


class Found(NamedTuple):
    """The best epoch's parameters and how the validation went."""

    params: dict[str, NDArray[np.float32]]
    best_epoch: int
    scores: NDArray[np.float32]
    """(epochs,): by which the best was chosen"""
    interrupted: bool


def initial(features: int, hidden: int, seed: int) -> Params:
    """A linear part of zeros; hidden nodes drawn uniformly as Glorot & Bengio (2010) have it."""
    random = np.random.default_rng(seed)
    limits = np.sqrt(6 / (features + max(hidden, 1))), np.sqrt(6 / (hidden + 1))
    drawn = {
        "linear": np.zeros(features),
        "bias": np.zeros(()),
        "hidden": random.uniform(-limits[0], limits[0], (features, hidden)),
        "hidden_bias": np.zeros(hidden),
        "output": random.uniform(-limits[1], limits[1], hidden),
    }
    return {name: jnp.asarray(value, jnp.float32) for name, value in drawn.items()}


def train(
    options: Hyperparameters, hidden: int, training: Examples, validation: Examples, progress: Progress | None = None
) -> Found:
    """Trains for all epochs and gives the one that did best on the validation data, the first of equals."""
    data, held = Data.of(training, linear=hidden == 0), Data.of(validation)
    params = initial(training.rows.shape[1], hidden, options.seed)
    longest, longest_held = longest_of(training), longest_of(validation)
    texts = len(validation.texts)
    memory = optax.adam(1.0).init(params)  # of any rate
    state = (params, memory, params, jnp.float32(-jnp.inf), jnp.int32(0))
    scores: list[NDArray[np.float32]] = []
    done, interrupted = 0, False
    try:
        while done < options.epochs:
            run = np.arange(done, min(done + _RUN, options.epochs))
            orders = [_order(options, training, int(epoch)) for epoch in run]
            drawn = run, np.stack([order for order, _ in orders]), np.stack([pairs for _, pairs in orders])
            found, some = _epochs(options.form, longest, longest_held, texts, options.numbers, state, data, held, drawn)
            some = np.asarray(some)
            state, done = found, int(run[-1]) + 1
            scores.append(some)
            if progress:
                progress(done, np.concatenate(scores))
    except KeyboardInterrupt:
        interrupted = True
    best = {name: np.asarray(value) for name, value in state[2].items()}
    every = np.concatenate(scores) if scores else np.zeros(0, np.float32)
    return Found(best, int(state[4]), every, interrupted)


def _order(options: Hyperparameters, training: Examples, epoch: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What each step of an epoch takes: (steps, batch) pairs of sentences, and (steps,) pairs of corpora.

    An epoch has every pair of sentences once, with a random pair of corpora in each step; with corpora alone it has
    every pair of corpora once. Drawn on the host, where shuffling is many times faster than in XLA.
    """
    random = np.random.default_rng([options.seed, epoch])
    pairs, corpora = len(training.sentences.better), len(training.corpora.pairs()[0])
    if options.weights[0]:
        steps = -(-pairs // options.batch)
        order = np.resize(random.permutation(pairs), (steps, min(options.batch, pairs)))  # the last batch is full too
        chosen = random.integers(0, max(corpora, 1), steps)
    else:
        order, chosen = np.zeros((corpora, 1), np.int64), random.permutation(corpora)
    return order.astype(np.int32), chosen.astype(np.int32)


def measured(params: dict[str, NDArray[np.float32]], examples: Examples) -> tuple[float, float]:
    """What sentences and corpora are ordered well by: the mean tau, and the mean Pearson's r, over texts."""
    held, longest, texts = Data.of(examples), longest_of(examples), len(examples.texts)
    scores = forward({name: jnp.asarray(value) for name, value in params.items()}, held.rows)
    tau = _mean_tau(scores[held.better] > scores[held.worse], held.sentence_text, texts)
    corpora = [corpus_score(params, held, jnp.int32(i), longest) for i in range(len(held.start))]  # type: ignore[arg-type]
    r = _mean_pearson(jnp.stack(corpora), held.human, held.corpus_text, texts) if corpora else float("nan")
    return float(tau), float(r)


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _epochs(
    form: Form,
    longest: int,
    longest_held: int,
    texts: int,
    numbers: Numbers,
    state: Any,
    data: Data,
    held: Data,
    drawn: Any,
) -> tuple[Any, jax.Array]:
    adam = optax.adam(numbers.learning_rate)

    def loss(params: Params, sentences: jax.Array, pair: jax.Array) -> jax.Array:
        total: jax.Array = jnp.zeros(())
        for name in ("linear", "hidden", "output"):
            total += numbers.l2 * jnp.sum(params[name] ** 2)
        if form.sentences and len(data.differences):
            total += numbers.of_sentences * sentence_loss(
                data.differences[sentences] @ params["linear"], jnp.float32(0)
            )
        elif form.sentences:
            better, worse = (forward(params, data.rows[side[sentences]]) for side in (data.better, data.worse))
            total += numbers.of_sentences * sentence_loss(better, worse)
        if form.corpora:
            sides = (data.corpus_better[pair], data.corpus_worse[pair])
            scores = [corpus_score(params, data, side, longest) for side in sides]
            total += numbers.of_corpora * corpus_loss(scores[0], scores[1], data.margin[pair])
        return total

    def step(carry: tuple[Params, Any], drawn: tuple[jax.Array, jax.Array]) -> tuple[tuple[Params, Any], None]:
        params, memory = carry
        slopes = jax.grad(loss)(params, *drawn)
        updates, memory = adam.update(slopes, memory, params)
        return (optax.apply_updates(params, updates), memory), None

    def epoch(carry: Any, drawn: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[Any, jax.Array]:
        params, memory, best, best_score, best_epoch = carry
        number, order, pairs = drawn
        (params, memory), _ = lax.scan(step, (params, memory), (order, pairs))
        score = validation_score(form, numbers, longest_held, texts, params, held)
        better = score > best_score
        best = {name: jnp.where(better, params[name], best[name]) for name in params}
        chosen = jnp.where(better, number + 1, best_epoch).astype(jnp.int32)
        return (params, memory, best, jnp.where(better, score, best_score), chosen), score

    return lax.scan(epoch, state, drawn)


def validation_score(form: Form, numbers: Numbers, longest: int, texts: int, params: Params, held: Data) -> jax.Array:
    """What the objective is good for, on validation data: the mean over texts of tau, of Pearson's r, or both by α."""
    total: jax.Array = jnp.zeros(())
    if form.sentences:
        scores = forward(params, held.rows)
        better, worse = scores[held.better], scores[held.worse]
        if form.select == "loss":
            total -= numbers.of_sentences * sentence_loss(better, worse)
        else:
            total += numbers.of_sentences * _mean_tau(better > worse, held.sentence_text, texts)
    if form.corpora:
        scores = lax.map(lambda corpus: corpus_score(params, held, corpus, longest), jnp.arange(len(held.start)))
        if form.select == "loss":
            sides = scores[held.corpus_better], scores[held.corpus_worse]
            total -= numbers.of_corpora * corpus_loss(*sides, held.margin).mean()
        else:
            total += numbers.of_corpora * _mean_pearson(scores, held.human, held.corpus_text, texts)
    return total


def _mean_tau(concordant: jax.Array, text: jax.Array, texts: int) -> jax.Array:
    """Strict tau of each text, and their mean over the texts that have pairs."""
    number = jnp.zeros(texts).at[text].add(1)
    right = jnp.zeros(texts).at[text].add(concordant)
    taus = 2 * right / jnp.maximum(number, 1) - 1
    return jnp.sum(jnp.where(number > 0, taus, 0)) / jnp.maximum(jnp.sum(number > 0), 1)


def _mean_pearson(scores: jax.Array, human: jax.Array, text: jax.Array, texts: int) -> jax.Array:
    """Pearson's r over the corpora of each text that has three or more, and its mean over these texts."""
    number = jnp.zeros(texts).at[text].add(1)

    def centred(values: jax.Array) -> jax.Array:
        return values - (jnp.zeros(texts).at[text].add(values) / jnp.maximum(number, 1))[text]

    x, y = centred(scores), centred(human)
    both, xx, yy = (jnp.zeros(texts).at[text].add(product) for product in (x * y, x * x, y * y))
    below = jnp.sqrt(xx * yy)
    values = jnp.where(below > 0, both / jnp.where(below > 0, below, 1), 0)
    used = number >= 3
    return jnp.sum(jnp.where(used, values, 0)) / jnp.maximum(jnp.sum(used), 1)
