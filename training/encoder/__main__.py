"""`python -m training.encoder RECIPE --data DIR -o FILE`: teaches the encoder what people preferred.

FILE holds low-rank adapters. With `folds` in the recipe it trains once for each fold, and writes FILE with `-1`, `-2`
and so on before its ending. With --work a training that was stopped, by hand or by --minutes, goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

# One thread: the same numbers whatever the machine, and no threads that wait for each other on two cores.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax.numpy as jnp
import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError, TercetError
from tercet.language import minilm
from tercet.language.encoder import Encoder
from tercet.language.minilm import Adapters, read_adapters, write_adapters
from tercet.rankers.judged_data import folds, hold_out, read_judged_folder, sha256
from training.encoder import bert
from training.encoder.agreement import fitted_mix, pearson, tau
from training.encoder.data import Judged, judged_units
from training.encoder.recipe import Recipe, read_recipe
from training.encoder.training import Published, Trainer, training_key

RANK_OF_WHOLE = 64  # of what is kept where all weights were trained
EVERY = 100  # steps between lines of progress, and between saved states
BEGIN = (5.0, 10.0, 0.0)  # precision, recall and cosine before the mix is fitted; close to what it comes to


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.encoder", description=__doc__)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the recipe's folders")
    parser.add_argument("-o", "--output", type=Path, required=True, help="FILE.safetensors for the adapters")
    parser.add_argument("--work", type=Path, help="folder for the state of the training")
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so long; --work lets it go on")
    parser.add_argument("--fold", type=int, help="only this fold, counted from 1")
    arguments = parser.parse_args()
    try:
        done = run(read_recipe(arguments.recipe), arguments, monotonic() + 60 * arguments.minutes)
    except TercetError as error:
        sys.exit(f"error: {error}")
    if not done:
        sys.exit("stopped before the end" + ("; the same command goes on" if arguments.work else ""))


def run(recipe: Recipe, arguments: Any, deadline: float) -> bool:
    """Trains what is not there yet; False where time ran out."""
    judged = read_all(recipe, arguments.data)
    for number, (rest, _) in enumerate(parts(recipe, judged), 1):
        if recipe.folds and arguments.fold not in (None, number):
            continue
        output = arguments.output if not recipe.folds else fold_file(arguments.output, number)
        if not output.is_file() and not train(recipe, rest, output, arguments.work, deadline):
            return False
    return True


def read_all(recipe: Recipe, data: Path) -> list[JudgedTexts]:
    """The judged texts of the recipe's folders that are in English."""
    found = [one for folder in recipe.train for one in read_judged_folder(data / folder.folder, folder.pairs)]
    english = [one for one in found if one.pair.endswith("-en")]
    if not english:
        raise OptionError("none of the recipe's folders holds judged translations into English")
    return english


def parts(recipe: Recipe, judged: list[JudgedTexts]) -> Any:
    """What is learned from and what is left out, of each training."""
    return folds(judged, recipe.folds, recipe.split_seed) if recipe.folds else [(judged, [])]


def fold_file(file: Path, number: int) -> Path:
    """Where the adapters of a fold are."""
    return file.with_stem(f"{file.stem}-{number}")


def train(recipe: Recipe, judged: list[JudgedTexts], output: Path, work: Path | None, deadline: float) -> bool:
    """One training, from data to adapters; False where time ran out."""
    held: list[JudgedTexts] = []
    if recipe.validation:
        judged, held = hold_out(judged, recipe.validation, recipe.split_seed)
    start = read_adapters(output.parent / recipe.start) if recipe.start else None
    trainer = Trainer(published(start), recipe.options)
    if start is not None:
        begin_from(trainer, start)
    read = tokenizer()
    units = judged_units(judged, read, assessments=recipe.options.losses.assessments)
    watched = judged_units(held, read) if held else None
    begun = minilm.adapters_identity(str(output.parent / recipe.start)) if recipe.start else ""
    key = training_key(recipe.options, sha256(judged), begun)
    state = None if work is None else work / f"{output.stem}.state.safetensors"
    if state is not None:
        state.parent.mkdir(parents=True, exist_ok=True)
    if state is None or not trainer.resume(state, key):
        if start is None:
            few = some(units)
            trainer.state.trainable["mix"] = jnp.asarray(fitted_mix(few, trainer.measure(few)))
        if watched is not None:
            say(output, f"step 0: {agreement(trainer, watched)}")
    say(output, f"{len(units.units)} references to learn from, {units.left_out} too long")
    recent: list[float] = []
    for step, loss in trainer.run(units):
        recent.append(loss)
        late = monotonic() > deadline
        if step % EVERY == 0 or step == recipe.options.steps or late:
            line = f"step {step} of {recipe.options.steps}: loss {np.mean(recent):.4f}"
            watch = watched is not None and not late
            say(output, line + (f", {agreement(trainer, watched)}" if watch else ""))
            recent = []
            if state is not None:
                trainer.save(state, key)
        if late and step < recipe.options.steps:
            return False
    write(output, trainer)
    return True


def published(start: Adapters | None) -> Published:
    """The installed encoder."""
    from tercet import resources

    weights = bert.read_parameters(resources.find(minilm.NAME, "model.safetensors"))
    mix = BEGIN if start is None else start.mix
    return Published(weights, bert.Shape.read(resources.find(minilm.NAME, "config.json")), np.array(mix, np.float32))


def tokenizer() -> Any:
    """The encoder's own."""
    return Encoder()._tokenizer


def begin_from(trainer: Trainer, start: Adapters) -> None:
    """Goes on from adapters of the same form."""
    weights = trainer.state.trainable["weights"]
    if {name: one.shape for name, one in weights.items()} != {name: one.shape for name, one in start.arrays.items()}:
        raise OptionError("the adapters to start from have another rank or other layers than the recipe says")
    scale = start.scale / trainer.options.scale
    trainer.state.trainable["weights"] = {
        name: jnp.asarray(one * (scale if name.endswith(".up") else 1.0)) for name, one in start.arrays.items()
    }


def write(output: Path, trainer: Trainer) -> None:
    """The adapters that were trained, or where all weights were, the low-rank matrices nearest to what changed."""
    mix = tuple(float(one) for one in trainer.state.trainable["mix"])
    if trainer.options.rank:
        arrays, scale = bert.to_numpy(trainer.state.trainable["weights"]), trainer.options.scale
    else:
        arrays, scale = bert.nearest_low_rank(trainer.published.parameters, trainer.merged(), RANK_OF_WHOLE), 1.0
    write_adapters(output, Adapters(arrays, scale, mix))
    say(output, f"written, {output.stat().st_size / 1e6:.2f} MB, mix {' '.join(f'{one:.2f}' for one in mix)}")


def some(units: Judged) -> Judged:
    """A few hundred units, which are enough to fit three numbers."""
    return replace(units, units=units.units[:: max(1, len(units.units) // 300)])


def agreement(trainer: Trainer, units: Judged) -> str:
    """Strict tau × 100 and the mean Pearson of what is held out."""
    scores = trainer.scores(units)
    found = {"tau": 100 * tau(units, scores), "Pearson": pearson(units, scores)}
    return "held-out " + ", ".join(f"{name} {value:.3f}" for name, value in found.items() if not np.isnan(value))


def say(output: Path, line: str) -> None:
    print(f"{output.stem}: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
