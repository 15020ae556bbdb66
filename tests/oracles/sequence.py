"""Hashed features and the best sequence of labels, by the book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

MASK = 0xFFFFFFFF
BEFORE, AFTER = 0x42454647, 0x41465445


def hash_bytes(data: bytes) -> int:
    """FNV-1a, 32 bits."""
    h = 2166136261
    for byte in data:
        h = ((h ^ byte) * 16777619) & MASK
    return h


def mix(h: int, value: int) -> int:
    h = ((h ^ value) * 0x9E3779B1) & MASK
    return h ^ h >> 15


def capital(c: str) -> bool:
    return "A" <= c <= "Z" or ("\u00c0" <= c <= "\u00de" and c != "\u00d7")


def lowered(word: str) -> str:
    return "".join("0" if c in "0123456789" else chr(ord(c) + 32) if capital(c) else c for c in word)


def shape(word: str) -> str:
    result = ""
    for c in word:
        if len(result) == 8:
            break
        if capital(c):
            kind = "X"
        elif "a" <= c <= "z" or ("\u00df" <= c <= "\u024f" and c != "\u00f7"):
            kind = "x"
        elif c in "0123456789":
            kind = "0"
        else:
            kind = c if c < "\x80" else "u"
        if not result.endswith(kind):
            result += kind
    return result


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def attribute(
    name: str, words: Sequence[str], columns: Sequence[Sequence[int]], lexicon: Mapping[int, int], t: int
) -> int:
    stem = name.rstrip("0123456789")
    number = int(name[len(stem) :] or 0)
    low = lowered(words[t])
    texts = {"form": words[t], "lower": low, "shape": shape(words[t]), "prefix": low[:number], "suffix": low[-number:]}
    if stem == "column":
        return columns[number][t] & MASK
    if stem == "class":
        return lexicon.get(hash_bytes(encode(low)), 0)
    return hash_bytes(encode(texts[stem]))


def keys(
    templates: Sequence[str], words: Sequence[str], columns: Sequence[Sequence[int]], lexicon: Mapping[int, int]
) -> list[list[int]]:
    """One key a template for each word."""
    rows = []
    for place in range(len(words)):
        row = []
        for i, template in enumerate(templates):
            key = mix(0, i + 1)
            for part in template.split():
                name, offset = part[:-1].split("[")
                t = place + int(offset)
                value = BEFORE if t < 0 else AFTER if t >= len(words) else attribute(name, words, columns, lexicon, t)
                key = mix(key, value)
            row.append(key)
        rows.append(row)
    return rows


def best_path(scores: Sequence[Sequence[int]], transitions: Sequence[Sequence[int]]) -> int:
    """The score of the best sequence of labels, by trying all of them."""
    labels = range(len(transitions[0]))
    return max(path_score(path, scores, transitions) for path in product(labels, repeat=len(scores)))


def path_score(path: Sequence[int], scores: Sequence[Sequence[int]], transitions: Sequence[Sequence[int]]) -> int:
    """Weights of the labels at their places, and of each label after the one before it."""
    total, before = 0, 0
    for row, label in zip(scores, path, strict=True):
        total += row[label] + transitions[before][label]
        before = label + 1
    return total
