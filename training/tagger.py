"""Penn tags: `python -m training.tagger --data DIR` trains, judges and writes tagger.npz."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tercet.language.sequence import Labeller
from training.arguments import parse, show
from training.card import card
from training.corpora import Sentence, brown, english, gum, treebank
from training.lexicon import word_classes
from training.noise import Layers, spoilt_forms, with_noise
from training.perceptron import Examples, Trained, save, train

TEMPLATES = (
    "",
    "form[0]",
    "lower[0]",
    "lower[-1]",
    "lower[1]",
    "lower[-2]",
    "lower[2]",
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    "lower[-1] lower[1]",
    "lower[-2] lower[-1]",
    "prefix1[0]",
    "prefix2[0]",
    "prefix3[0]",
    "suffix1[0]",
    "suffix2[0]",
    "suffix3[0]",
    "suffix4[0]",
    "suffix3[-1]",
    "suffix3[1]",
    "suffix2[0] shape[0]",
    "shape[0]",
    "shape[0] shape[-1]",
    "shape[0] lower[1]",
    "class[0]",
    "class[-1]",
    "class[1]",
    "class[-1] class[0]",
    "class[0] class[1]",
    "class[-1] class[0] class[1]",
    "class[-2] class[-1]",
    "class[1] class[2]",
    "class[0] suffix3[0]",
    "class[0] shape[0]",
)
EPOCHS, CUTOFF, PRUNE, NOISE = 8, 2, 0.05, 0.35


def examples(sentences: list[Layers]) -> Examples:
    """What the perceptron learns from."""
    return Examples([layers[0] for layers in sentences], [tag for layers in sentences for tag in layers[1]])


def layers_of(sentences: list[Sentence]) -> list[Layers]:
    """Words and tags."""
    return [[sentence.words, sentence.tags] for sentence in sentences]


def fit(sentences: list[Layers], lexicon: dict[str, NDArray[Any]]) -> Trained:
    """The tagger from tagged sentences."""
    noisy = with_noise(sentences, NOISE)
    return train(examples(noisy), TEMPLATES, lexicon=lexicon, epochs=EPOCHS, cutoff=CUTOFF, prune=PRUNE)


def accuracy(model: Labeller, sentences: list[Layers]) -> float:
    """Share of tokens with the right tag, in per cent."""
    found = model.names(model.label([layers[0] for layers in sentences]))
    gold = examples(sentences).gold
    return 100 * sum(map(str.__eq__, found, gold)) / len(gold)


def figures(model: Labeller, folder: Path, part: str) -> dict[str, str]:
    """Accuracies on a held-out part, clean and spoilt."""
    result = {}
    for name, corpus in (("treebank", treebank), ("GUM", gum)):
        held_out = layers_of(corpus(folder, part))
        result[f"{name} {part}, tag accuracy"] = f"{accuracy(model, held_out):.2f} %"
        for form, spoilt in spoilt_forms(held_out):
            result[f"{name} {part}, {form}"] = f"{accuracy(model, spoilt):.2f} %"
    return result


def main() -> None:
    arguments = parse("tagger")
    folder = english(arguments.data)
    model = fit(layers_of(treebank(folder, "train") + gum(folder, "train")), word_classes(brown(folder)))
    measured = figures(model.labeller(), folder, arguments.part)
    show(measured)
    text = card(
        "tagger: Penn tags",
        "Gives every token of an English sentence its Penn Treebank tag, from the words alone.",
        command=f"python -m training.tagger --data DIR --part {arguments.part}",
        method=f"Averaged structured perceptron (Collins 2002), first-order Viterbi, {len(TEMPLATES)} templates of "
        f"hashed features, {EPOCHS} epochs. {NOISE:.0%} of the sentences are seen a second time in spoilt form: small "
        "letters, capitals, no punctuation, foreign words. A lexicon says which tags the Brown corpus gives to a word.",
        data={
            "treebank": "wsj_0001–0150 to train, 0166–0199 to test.",
            "GUM": "the official split.",
            "Brown": "which tags a word has had, as word classes.",
        },
        figures=measured,
    )
    save("tagger", model, text, arguments.output)


if __name__ == "__main__":
    main()
