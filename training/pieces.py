"""How rare word pieces are: `python -m training.pieces --data DIR` counts, and writes pieces.npz with its card."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from tercet.language import minilm
from tercet.language.running_text import sentences
from tercet.language.sequence import MODELS
from training.corpora import english

_CORPORA = ("abc", "brown", "conll2000", "state_union", "treebank")

_CARD = """# pieces: how rare word pieces are

In how many of {sentences:,} sentences each of the {pieces:,} word pieces of all-MiniLM-L6-v2 stands; the feature set
`context` weights pieces by it (idf). Made by `python -m training.pieces --data DIR`.

## Data
The English text of ABC (Australian Broadcasting Commission 2006), Brown, CoNLL-2000 (Wall Street Journal), State of
the Union addresses and the Penn Treebank sample, as redistributed with NLTK; GUM is left out. No translations,
references or judgments. The texts are for research or non-commercial use in part; this file holds counts of
word pieces and no text.
"""


def main() -> None:
    """Counts and writes."""
    parser = argparse.ArgumentParser(prog="python -m training.pieces")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds english/, or that folder itself")
    parser.add_argument("--output", type=Path, default=MODELS, help="folder for the counts (default: the package's)")
    options = parser.parse_args()

    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm.tokenizer_file()))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    having = np.zeros(tokenizer.get_vocab_size(), np.int32)
    texts = [" ".join(words) for name in _CORPORA for words in sentences(english(options.data) / name)]
    for start in range(0, len(texts), 10_000):
        for one in tokenizer.encode_batch(texts[start : start + 10_000], add_special_tokens=False):
            having[np.unique(one.ids).astype(np.int64)] += 1
    np.savez_compressed(options.output / "pieces.npz", sentences=np.int64(len(texts)), having=having)
    (options.output / "pieces.md").write_text(_CARD.format(sentences=len(texts), pieces=len(having)), "utf-8")
    print(f"{len(texts):,} sentences, {np.count_nonzero(having):,} pieces seen")


if __name__ == "__main__":
    main()
