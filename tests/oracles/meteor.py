"""METEOR's matchers and its search, step by step (Denkowski & Lavie 2014; the program, version 1.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

Words = Sequence[str]
Paraphrases = Mapping[tuple[str, ...], Sequence[tuple[str, ...]]]


@dataclass(frozen=True)
class Knowledge:
    """What the modules know about words."""

    stem: Callable[[str], str] = lambda word: word
    synsets: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Of words in just this form."""
    bases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    paraphrases: Paraphrases = field(default_factory=dict)
    function_words: frozenset[str] = frozenset()


def java_hash(word: str) -> int:
    """What the program compares in place of words; French je and l' have the same."""
    units = memoryview(word.encode("utf-16-le", "surrogatepass")).cast("H")
    return sum(unit * 31**power for power, unit in enumerate(reversed(units))) % 2**32


class Match(NamedTuple):
    """Words of the reference and of the hypothesis that a module finds equal."""

    reference: int
    reference_length: int
    start: int
    length: int
    module: str

    @property
    def in_reference(self) -> set[int]:
        return set(range(self.reference, self.reference + self.reference_length))

    @property
    def in_hypothesis(self) -> set[int]:
        return set(range(self.start, self.start + self.length))

    @property
    def gain(self) -> int:
        if self.module == "exact":
            return self.reference_length + self.length
        return self.reference_length // 2 + self.length // 2


DETACHMENTS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip


def all_synsets(word: str, known: Knowledge) -> frozenset[int]:
    """The synonym sets of a word and of its base forms."""
    if word in known.bases:
        bases = list(known.bases[word])
    elif word.endswith("ss") or len(word.encode("utf-16-le", "surrogatepass")) <= 4:
        bases = [word]
    else:
        regular = (word[: -len(ending)] + instead for ending, instead in DETACHMENTS if word.endswith(ending))
        bases = [base for base in regular if base in known.synsets][:1]
    return frozenset().union(*(known.synsets.get(form, frozenset()) for form in [word, *bases]))


def matches_of(module: str, hypothesis: Words, reference: Words, known: Knowledge) -> list[Match]:
    """All matches of a module, in the order in which it finds them."""
    if module == "paraphrase":
        return [
            *(Match(i, n, j, m, module) for i, n, j, m in _phrase_pairs(reference, hypothesis, known)),
            *(Match(i, n, j, m, module) for j, m, i, n in _phrase_pairs(hypothesis, reference, known)),
        ]

    def equal(a: str, b: str) -> bool:
        if java_hash(a) == java_hash(b):
            return module == "exact"
        if module == "stem":
            return java_hash(known.stem(a)) == java_hash(known.stem(b))
        return module == "synonym" and not all_synsets(a, known).isdisjoint(all_synsets(b, known))

    return [Match(i, 1, j, 1, module) for i, a in enumerate(reference) for j, b in enumerate(hypothesis) if equal(a, b)]


def _phrase_pairs(first: Words, second: Words, known: Knowledge) -> list[tuple[int, int, int, int]]:
    """Phrases of the one sentence with paraphrases in the other: start and length of both."""
    return [
        (i, n, j, len(paraphrase))
        for i in range(len(first))
        for n in range(1, len(first) - i + 1)
        for paraphrase in known.paraphrases.get(tuple(first[i : i + n]), ())
        for j in range(len(second))
        if tuple(second[j : j + len(paraphrase)]) == paraphrase
    ]


@dataclass(frozen=True)
class Partial:
    """An alignment of the reference up to some position."""

    matches: tuple[Match, ...] = ()
    used: frozenset[int] = frozenset()
    """Words of the hypothesis that are linked."""
    gain: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0
    chunk_end: int | None = None

    def rank(self) -> tuple[int, int, int]:
        return (-self.gain, self.chunks, self.distance)

    def link(self, match: Match) -> Partial:
        return replace(
            self,
            matches=(*self.matches, match),
            used=self.used | match.in_hypothesis,
            gain=self.gain + match.gain,
            chunks=self.chunks + (self.chunk_end not in (None, match.start)),
            next=match.reference + match.reference_length,
            chunk_end=match.start + match.length,
        )

    def skip(self) -> Partial:
        return replace(self, chunks=self.chunks + (self.chunk_end is not None), next=self.next + 1, chunk_end=None)


def align(hypothesis: Words, reference: Words, modules: Sequence[str], known: Knowledge, beam: int = 40) -> list[Match]:
    """The matches that METEOR's search chooses, in the order of the reference."""
    if list(map(java_hash, hypothesis)) == list(map(java_hash, reference)):
        modules = modules[:1]
    matches = [match for module in modules for match in matches_of(module, hypothesis, reference, known)]

    # A match is certain if no other one has any of its words.
    reference_words = Counter(i for match in matches for i in match.in_reference)
    hypothesis_words = Counter(j for match in matches for j in match.in_hypothesis)
    certain = {
        match.reference: match
        for match in matches
        if all(reference_words[i] == 1 for i in match.in_reference)
        and all(hypothesis_words[j] == 1 for j in match.in_hypothesis)
    }
    taken = frozenset().union(*(match.in_reference for match in certain.values()))
    partials = [Partial(used=frozenset().union(*(match.in_hypothesis for match in certain.values())))]
    for i in range(len(reference)):
        partials = sorted(partials, key=Partial.rank)[:beam]
        choices = [match for match in matches if match.reference == i and not match.in_reference & taken]
        following = []
        for partial in partials:
            if i < partial.next:
                following.append(partial)
            elif i in certain:
                distance = partial.distance + abs(i - certain[i].start)
                following.append(replace(partial.link(certain[i]), distance=distance))
            else:
                for match in choices:
                    if not match.in_hypothesis & partial.used:
                        following.append(partial.link(match))
                        # METEOR gives the distance of a match not to the alignment that makes it but to those after it
                        partial = replace(partial, distance=partial.distance + abs(i - match.start))
                following.append(partial.skip())
        partials = following
    ended = [replace(partial, chunks=partial.skip().chunks) for partial in sorted(partials, key=Partial.rank)[:beam]]
    return list(min(ended, key=Partial.rank).matches)


def statistics(
    hypothesis: Words,
    reference: Words,
    modules: Sequence[str],
    known: Knowledge,
    *,
    beam: int = 40,
    characters: bool = False,
) -> list[float]:
    """The 23 numbers of a hypothesis and one reference."""

    def size(words: Words) -> int:
        return sum(len(word.encode("utf-16-le", "surrogatepass")) // 2 if characters else 1 for word in words)

    def function(words: Words) -> list[str]:
        return [word for word in words if word.lower() in known.function_words]

    found = align(hypothesis, reference, modules, known, beam)
    row: list[float] = [size(hypothesis), size(reference), size(function(hypothesis)), size(function(reference))]
    matched = [0, 0]
    for module in (*modules, *("",) * (4 - len(modules))):
        sides = [
            [hypothesis[j] for match in found if match.module == module for j in sorted(match.in_hypothesis)],
            [reference[i] for match in found if match.module == module for i in sorted(match.in_reference)],
        ]
        row += [size(side) - size(function(side)) for side in sides] + [size(function(side)) for side in sides]
        matched = [total + size(side) for total, side in zip(matched, sides, strict=True)]
    breaks = sum(
        (a.reference + a.reference_length, a.start + a.length) != (b.reference, b.start) for a, b in pairwise(found)
    )
    chunks = breaks + 1 if found else 0
    perfect = chunks == 1 and matched == row[:2]
    return [
        *row,
        0 if perfect else chunks,
        sum(match.length for match in found),
        sum(m.reference_length for m in found),
    ]
