"""Discourse units: `python -m training.segmenter --data DIR` trains, judges, and writes clauses, draft and segmenter.

It needs the weights of the tagger and the chunker, and word vectors (`tercet resources install glove-6b-50d`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import resources
from tercet.language import recurrent, sequence
from tercet.language.clauses import CONTEXT
from tercet.language.recurrent import RecurrentNetwork
from tercet.language.sequence import Integers, Labeller
from tercet.language.word_vectors import WordVectors
from training import recurrent as network
from training import tagger
from training.arguments import parse, show
from training.card import card
from training.corpora import brown, english, treebank
from training.layers import Layered, analysed, discourse_layers, layers_of, repaired
from training.lexicon import word_classes
from training.noise import Layers, spoilt_forms, with_noise
from training.perceptron import Examples, Trained, average, save, train
from training.templates import CLAUSES, CONTEXTS, WORDS

FOLDS, NOISE = 4, 0.15
DRAFT_SEEDS, SEEDS = 6, 1
THRESHOLD = -0.2  # log odds from which a unit starts
COLUMNS = ("tag", "chunk", "clause", "draft")  # what the network reads beside the words
VECTORS = "glove-6b-50d"
OPTIONS = network.Options()


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


def fit_draft(data: Layered, *, seeds: int) -> Trained:
    """A first segmentation: the mean of perceptrons that saw the sentences in different orders."""
    examples = Examples(data.words, data.flat(3), data.columns)
    models = [
        train(
            examples,
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


def with_draft(data: Layered, model: Labeller) -> Layered:
    """The same with a column that is 1 where the draft starts a unit."""
    drafted = model.label(data.words, data.columns) == model.labels.index("B")
    return Layered(data.layers, [*data.columns, drafted.astype(np.int32)])


def network_columns(data: Layered) -> list[Integers]:
    """COLUMNS of sentences that have a draft."""
    return [data.columns[0], data.columns[1], data.columns[-2], data.columns[-1]]


def fit_network(data: Layered, sizes: dict[str, int]) -> Trained:
    """The segmenter: networks that read the draft and must also say where clauses start and end."""
    table = WordVectors.read(resources.find(VECTORS, "vectors.npy"), words=resources.find(VECTORS, "words.parquet"))
    others = {}
    for name, layer in (("clause starts", 2), ("clause ends", 4)):
        counts = Counter(data.flat(layer))
        kept = {label: i for i, label in enumerate(label for label, count in counts.items() if count >= 60)}
        others[name] = np.array([kept.get(label, len(kept)) for label in data.flat(layer)], np.int32)
        sizes = sizes | {name: len(kept) + 1}
    task = network.Task(
        data.words,
        dict(zip(COLUMNS, network_columns(data), strict=True)),
        np.array(data.flat(3)) == "B",
        others,
        sizes,
    )
    return network.train(task, network.Words.of(table), seeds=range(SEEDS), options=OPTIONS, threshold=THRESHOLD)


@dataclass(frozen=True)
class Models:
    """Everything that segmentation stands on."""

    tagger: Labeller
    chunker: Labeller
    clauses: Labeller
    draft: Labeller
    segmenter: RecurrentNetwork

    @classmethod
    def load(cls, folder: Path) -> Models:
        """The models of a folder."""
        names = ("tagger", "chunker", "clauses", "draft")
        return cls(*(sequence.load(name, folder) for name in names), recurrent.load("segmenter", folder))

    def first(self, items: list[Layers]) -> tuple[Layered, list[str]]:
        """The same by the draft alone."""
        data = with_clauses(analysed(items, self.tagger, self.chunker), self.clauses)
        return data, np.where(with_draft(data, self.draft).columns[-1] == 1, "B", "I").tolist()

    def segment(self, items: list[Layers]) -> tuple[Layered, list[str]]:
        """Sentences with their columns up to the clauses, and B or I for every token."""
        data = with_clauses(analysed(items, self.tagger, self.chunker), self.clauses)
        columns = network_columns(with_draft(data, self.draft))
        return data, np.where(self.segmenter.starts(data.words, columns), "B", "I").tolist()


def boundary_scores(found: Sequence[str], data: Layered) -> tuple[float, float, float]:
    """Precision, recall and F1 of the boundaries inside of sentences, in per cent."""
    inside = np.concatenate([np.arange(len(words)) > 0 for words in data.words])
    given = (np.array(found) == "B") & inside
    gold = (np.array(data.flat(3)) == "B") & inside
    right = (given & gold).sum()
    return 100 * right / given.sum(), 100 * right / gold.sum(), 200 * right / (given.sum() + gold.sum())


def figures(
    segment: Callable[[list[Layers]], tuple[Layered, list[str]]], held_out: list[Layers], part: str
) -> dict[str, str]:
    """Scores on a held-out part, clean and spoilt."""
    result = {}
    data, found = segment(held_out)
    precision, recall, f1 = boundary_scores(found, data)
    result[f"GUM {part}, boundaries inside of sentences, F1"] = f"{f1:.2f}"
    result[f"GUM {part}, precision and recall"] = f"{precision:.2f} and {recall:.2f}"
    for form, spoilt in spoilt_forms(held_out):
        data, found = segment([repaired(layers) for layers in spoilt])
        result[f"GUM {part}, {form}, F1"] = f"{boundary_scores(found, data)[2]:.2f}"
    return result


@dataclass(frozen=True)
class Prepared:
    """Training sentences in folds, columns from models that have not seen them, and the model of clauses that ships."""

    folds: list[Layered]
    clauses: Trained


def joined(folds: list[Layered]) -> Layered:
    """All folds as one."""
    return sum(folds[1:], folds[0])


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
    return Prepared(folds, fit_clauses(sum(tagged, news), kept))


def main() -> None:
    arguments = parse("segmenter")
    folder = english(arguments.data)
    shipped_tagger, chunker = sequence.load("tagger", arguments.output), sequence.load("chunker", arguments.output)
    parts = ("train",) if arguments.part == "dev" else ("train", "dev", "test2")
    prepared = prepare(folder, parts, shipped_tagger, chunker, noise=NOISE)
    drafted = [
        with_draft(fold, fit_draft(joined(prepared.folds[:k] + prepared.folds[k + 1 :]), seeds=1).labeller())
        for k, fold in enumerate(prepared.folds)
    ]
    clauses, draft = prepared.clauses, fit_draft(joined(prepared.folds), seeds=DRAFT_SEEDS)
    sizes = {
        "tag": len(shipped_tagger.labels),
        "chunk": len(chunker.labels),
        "clause": len(clauses.labeller().labels),
        "draft": 2,
    }
    segmenter = fit_network(joined(drafted), sizes)
    models = Models(
        shipped_tagger,
        chunker,
        clauses.labeller(),
        draft.labeller(),
        recurrent.make(segmenter.configuration, segmenter.arrays),
    )
    held_out = discourse_layers(folder, [arguments.part])
    measured = figures(models.segment, held_out, arguments.part)
    show(measured)
    figures_of = {
        "clauses": {f"{what} (of `segmenter`)": x for what, x in measured.items()},
        "draft": figures(models.first, held_out, arguments.part),
        "segmenter": measured,
    }
    command = f"python -m training.segmenter --data DIR --part {arguments.part}"
    for name, model, (title, purpose, method, data) in zip(
        ("clauses", "draft", "segmenter"), (clauses, draft, segmenter), cards(parts, arguments.part), strict=True
    ):
        text = card(title, purpose, command=command, method=method, data=data, figures=figures_of[name])
        save(name, model, text, arguments.output)


def cards(parts: Sequence[str], part: str) -> list[tuple[str, str, str, dict[str, str]]]:
    """Title, purpose, method and data of the three models."""
    method = (
        "Averaged structured perceptron, first-order Viterbi. Beside the words it reads the tags, the chunks, and what "
        "verbs and chunks stand around a token"
    )
    noise = f"{NOISE:.0%} of the sentences are seen a second time in spoilt form"
    folds = f"columns of the training sentences come from models of the other {FOLDS - 1} of {FOLDS} folds"
    gum = {"GUM": f"{', '.join(parts)} to train, {part} to test."}
    trees = gum | {"treebank": "all of it, for where clauses start."}
    return [
        (
            "clauses: where clauses start",
            "Gives every token the outermost clause that starts with it and what that hangs on (SBAR-ADV<VP), or O. "
            "Draft, segmenter and discourse parser read it.",
            f"{method}. Labels come from constituency trees.",
            trees,
        ),
        (
            "draft: a first segmentation",
            "Says with which tokens of an English sentence discourse units start; `segmenter` reads it and decides.",
            f"{method}, and the labels of `clauses`. The mean of {DRAFT_SEEDS} models; {noise}; {folds}.",
            gum,
        ),
        (
            "segmenter: elementary discourse units",
            "Says with which tokens of an English sentence elementary discourse units start.",
            f"A recurrent network ({OPTIONS.hidden} gated units from each side, {OPTIONS.epochs} epochs of AdamW, "
            f"dropout{f'; the mean of {SEEDS}' if SEEDS > 1 else ''}) over vectors of words, tags, chunks, `clauses` "
            "and `draft`; while it learns it must also say where clauses start and end. "
            f"{noise.capitalize()}; {folds}. Matrices are int8. A unit starts where the log odds pass "
            f"{THRESHOLD:g}; settings were chosen on GUM dev.",
            gum | {"GloVe": f"the {network.VOCABULARY:,} most frequent words, as int8."},
        ),
    ]


if __name__ == "__main__":
    main()
