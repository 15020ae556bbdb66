"""Sentence vectors as the mean of the vectors of their words (Mitchell & Lapata 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tercet.errors import OptionError
from tercet.features.base import Array, SentenceVectors, checked
from tercet.features.registry import register
from tercet.language.word_vectors import WordVectors
from tercet.signature import Signature

GLOVE = "glove-6b-50d"


class _MeanOfWords(SentenceVectors):
    """What the two sets share: everything but where the words come from."""

    @property
    def _words(self) -> WordVectors:
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{i}" for i in range(self._words.dimension))

    def encode(self, texts: Sequence[str]) -> Array:
        return checked(self._words.means(texts), len(texts), self._words.dimension, self.name)


@register("glove50")
@dataclass(frozen=True, kw_only=True)
class Glove50(_MeanOfWords):
    """GloVe 6B of 50 dimensions, WIKI-GW25 in Guzmán et al. (2015); `tercet resources install glove-6b-50d`."""

    @cached_property
    def _words(self) -> WordVectors:
        from tercet import resources

        return WordVectors.read(resources.find(GLOVE, "vectors.npy"), words=resources.find(GLOVE, "words.parquet"))

    @property
    def signature(self) -> Signature:
        from tercet import resources

        return Signature.of(self.name, tok="13a+clitics", sha256=resources.fingerprint(GLOVE)[:16])


@register("vectors")
@dataclass(frozen=True, kw_only=True)
class Vectors(_MeanOfWords):
    """Word vectors of your own: GloVe text, word2vec text or binary, or npy with a file of words."""

    path: str
    words: str | None = None
    """For npy: the file with the word of each row; by default the one of the same name that ends in .txt or .vocab."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not Path(self.path).expanduser().is_file():
            raise OptionError(f"vectors: there is no file {self.path}; give vectors:path=FILE a file of word vectors")

    @cached_property
    def _words(self) -> WordVectors:
        words = None if self.words is None else Path(self.words).expanduser()
        return WordVectors.read(Path(self.path).expanduser(), words=words)

    @property
    def signature(self) -> Signature:
        return Signature.of(self.name, tok="13a+clitics", sha256=self._words.sha256[:16])
