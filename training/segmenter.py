"""Discourse units: `python -m training.segmenter --data DIR` trains, judges and writes clauses.npz and segmenter.npz.

It needs the weights of the tagger and the chunker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.language import sequence
from tercet.language.clauses import CONTEXT, context
from tercet.language.sequence import Integers, Labeller
from training import rst, tagger
from training.arguments import parse, show
from training.card import card
from training.clauses import clause_labels
from training.corpora import Sentence, brown, english, treebank
from training.lexicon import word_classes
from training.noise import Layers, lowercase, untranslated, with_noise, without_punctuation
from training.perceptron import Examples, Trained, average, save, train

FOLDS, SEEDS, NOISE = 4, 6, 0.15
NAMES = {"w": "lower", "t": "column0", "c": "column1", "clause": f"column{2 + len(CONTEXT)}"} | {
    name: f"column{i + 2}"
    for i, name in enumerate(("verb", "vtag", "next", "before", "after", "ahead", "behind", "far", "since"))
}


def templates(text: str) -> tuple[str, ...]:
    """Templates from a short form: `w0 t-1, verb` is lower[0] column0[-1], and the column of the last verb."""

    def part(short: str) -> str:
        name = short.rstrip("-0123456789")
        return f"{NAMES[name]}[{short[len(name) :] or 0}]"

    return tuple(" ".join(map(part, item.split())) for item in text.split(","))


WORDS = templates(
    ",w0,w-1,w1,w2,w-2,w-1 w0,w0 w1,w-1 w0 w1,t0,t-1,t1,t2,t-2,t-1 t0,t0 t1,t1 t2,t-1 t0 t1,t0 t1 t2,t-2 t-1 t0,"
    "t-2 t-1,c0,c-1,c1,c-1 c0,c0 c1,c-1 c0 c1,w0 c0,w0 t1,w0 t-1,w-1 t0,w-1 t0 t1,w0 t1 t2"
)
CONTEXTS = templates(
    "vtag,next,before after,vtag next,t0 vtag,t0 next,w0 next,w0 vtag,w0 vtag next,t-1 t0 next,t-1 t0 vtag,w-1 t0 next,"
    "w-1 t0 vtag next,t0 before after,w0 before after,w-1 before after,t-1 t0 vtag next,verb,verb w0,verb t0,verb w-1,"
    "verb t0 t1,verb w0 next,far w0,far t0 next,far t0 t-1,ahead,ahead w0,ahead t0,ahead w-1,ahead t-1,ahead vtag,"
    "ahead vtag t-1,behind,behind w0,behind ahead,behind t0,w0 since,t0 since,t0 since next,verb w0 since,w0 w1 vtag,"
    "w-1 w0 next,w-1 ahead after,w0 after next"
)
CLAUSES = templates(
    "clause0,clause0 w0,clause0 w-1,clause0 verb,clause0 t0,clause0 t-1,clause0 vtag next,clause1,clause-1,"
    "clause0 clause1,clause0 ahead,clause0 behind,clause0 before after,clause0 verb w0,clause1 w0,clause1 t0,"
    "clause-1 w0,clause-1 clause0 t0"
)


@dataclass
class Layered:
    """Sentences with clause labels and boundaries, and the columns that a model reads."""

    layers: list[Layers]  # words, tags, clauses, boundaries
    columns: list[Integers]

    @property
    def words(self) -> list[tuple[str, ...]]:
        return [layers[0] for layers in self.layers]

    def flat(self, layer: int) -> list[str]:
        return [label for layers in self.layers for label in layers[layer]]

    def __add__(self, other: Layered) -> Layered:
        joined = [np.concatenate(pair) for pair in zip(self.columns, other.columns, strict=True)]
        return Layered(self.layers + other.layers, joined)


def layers_of(sentence: Sentence, starts: Sequence[int] = ()) -> Layers:
    """Words, gold tags, clause labels, boundaries (B where a unit starts)."""
    assert sentence.tree is not None
    boundaries = tuple("B" if i in starts else "I" for i in range(len(sentence.words)))
    return [sentence.words, sentence.tags, clause_labels(sentence.tree), boundaries]


def analysed(layers: list[Layers], tagger_: Labeller, chunker: Labeller) -> Layered:
    """Sentences with the columns that the package's own tagger and chunker give them."""
    words = [item[0] for item in layers]
    tags = tagger_.label(words)
    chunks = chunker.label(words, [tags])
    around = context(words, tags, chunks, tag_names=tagger_.labels, chunk_names=chunker.labels)
    return Layered(layers, [tags, chunks, *around])


def fit_clauses(data: Layered, kept: frozenset[str]) -> Trained:
    """The model of where clauses start."""
    gold = [simple(label, kept) for label in data.flat(2)]
    return train(
        Examples(data.words, gold, data.columns),
        WORDS + CONTEXTS,
        columns=("tag", "chunk", *CONTEXT),
        epochs=6,
        cutoff=2,
        prune=0.05,
    )


def simple(label: str, kept: frozenset[str]) -> str:
    """A clause label, or its nearest among the frequent ones."""
    if label in kept:
        return label
    kind, above = label.split("<")
    short = f"{kind.split('-')[0]}<{above}"
    return short if short in kept else "S<VP"


def fit_segmenter(data: Layered, *, seeds: int = SEEDS) -> Trained:
    """The segmenter: the mean of models that saw the sentences in different orders."""
    models = [
        train(
            Examples(data.words, data.flat(3), data.columns),
            WORDS + CONTEXTS + CLAUSES,
            columns=("tag", "chunk", *CONTEXT, "clause"),
            epochs=8,
            cutoff=2,
            seed=seed,
        )
        for seed in range(seeds)
    ]
    return average(models, prune=0.1, bias={"B": 1.0})


def with_clauses(data: Layered, model: Labeller) -> Layered:
    """The same with the column of clause labels."""
    return Layered(data.layers, [*data.columns, model.label(data.words, data.columns)])


def segmented(
    items: list[Layers], tagger_: Labeller, chunker: Labeller, clauses: Labeller, segmenter: Labeller
) -> tuple[Layered, list[str]]:
    """Sentences with all columns, and B or I for every token."""
    data = with_clauses(analysed(items, tagger_, chunker), clauses)
    return data, segmenter.names(segmenter.label(data.words, data.columns))


def boundary_scores(found: Sequence[str], data: Layered) -> tuple[float, float, float]:
    """Precision, recall and F1 of the boundaries inside of sentences, in per cent."""
    inside = np.concatenate([np.arange(len(words)) > 0 for words in data.words])
    given = (np.array(found) == "B") & inside
    gold = (np.array(data.flat(3)) == "B") & inside
    right = (given & gold).sum()
    return 100 * right / given.sum(), 100 * right / gold.sum(), 200 * right / (given.sum() + gold.sum())


def repaired(layers: Layers) -> Layers:
    """A sentence starts with a unit, also when its first token was taken out."""
    return [*layers[:3], ("B", *layers[3][1:])]


def discourse_layers(folder: Path, parts: Iterable[str]) -> list[Layers]:
    """The sentences of parts of GUM, with everything."""
    return [layers_of(item.sentence, item.starts) for part in parts for item in rst.part(folder, part)]


def figures(
    segment: Callable[[list[Layers]], tuple[Layered, list[str]]], held_out: list[Layers], part: str
) -> dict[str, str]:
    """Scores on a held-out part, clean and spoilt."""
    result = {}
    data, found = segment(held_out)
    precision, recall, f1 = boundary_scores(found, data)
    result[f"GUM {part}, boundaries inside of sentences, F1"] = f"{f1:.2f}"
    result[f"GUM {part}, precision and recall"] = f"{precision:.2f} and {recall:.2f}"
    for noise in (lowercase, without_punctuation, untranslated):
        data, found = segment([repaired(noise(layers, Random(i))) for i, layers in enumerate(held_out)])
        result[f"GUM {part}, {noise.__name__.replace('_', ' ')}, F1"] = f"{boundary_scores(found, data)[2]:.2f}"
    return result


@dataclass(frozen=True)
class Prepared:
    """Training sentences with columns from models that have not seen them, and the model of clauses that ships."""

    data: Layered
    clauses: Trained


def prepare(folder: Path, parts: Sequence[str], tagger_: Labeller, chunker: Labeller, *, noise: float) -> Prepared:
    """Sentences of GUM in folds: what a column is worth in use is what is learned from it here."""
    lexicon: dict[str, NDArray[Any]] = word_classes(brown(folder))
    gum = discourse_layers(folder, parts)
    wsj_train = [layers_of(sentence) for sentence in treebank(folder, "train")]
    wsj = wsj_train + [layers_of(sentence) for part in ("dev", "test") for sentence in treebank(folder, part)]
    counts = Counter(label for layers in [*wsj, *gum] for label in layers[2])
    kept = frozenset(label for label, count in counts.items() if count >= 40)
    tagged: list[Layered] = []
    edges = [len(gum) * fold // FOLDS for fold in range(FOLDS + 1)]
    for first, last in pairwise(edges):
        seen = [layers[:2] for layers in wsj_train + gum[:first] + gum[last:]]
        spoilt = [repaired(layers) for layers in with_noise(gum[first:last], noise)]
        tagged.append(analysed(spoilt, tagger.fit(seen, lexicon).labeller(), chunker))
    news = analysed(wsj, tagger_, chunker)
    folds = [
        with_clauses(fold, fit_clauses(sum(tagged[:k] + tagged[k + 1 :], news), kept).labeller())
        for k, fold in enumerate(tagged)
    ]
    return Prepared(sum(folds[1:], folds[0]), fit_clauses(sum(tagged, news), kept))


def main() -> None:
    arguments = parse("segmenter")
    folder = english(arguments.data)
    shipped_tagger, chunker = sequence.load("tagger", arguments.output), sequence.load("chunker", arguments.output)
    parts = ("train",) if arguments.part == "dev" else ("train", "dev", "test2")
    prepared = prepare(folder, parts, shipped_tagger, chunker, noise=NOISE)
    clauses, segmenter = prepared.clauses, fit_segmenter(prepared.data)

    def segment(items: list[Layers]) -> tuple[Layered, list[str]]:
        return segmented(items, shipped_tagger, chunker, clauses.labeller(), segmenter.labeller())

    measured = figures(segment, discourse_layers(folder, [arguments.part]), arguments.part)
    show(measured)
    command = f"python -m training.segmenter --data DIR --part {arguments.part}"
    method = (
        "Averaged structured perceptron, first-order Viterbi. Beside the words it reads the tags, the chunks, and what "
        "verbs and chunks stand around a token"
    )
    data = {
        "GUM": f"{', '.join(parts)} to train, {arguments.part} to test.",
        "treebank": "all of it, for where clauses start.",
    }
    save(
        "clauses",
        clauses,
        card(
            "clauses: where clauses start",
            "Gives every token the outermost clause that starts with it and what that hangs on (SBAR-ADV<VP), or O. "
            "The segmenter reads it.",
            command=command,
            method=f"{method}. Labels come from constituency trees.",
            data=data,
            figures=measured,
        ),
        arguments.output,
    )
    save(
        "segmenter",
        segmenter,
        card(
            "segmenter: elementary discourse units",
            "Says with which tokens of an English sentence elementary discourse units start.",
            command=command,
            method=f"{method}, and the labels of `clauses`. The mean of {SEEDS} models; {NOISE:.0%} of the sentences "
            f"are seen a second time in spoilt form. Columns of the training sentences come from models of the other "
            f"{FOLDS - 1} of {FOLDS} folds.",
            data=data,
            figures=measured,
        ),
        arguments.output,
    )


if __name__ == "__main__":
    main()
