"""Which words of a translation are in its reference: equal, of the same stem, or synonyms. For showing, not scoring."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from typing import Any, Literal, get_args

Stage = Literal["exact", "stem", "synonym"]
STAGES: tuple[Stage, ...] = get_args(Stage)

MOST_CANDIDATES = 20_000
"""Pairs of equal words that are looked at, or four for each word; of more, those that stand near to each other."""

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ENGLISH = frozenset(["the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "on", "was", "with", "as", "at"])
_ENGLISH_SHARE = 0.15
_SAMPLE = 500


def shown(text: str) -> str:
    """A text on one line: blanks are single, control characters are marked."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))


def words_of(text: str) -> list[str]:
    """The words of a text as it is shown: what blanks separate, punctuation around it apart, one Chinese sign each."""
    return [word for chunk in text.split(" ") for word in _split(chunk)]


@lru_cache(1 << 16)  # bounded: a server runs for months
def _split(chunk: str) -> tuple[str, ...]:
    if chunk.isalnum() and chunk.isascii():
        return (chunk,)
    start, end = 0, len(chunk)
    while start < end and _is_mark(chunk[start]):
        start += 1
    while end > start and _is_mark(chunk[end - 1]):
        end -= 1
    found = list(chunk[:start])
    word = ""
    for c in chunk[start:end]:
        if _is_sign(c):
            found += [word, c] if word else [c]
            word = ""
        else:
            word += c
    return (*found, *([word] if word else []), *chunk[end:])


def _is_mark(c: str) -> bool:
    return unicodedata.category(c)[0] in "PS"


def _is_sign(c: str) -> bool:
    return "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff" or c >= "\U00020000"


@dataclass(frozen=True)
class Link:
    """A word of the hypothesis and the word of the reference that it stands for, by their places."""

    hypothesis: int
    reference: int
    stage: Stage


@dataclass(frozen=True)
class Matching:
    """A hypothesis and a reference as words, and what they share."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    links: tuple[Link, ...]

    @property
    def missed(self) -> list[str]:
        """Words of the reference that the hypothesis lacks."""
        found = {link.reference for link in self.links}
        return [word for place, word in enumerate(self.reference) if place not in found]

    @property
    def added(self) -> list[str]:
        """Words of the hypothesis that are not in the reference."""
        found = {link.hypothesis for link in self.links}
        return [word for place, word in enumerate(self.hypothesis) if place not in found]

    @property
    def f1(self) -> float:
        """2 · matches / all words; 1 for two empty texts."""
        both = len(self.hypothesis) + len(self.reference)
        return 2 * len(self.links) / both if both else 1.0


Synonyms = Callable[[str], frozenset[str]]


@dataclass(frozen=True)
class Matcher:
    """Matches words in stages; longer runs of words go first, so that what stands together stays together."""

    language: str | None = "english"
    """Whose stems; None for no stems."""
    synonyms: Synonyms | None = None
    """From a word in lower case to its synonyms."""
    _stems: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def for_references(cls, references: Iterable[tuple[str, ...]]) -> Matcher:
        """Stems and, where METEOR's tables are installed, synonyms if the references are English; else equal words."""
        if not looks_english(references):
            return cls(language=None)
        from tercet import resources

        if resources.status("meteor").state != "installed":
            return cls()
        return cls(synonyms=_MeteorSynonyms())

    def match(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Matching:
        """The words of two texts, linked."""
        mine, theirs = [word.lower() for word in hypothesis], [word.lower() for word in reference]
        free_mine, free_theirs = set(range(len(mine))), set(range(len(theirs)))
        links: list[Link] = []
        for stage in STAGES:
            if not free_mine or not free_theirs:
                break
            candidates = self._candidates(stage, mine, theirs, free_mine, free_theirs)
            for i, j in _in_runs(candidates, len(mine), len(theirs)):
                links.append(Link(i, j, stage))
                free_mine.discard(i)
                free_theirs.discard(j)
        return Matching(tuple(hypothesis), tuple(reference), tuple(sorted(links, key=lambda link: link.hypothesis)))

    def _candidates(
        self, stage: Stage, mine: Sequence[str], theirs: Sequence[str], free_mine: set[int], free_theirs: set[int]
    ) -> list[tuple[int, int]]:
        if stage == "synonym":
            if self.synonyms is None:
                return []
            known = {j: self.synonyms(theirs[j]) for j in free_theirs}
            return [(i, j) for i in free_mine for j, others in known.items() if mine[i] in others]
        if stage == "stem" and self.language is None:
            return []
        key = self._stem if stage == "stem" else str
        places: dict[str, list[int]] = {}
        for j in sorted(free_theirs):
            places.setdefault(key(theirs[j]), []).append(j)
        most = max(4, MOST_CANDIDATES // len(mine))
        found = []
        for i in sorted(free_mine):
            there = places.get(key(mine[i]), [])
            if len(there) > most:  # those around where the word would stand
                start = bisect_left(there, i * len(theirs) // len(mine)) - most // 2
                start = max(0, min(start, len(there) - most))
                there = there[start : start + most]
            found += [(i, j) for j in there]
        return found

    def _stem(self, word: str) -> str:
        found = self._stems.get(word)
        if found is None:
            from tercet.language import stems

            assert self.language is not None
            [found] = stems.stem([word], self.language)
            self._stems[word] = found
        return found


def _in_runs(candidates: Sequence[tuple[int, int]], mine: int, theirs: int) -> list[tuple[int, int]]:
    """One partner a word at most: the longest runs of neighbours first, then the pairs nearest to the diagonal."""
    if not candidates:
        return []
    known = set(candidates)
    stretch = theirs / mine
    heap = []
    for i, j in known:
        if (i - 1, j - 1) not in known:
            length = 1
            while (i + length, j + length) in known:
                length += 1
            heap.append((-length, abs(i * stretch - j), i, j))
    heapify(heap)
    used_mine, used_theirs = set[int](), set[int]()
    found = []
    while heap:
        length, _, i, j = heappop(heap)
        free = [k for k in range(-length) if i + k not in used_mine and j + k not in used_theirs]
        if len(free) < -length:  # a longer run took some of it: what is left comes back as shorter runs
            for start, size in _pieces(free):
                heappush(heap, (-size, abs((i + start) * stretch - j - start), i + start, j + start))
            continue
        for k in free:
            used_mine.add(i + k)
            used_theirs.add(j + k)
            found.append((i + k, j + k))
    return found


def _pieces(places: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in places:
        if found and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((place, 1))
    return found


def looks_english(references: Iterable[tuple[str, ...]]) -> bool:
    """Whether so many of the first words are English function words that the text can be little else."""
    words: list[str] = []
    for texts in references:
        words += texts[0].lower().split()
        if len(words) > _SAMPLE:
            break
    return bool(words) and sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words)


class _MeteorSynonyms:
    """Single words that share a WordNet synonym set with a word, from METEOR's tables."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def __call__(self, word: str) -> frozenset[str]:
        found = self._known.get(word)
        if found is None:
            spans = self._source.spans([word])
            found = frozenset(one.words[0] for _, _, others in spans for one in others if len(one.words) == 1)
            self._known[word] = found
        return found

    @cached_property
    def _source(self) -> Any:
        from tercet.lattice.sources import open_source

        return open_source("synonyms")
