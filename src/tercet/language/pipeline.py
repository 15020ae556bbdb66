"""English, with the weights that ship: tagger, chunker, clauses, draft, segmenter, discourse parser, in this order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from tercet.language import discourse as discourse_parser
from tercet.language import english, recurrent, sequence
from tercet.language.analysis import Analysis
from tercet.language.clauses import context
from tercet.language.discourse import DiscourseParser, Span, joined
from tercet.language.english import Tokens
from tercet.language.recurrent import RecurrentNetwork
from tercet.language.sequence import Integers, Labeller, Sentences

_BATCH = 2048  # texts at a time: memory does not grow with the corpus


class EnglishPipeline:
    """Applies the models that stand in a folder; each is loaded when it is first needed."""

    def __init__(self, folder: Path = sequence.MODELS) -> None:
        self.folder = folder

    @cached_property
    def tagger(self) -> Labeller:
        return sequence.load("tagger", self.folder)

    @cached_property
    def chunker(self) -> Labeller:
        return sequence.load("chunker", self.folder)

    @cached_property
    def clauses(self) -> Labeller:
        return sequence.load("clauses", self.folder)

    @cached_property
    def draft(self) -> Labeller:
        return sequence.load("draft", self.folder)

    @cached_property
    def segmenter(self) -> RecurrentNetwork:
        return recurrent.load("segmenter", self.folder)

    @cached_property
    def parser(self) -> DiscourseParser:
        return discourse_parser.load(self.folder)

    def analyze(self, sentences: Sequence[str | Sequence[str]], *, discourse: bool = True) -> list[Analysis]:
        """An analysis for each text; see `tercet.language.analyze`."""
        result: list[Analysis] = []
        for first in range(0, len(sentences), _BATCH):
            batch = sentences[first : first + _BATCH]
            tokens = [english.tokens(item) if isinstance(item, str) else english.given(tuple(item)) for item in batch]
            result += self.complete(tokens, discourse=discourse)
        return result

    def complete(
        self, texts: Sequence[Tokens], tags: Sequence[Sequence[str]] | None = None, *, discourse: bool = True
    ) -> list[Analysis]:
        """Analyses of texts whose tokens are known, and perhaps their tags; for an unknown tag our own counts."""
        sentences, counts = sentences_of(texts)
        numbers = self.tagger.label(sentences)
        tag_names = self.tagger.names(numbers)
        if tags is not None:
            place = {name: i for i, name in enumerate(self.tagger.labels)}
            given = [tag for row in tags for tag in row]
            numbers = np.array(
                [place.get(tag, own) for tag, own in zip(given, numbers.tolist(), strict=True)], np.int32
            )
            tag_names = given
        chunks = self.chunker.label(sentences, [numbers])
        chunk_names = self.chunker.names(chunks)
        units, trees = self._discourse(sentences, counts, numbers, chunks) if discourse else (None, None)
        result, token, sentence = [], 0, 0
        for i, (text, count) in enumerate(zip(texts, counts, strict=True)):
            end = token + len(text.forms)
            firsts: tuple[int, ...] = ()
            if units is not None:
                firsts = tuple(
                    base + unit
                    for base, row in zip(text.sentences, units[sentence : sentence + count], strict=True)
                    for unit in row
                )
            result.append(
                Analysis(
                    text.text,
                    text.forms,
                    text.starts,
                    text.ends,
                    tuple(tag_names[token:end]),
                    tuple(chunk_names[token:end]),
                    text.sentences,
                    firsts,
                    trees[i] if trees is not None else None,
                )
            )
            token, sentence = end, sentence + count
        return result

    def _discourse(
        self, sentences: Sentences, counts: Sequence[int], tags: Integers, chunks: Integers
    ) -> tuple[list[list[int]], list[Span | None]]:
        """The units of every sentence, and the tree of every text."""
        around = context(sentences, tags, chunks, tag_names=self.tagger.labels, chunk_names=self.chunker.labels)
        columns = [tags, chunks, *around]
        clauses = self.clauses.label(sentences, columns)
        drafted = self.draft.label(sentences, [*columns, clauses]) == self.draft.labels.index("B")
        begins = self.segmenter.starts(sentences, [tags, chunks, clauses, drafted.astype(np.int32)])
        units, token = [], 0
        for words in sentences:
            inside = np.flatnonzero(begins[token + 1 : token + len(words)])
            units.append([0, *(inside + 1).tolist()])
            token += len(words)
        offsets: list[int] = []
        sentence = 0
        for count in counts:
            seen = 0
            for row in units[sentence : sentence + count]:
                offsets.append(seen)
                seen += len(row)
            sentence += count
        verbal = np.array([name[0] == "V" or name == "MD" for name in self.tagger.labels], np.int32)
        spans = self.parser.parse(sentences, units, [tags, chunks, clauses, verbal[tags]], offsets=offsets)
        trees: list[Span | None] = []
        sentence = 0
        for count in counts:
            trees.append(joined(spans[sentence : sentence + count]) if count else None)
            sentence += count
        return units, trees


def sentences_of(texts: Sequence[Tokens]) -> tuple[Sentences, list[int]]:
    sentences: Sentences = []
    for text in texts:
        sentences += [text.forms[first:last] for first, last in pairwise((*text.sentences, len(text.forms)))]
    return sentences, [len(text.sentences) for text in texts]


@cache
def english_pipeline() -> EnglishPipeline:
    """The pipeline over the weights that ship, loaded once."""
    return EnglishPipeline()
