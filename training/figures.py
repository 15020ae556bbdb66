"""`python -m training.figures --data DIR`: what the weights that are there reach, without training anything."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from tercet.language import discourse, trees
from tercet.language.english import tokens
from training import chunker, rst, segmenter, tagger
from training.arguments import parse, show
from training.corpora import english, from_tree
from training.discourse import columns_of, figures
from training.layers import discourse_layers, layers_of


def tokenization(folder: Path) -> dict[str, str]:
    """Precision and recall of our tokens, line by line, on the raw text of the Penn Treebank sample."""
    right = given = gold = 0
    for file in sorted((folder / "treebank" / "raw").glob("wsj_*")):
        text = file.read_text(encoding="latin-1").replace(".START", "").replace("``", '"').replace("''", '"')
        bank = trees.read((folder / "treebank" / "combined" / f"{file.name}.mrg").read_text(), penn=True)
        expected = _places([word for tree in bank for word in from_tree(tree).words])
        if max(end for _, end in expected) != len("".join(text.split())):
            continue  # the two differ in more than tokens
        found = _places([word for line in text.split("\n") for word in tokens(line).forms])
        right, given, gold = right + len(found & expected), given + len(found), gold + len(expected)
    scores = f"{100 * right / given:.2f} and {100 * right / gold:.2f}"
    return {f"treebank raw text, {gold:,} tokens, precision and recall": scores}


def _places(words: list[str]) -> set[tuple[int, int]]:
    # counted in characters that are not blank, where both texts agree
    ends = list(accumulate(len("".join(word.split())) for word in words))
    return set(zip([0, *ends], ends, strict=False))


def main() -> None:
    arguments = parse("figures")
    folder = english(arguments.data)

    models = segmenter.Models.load(arguments.output)
    show(tokenization(folder))
    show(tagger.figures(models.tagger, folder, arguments.part))
    show(chunker.figures(models.chunker, models.tagger, folder))
    show(segmenter.figures(models.segment, discourse_layers(folder, [arguments.part]), arguments.part))
    held_out = rst.part(folder, arguments.part)
    data, found = models.segment([layers_of(item.sentence, item.starts) for item in held_out])
    parser = discourse.load(arguments.output)
    show(figures(parser, held_out, data, columns_of(data, models.tagger.labels), found, arguments.part))


if __name__ == "__main__":
    main()
