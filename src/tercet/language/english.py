"""English text to Penn Treebank tokens, with the place of each in the text, and to sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words whose period belongs to them.
_ABBREVIATIONS = _words("""
    adm attys brig capt cmdr col cpl dr drs fr gen gov hon lt maj messrs mr mrs ms prof rep reps rev sen sens sgt st
    no nos fig figs vs v pp vol art sec jan feb mar apr jun jul aug sept sep oct nov dec mt ft
    inc corp co ltd llc bros plc jr sr phd etc cf al ca approx dept est univ assn ave blvd rd
    ala ga calif conn mass pa va fla ill mich minn wash ariz colo ore tenn mon tue tues wed thu thur thurs fri
""")
# Ordinary words as well: the period is theirs only before a small letter or a number.
_AMBIGUOUS = _words("no mar art fig sec ill mass wash pa va ore etc al co mon wed fri est ave v")

_PIECE = re.compile(
    r"""
      https?://[^\s\x00-\x1f<>"]+ | www\.[^\s\x00-\x1f<>"]+                    # addresses
    | \w[\w.+-]{0,63}+@[\w-]++(?:\.[\w-]++)+                                   # no name in one is longer
    | ['’](?i:s|m|d|re|ve|ll)(?!\w)                                            # clitics that stand alone
    | ['’]\d\ds?(?!\w)                                                         # the '80s
    | (?:US|C|A|HK|NZ)\$                                                       # dollars of other countries
    | (?:[^\W\d_]\.){2,}(?:-\w+)*                                             # U.S., e.g., U.S.-based
    | \w[\w\u0300-\u036f]*                                                     # words and numbers
      (?:(?:[-–&/'’´_+]|\.(?=[a-z0-9])|(?<=\d)[,:](?=\d))\w[\w\u0300-\u036f]*)*
    | \.{2,} | -{2,} | [?!]+ | `` | ''                                         # runs that are one mark
    | [^\s\x00-\x1f\x7f-\x9f]                                                  # anything else is alone
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", re.IGNORECASE)
_MORE = re.compile(r"[^\W_]")
_TWO_WORDS = {"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "gimme": 3, "lemme": 3}
_CLOSING = frozenset("\"'”’)]}»") | {"''"}
_ENDING = frozenset(".!?…。！？")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a text: their forms, where each starts and ends, and at which token each sentence starts."""

    text: str
    forms: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[int, ...]


def tokens(text: str) -> Tokens:
    """The Penn Treebank tokens of a text, and its sentences.

    Forms are as in the text: quotes and brackets are not rewritten. White space and control characters separate tokens.
    """
    spans: list[tuple[int, int]] = []
    for match in _PIECE.finditer(text):
        start, end = match.span()
        form = text[start:end]
        if form == "." and spans and spans[-1][1] == start and _keeps_period(text, *spans[-1]):
            spans[-1] = (spans[-1][0], end)
            continue
        cut = 0
        if "'" in form or "’" in form:
            clitic = _CLITIC.search(form)
            cut = clitic.start() if clitic else 0
        elif form[-1:] in "tTaAeE":
            cut = _TWO_WORDS.get(form.lower(), 0)
        if cut:
            spans.append((start, start + cut))
        spans.append((start + cut, end))
    forms = tuple([text[start:end] for start, end in spans])
    return Tokens(text, forms, tuple([s for s, _ in spans]), tuple([e for _, e in spans]), sentence_starts(forms))


def given(words: tuple[str, ...]) -> Tokens:
    """Tokens that someone else has made; the text is their join by blanks."""
    starts, place = [], 0
    for word in words:
        starts.append(place)
        place += len(word) + 1
    ends = tuple(start + len(word) for start, word in zip(starts, words, strict=True))
    return Tokens(" ".join(words), words, tuple(starts), ends, sentence_starts(words))


def sentence_starts(forms: tuple[str, ...]) -> tuple[int, ...]:
    """The number of the first token of each sentence.

    A sentence ends with its mark and the quotes and brackets that close after it; what follows starts with no small
    letter, unless the whole text is in small letters.
    """
    marks = [i for i, form in enumerate(forms[:-1]) if form[-1] in _ENDING and not form[0].isalnum()]
    if not marks:
        return (0,) if forms else ()
    small = not any(form[0].isupper() for form in forms)
    starts = [0]
    for i in marks:
        following = i + 1
        while following < len(forms) and forms[following] in _CLOSING:
            following += 1
        if following == len(forms) or following <= starts[-1] or forms[following][0] in ",;:.!?-–—…":
            continue
        first = next((c for c in forms[following] if c.isalnum()), "A")
        if not first.islower() or (small and forms[i] in {".", "?", "!"}):
            starts.append(following)
    return tuple(starts)


def _keeps_period(text: str, start: int, end: int) -> bool:
    # at the end of the text a period is the sentence's, whatever it follows
    if not _MORE.search(text, end + 1):
        return False
    word = text[start:end]
    if len(word) == 1:
        return word.isupper() and word != "I"
    low = word.lower()
    if low in _ABBREVIATIONS:
        return low not in _AMBIGUOUS or _next_is_small_or_number(text, end + 1)
    return False


def _next_is_small_or_number(text: str, place: int) -> bool:
    following = text[place : place + 40].lstrip()[:1]
    return following.islower() or following.isdigit() or following in {",", ";", ":"}
