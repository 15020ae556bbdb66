"""English through the Stanford neural parser: Penn tags, constituency trees, and the vector of a tree's root.

The grammar is englishRNN of the Stanford parser 3.9.2 (Socher et al. 2013), whose vectors of 25 dimensions are SYNTAX25
of Guzmán et al. (2015). A text is one tree, however many sentences it has, as with the program's own `-sentences
newline`. Parses are kept on disk, so that a text is parsed once, whenever a run is ended.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet.errors import OptionError
from tercet.language import english, trees
from tercet.language.analysis import Analysis
from tercet.language.english import Tokens
from tercet.language.parse_store import FORMAT, Parse, ParseStore, key_of
from tercet.language.stanford_java import DIMENSION, RESOURCE, JavaParser, escaped, java_parser
from tercet.language.trees import Tree
from tercet.output import progress_bar

CAP = 100  # tokens; time grows with the cube of the length
_BATCH = 2048
_AHEAD = 4  # sentences that wait for each thread

Sentence = str | Sequence[str]


@dataclass
class Counts:
    """What became of some texts."""

    texts: int = 0
    empty: int = 0
    """Without tokens."""
    long: int = 0
    """With more tokens than the cap: not parsed."""
    unparsed: int = 0
    """For which the grammar has no tree."""
    without_vector: int = 0
    """Whose best tree has a rule that the network does not know."""
    absent: int = 0
    """Not parsed yet, where only what is kept is asked for."""

    @property
    def failed(self) -> int:
        """Texts that have tokens and no vector."""
        return self.long + self.unparsed + self.without_vector + self.absent

    def __str__(self) -> str:
        kinds = {
            "longer than the cap": self.long,
            "without a tree": self.unparsed,
            "with a tree that the network cannot read": self.without_vector,
            "not parsed yet": self.absent,
        }
        return ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)


def store_path() -> Path:
    """Where parses are kept: in $TERCET_CACHE, or in the user's cache folder, one file for each version of the data."""
    from tercet import resources

    return resources.root().parent / "parses" / f"stanford-{resources.fingerprint(RESOURCE)[:16]}-{FORMAT}.log"


class Stanford:
    """The parser and its store. Java starts when a text is to be parsed that is not in the store.

    `cap`: a text of more tokens is not parsed; it has no tree, and the zero vector. `threads` 0 is a thread a core.
    """

    def __init__(self, store: ParseStore | None = None, *, cap: int = CAP, threads: int = 0) -> None:
        if cap < 1:
            raise OptionError(f"the Stanford parser: cap={cap} is not allowed; it takes a whole number from 1")
        self.store = ParseStore(store_path()) if store is None else store
        self.cap = cap
        self.threads = threads or _cores()

    @cached_property
    def java(self) -> JavaParser:
        from tercet import resources

        return java_parser(resources.find(RESOURCE))

    def parse(self, sentences: Iterable[Sentence], progress: Callable[[int], None] = lambda done: None) -> int:
        """Parses what is not in the store, puts it there, and gives how many sentences that were.

        `progress` is called with the number of sentences that are done. A run that is ended goes on where it stopped.
        """
        self.store.refresh()
        waiting: deque[tuple[str, Future[tuple[Parse, bool]]]] = deque()
        begun: set[str] = set()
        with ThreadPoolExecutor(self.threads, "stanford") as pool:
            try:
                for sentence in sentences:
                    key = key_of(sentence)
                    if key in begun or self._known(key, sentence):
                        progress(1)
                        continue
                    if not begun:
                        _ = self.java  # loaded before there are threads that might all load it
                    begun.add(key)
                    waiting.append((key, pool.submit(self._parsed, sentence)))
                    while len(waiting) >= _AHEAD * self.threads or waiting[0][1].done():
                        self._keep(*waiting.popleft())
                        progress(1)
                        if not waiting:
                            break
                while waiting:
                    self._keep(*waiting.popleft())
                    progress(1)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            finally:
                self.store.close()
        return len(begun)

    def vectors(self, sentences: Sequence[Sentence], *, parse: bool = True) -> tuple[NDArray[np.float32], Counts]:
        """The vector of each sentence, float32 (sentences, 25), zero for those that `counts.failed` counts.

        Without `parse` only those have one that are in the store.
        """
        if parse:
            self._parse_with_bar(sentences)
        else:
            self.store.refresh()
        counts = Counts(len(sentences))
        vectors = np.zeros((len(sentences), DIMENSION), np.float32)
        for i, sentence in enumerate(sentences):
            found = self._found(sentence)
            if found is None:
                counts.absent += 1
            elif not found.starts:
                counts.empty += 1
            elif len(found.starts) > self.cap:
                counts.long += 1
            elif found.tree is None:
                counts.unparsed += 1
            elif found.vector is None:
                counts.without_vector += 1
            else:
                vectors[i] = found.vector
        return vectors, counts

    def analyze(self, sentences: Sequence[Sentence], *, discourse: bool = True) -> list[Analysis]:
        """Analyses with the parser's tokens, tags and trees; chunks and discourse are by tercet's own models.

        A text that has no tree (too long, or not English to the grammar) has tercet's own tags.
        """
        from tercet.language.pipeline import english_pipeline

        self._parse_with_bar(sentences)
        result: list[Analysis] = []
        for first in range(0, len(sentences), _BATCH):
            batch = sentences[first : first + _BATCH]
            parses = [self._found(sentence) for sentence in batch]
            texts = [_tokens(sentence, parse) for sentence, parse in zip(batch, parses, strict=True)]
            whole = [_tree(text, parse) for text, parse in zip(texts, parses, strict=True)]
            made: dict[int, Analysis] = {}
            for parsed in (True, False):
                places = [i for i, tree in enumerate(whole) if (tree is not None) == parsed]
                tags = [_tags(tree) for i in places if (tree := whole[i]) is not None] if parsed else None
                analyses = english_pipeline().complete([texts[i] for i in places], tags, discourse=discourse)
                made |= dict(zip(places, analyses, strict=True))
            result += [replace(made[i], constituents=whole[i]) for i in range(len(batch))]
        return result

    def _parse_with_bar(self, sentences: Sequence[Sentence]) -> None:
        new = [sentence for sentence in sentences if not self._known(key_of(sentence), sentence)]
        if new:
            with progress_bar("parsing", len(new)) as progress:
                self.parse(new, progress)

    def _known(self, key: str, sentence: Sentence) -> bool:
        if key in self.store or _is_blank(sentence):
            return True
        long = self.store.get(_long(key))
        return long is not None and len(long.starts) > self.cap

    def _found(self, sentence: Sentence) -> Parse | None:
        if _is_blank(sentence):
            return Parse((), (), None, None)
        key = key_of(sentence)
        return self.store.get(key) or self.store.get(_long(key))

    def _parsed(self, sentence: Sentence) -> tuple[Parse, bool]:
        """A parse, or the tokens alone of what is too long; and which of the two."""
        words = self.java.tokenize(sentence) if isinstance(sentence, str) else escaped(sentence)
        if not 0 < len(words.forms) <= self.cap:
            return Parse(words.starts, words.ends, None, None), len(words.forms) == 0
        return self.java.parse(words), True

    def _keep(self, key: str, future: Future[tuple[Parse, bool]]) -> None:
        parse, tried = future.result()
        self.store.add(key if tried else _long(key), parse)


@cache
def stanford(cap: int = CAP) -> Stanford:
    """The parser with the user's store, made once."""
    return Stanford(cap=cap)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_blank(sentence: Sentence) -> bool:
    return not (sentence.strip() if isinstance(sentence, str) else sentence)


def _long(key: str) -> str:
    # a text that is too long for one cap may be parsed under another
    return "~" + key[1:]


def _tokens(sentence: Sentence, parse: Parse | None) -> Tokens:
    assert parse is not None, "every sentence was parsed before"
    text = sentence if isinstance(sentence, str) else " ".join(sentence)
    forms = tuple(text[start:end] for start, end in zip(parse.starts, parse.ends, strict=True))
    return Tokens(text, forms, parse.starts, parse.ends, english.sentence_starts(forms))


def _tree(tokens: Tokens, parse: Parse | None) -> Tree | None:
    if parse is None or parse.tree is None:
        return None
    numbered = trees.read_one(parse.tree)
    built: list[Tree] = []
    waiting: list[tuple[Tree, bool]] = [(numbered, False)]
    while waiting:
        node, ready = waiting.pop()
        if not node.children:
            built.append(Tree(tokens.forms[int(node.label)]))
        elif ready:
            children = tuple(built[len(built) - len(node.children) :])
            del built[len(built) - len(children) :]
            built.append(Tree(node.label, children))
        else:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.children))
    return built[0]


def _tags(tree: Tree) -> tuple[str, ...]:
    return tuple(node.label for node in tree.nodes() if len(node.children) == 1 and not node.children[0].children)
