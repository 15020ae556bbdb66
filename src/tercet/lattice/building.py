"""A reference becomes a lattice: its words, what may stand for them, and ways round for phrases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.index import Paraphrase
from tercet.lattice.sources import Source

Tagger = Callable[[Sequence[str]], Sequence[str]]
"""The Penn Treebank tag of every word of a sentence."""


class Substitutes(Protocol):
    """A judge of single words in their context, such as AddCos."""

    def kept(
        self, words: Sequence[str], candidates: Mapping[int, Sequence[str]], tags: Sequence[str] | None = None
    ) -> Mapping[int, Sequence[str]]:
        """Of the candidates for some places of a sentence, those that fit there; `tags` are the sentence's."""
        ...


class Builder:
    """Makes lattices of sentences with paraphrases from some sources.

    Words in `function_words`, and what has no letter or digit, are not replaced; a phrase needs one word that may be.
    `substitutes` judges single words, but for those of sources that are not to be judged.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        multiword: bool = True,
        function_words: Collection[str] = (),
        substitutes: Substitutes | None = None,
        tagger: Tagger | None = None,
    ) -> None:
        self.sources, self.multiword, self.substitutes, self.tagger = sources, multiword, substitutes, tagger
        self._function_words = frozenset(function_words)

    def lattice(self, words: Sequence[str]) -> Lattice:
        """The lattice of a sentence; the sentence's own words stand first on their edges."""
        content = [self._content(word) for word in words]
        tags = None if self.tagger is None else self.tagger(words)
        single: list[dict[str, None]] = [{word: None} for word in words]
        doubtful: dict[int, dict[str, None]] = {}
        ways: dict[tuple[int, int], dict[tuple[str, ...], None]] = {}
        for source in self.sources:
            judged = self.substitutes is not None and source.judged
            for start, length, paraphrases in source.spans(words):
                if length == 1:
                    if not content[start]:
                        continue
                elif not self.multiword or not any(content[start : start + length]):
                    continue
                for paraphrase in paraphrases:
                    if paraphrase.tag and tags is not None and not _fits(paraphrase, tags[start : start + length]):
                        continue
                    if length == len(paraphrase.words) == 1:
                        here = doubtful.setdefault(start, {}) if judged else single[start]
                        here[paraphrase.words[0]] = None
                    elif self.multiword:
                        ways.setdefault((start, length), {})[paraphrase.words] = None
        if self.substitutes is not None and doubtful:
            candidates = {place: [other for other in some if other != words[place]] for place, some in doubtful.items()}
            for place, kept in self.substitutes.kept(words, candidates, tags).items():
                single[place].update(dict.fromkeys(kept))
        return _joined(single, ways)

    def _content(self, word: str) -> bool:
        return word not in self._function_words and any(map(str.isalnum, word))


def _fits(paraphrase: Paraphrase, tags: Sequence[str]) -> bool:
    """PPDB's tag of a single word is the word's; those of phrases are constituents, which a tagger does not tell."""
    return len(tags) > 1 or paraphrase.tag == tags[0] or not paraphrase.tag.isalpha()


def _joined(
    single: Sequence[Mapping[str, None]], ways: Mapping[tuple[int, int], Mapping[tuple[str, ...], None]]
) -> Lattice:
    """States: the places between words, each followed by those inside the ways round that begin there."""
    begun: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for (start, length), phrases in ways.items():
        begun.setdefault(start, []).extend([(length, phrase) for phrase in phrases])
    number, place_of = 0, []
    inside: dict[int, dict[tuple[str, ...], int]] = {}  # ways with the same first words go together
    for place in range(len(single) + 1):
        place_of.append(number)
        number += 1
        if place in begun:
            states = inside[place] = {}
            for _, phrase in begun[place]:
                for count in range(1, len(phrase)):
                    if states.setdefault(phrase[:count], number) == number:
                        number += 1
    edges = {(place_of[place], place_of[place + 1]): dict(words) for place, words in enumerate(single)}
    for place, phrases_here in begun.items():
        states, here = inside[place], place_of[place]
        for prefix, state in states.items():
            edges.setdefault((states[prefix[:-1]] if len(prefix) > 1 else here, state), {})[prefix[-1]] = None
        for length, phrase in phrases_here:
            before = states[phrase[:-1]] if len(phrase) > 1 else here
            edges.setdefault((before, place_of[place + length]), {})[phrase[-1]] = None
    found = tuple([Edge(source, target, tuple(words)) for (source, target), words in edges.items()])
    return Lattice.sound(number, found, (place_of[-1],))
