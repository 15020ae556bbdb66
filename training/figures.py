"""`python -m training.figures --data DIR`: what the weights that are there reach, without training anything."""

from __future__ import annotations

from tercet.language import discourse, sequence
from tercet.language.sequence import Labeller
from training import chunker, rst, segmenter, tagger
from training.arguments import parse, show
from training.corpora import english
from training.discourse import columns_of, figures
from training.noise import Layers


def main() -> None:
    arguments = parse("figures")
    folder = english(arguments.data)

    def load(name: str) -> Labeller:
        return sequence.load(name, arguments.output)

    tags, chunks, clauses, units = (load(name) for name in ("tagger", "chunker", "clauses", "segmenter"))
    show(tagger.figures(tags, folder, arguments.part))
    show(chunker.figures(chunks, tags, folder))

    def segment(items: list[Layers]) -> tuple[segmenter.Layered, list[str]]:
        return segmenter.segmented(items, tags, chunks, clauses, units)

    show(segmenter.figures(segment, segmenter.discourse_layers(folder, [arguments.part]), arguments.part))
    held_out = rst.part(folder, arguments.part)
    data, found = segment([segmenter.layers_of(item.sentence, item.starts) for item in held_out])
    parser = discourse.load(arguments.output)
    show(figures(parser, held_out, data, columns_of(data, tags.labels), found, arguments.part))


if __name__ == "__main__":
    main()
