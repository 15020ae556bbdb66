"""Word classes from the Brown corpus: which tags a word can have, whatever its case."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import _native


def word_classes(sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[str, NDArray[Any]]:
    """A lexicon for the native models: hash of the word -> number of its class; rare classes are left out."""
    tags_of: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            tags_of[word.lower()][_simple(tag)] += 1
    class_of = {}
    for word, tags_seen in tags_of.items():
        total = tags_seen.total()
        class_of[word] = tuple(sorted(tag for tag, count in tags_seen.items() if count >= 0.05 * total))
    sizes = Counter(class_of.values())
    common = sorted((name for name, size in sizes.items() if size >= 3), key=lambda name: (-sizes[name], name))
    number = {name: i + 1 for i, name in enumerate(common)}
    words = [word for word, name in class_of.items() if name in number]
    hashes = _native.hash_words(words)
    keys, first = np.unique(hashes, return_index=True)
    classes = np.array([number[class_of[word]] for word in words], np.uint16)[first]
    return {"lexicon_keys": keys, "lexicon_classes": classes}


def _simple(tag: str) -> str:
    # headlines and foreign words keep their class; a word of a title is a name
    tag = re.sub(r"^fw-|-hl|-nc", "", tag)
    return "np" if tag.endswith("-tl") else tag
