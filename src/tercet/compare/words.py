"""Numbers in plain words: how much better, how sure, what a feature is."""

from __future__ import annotations

import re
from collections.abc import Sequence

ALPHA = 0.05
NOT_SHOWN = "no difference shown"

EFFECTS = ((0.71, "far better"), (0.64, "clearly better"), (0.56, "slightly better"), (0.0, "barely better"))
"""From which share of won segments on, ties by half: the measure A of Vargha & Delaney (2000) and their bounds for a
large, a medium and a small effect, .71, .64 and .56. A difference that is not shown has no size."""


def effect(win_rate: float, shown: bool) -> str:
    """What a difference between systems is called, seen from the better one."""
    if not shown:
        return NOT_SHOWN
    share = max(win_rate, 1 - win_rate)
    return next(word for bound, word in EFFECTS if share >= bound)


LIKELIHOODS = (
    (0.8, "very likely better"),
    (0.65, "likely better"),
    (0.55, "perhaps better"),
    (0.0, "hardly better"),
)
"""From which probability on a translation is called so in a single segment."""


def how_likely(probability: float) -> str:
    """What the better translation of a segment is called."""
    return next(word for bound, word in LIKELIHOODS if probability >= bound)


def seen_from_below(word: str) -> str:
    """The same difference, seen from the worse one: `slightly worse`."""
    return word.replace("better", "worse")


def p_phrase(p_value: float) -> str:
    """`p < 0.001`, `p = 0.034`."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def counted(number: int, noun: str) -> str:
    """`1 word`, `3 words`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# What a feature looks at. Features of one kind rise and fall together, and what a model gives to one of them it may
# take from another: only their sum says something in plain words.
_SURFACE = "letters and words"
_PIECES = {"char": _SURFACE, "word": _SURFACE, "skip": "word order"}
_KINDS = {
    "bleu": _SURFACE,
    "bleucomp": _SURFACE,
    "nist": _SURFACE,
    "sbleu": _SURFACE,
    "chrf": _SURFACE,
    "chrf++": _SURFACE,
    "joint": _SURFACE,
    "meteor": "stems and synonyms",
    "ter": "edits",
    "wer": "edits",
    "hyter": "edits to a paraphrase",
    "hytera": "edits to a paraphrase",
    "hytera-all": "edits to a paraphrase",
    "context": "words in context",
    "minilm": "meaning of the sentence",
    "glove50": "meaning of the words",
    "vectors": "meaning of the words",
    "softmatch": "meaning of the words",
    "stanford25": "syntax",
    "syntax25": "syntax",
}
_FLUENT = re.compile(r"fit\d|unknown|rarity")
_TREES = {  # by the kind of node: tercet.kernels.parts
    "words": "words in the trees",
    "tags": "parts of speech",
    "phrases": "phrases",
    "clauses": "clauses",
    "relations": "how the parts hang together",
}
_BEER = re.compile(r"(char|word|skip)[0-9*]+\.")


def group_of(feature: str) -> str:
    """In plain words, what a feature looks at; features of the same kind share a group."""
    spec, _, column = feature.partition("/")
    name = spec.partition(":")[0]
    if name == "beer57":
        found = _BEER.match(column)
        if found is None:
            return "length"
        return _PIECES[found[1]]
    if name == "softmatch" and _FLUENT.match(column):
        return "words that go together"
    if name in ("trees", "treekernel"):
        return next((_TREES[part] for part in column.split(".") if part in _TREES), name)
    if name in ("4metrics", "scores"):
        name = column.partition(":")[0]
    if name.startswith(("context-", "minilm-")):  # of another encoder
        name = name.partition("-")[0]
    return _KINDS.get(name.removesuffix(".components"), name)


def groups_of(features: Sequence[str]) -> tuple[list[str], list[int]]:
    """The groups in the order in which they first occur, and the group of each feature."""
    names: list[str] = []
    which = []
    for feature in features:
        group = group_of(feature)
        if group not in names:
            names.append(group)
        which.append(names.index(group))
    return names, which
