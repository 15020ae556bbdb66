"""Tokenizers, equal to sacreBLEU's. The work is done in cpp/tokenize.cpp."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Literal

from tercet import _native

Tokenizer = Literal["none", "13a", "intl", "char", "zh"]


def tokenize(lines: Sequence[str], tokenizer: Tokenizer = "13a") -> list[list[str]]:
    """The tokens of each line."""
    prepare(tokenizer)
    return _native.tokenize(list(lines), tokenizer)


def prepare(tokenizer: str) -> None:
    """Hands the kernel what a tokenizer needs; to be called before a kernel that tokenizes."""
    if tokenizer == "intl":
        _set_character_classes()


@cache
def _set_character_classes() -> None:
    # 1.1 million look-ups, a tenth of a second: only for those who ask for `intl`
    classes = {"N": 1, "P": 2, "S": 3}
    category = unicodedata.category
    _native.set_character_classes(bytes(classes.get(category(chr(c))[0], 0) for c in range(0x110000)))
