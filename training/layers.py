"""Sentences with all that the segmenter and the discourse parser learn from, and the columns that they read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tercet.language.clauses import context
from tercet.language.sequence import Integers, Labeller
from training import rst
from training.clauses import clause_ends, clause_labels
from training.corpora import Sentence
from training.noise import Layers


@dataclass
class Layered:
    """Sentences with clause labels and boundaries, and the columns that a model reads."""

    layers: list[Layers]  # words, tags, starts of clauses, boundaries, ends of clauses
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
    """Words, gold tags, starts of clauses, boundaries (B where a unit starts), ends of clauses."""
    assert sentence.tree is not None
    boundaries = tuple("B" if i in starts else "I" for i in range(len(sentence.words)))
    return [sentence.words, sentence.tags, clause_labels(sentence.tree), boundaries, clause_ends(sentence.tree)]


def analysed(layers: list[Layers], tagger_: Labeller, chunker: Labeller) -> Layered:
    """Sentences with the columns that the package's own tagger and chunker give them."""
    words = [item[0] for item in layers]
    tags = tagger_.label(words)
    chunks = chunker.label(words, [tags])
    around = context(words, tags, chunks, tag_names=tagger_.labels, chunk_names=chunker.labels)
    return Layered(layers, [tags, chunks, *around])


def repaired(layers: Layers) -> Layers:
    """A sentence starts with a unit, also when its first token was taken out."""
    return [*layers[:3], ("B", *layers[3][1:]), *layers[4:]]


def discourse_layers(folder: Path, parts: Iterable[str]) -> list[Layers]:
    """The sentences of parts of GUM, with everything."""
    return [layers_of(item.sentence, item.starts) for part in parts for item in rst.part(folder, part)]
