"""Skip-gram vectors: `python -m training.skipgram --data DIR` trains, judges and writes skipgram.safetensors."""

from __future__ import annotations

from pathlib import Path

from tercet.language.running_text import sentences
from tercet.language.skipgram import SHIPPED, SkipGram
from tercet.language.skipgram_training import train_skipgram
from tercet.rankers.recipe import find_recipe
from tercet.rankers.skipgram_recipe import read_skipgram_recipe
from tercet.reproduce.melamud2015 import rows_of
from training.arguments import parse, show
from training.card import card

NAMES = {
    "brown": "Brown",
    "abc": "ABC",
    "state_union": "State of the Union",
    "conll2000": "CoNLL-2000",
    "gum/const": "GUM",
    "treebank/combined": "treebank",
}
"""What the card calls the folders of the recipe that ships."""


def main() -> None:
    """Trains on all running text of the folder, and measures lexical substitution."""
    arguments = parse("skipgram")
    recipe = read_skipgram_recipe(find_recipe("skipgram"))
    texts, used = [], {}
    for folder in recipe.folders:
        found = list(sentences(arguments.data / folder))
        texts += found
        used[NAMES[folder.removeprefix("english/")]] = f"all of it, {sum(map(len, found)):,} words."
    vectors, words = train_skipgram(texts, recipe.options)
    path: Path = arguments.output / SHIPPED.name
    vectors.save(path, {"options": recipe.options.as_text(), "words": str(words)})
    figures = {"words of text": f"{words:,}", "words with vectors": f"{len(vectors.rows):,}"}
    lexsub = arguments.data / "lexsub"
    if lexsub.is_dir():
        for row in rows_of(lexsub, {"these vectors": SkipGram.read(path)}):
            window = "" if row.window is None else f", window {row.window}"
            figures[f"GAP on SemEval-2007, {row.name}, {row.spaces}{window}"] = f"{100 * row.gap:.2f}"
    show(figures)
    text = card(
        "skipgram: word and context vectors",
        "Tells AddCos how well a word fits in the place of another (filtered lattices of `hytera`).",
        command="python -m training.skipgram --data DIR",
        method=f"Skip-gram with negative sampling by gensim, one thread: {recipe.options.as_text()}. Rows are int8; "
        "only their directions count. Tags: those that the tagger of the package gives a word in at least one of "
        "twenty of its places. `tercet train recipes/skipgram.yaml` trains the same.",
        holds="The file holds a list of words and numbers for each; it holds no running text.",
        data=used,
        figures=figures,
    )
    (arguments.output / "skipgram.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
