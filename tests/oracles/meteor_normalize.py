"""METEOR's normalisation as the regular expressions that it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

LETTER = r"A-Za-zÀ-ÖØ-öø-ž\u0400-\u0527\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
WHITE = " \t\n\x0b\f\r"  # of Java's regular expressions
SEPARATORS = "[ \t\n\f\r]+"  # of Java's StringTokenizer
WIDE = "[ \u2000-\u200a\u202f\u205f\u3000\xa0]+"
TRIMMED = "".join(map(chr, range(33)))

MARKS = [
    (
        r"(?<!\.)(\.\.+)(?!\.)",
        lambda run: " " + "\0" * len(run[1]) + " ",
    ),  # \0 stands for the full stops of an ellipsis
    (r"([^0-9]),([^0-9])", r"\1 , \2"),
    (r"([0-9]),([^0-9])", r"\1 , \2"),
    (r"([^0-9]),([0-9])", r"\1 , \2"),
    ("[`‘’]", "'"),
    ("[“”]|''", ' " '),
    ("–", "-"),
    ("--", "-"),
]
CONTRACTIONS = {
    "english": [
        (rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([^{LETTER}0-9])'([{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([{LETTER}])", r"\1 '\2"),
        (r"([0-9])'(s)", r"\1 '\2"),
    ],
    "french": [
        (rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([^{LETTER}])'([{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([{LETTER}])", r"\1' \2"),
    ],
    "other": [("'", " ' ")],
}


def normalize(line: str, style: str, punctuation: bool, abbreviations: Mapping[str, bool]) -> list[str]:
    """The tokens of a line that has no \\0."""
    if style == "any_script":
        text = _any_script(line, punctuation)
    else:
        text = _apply([(rf"([^0-9{LETTER}{WHITE}.'`,\-‘’])", r" \1 ")], f" {line} ")
        text = _apply([*MARKS, (rf"([0-9{LETTER}.])-([0-9{LETTER}])", r"\1 \2"), *CONTRACTIONS[style]], text)
        text = _full_stops(re.split(SEPARATORS, text.strip(" \t\n\f\r")), abbreviations).replace("\0", ".")
        if not punctuation:
            text = re.sub(rf"[^0-9{LETTER}]", " ", text)
    text = re.sub(WIDE, " ", text).strip(TRIMMED)
    return [token for token in re.split(SEPARATORS, text) if token]


def _any_script(line: str, punctuation: bool) -> str:
    alone = r"([!-+\-/:-@\[-`{-\xbf\u060c])"
    stops = [
        (r"([^0-9])\.([^0-9])", r"\1 . \2"),
        (r"([0-9])\.([^0-9])", r"\1 . \2"),
        (r"([^0-9])\.([0-9])", r"\1 . \2"),
    ]
    text = _apply([*MARKS, *stops, (alone, r" \1 ")], f" {line} ")
    if not punctuation:
        text = re.sub(alone, " ", text).replace(".", " ")
    return text.replace("\0", ".")


def _apply(rules, text: str) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _full_stops(tokens: list[str], abbreviations: Mapping[str, bool]) -> str:
    """A full stop goes from an acronym, stays with an abbreviation or before lower case, and else becomes a token."""
    result = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        head = token[:-1]
        if len(token) < 2 or token[-1] != ".":
            result.append(token)
        elif "." in head and re.search(f"[{LETTER}]", head):
            result.append(token.replace(".", ""))
        else:
            listed = head in abbreviations and (not abbreviations[head] or re.match("[0-9]", following))
            result.append(token if listed or re.match("[a-z]", following) else f"{head} .")
    return " ".join(result)
