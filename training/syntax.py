"""Sentence vectors: `python -m training.syntax --data DIR` trains, judges and writes syntax.npz.

It needs the weights of the tagger and the chunker. `--work FOLDER` keeps the prepared data and the state of the
training there: the command goes on from where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tercet.language.pipeline import EnglishPipeline
from tercet.language.sequence import MODELS
from tercet.language.syntax import SyntaxNetwork, Vocabulary
from training.arguments import show
from training.card import card
from training.corpora import english
from training.corruption import NAMES, Forms, Word
from training.syntax_data import (
    HEAVY,
    HELD_OUT,
    LIGHT,
    SUFFIXES,
    Triples,
    backups,
    held_out_text,
    tagged,
    training_text,
    triples,
    usable,
    vocabulary,
)
from training.syntax_network import UNITS, WEIGHTS, cost, initial

EPOCHS, STEPS = 2, 1060  # the rate falls over the epochs; the weights that ship were stopped on the way
ROUNDS, BATCH, RATE, FORGOTTEN, SEED = 2, 64, 3e-3, 0.08, 11
AVERAGED = 0.999  # the weights that are kept are a running mean
_GROUPS = ("NN NNS", "NNP NNPS", "VBD VBP VBZ MD", "VB VBG VBN", "JJ JJR JJS", "RB RBR RBS", "DT PDT WDT", "IN TO RP",
           "PRP PRP$ WP WP$", "CC", "CD", ", . : `` ''")  # fmt: skip
_KEPT = ("word", "tag", "chunk", "layer", "vector", "real")


class Data:
    """Prepared data in a folder: vocabulary, forms of words, rounds of triples, held-out triples."""

    def __init__(self, folder: Path, work: Path, pipeline: EnglishPipeline) -> None:
        self.work, self.pipeline = work, pipeline
        work.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        if not (work / "vocabulary.npz").is_file():
            known = vocabulary(self._sentences)
            np.savez(
                work / "vocabulary.npz",
                keys=known.keys,
                backups=backups(self._sentences, known),
                texts=len(self._sentences),
            )
        with np.load(work / "vocabulary.npz", allow_pickle=False) as file:
            self.known = Vocabulary(file["keys"], SUFFIXES)
            self.backups, self.texts = file["backups"], int(file["texts"])

    @cached_property
    def _sentences(self) -> list[tuple[str, ...]]:
        return usable(training_text(self._folder))

    @cached_property
    def _tagged(self) -> tuple[list[list[Word]], Forms]:
        sentences = tagged(self._sentences, self.pipeline)
        pairs = (([word[0] for word in words], [word[1] for word in words]) for words in sentences)
        return sentences, Forms.of(pairs)

    def round(self, number: int) -> Triples:
        """All training sentences with the errors of one round."""
        path = self.work / f"round{number}.npz"
        if not path.is_file():
            sentences, forms = self._tagged
            triples(sentences, forms, self.known, self.pipeline, seed=number).save(path)
        return Triples.read(path)

    @cached_property
    def held_out(self) -> dict[str, Triples]:
        """Sentences that nothing was trained on."""
        paths = {name: self.work / f"{name.replace(' ', '-')}.npz" for name in HELD_OUT}
        if not all(path.is_file() for path in paths.values()):
            for name, sentences in held_out_text(self._folder).items():
                words = tagged(usable(sentences), self.pipeline)
                triples(words, self._tagged[1], self.known, self.pipeline, seed=-1).save(paths[name])
        return {name: Triples.read(path) for name, path in paths.items()}

    def profiles(self, data: Triples) -> np.ndarray:
        """Shares of classes of words, and the length: what a vector shall keep of a sentence beside its errors."""
        labels = self.pipeline.tagger.labels
        group = np.full(len(labels), len(_GROUPS))
        for number, names in enumerate(_GROUPS):
            group[[labels.index(name) for name in names.split() if name in labels]] = number
        ends = data.columns.ends
        sizes = np.diff(ends, prepend=0)
        owner = np.repeat(np.arange(len(ends)), sizes)
        width = len(_GROUPS) + 1
        counts = np.bincount(owner * width + group[data.columns.tags], minlength=len(ends) * width)
        counts = counts.reshape(len(ends), width)[:, :-1] / sizes[:, None]
        found = np.concatenate([counts, np.log1p(sizes)[:, None] / 4], axis=1)
        return ((found - found.mean(0)) / found.std(0)).astype(np.float32)


def batches(
    data: Triples, profiles: np.ndarray, random: np.random.Generator, backup: np.ndarray
) -> Iterator[dict[str, np.ndarray]]:
    """Batches of sentences of about the same length, padded to a multiple of sixteen words."""
    columns, sizes = data.columns, np.diff(data.columns.ends, prepend=0)
    longest = sizes.reshape(-1, 3).max(axis=1)
    order = np.argsort(longest + random.uniform(-1, 1, len(longest)), kind="stable")
    groups = [order[start : start + BATCH] for start in range(0, len(order) - BATCH + 1, BATCH)]
    starts = columns.ends - sizes
    for number in random.permutation(len(groups)):
        rows = (3 * groups[number][None] + np.arange(3)[:, None]).ravel()  # originals, first copies, second copies
        size = sizes[rows]
        time = np.arange(-(-size.max() // 16) * 16)[:, None]
        places = np.where(time < size, starts[rows] + time, 0)
        words = columns.words[places]
        words = np.where(random.random(words.shape) < FORGOTTEN, backup[words], words)
        yield {
            "size": size,
            "words": words,
            "tags": columns.tags[places].astype(np.int32),
            "chunks": columns.chunks[places].astype(np.int32),
            "errors": data.errors[places].astype(np.float32),
            "kinds": data.kinds[rows].astype(np.float32),
            "profile": profiles[rows],
        }


def train(
    data: Data,
    *,
    epochs: int,
    rounds: int,
    units: int,
    steps: int | None = None,
    minutes: float | None = None,
    seed: int = SEED,
) -> tuple[dict[str, np.ndarray], int]:
    """The weights and the number of steps after all epochs, or after some steps or minutes.

    The state is kept in the data's folder, and a later call goes on from there.
    """
    labels = data.pipeline.tagger.labels, data.pipeline.chunker.labels
    size = len(data.known.keys) + SUFFIXES
    params = initial(size, *map(len, labels), len(NAMES), len(_GROUPS) + 1, seed=seed, units=units)
    an_epoch = data.texts // BATCH
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0), optax.adam(optax.cosine_decay_schedule(RATE, epochs * an_epoch, alpha=0.02))
    )
    state = (params, optimizer.init(params), jax.tree.map(jnp.copy, params))
    step = 0
    if (path := data.work / "state.npz").is_file():
        leaves, form = jax.tree.flatten(state)
        with np.load(path, allow_pickle=False) as file:
            state = jax.tree.unflatten(form, [jnp.asarray(file[f"{i}"]) for i in range(len(leaves))])
            step = int(file["step"])

    @partial(jax.jit, donate_argnums=0)
    def update(state: Any, batch: Any, step: Any) -> Any:
        params, moments, mean = state
        (_, parts), slopes = jax.value_and_grad(cost, has_aux=True)(params, batch, WEIGHTS)
        changes, moments = optimizer.update(slopes, moments)
        params = optax.apply_updates(params, changes)
        kept = jnp.minimum(AVERAGED, (1 + step) / (10 + step))
        mean = jax.tree.map(lambda old, new: kept * old + (1 - kept) * new, mean, params)
        return (params, moments, mean), parts

    started, late, last = monotonic(), False, min(steps or epochs * an_epoch, epochs * an_epoch)
    while step < last and not late:
        epoch, seen = step // an_epoch, []
        part = data.round(epoch % rounds)
        every = batches(part, data.profiles(part), np.random.default_rng([seed, epoch]), data.backups)
        for batch in islice(every, step % an_epoch, an_epoch):
            state, parts = update(state, batch, step)
            step += 1
            if step % 20 == 0:
                seen.append(np.asarray(parts))
                late = minutes is not None and monotonic() - started > 60 * minutes
            late = late or step == last
            if step % 400 == 0:
                print(f"epoch {epoch}, step {step}: {np.mean(seen[-20:], axis=0).round(3)}", flush=True)
            if late:
                break
        kept = {f"{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(state))}
        np.savez(path, step=step, **kept)
        for name, triple in data.held_out.items():
            print(f"step {step}, {name}: {accuracies(network_of(state[2], data), triple)}", flush=True)
    return {name: np.asarray(array) for name, array in state[2].items()}, step


def network_of(params: Any, data: Data) -> SyntaxNetwork:
    """The network for use, with the weights as they are saved."""
    kept = {name: np.asarray(array) for name, array in params.items() if name.split(".")[0].rstrip("01") in _KEPT}
    rounded = {name: array.astype(np.float16).astype(np.float32) for name, array in kept.items()}
    return SyntaxNetwork(rounded, data.known, data.pipeline.tagger.labels, data.pipeline.chunker.labels)


def accuracies(network: SyntaxNetwork, data: Triples) -> tuple[float, float, float]:
    """In per cent: originals and first copies told apart one by one; original above first copy; first above second."""
    scores = network.well_formed(network.apply(data.columns)).reshape(-1, 3)
    spoilt = data.kinds.reshape(-1, 3, len(NAMES)).any(axis=2)
    real, light, heavy = scores[spoilt[:, 1] & spoilt[:, 2]].T
    told = (np.mean(real > 0) + np.mean(light < 0)) / 2
    return tuple(round(100 * float(one), 2) for one in (told, np.mean(real > light), np.mean(light > heavy)))  # type: ignore[return-value]


def figures(network: SyntaxNetwork, held_out: dict[str, Triples]) -> dict[str, str]:
    """Accuracies on held-out text, and for each kind of error by itself."""
    found = {}
    for name, data in held_out.items():
        told, paired, further = accuracies(network, data)
        found[f"{name}, real or spoilt, one sentence at a time"] = f"{told:.2f} %"
        found[f"{name}, the original above its spoilt copy"] = f"{paired:.2f} %"
        found[f"{name}, the spoilt copy above one with more errors"] = f"{further:.2f} %"
    scores = [network.well_formed(network.apply(data.columns)).reshape(-1, 3) for data in held_out.values()]
    kinds = np.concatenate([data.kinds.reshape(-1, 3, len(NAMES))[:, 1] for data in held_out.values()])
    real, light, _ = np.concatenate(scores).T
    for number, name in enumerate(NAMES):
        chosen = kinds[:, number] & (kinds.sum(axis=1) == 1)
        found[f"the original above a copy with: {name}"] = f"{100 * np.mean((real > light)[chosen]):.2f} %"
    return found


def save(network: SyntaxNetwork, text: str, folder: Path) -> None:
    """Writes syntax.npz, syntax.json and the card syntax.md."""
    folder.mkdir(parents=True, exist_ok=True)
    gaps = np.diff(network.vocabulary.keys.astype(np.int64), prepend=0).astype(np.uint32)
    arrays = {name: array.astype(np.float16) for name, array in network.weights.items()}
    np.savez_compressed(folder / "syntax.npz", word_gaps=gaps, **arrays)
    configuration = {
        "suffixes": network.vocabulary.suffixes,
        "tags": list(network.tags),
        "chunks": list(network.chunks),
    }
    (folder / "syntax.json").write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")
    (folder / "syntax.md").write_text(text, encoding="utf-8")
    print(f"syntax.npz: {(folder / 'syntax.npz').stat().st_size / 1e6:.2f} MB, {len(gaps):,} words")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.syntax")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds english/, or that folder itself")
    parser.add_argument("--output", type=Path, default=MODELS, help="folder for the weights (default: the package's)")
    parser.add_argument("--work", type=Path, help="folder for prepared data and the state of the training")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often every sentence is spoilt anew")
    parser.add_argument("--units", type=int, default=UNITS, help="of each direction of each layer")
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="stop after so many, 0 for never (default: %(default)s)"
    )
    parser.add_argument("--minutes", type=float, help="stop after so long; with --work a later call goes on")
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        pipeline = EnglishPipeline()
        data = Data(english(arguments.data), arguments.work or Path(temporary), pipeline)
        names = ("epochs", "rounds", "units", "steps", "minutes")
        params, steps = train(data, **{name: getattr(arguments, name) for name in names})
        network = network_of(params, data)
        measured = figures(network, data.held_out)
    show(measured)
    save(network, _card(data, arguments.units, steps, measured), arguments.output)


def _card(data: Data, units: int, steps: int, measured: dict[str, str]) -> str:
    return card(
        "syntax: how a sentence is built, as 25 numbers",
        "Gives an English sentence a vector that tells well-formed sentences from ill-formed ones, and how well-formed "
        "it is; the feature set `syntax25`.",
        command="python -m training.syntax --data DIR",
        method=f"Two layers of simple recurrent units (Lei et al. 2018), {units} in each direction, over "
        f"embeddings of words ({len(data.known.keys):,}, others by their last three letters), of the tagger's tags and "
        "of the chunker's labels; mean and maximum of the states and the length give 25 tanh nodes. It learns from "
        f"{data.texts:,} sentences and two spoilt copies of each: the first has an error and one more for every "
        f"{LIGHT:.0f} words, the second another and one more for every {HEAVY:.0f}. Kinds of errors: "
        f"{', '.join(NAMES)}. From the vector it has to tell whether people wrote the sentence, which of two copies "
        "has fewer errors, the kinds of errors, and the shares of word classes; from the states, which words are "
        "wrong. Case and punctuation are varied in originals and copies alike. Adam, running mean of the weights, "
        f"{steps:,} steps of {BATCH} sentences with their copies: {steps * BATCH / data.texts:.1f} epochs.",
        data={
            "treebank": "wsj_0001–0150 to train, 0166–0199 to test.",
            "GUM": "the official split.",
            "CoNLL-2000": "train to train, test to test.",
            "Brown": "all of it, to train.",
            "ABC": "all of it, to train.",
            "State of the Union": "all of it, to train.",
        },
        figures=measured,
    )


if __name__ == "__main__":
    main()
