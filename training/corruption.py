"""Sentences with the errors of machine translation, and at which words: the syntax network learns to find them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

import Stemmer

from training.noise import foreign_word

Word = tuple[str, str, str, bool]
"""Form, tag, chunk label, and whether an error was made here."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


DETERMINERS = ("the", "a", "an", "this", "that", "these", "those", "some", "any", "its", "their", "his", "her", "all")
PREPOSITIONS = _words("of in to for on with at by from about as into over after under between through against")
PRONOUNS = ("he", "she", "it", "they", "we", "you", "i", "him", "her", "them", "us", "who", "which", "that", "what")
AUXILIARIES = _words("is are was were be been being has have had do does did will would can could may must")
CONJUNCTIONS = ("and", "or", "but", "that", "which", "as", "if", "because", "while", "than", "not", "also")
FUNCTION = frozenset([*DETERMINERS, *PREPOSITIONS, *PRONOUNS, *AUXILIARIES, *CONJUNCTIONS, "n't", "'s", "there"])
_GROUPS = (DETERMINERS, PREPOSITIONS, PRONOUNS, AUXILIARIES)
_INSERTED = (*DETERMINERS[:4] * 4, *PREPOSITIONS[:8] * 2, *PRONOUNS[:4], *AUXILIARIES[:8], *CONJUNCTIONS[:5])
_VERBS = frozenset(["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"])
_NOUNS = frozenset(["NN", "NNS"])
_CONTENT = frozenset(["NN", "NNS", "NNP", "JJ", "RB", *_VERBS])


@dataclass(frozen=True)
class Forms:
    """Which forms a word has, and which words a tag: both from tagged text."""

    inflected: dict[tuple[str, str], list[tuple[str, str]]]
    """(stem, N or V) -> forms with their tags."""
    by_tag: dict[str, list[str]]
    stem: Callable[[str], str]

    @classmethod
    def of(cls, sentences: Iterable[tuple[Sequence[str], Sequence[str]]], *, least: int = 3) -> Forms:
        """From words and tags of sentences; forms seen fewer than `least` times are left out."""
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for words, tags in sentences:
            for word, tag in zip(words, tags, strict=True):
                if tag in _CONTENT and word.isalpha():
                    counts[word if tag == "NNP" else word.lower(), tag] += 1
        stem = Stemmer.Stemmer("english").stemWord
        inflected: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        by_tag: dict[str, list[str]] = defaultdict(list)
        for (word, tag), count in sorted(counts.items()):
            if count < least:
                continue
            # as often in the list as in text, up to a point: an error takes a common word more often than a rare one
            by_tag[tag] += [word] * min(count, 50)
            if tag in _VERBS | _NOUNS:
                inflected[stem(word), tag[0]].append((word, tag))
        return cls(dict(inflected), dict(by_tag), stem)


def swap(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """Two words side by side change places."""
    i = random.randrange(len(words) - 1)
    a, b = words[i], words[i + 1]
    if a[0].lower() == b[0].lower():
        return words
    return [*words[:i], _spoilt(b), _spoilt(a), *words[i + 2 :]]


def shuffle(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """Three to five words in another order."""
    size = random.randint(3, 5)
    i = random.randrange(max(1, len(words) - size))
    part = words[i : i + size]
    mixed = random.sample(part, len(part))
    if [word[0].lower() for word in mixed] == [word[0].lower() for word in part]:
        return words
    return [*words[:i], *map(_spoilt, mixed), *words[i + size :]]


def move(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A chunk stands a few words away from its place."""
    starts = [i for i, word in enumerate(words) if i == 0 or not word[2].startswith("I-")]
    i = random.choice(starts)
    j = i + 1
    while j < len(words) and words[j][2].startswith("I-"):
        j += 1
    rest = words[:i] + words[j:]
    target = i + random.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5])
    if not 0 <= target <= len(rest) or not rest:
        return words
    return [*rest[:target], *map(_spoilt, words[i:j]), *rest[target:]]


def foreign_order(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """The verb at the end of its clause, as in German; the adjective after its noun, as in French."""
    places = [i for i, word in enumerate(words[:-1]) if word[1] in _VERBS]
    adjectives = [i for i, w in enumerate(words[:-1]) if w[1] in {"JJ", "VBN"} and words[i + 1][1] in _NOUNS]
    if adjectives and (not places or random.random() < 0.5):
        i = random.choice(adjectives)
        return [*words[:i], _spoilt(words[i + 1]), _spoilt(words[i]), *words[i + 2 :]]
    if not places:
        return words
    i = random.choice(places)
    end = i + 1
    while end < len(words) and words[end][1] not in {",", ".", ":", "CC", "WDT", "WP"} and end - i < 12:
        end += 1
    if end == i + 1:
        return words
    return [*words[:i], *words[i + 1 : end], _spoilt(words[i]), *words[end:]]


def drop_function(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A function word is missing."""
    return _without(words, [i for i, word in enumerate(words) if word[0].lower() in FUNCTION], random)


def drop_content(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A verb, noun or adjective is missing; verbs more often than others."""
    places = [i for i, word in enumerate(words) if word[1] in _CONTENT]
    verbs = [i for i in places if words[i][1] in _VERBS]
    return _without(words, verbs if verbs and random.random() < 0.6 else places, random)


def insert_function(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A function word that does not belong there."""
    i = random.randrange(len(words) + 1)
    return [*words[:i], (random.choice(_INSERTED), "", "O", True), *words[i:]]


def double(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A word or two stand twice, at once or soon after."""
    size = random.choice([1, 1, 1, 2, 3])
    i = random.randrange(max(1, len(words) - size + 1))
    j = min(len(words), i + size + random.choice([0, 0, 0, 1, 2, 4]))
    return [*words[:j], *map(_spoilt, words[i : i + size]), *words[j:]]


def inflect(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """Another form of a verb or noun: person, number, tense."""
    places = [i for i, word in enumerate(words) if word[1] in _VERBS | _NOUNS]
    random.shuffle(places)
    for i in places:
        form, tag, chunk, _ = words[i]
        others = [
            other for other, _ in forms.inflected.get((forms.stem(form.lower()), tag[0]), ()) if other != form.lower()
        ]
        if others:
            return [*words[:i], (_cased(random.choice(others), form), tag, chunk, True), *words[i + 1 :]]
    return words


def confuse_function(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """Another determiner, preposition, pronoun or auxiliary."""
    places = [i for i, word in enumerate(words) if any(word[0].lower() in group for group in _GROUPS)]
    if not places:
        return words
    i = random.choice(places)
    form, tag, chunk, _ = words[i]
    group = random.choice([group for group in _GROUPS if form.lower() in group])
    other = random.choice([word for word in group if word != form.lower()])
    return [*words[:i], (_cased(other, form), tag, chunk, True), *words[i + 1 :]]


def confuse_content(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """Another word, mostly of the same class."""
    places = [i for i, word in enumerate(words) if word[1] in forms.by_tag]
    if not places:
        return words
    i = random.choice(places)
    form, tag, chunk, _ = words[i]
    kind = tag if random.random() < 0.7 else random.choice(sorted(forms.by_tag))
    other = random.choice(forms.by_tag[kind])
    if other.lower() == form.lower():
        return words
    return [*words[:i], (_cased(other, form), tag, chunk, True), *words[i + 1 :]]


def untranslate(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A word of another language."""
    places = [i for i, word in enumerate(words) if word[1] in _CONTENT]
    if not places:
        return words
    i = random.choice(places)
    form, tag, chunk, _ = words[i]
    return [*words[:i], (_cased(foreign_word(random), form), tag, chunk, True), *words[i + 1 :]]


def punctuate(words: list[Word], random: Random, forms: Forms) -> list[Word]:
    """A comma too many or too few."""
    commas = [i for i, word in enumerate(words) if word[0] == ","]
    if commas and random.random() < 0.5:
        return _without(words, commas, random)
    i = random.randrange(1, len(words))
    return [*words[:i], (",", ",", "O", True), *words[i:]]


KINDS: dict[str, tuple[Callable[[list[Word], Random, Forms], list[Word]], float]] = {
    "two words changed places": (swap, 1.0),
    "local shuffle": (shuffle, 1.0),
    "chunk moved": (move, 1.0),
    "foreign order": (foreign_order, 1.0),
    "function word dropped": (drop_function, 2.0),
    "content word dropped": (drop_content, 1.5),
    "function word inserted": (insert_function, 1.0),
    "words doubled": (double, 0.5),
    "wrong form": (inflect, 1.5),
    "wrong function word": (confuse_function, 2.0),
    "wrong content word": (confuse_content, 1.5),
    "untranslated": (untranslate, 0.7),
    "comma": (punctuate, 0.4),
}
NAMES = tuple(KINDS)
_WEIGHTS = [weight for _, weight in KINDS.values()]


def corrupted(words: list[Word], random: Random, forms: Forms, *, length: float) -> tuple[list[Word], set[int]]:
    """The sentence with at least one error, on average one more for each `length` words, and the kinds of errors.

    A sentence in which nothing could be spoilt (fewer than three words) is returned as it is, with no kind.
    """
    kinds: set[int] = set()
    if len(words) < 3:
        return words, kinds
    wanted, tries = 1 + _poisson(len(words) / length, random), 0
    while wanted and tries < 30:
        kind = random.choices(range(len(NAMES)), _WEIGHTS)[0]
        changed = KINDS[NAMES[kind]][0](words, random, forms)
        if changed is not words and len(changed) >= 2:
            words, wanted = changed, wanted - 1
            kinds.add(kind)
        tries += 1
    return words, kinds


def _spoilt(word: Word) -> Word:
    return (*word[:3], True)


def _without(words: list[Word], places: list[int], random: Random) -> list[Word]:
    """Without one of the places; the words around the gap are where the error is."""
    if not places or len(words) < 3:
        return words
    i = random.choice(places)
    rest = words[:i] + words[i + 1 :]
    for j in (i - 1, i):
        if 0 <= j < len(rest):
            rest[j] = _spoilt(rest[j])
    return rest


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _poisson(mean: float, random: Random) -> int:
    count, left = 0, random.expovariate(1.0)
    while left < mean:
        count += 1
        left += random.expovariate(1.0)
    return count
