"""METEOR 1.5's languages, tasks and parameters (Denkowski & Lavie 2014), as its program has them."""

from __future__ import annotations

from dataclasses import dataclass

from tercet.errors import OptionError

MODULES = ("exact", "stem", "synonym", "paraphrase")

# Languages with a Snowball stemmer or with parameters of their own, by ISO 639-1 code; METEOR itself writes cz and se.
LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish", "xx": "other",
}  # fmt: skip
_ALSO = {"cz": "cs", "se": "sv", "nb": "no", "nn": "no", "other": "xx"} | {
    name: code for code, name in LANGUAGES.items()
}

# What becomes of apostrophes when METEOR normalises; languages that it has no rules for are treated as any script.
STYLES = {"en": "english", "fr": "french", "de": "other", "es": "other", "cs": "other", "ru": "other"}


@dataclass(frozen=True)
class Parameters:
    """Precision against recall, the two of the penalty, content against function words; weights in order of modules."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


RANK = {
    "en": Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    "cs": Parameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4)),
    "fr": Parameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4)),
    "es": Parameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6)),
    "de": Parameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2)),
    "ru": Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5)),
}
ENGLISH_ONLY = {
    "adq": Parameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    "hter": Parameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    "util": Parameters(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
}
ANY_LANGUAGE = {
    "li": Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "universal": Parameters(0.7, 1.4, 0.3, 0.7, (1.0, 0.6)),
}


def language_code(name: str) -> str:
    """The code of a language given by code or by English name."""
    code = _ALSO.get(name.lower(), name.lower())
    if code not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise OptionError(
            f"meteor: language={name!r} is not known; it takes {known} (xx: any other, exact matches only)"
        )
    return code


def task_for(task: str, language: str) -> str:
    """The task itself, or what METEOR's default stands for: rank where it was tuned for the language, else li."""
    return ("rank" if language in RANK else "li") if task == "default" else task


def parameters_for(task: str, language: str) -> Parameters:
    """The parameters of a task that METEOR has for a language."""
    if task in ANY_LANGUAGE:
        return ANY_LANGUAGE[task]
    if task == "rank" and language in RANK:
        return RANK[language]
    if language == "en":
        return ENGLISH_ONLY[task]
    raise OptionError(f"meteor: task={task} is not tuned for language={language}; use task=li, or default")
