"""Sentences as machine translation spoils them: small letters, no punctuation, words left in a foreign language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

_SYLLABLES = """
    sch ung keit ver ges chaf über heit lich mün ción dad mient añ ero ando quil izaç ão nh eur aux eaux oux ée tière
    ové ství ného přes ské ých žad ník gli zione ità sza ły wic ość rz ja nen ssä ttu yys ov ski iya nje
"""
_PIECES = _SYLLABLES.split()
_OPEN = {"NN", "NNS", "NNP", "NNPS", "JJ", "VB", "VBD", "VBN", "VBG", "VBZ", "VBP", "RB"}
_PUNCTUATION = {",", ".", ":", "``", "''", "-LRB-", "-RRB-"}

Layers = list[tuple[str, ...]]  # words first, tags second, then whatever else goes with them


def lowercase(layers: Layers, random: Random) -> Layers:
    """All words in small letters."""
    return [tuple(word.lower() for word in layers[0]), *layers[1:]]


def capitalize(layers: Layers, random: Random) -> Layers:
    """A headline: every word with a capital, or nothing but capitals."""
    change = str.upper if random.random() < 0.5 else str.capitalize
    return [tuple(change(word) for word in layers[0]), *layers[1:]]


def without_punctuation(layers: Layers, random: Random) -> Layers:
    """No punctuation at all, or all but the end's; never nothing."""
    last = len(layers[0]) - 1
    whole = random.random() < 0.6
    kept = [i for i, tag in enumerate(layers[1]) if tag not in _PUNCTUATION or (i == last and not whole)]
    return [tuple(layer[i] for i in kept) for layer in layers] if kept else layers


def foreign_word(random: Random) -> str:
    """Something that looks like a word of another language."""
    return "".join(random.choices(_PIECES, k=random.randint(2, 3)))


def untranslated(layers: Layers, random: Random) -> Layers:
    """One open-class word in eight looks foreign; it keeps the tag of its place."""

    def word(form: str, tag: str) -> str:
        if tag not in _OPEN or random.random() > 0.125:
            return form
        made = foreign_word(random)
        return made.capitalize() if form[:1].isupper() else made

    return [tuple(map(word, layers[0], layers[1])), *layers[1:]]


NOISES = (lowercase, lowercase, without_punctuation, without_punctuation, untranslated, capitalize)


def with_noise(sentences: Sequence[Layers], share: float, seed: int = 7) -> list[Layers]:
    """The sentences, and spoilt copies of a share of them."""
    random = Random(seed)
    spoilt = []
    for layers in sentences:
        if random.random() < share:
            first, second = random.choice(NOISES), random.choice(NOISES)
            copy = first(layers, random)
            spoilt.append(second(copy, random) if random.random() < 0.4 else copy)
    return [*sentences, *spoilt]


def spoilt_forms(sentences: Sequence[Layers]) -> Iterator[tuple[str, list[Layers]]]:
    """Held-out sentences spoilt in one way after the other, with its name; the same ones every time."""
    for noise in (lowercase, without_punctuation, untranslated):
        yield noise.__name__.replace("_", " "), [noise(layers, Random(i)) for i, layers in enumerate(sentences)]
