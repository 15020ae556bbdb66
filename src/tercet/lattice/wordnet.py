"""Synonyms and inflections as tables of paraphrases, made from METEOR's synonym sets and the words of its tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import chain

from tercet.language import stems
from tercet.language.meteor_tables import MeteorTables
from tercet.lattice.index import Pair

# WordNet's rules of detachment, by the inflection that they undo.
_DETACHMENTS = (
    ("s", (("ches", "ch"), ("shes", "sh"), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ies", "y"), ("s", ""))),
    ("ed", (("ied", "y"), ("ed", "e"), ("ed", ""))),
    ("ing", (("ing", "e"), ("ing", ""))),
    ("er", (("ier", "y"), ("er", "e"), ("er", ""))),
    ("est", (("iest", "y"), ("est", "e"), ("est", ""))),
)
_BASE, _IRREGULAR = "base", "irregular"
_DOUBLED = re.compile(r"([^aeiou])\1$")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")

MOST_SYNONYMS = 40
"""Of a word: those that share the most synonym sets with it; ties in the order of the alphabet."""


def synonym_pairs(tables: MeteorTables) -> Iterator[Pair]:
    """Words that share a synonym set, in the same inflection; the score is the share of the word's sets."""
    lexicon = list(tables.lexicon())
    sets = {word: synsets for word, synsets, _ in lexicon if synsets}
    forms: dict[str, list[tuple[str, str]]] = {}  # of a word, its base forms and how they are inflected in it
    for word, _, irregular in lexicon:
        found = list(_bases(word, sets, irregular))
        if found:
            forms[word] = found
    members: dict[tuple[int, str], list[str]] = defaultdict(list)
    for word, bases in forms.items():
        for base, inflection in bases:
            for synset in sets[base]:
                members[synset, inflection].append(word)
    for word, bases in forms.items():
        shared: dict[str, set[int]] = defaultdict(set)
        own: set[int] = set()
        for base, inflection in bases:
            own |= sets[base]
            for synset in sets[base]:
                for other in chain.from_iterable(members.get((synset, kind), ()) for kind in _same(inflection)):
                    shared[other].add(synset)
        ranked = sorted((-len(common), other) for other, common in shared.items() if other != word)
        for count, other in ranked[:MOST_SYNONYMS]:
            yield Pair(word, other.replace("_", " "), -count / len(own))


def inflection_pairs(tables: MeteorTables) -> Iterator[Pair]:
    """Words with the same Snowball stem, among the words of the tables."""
    words = [word for word, _, _ in tables.lexicon() if _WORD.fullmatch(word)]
    groups: dict[str, list[str]] = defaultdict(list)
    for word, stem in zip(words, stems.stem(words, "english"), strict=True):
        groups[stem].append(word)
    for group in groups.values():
        for word in group:
            for other in group:
                if other != word:
                    yield Pair(word, other)


def _bases(word: str, known: Container[str], listed: Sequence[str]) -> Iterator[tuple[str, str]]:
    irregular = [base for base in listed if base in known]
    if word in known:
        yield word, _BASE
    for base in irregular:
        yield base, _by_ending(word, base)
    if irregular or not _WORD.fullmatch(word) or word.endswith("ss"):
        return
    for inflection, rules in _DETACHMENTS:
        for ending, instead in rules:
            if not word.endswith(ending) or len(word) < len(ending) + 2:
                continue
            base = word[: -len(ending)] + instead
            doubled = not instead and inflection != "s" and _DOUBLED.search(base)
            found = base if base in known else base[:-1] if doubled and base[:-1] in known else None
            if found is not None and found != word:
                yield found, inflection
                break


def _by_ending(word: str, base: str) -> str:
    """What an irregular form is, where its ending tells."""
    for ending in ("ing", "est", "er", "ed", "s"):
        if word.endswith(ending) and not base.endswith(ending):
            return ending
    return _IRREGULAR


def _same(inflection: str) -> tuple[str, ...]:
    """Inflections that an inflection may be replaced by: an irregular form does not say which one it is."""
    if inflection == _IRREGULAR:
        return ("s", "ed", _IRREGULAR)
    return (inflection, _IRREGULAR) if inflection in ("s", "ed") else (inflection,)
