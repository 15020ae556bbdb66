"""What the syntax network learns from: sentences of people, each with two copies that are spoilt more and more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.language import english
from tercet.language.pipeline import EnglishPipeline, sentences_of
from tercet.language.syntax import Columns, Vocabulary, normalized, read_columns
from training import corpora
from training.corruption import NAMES, Forms, Word, corrupted

SHORTEST, LONGEST = 4, 47  # words of a sentence to learn from
LEAST = 4  # times that a word must stand in the text to have a row of its own
SUFFIXES = 1024
LIGHT, HEAVY = 15.0, 8.0  # words for each further error in the first copy, and on top of it in the second
HELD_OUT = ("treebank test", "GUM test", "CoNLL-2000 test")
_ENDS = frozenset([",", ".", ":", "``", "''"])
_BATCH = 4096

Sentence = tuple[str, ...]


def training_text(folder: Path) -> Iterator[Sentence]:
    """Treebank and GUM (their training parts), CoNLL-2000 train, Brown, ABC, State of the Union."""
    for part in (corpora.treebank(folder, "train"), corpora.gum(folder, "train"), corpora.conll2000(folder, "train")):
        yield from _again(sentence.words for sentence in part)
    yield from _again(words for words, _ in corpora.brown(folder))
    for name in ("abc", "state_union"):
        for file in sorted((folder / name).glob("*.txt")):
            for line in file.read_bytes().decode("utf-8", "replace").splitlines():
                tokens = english.tokens(line)
                yield from (tokens.forms[a:b] for a, b in pairwise((*tokens.sentences, len(tokens.forms))))


def held_out_text(folder: Path) -> dict[str, list[Sentence]]:
    """What nothing was trained on: the test parts of treebank, GUM and CoNLL-2000."""
    readers = (corpora.treebank, corpora.gum, corpora.conll2000)
    parts = {name: read(folder, "test") for name, read in zip(HELD_OUT, readers, strict=True)}
    return {name: list(_again(one.words for one in part)) for name, part in parts.items()}


def usable(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Those with some words, but not too many, and each once."""
    return list(dict.fromkeys(words for words in sentences if SHORTEST <= len(words) <= LONGEST))


def _again(sentences: Iterable[Sequence[str]]) -> Iterator[Sentence]:
    # every text is cut into tokens as it will be in use, whoever cut it first
    return (english.tokens(" ".join(words)).forms for words in sentences)


def vocabulary(sentences: Iterable[Sentence]) -> Vocabulary:
    """The words that are frequent enough."""
    counts = Counter(normalized(form) for words in sentences for form in words)
    words = sorted(word for word, count in counts.items() if count >= LEAST)
    return Vocabulary(np.unique(_native.hash_words(words)), SUFFIXES)


def backups(sentences: Iterable[Sentence], known: Vocabulary) -> NDArray[np.int32]:
    """For every row of the table of words the row that the word would have if it were unknown."""
    rows = np.arange(len(known.keys) + known.suffixes, dtype=np.int32)
    words = sorted({normalized(form) for words in sentences for form in words})
    rows[known.rows(words)] = known.unknown(words)
    return rows


@dataclass(frozen=True)
class Triples:
    """Sentences 3i, 3i + 1 and 3i + 2 are a sentence, its first spoilt copy and its second."""

    columns: Columns
    errors: NDArray[np.bool_]
    """For each word."""
    kinds: NDArray[np.bool_]
    """(sentences, kinds of errors)"""

    def __len__(self) -> int:
        return len(self.columns) // 3

    def save(self, path: Path) -> None:
        """All arrays in one file."""
        c = self.columns
        np.savez(path, words=c.words, tags=c.tags, chunks=c.chunks, ends=c.ends, errors=self.errors, kinds=self.kinds)

    @classmethod
    def read(cls, path: Path) -> Triples:
        """What `save` wrote."""
        with np.load(path, allow_pickle=False) as f:
            return cls(Columns(f["words"], f["tags"], f["chunks"], f["ends"]), f["errors"], f["kinds"])


def tagged(sentences: Sequence[Sentence], pipeline: EnglishPipeline) -> list[list[Word]]:
    """Sentences with tags and chunks."""
    found: list[list[Word]] = []
    for start in range(0, len(sentences), _BATCH):
        part, _ = sentences_of([english.given(words) for words in sentences[start : start + _BATCH]])
        tags = pipeline.tagger.label(part)
        chunks = pipeline.chunker.names(pipeline.chunker.label(part, [tags]))
        names, place = pipeline.tagger.names(tags), 0
        for words in sentences[start : start + _BATCH]:
            end = place + len(words)
            clean = [False] * len(words)
            found.append(list(zip(words, names[place:end], chunks[place:end], clean, strict=True)))
            place = end
    return found


def triples(
    sentences: Sequence[list[Word]], forms: Forms, known: Vocabulary, pipeline: EnglishPipeline, *, seed: int
) -> Triples:
    """Each sentence, in one of the dresses in which texts come, and its two spoilt copies in the same dress."""
    texts: list[list[Word]] = []
    kinds = np.zeros((3 * len(sentences), len(NAMES)), bool)
    for number, sentence in enumerate(sentences):
        random = Random(f"{seed} {number}")
        words, capital = _undressed(sentence, random)
        light, first = corrupted(words, random, forms, length=LIGHT)
        heavy, second = corrupted(light, random, forms, length=HEAVY)
        kinds[3 * number + 1, list(first)] = True
        kinds[3 * number + 2, list(first | second)] = True
        texts += [_capitalized(one) if capital else one for one in (words, light, heavy)]
    parts = []
    for start in range(0, len(texts), _BATCH):
        given = [english.given(tuple(word[0] for word in words)) for words in texts[start : start + _BATCH]]
        parts.append(read_columns(given, known, pipeline))
    columns = Columns(
        np.concatenate([part.words for part in parts]),
        np.concatenate([part.tags for part in parts]).astype(np.uint8),
        np.concatenate([part.chunks for part in parts]).astype(np.uint8),
        np.cumsum([len(words) for words in texts], dtype=np.int64),
    )
    return Triples(columns, np.array([word[3] for words in texts for word in words], bool), kinds)


def _undressed(words: list[Word], random: Random) -> tuple[list[Word], bool]:
    """The sentence, and whether its first word shall have a capital: case and punctuation must not tell."""
    form, tag, chunk, error = words[0]
    capital = form[:1].isupper()
    if capital and not tag.startswith("NNP") and form != "I" and not form.isupper():
        words = [(form.lower(), tag, chunk, error), *words[1:]]
    dress = random.random()
    if dress < 0.2:
        words, capital = [(word[0].lower(), *word[1:]) for word in words], False
    if dress < 0.1 or dress > 0.9:
        kept = [word for word in words if word[1] not in _ENDS]
        words = kept if len(kept) >= 3 else words
    elif dress > 0.8 and words[-1][1] == ".":
        words = words[:-1]
    return words, capital


def _capitalized(words: list[Word]) -> list[Word]:
    form, *rest = words[0]
    return [(form[:1].upper() + form[1:], *rest), *words[1:]]  # type: ignore[list-item]
