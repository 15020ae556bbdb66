"""spaCy and Stanza as analyzers, for other languages and for those who have them; imported only when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tercet.errors import InputError, ResourceError
from tercet.language.analysis import Analysis
from tercet.language.discourse import Span, joined
from tercet.language.english import Tokens
from tercet.language.pipeline import english_pipeline


@dataclass(frozen=True)
class Read:
    """What another toolkit says of a text: tokens and sentences, tags, chunks."""

    tokens: Tokens
    tags: tuple[str, ...]
    chunks: tuple[str, ...]


def load(kind: str, model: str) -> SpacyAnalyzer | StanzaAnalyzer:
    """The analyzer "spacy:MODEL" or "stanza:LANGUAGE"."""
    package = _import(kind)
    try:
        if kind == "spacy":
            blank = model.partition("blank-")[2]
            return SpacyAnalyzer(package.blank(blank) if blank else package.load(model))
        return StanzaAnalyzer(
            package.Pipeline(model, processors="tokenize,pos", download_method=None, verbose=False), language=model
        )
    except Exception as error:  # whatever a toolkit raises for a model that is not there
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        remedy = (
            f"python -m spacy download {model}"
            if kind == "spacy"
            else f"python -c 'import stanza; stanza.download({model!r})'"
        )
        raise ResourceError(f"{kind} cannot load {model!r} ({reason}); try: {remedy}") from error


def _import(kind: str) -> Any:
    try:
        return importlib.import_module(kind)
    except ImportError as error:
        raise ResourceError(
            f"the analyzer {kind}:… needs the package {kind}; install it with: pip install {kind}"
        ) from error


class SpacyAnalyzer:
    """A spaCy pipeline: its tokens, sentences, tags (universal ones where the model has no others), noun chunks."""

    def __init__(self, nlp: Any) -> None:
        self.nlp = nlp

    def analyze(self, sentences: Sequence[str | Sequence[str]], *, discourse: bool = True) -> list[Analysis]:
        """An analysis for each text."""
        documents = self.nlp.pipe(_texts(sentences, "spaCy"))
        return _finished([self._read(document) for document in documents], self.nlp.lang, discourse)

    def _read(self, document: Any) -> Read:
        kept = [token for token in document if not token.is_space]
        place = {token.i: i for i, token in enumerate(kept)}
        first = [token.is_sent_start is True or i == 0 for i, token in enumerate(kept)]
        chunks = ["O"] * len(kept)
        if document.has_annotation("DEP"):
            for chunk in document.noun_chunks:
                inside = [place[token.i] for token in chunk if token.i in place]
                for i in inside:
                    chunks[i] = "B-NP" if i == inside[0] else "I-NP"
        tokens = Tokens(
            document.text,
            tuple(token.text for token in kept),
            tuple(token.idx for token in kept),
            tuple(token.idx + len(token.text) for token in kept),
            tuple(i for i, begins in enumerate(first) if begins),
        )
        return Read(tokens, tuple(token.tag_ or token.pos_ for token in kept), tuple(chunks))


class StanzaAnalyzer:
    """A Stanza pipeline: its tokens, sentences and tags (universal ones where the model has no others)."""

    def __init__(self, pipeline: Any, *, language: str) -> None:
        self.pipeline = pipeline
        self.language = language

    def analyze(self, sentences: Sequence[str | Sequence[str]], *, discourse: bool = True) -> list[Analysis]:
        """An analysis for each text."""
        return _finished([self._read(text) for text in _texts(sentences, "Stanza")], self.language, discourse)

    def _read(self, text: str) -> Read:
        forms: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        firsts: list[int] = []
        tags: list[str] = []
        for sentence in self.pipeline(text).sentences if text.strip() else ():
            firsts.append(len(forms))
            for token in sentence.tokens:
                # several words in one token (au = à + le) share its place; the token as written is what is compared
                forms.append(token.text)
                starts.append(token.start_char)
                ends.append(token.end_char)
                tags.append("+".join(word.xpos or word.upos or "" for word in token.words))
        tokens = Tokens(text, tuple(forms), tuple(starts), tuple(ends), tuple(firsts))
        return Read(tokens, tuple(tags), ("O",) * len(forms))


def _texts(sentences: Iterable[str | Sequence[str]], name: str) -> list[str]:
    texts = []
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
            raise InputError(f"sentence {number} is tokens, and {name} makes its own", remedy="give texts")
        texts.append(sentence)
    return texts


def _finished(read: list[Read], language: str, discourse: bool) -> list[Analysis]:
    # English goes on with tercet's own models; elsewhere a sentence is one unit, since nothing here knows better
    if language == "en" and all(all(item.tags) for item in read):
        tags = [item.tags for item in read]
        return english_pipeline().complete([item.tokens for item in read], tags, discourse=discourse)
    result = []
    for item in read:
        tokens = item.tokens
        units = tokens.sentences if discourse else ()
        tree = joined([Span(i, i + 1) for i in range(len(units))]) if units else None
        result.append(
            Analysis(
                tokens.text,
                tokens.forms,
                tokens.starts,
                tokens.ends,
                item.tags,
                item.chunks,
                tokens.sentences,
                units,
                tree,
            )
        )
    return result
