"""Every way to say a sentence: any phrases that do not overlap are replaced."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def sentences_of(
    words: Sequence[str],
    table: Mapping[tuple[str, ...], Sequence[tuple[str, ...]]],
    *,
    multiword: bool,
    function_words: Collection[str],
) -> set[tuple[str, ...]]:
    """All sentences, by what may stand for each beginning."""
    if not words:
        return {()}
    found: set[tuple[str, ...]] = set()
    for length in range(1, len(words) + 1):
        phrase = tuple(words[:length])
        heads: set[tuple[str, ...]] = {phrase} if length == 1 else set()
        if any(word not in function_words and word.isalnum() for word in phrase):
            heads |= {other for other in table.get(phrase, ()) if multiword or length == len(other) == 1}
        if heads:
            rest = sentences_of(words[length:], table, multiword=multiword, function_words=function_words)
            found |= {(*head, *tail) for head in heads for tail in rest}
    return found
