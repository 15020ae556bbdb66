"""Language pairs and system names as files spell them, brought to one spelling: `cs-en`, `online-A`."""

from __future__ import annotations

import re

# What WMT's files call a language: its name, ISO 639-2 codes of both kinds, and codes of its own making.
_SPELLINGS = {
    "bg": "bulgarian bul",
    "bn": "bengali ben",
    "cs": "czech cze ces cz",
    "de": "german ger deu",
    "en": "english eng",
    "es": "spanish spa esn",
    "et": "estonian est",
    "eu": "basque baq eus",
    "fi": "finnish fin",
    "fr": "french fre fra",
    "gu": "gujarati guj",
    "ha": "hausa hau",
    "he": "hebrew heb",
    "hi": "hindi hin",
    "hr": "croatian hrv",
    "ht": "haitian hat",
    "hu": "hungarian hun",
    "is": "icelandic ice isl",
    "iu": "inuktitut iku",
    "ja": "japanese jpn",
    "kk": "kazakh kaz",
    "km": "khmer khm",
    "liv": "livonian",
    "lt": "lithuanian lit",
    "lv": "latvian lav",
    "nl": "dutch dut nld",
    "pl": "polish pol",
    "ps": "pashto pus",
    "pt": "portuguese por ptb",
    "ro": "romanian rum ron",
    "ru": "russian rus",
    "sah": "yakut",
    "ta": "tamil tam",
    "tr": "turkish tur",
    "uk": "ukrainian ukr",
    "xh": "xhosa xho",
    "zh": "chinese chi zho",
    "zu": "zulu zul",
    # WMT11 had the Haitian messages twice, as they came and cleaned: two test sets with the same numbers.
    "htraw": "haitian_creole_(raw)",
    "htclean": "haitian_creole_(clean)",
}
_CODES = {spelling: code for code, others in _SPELLINGS.items() for spelling in (code, *others.split())}
_CODE = re.compile(r"[a-z]{2,3}(_[A-Z]{2,4}[a-z]{0,3})?")
_PAIR = re.compile(r"([A-Za-z_]+)-([A-Za-z_]+)")


def language_code(name: str) -> str | None:
    """`Czech`, `cze`, `cz` and `cs` as `cs`; a code this table does not know stays as it is; else None."""
    known = _CODES.get(name.strip().lower().replace(" ", "_"))
    return known or (name.strip() if _CODE.fullmatch(name.strip()) else None)


def pair_code(text: str) -> str | None:
    """`cz-en`, `eng-tur`, `Czech-English` or `ende` as `cs-en`, `en-tr`, `cs-en`, `en-de`; None where it is no pair."""
    match = _PAIR.fullmatch(text.strip())
    if match:
        source, target = language_code(match[1]), language_code(match[2])
        return f"{source}-{target}" if source and target else None
    if re.fullmatch(r"[a-z]{4}", text) and text[:2] in _SPELLINGS and text[2:] in _SPELLINGS:
        return f"{text[:2]}-{text[2:]}"
    return None


def bare_system(name: str, pair: str) -> tuple[str | None, str]:
    """The test set and the system in a name that carries them.

    `newstest2013.fr-en.online-A` (WMT13 and before) and `newstest2016.online-A.0.cs-en` (WMT14 and after), with or
    without `.txt`, are `online-A` and `online-A.0`; a name that does not carry the pair stays as it is.
    """
    stem = name.removesuffix(".txt")
    testset, dot, rest = stem.partition(".")
    if testset and dot:
        first, _, after = rest.partition(".")
        if after and pair_code(first) == pair:
            return testset, after
        before, _, last = rest.rpartition(".")
        if before and pair_code(last) == pair:
            return testset, before
    return None, name
