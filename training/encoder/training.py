"""The training itself: AdamW with warm-up over batches of units; the same for the same seed, and resumable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from tercet.errors import InputError, OptionError
from tercet.output import write_bytes
from training.encoder import bert
from training.encoder.data import Batch, Judged, batches
from training.encoder.model import Form, Losses, Trainable, measured
from training.encoder.model import gradient as gradient_of


@dataclass(frozen=True, kw_only=True)
class Options:
    """How the encoder is trained."""

    rank: int = 32  # of the adapters; 0 trains all weights
    scale: float = 1.0  # of what the adapters add
    layers: int = 6  # the uppermost ones, which are trained
    rate: float = 1e-3
    mix_rate: float = 0.05  # of the numbers that mix precision, recall and cosine
    decay: float = 0.01
    warmup: float = 0.1  # part of all steps
    steps: int = 400
    tokens: int = 2048  # places of a batch
    accumulation: int = 1  # batches of a step
    precision: bert.Precision = "bfloat16"  # of the matrices that adapters stand beside; with rank 0 all is float32
    seed: int = 1
    losses: Losses = field(default_factory=Losses)

    def __post_init__(self) -> None:
        for name in ("layers", "steps", "tokens", "accumulation"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}; it is 1 or more")
        if self.rank < 0 or not 0 <= self.warmup <= 1:
            raise OptionError("rank is 0 or more, and warmup between 0 and 1")


@dataclass(frozen=True)
class Published:
    """The encoder as published, and how its scores are mixed before anything is learned."""

    parameters: bert.Parameters
    shape: bert.Shape
    mix: NDArray[np.float32]


@dataclass
class State:
    """Where a training stands."""

    step: int
    trainable: Trainable
    optimizer: Any


class Trainer:
    """Trains on units; `state` is all that changes."""

    def __init__(self, published: Published, options: Options) -> None:
        self.published, self.options = published, options
        if options.layers > published.shape.layers:
            raise OptionError(f"layers is {options.layers}; the encoder has {published.shape.layers}")
        self.form = Form(published.shape, options.rank, options.scale, options.layers, options.losses)
        self._fixed = self.form.fixed(published.parameters, options.precision)
        trainable = {
            "weights": self.form.initial(published.parameters, options.seed),
            "mix": jnp.asarray(published.mix),
            "line": jnp.asarray([1.0, 0.0]),
        }
        optimizer, self._update = _updater(options)
        self.state = State(0, trainable, optimizer.init(trainable))

    def run(self, judged: Judged, until: int | None = None) -> Iterator[tuple[int, float]]:
        """Steps and their losses, up to the last one or to `until`."""
        stop = self.options.steps if until is None else min(until, self.options.steps)
        todo = self._endless(judged, skip=self.state.step * self.options.accumulation)
        while self.state.step < stop:
            total, gradient = 0.0, None
            for _ in range(self.options.accumulation):
                loss, one = gradient_of(self.state.trainable, self._fixed, next(todo), self.form)
                gradient = one if gradient is None else jax.tree.map(jnp.add, gradient, one)
                total += float(loss)
            self.state.trainable, self.state.optimizer = self._update(
                gradient, self.state.optimizer, self.state.trainable
            )
            self.state.step += 1
            if not np.isfinite(total):
                raise InputError(f"the loss is {total} at step {self.state.step}; try a lower rate", file="training")
            yield self.state.step, total / self.options.accumulation

    def measure(self, judged: Judged) -> list[NDArray[np.float32]]:
        """Precision, recall and cosine of the hypotheses of every unit."""
        found: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(judged.units)
        for batch, units in batches(judged, self.options.tokens, None):
            rows, start = np.asarray(measured(self.state.trainable, self._fixed, batch, self.form)), 0
            for i in units:
                size = len(judged.units[i].sequences)
                found[i] = rows[start + 1 : start + size]
                start += size
        return found

    def scores(self, judged: Judged) -> list[NDArray[np.float32]]:
        """The scores of the hypotheses of every unit."""
        mix = np.asarray(self.state.trainable["mix"])
        return [rows @ mix for rows in self.measure(judged)]

    def merged(self) -> bert.Parameters:
        """The weights of the encoder as it is now."""
        return self.form.merged(self.published.parameters, self.state.trainable["weights"])

    def save(self, file: Path, key: str) -> None:
        """The state as safetensors, and beside it what it belongs to as JSON; each whole or not at all."""
        from safetensors.numpy import save

        leaves = jax.tree.leaves((self.state.trainable, self.state.optimizer))
        content = save({f"{i:04}": np.asarray(leaf, order="C") for i, leaf in enumerate(leaves)})
        about = {"step": self.state.step, "key": key, "sha256": hashlib.sha256(content).hexdigest()}
        write_bytes(file, content)
        write_bytes(file.with_suffix(".json"), (json.dumps(about, indent=1) + "\n").encode())

    def resume(self, file: Path, key: str) -> bool:
        """Goes on from a saved state of the same training; False where there is none."""
        from safetensors.numpy import load

        beside = file.with_suffix(".json")
        if not (file.is_file() and beside.is_file()):
            return False
        about, content = json.loads(beside.read_text("utf-8")), file.read_bytes()
        if about["sha256"] != hashlib.sha256(content).hexdigest():
            return False  # it was stopped between the two files
        if about["key"] != key:
            raise InputError("is the state of another training", file=file, remedy="give --work another folder")
        arrays = load(content)
        leaves, tree = jax.tree.flatten((self.state.trainable, self.state.optimizer))
        loaded = [jnp.asarray(arrays[f"{i:04}"], leaf.dtype) for i, leaf in enumerate(leaves)]
        trainable, optimizer = jax.tree.unflatten(tree, loaded)
        self.state = State(about["step"], trainable, optimizer)
        return True

    def _endless(self, judged: Judged, skip: int) -> Iterator[Batch]:
        epoch = 0
        while True:
            random = np.random.default_rng([self.options.seed, epoch])
            for batch, _ in batches(judged, self.options.tokens, random):
                if skip:
                    skip -= 1
                else:
                    yield batch
            epoch += 1


@cache
def _updater(options: Options) -> tuple[Any, Any]:
    """The optimizer, and the compiled step that it takes."""
    optimizer = _optimizer(options)

    @jax.jit
    def update(gradient: Trainable, state: Any, trainable: Trainable) -> tuple[Trainable, Any]:
        gradient = jax.tree.map(lambda one: one / options.accumulation, gradient)
        changes, state = optimizer.update(gradient, state, trainable)
        return optax.apply_updates(trainable, changes), state

    return optimizer, update


def _optimizer(options: Options) -> Any:
    """AdamW for the encoder, warmed up and then lowered to 0; Adam at a rate of its own for the numbers above it."""
    warm = max(1, round(options.warmup * options.steps))

    def schedule(rate: float) -> Any:
        return optax.warmup_cosine_decay_schedule(0.0, rate, warm, max(options.steps, warm + 1))

    weights = optax.chain(
        optax.clip_by_global_norm(1.0), optax.adamw(schedule(options.rate), weight_decay=options.decay)
    )
    few = optax.adam(schedule(options.mix_rate))
    return optax.multi_transform({"weights": weights, "few": few}, {"weights": "weights", "mix": "few", "line": "few"})


def training_key(options: Options, *parts: str) -> str:
    """A hash of all that a training depends on."""
    return hashlib.sha256(json.dumps([asdict(options), *parts], sort_keys=True).encode()).hexdigest()
