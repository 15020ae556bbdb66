"""Chunks: `python -m training.chunker --data DIR` trains, judges and writes chunker.npz.

It needs the tagger's weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tercet.language import sequence
from tercet.language.sequence import Labeller
from training.arguments import parse, show
from training.card import card
from training.corpora import Sentence, conll2000, english
from training.noise import Layers, spoilt_forms, with_noise
from training.perceptron import Examples, Trained, save, train

TEMPLATES = (
    "",
    "lower[0]",
    "lower[-1]",
    "lower[1]",
    "lower[-2]",
    "lower[2]",
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    "column0[0]",
    "column0[-1]",
    "column0[1]",
    "column0[-2]",
    "column0[2]",
    "column0[-2] column0[-1]",
    "column0[-1] column0[0]",
    "column0[0] column0[1]",
    "column0[1] column0[2]",
    "column0[-2] column0[-1] column0[0]",
    "column0[-1] column0[0] column0[1]",
    "column0[0] column0[1] column0[2]",
    "column0[-1] column0[0] column0[1] column0[2]",
    "column0[-2] column0[-1] column0[0] column0[1]",
    "lower[0] column0[0]",
    "lower[0] column0[-1]",
    "lower[0] column0[1]",
    "lower[-1] column0[0]",
    "lower[1] column0[0]",
    "lower[-1] column0[-1] column0[0]",
    "lower[0] column0[0] column0[1]",
    "column0[-1] lower[0] column0[1]",
    "suffix3[0]",
    "suffix3[0] column0[-1]",
    "suffix2[1] column0[0]",
    "shape[0] column0[0]",
)
EPOCHS, CUTOFF, PRUNE, NOISE = 8, 2, 0.05, 0.25


def layers_of(sentences: list[Sentence]) -> list[Layers]:
    """Words, tags and chunks."""
    return [[sentence.words, sentence.tags, sentence.chunks] for sentence in sentences]


def whole(chunks: Sequence[str]) -> list[str]:
    """Labels in which every chunk begins with B-, also where what stood before it was taken out."""
    result, before = [], "O"
    for chunk in chunks:
        result.append(f"B-{chunk[2:]}" if chunk.startswith("I-") and before[2:] != chunk[2:] else chunk)
        before = chunk
    return result


def examples(sentences: list[Layers], tagger: Labeller) -> Examples:
    """Chunks to learn from, with the tags that the tagger gives: what the chunker will see in use."""
    words = [layers[0] for layers in sentences]
    gold = [chunk for layers in sentences for chunk in whole(layers[2])]
    return Examples(words, gold, [tagger.label(words)])


def fit(sentences: list[Layers], tagger: Labeller) -> Trained:
    """The chunker from chunked sentences."""
    return train(
        examples(with_noise(sentences, NOISE), tagger),
        TEMPLATES,
        columns=["tag"],
        scheme="BIO",
        epochs=EPOCHS,
        cutoff=CUTOFF,
        prune=PRUNE,
    )


def spans(chunks: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Chunks as (first, after the last, kind); O belongs to none."""
    first = 0
    for i, chunk in enumerate(chunks):
        if not chunk.startswith("I-"):
            first = i
        following = chunks[i + 1] if i + 1 < len(chunks) else "O"
        if chunk != "O" and following != f"I-{chunk[2:]}":
            yield first, i + 1, chunk[2:]


def f1(found: set[object], gold: set[object]) -> float:
    """Harmonic mean of precision and recall, in per cent."""
    return 200 * len(found & gold) / max(1, len(found) + len(gold))


def chunk_f1(model: Labeller, tagger: Labeller, sentences: list[Layers]) -> float:
    """F1 over chunks, kind and both ends right, as conlleval counts."""
    given = examples(sentences, tagger)
    return f1(set(spans(model.names(model.label(given.sentences, given.columns)))), set(spans(given.gold)))


def figures(model: Labeller, tagger: Labeller, folder: Path) -> dict[str, str]:
    """F1 on the test set of CoNLL-2000, clean and spoilt."""
    held_out = layers_of(conll2000(folder, "test"))
    result = {"CoNLL-2000 test, chunk F1, own tags": f"{chunk_f1(model, tagger, held_out):.2f}"}
    for form, spoilt in spoilt_forms(held_out):
        result[f"CoNLL-2000 test, {form}"] = f"{chunk_f1(model, tagger, spoilt):.2f}"
    return result


def main() -> None:
    arguments = parse("chunker")
    folder = english(arguments.data)
    tagger = sequence.load("tagger", arguments.output)
    model = fit(layers_of(conll2000(folder, "train")), tagger)
    measured = figures(model.labeller(), tagger, folder)
    show(measured)
    text = card(
        "chunker: CoNLL-2000 chunks",
        "Gives every token of an English sentence a chunk label (B-NP, I-NP, …, O), from words and the tagger's tags.",
        command="python -m training.chunker --data DIR",
        method="Averaged structured perceptron, first-order Viterbi in which I-X follows only B-X or I-X, "
        f"{len(TEMPLATES)} templates, {EPOCHS} epochs; {NOISE:.0%} of the sentences are seen again in spoilt form. "
        "Tags, in training as in use, are those of the shipped tagger, which has not seen these sentences.",
        data={"CoNLL-2000": "train to train, test to test."},
        figures=measured,
    )
    save("chunker", model, text, arguments.output)


if __name__ == "__main__":
    main()
