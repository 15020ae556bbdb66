"""What a discourse segmenter wants to know around a token: verbs and chunks on both sides, as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet import _native
from tercet.language.sequence import Integers, Sentences

CONTEXT = (
    "verb",  # the last verb before, unless punctuation came after it
    "verb tag",
    "next verb tag",  # the next verb from here on, unless punctuation comes before it
    "finite before",
    "finite after",
    "ahead",  # the kinds of the next three chunks
    "behind",  # the kinds of the last two chunks
    "far verb",  # the last verb before, whatever came after it
    "chunks since",  # chunks since that verb
)
_PUNCTUATION = frozenset([",", ".", ":", "-LRB-", "-RRB-", "``", "''"])
_FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
_STOP = 1000  # punctuation came between


def context(
    sentences: Sentences, tags: Integers, chunks: Integers, *, tag_names: Sequence[str], chunk_names: Sequence[str]
) -> list[Integers]:
    """The columns of CONTEXT for all tokens, one sentence after the other."""
    verbal = [name[0] == "V" or name == "MD" for name in tag_names]
    finite = [name in _FINITE for name in tag_names]
    stops = [name in _PUNCTUATION for name in tag_names]
    kinds = sorted({name[2:] for name in chunk_names if name != "O"})
    kind = [kinds.index(name[2:]) + 1 if name != "O" else 0 for name in chunk_names]
    begins = [not name.startswith("I-") for name in chunk_names]
    words = (_native.hash_words([word for sentence in sentences for word in sentence]) >> 1).tolist()
    tag, chunk = tags.tolist(), chunks.tolist()

    size = len(tag)
    verb, verb_tag, next_tag, before, after = ([0] * size for _ in range(5))
    ahead, behind, far_verb, since_verb = ([0] * size for _ in range(4))
    start = 0
    for sentence in sentences:
        end = start + len(sentence)
        last = last_tag = far = count = since = 0
        second, first = 0, 0  # kinds of the last chunk but one and of the last
        for i in range(start, end):
            verb[i], verb_tag[i], far_verb[i] = last, last_tag, far
            before[i], since_verb[i], behind[i] = min(count, 3), min(since, 9), second * 100 + first
            t = tag[i]
            if stops[t]:
                last, last_tag = 1, _STOP
            elif verbal[t]:
                last = far = words[i]
                last_tag, since = t + 1, 0
                count += finite[t]
            if begins[chunk[i]]:
                second, first = first, kind[chunk[i]] or t + 30
                since += 1
        following = count = 0
        one = two = three = 0
        for i in range(end - 1, start - 1, -1):
            t = tag[i]
            if verbal[t]:
                following = t + 1
                count += finite[t]
            if begins[chunk[i]]:
                one, two, three = kind[chunk[i]] or t + 30, one, two
            next_tag[i], after[i], ahead[i] = following, min(count, 3), (one * 100 + two) * 100 + three
            if stops[t]:
                following = _STOP
        start = end
    columns = (verb, verb_tag, next_tag, before, after, ahead, behind, far_verb, since_verb)
    return [np.array(column, np.int32) for column in columns]
