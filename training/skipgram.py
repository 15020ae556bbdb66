"""Skip-gram vectors: `python -m training.skipgram --data DIR` trains, judges and writes skipgram.safetensors."""

from __future__ import annotations

from pathlib import Path

from tercet.language.running_text import sentences
from tercet.language.skipgram import SHIPPED, SkipGram
from tercet.language.skipgram_training import SkipGramOptions, train_skipgram
from tercet.reproduce.melamud2015 import rows_of
from training.arguments import parse, show
from training.card import card

FOLDERS = {
    "Brown": "brown",
    "ABC": "abc",
    "State of the Union": "state_union",
    "CoNLL-2000": "conll2000",
    "GUM": "gum/const",
    "treebank": "treebank/combined",
}
# The paper's settings but for those that 2.9 million words, not 4 billion, ask for.
OPTIONS = SkipGramOptions(dimension=100, least=4, epochs=10, most=25_000)


def main() -> None:
    """Trains on all running text of the folder, and measures lexical substitution."""
    arguments = parse("skipgram")
    english = arguments.data / "english" if (arguments.data / "english").is_dir() else arguments.data
    texts, used = [], {}
    for name, folder in FOLDERS.items():
        found = list(sentences(english / folder))
        texts += found
        used[name] = f"all of it, {sum(map(len, found)):,} words."
    vectors, words = train_skipgram(texts, OPTIONS)
    path: Path = arguments.output / SHIPPED.name
    vectors.save(path, {"options": OPTIONS.as_text(), "words": str(words)})
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
        method=f"Skip-gram with negative sampling by gensim, one thread: {OPTIONS.as_text()}. Rows are int8; only "
        "their directions count.",
        holds="The file holds a list of words and numbers for each; it holds no running text.",
        data=used,
        figures=figures,
    )
    (arguments.output / "skipgram.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
