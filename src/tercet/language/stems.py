"""Snowball stems, through PyStemmer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import Stemmer


@cache
def algorithm(language: str) -> str | None:
    """The name of the stemmer for a language given by its English name; None if there is none."""
    return language if language in Stemmer.algorithms() else None


def stem(words: Sequence[str], language: str) -> list[str]:
    """The stem of every word."""
    stemmer = Stemmer.Stemmer(language, 0)  # without its cache: it is asked for every word once
    try:
        return list(stemmer.stemWords(words))
    except UnicodeEncodeError:  # a lone surrogate, which the stemmer cannot take
        return [word if any("\ud800" <= c <= "\udfff" for c in word) else stemmer.stemWord(word) for word in words]
