"""The text that TER counts words of: Tercom's normalization, as sacreBLEU has it."""

from __future__ import annotations

import re

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))  # in this order: &amp;lt; ends as <

_SYMBOL = re.compile(r"([ -&(-+/:-@\[-`{-~])")
_STOP_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_STOP_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])-")

_WESTERN_PUNCTUATION = re.compile(r'[.,?:;!"()]')
_CJK_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65"
_FULL_WIDTH_PUNCTUATION = "\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
_ASIAN_PUNCTUATION = re.compile(f"[{_CJK_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}]")
# Each a word by itself. Kana are not among them: sacreBLEU's rules for kana ask for them at the start of a text that
# has been given a blank there, so that they never apply.
_ASIAN_CHARACTER = re.compile(
    "([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    f"{_CJK_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}])"
)


def normalize(text: str, *, lowercase: bool, normalized: bool, punctuation: bool, asian: bool) -> str:
    """The text whose words, parted by white space, TER compares."""
    if lowercase:
        text = text.lower()
    if normalized:
        text = _split_off(text.rstrip())
        if asian:
            text = _ASIAN_CHARACTER.sub(r" \1 ", text)
    if not punctuation:
        text = _WESTERN_PUNCTUATION.sub("", text)
        if asian:
            text = _ASIAN_PUNCTUATION.sub("", text)
    return text


def _split_off(text: str) -> str:
    """Symbols, stops and possessives split off, entities resolved, lines joined."""
    text = text.replace("\n-", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = _SYMBOL.sub(r" \1 ", f" {text} ")
    text = text.replace("'s ", " 's ")
    text = _STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = _STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return _DASH_AFTER_DIGIT.sub(r"\1 - ", text)
