"""Mutation without a guide: for where atheris is not to be had, and under a sanitizer that it does not go with."""

from __future__ import annotations

import random
from collections.abc import Sequence

ODD = [
    *(b"", b"\x00", b"\n", b"\r\n", b"\t", b" ", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf4\x8f\xbf\xbf"),
    *("\u0301".encode() * 40, "\u202e".encode(), "\u2028".encode(), "\u0660".encode(), "\u00b2".encode()),
    *(b"-1", b"0", b"1e999", b"nan", b"-inf", b"9" * 20, b"9" * 5000, b"1" * 400 + b".5", b"0x10", b"1_000"),
    *(b"[" * 3000, b'{"a":' * 2000, b"(" * 3000, b"<a>" * 2000, b"%s", b"\\", b"'", b'"', b"|||", b"<!--", b"&"),
]


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], chance: random.Random, *, most: int = 1 << 16) -> bytes:
    """One of the seeds with a few changes."""
    data = bytearray(chance.choice(seeds)) if seeds else bytearray()
    for _ in range(1 + int(chance.expovariate(0.5))):
        start = chance.randint(0, len(data))
        end = min(len(data), start + int(chance.expovariate(0.1)))
        match chance.randrange(9):
            case 0:
                data[start:end] = b""
            case 1:
                data[start:start] = data[start:end] * chance.randint(1, 20)
            case 2:
                data[start:end] = chance.choice(ODD)
            case 3:
                data[start:start] = chance.choice([*words, *ODD])
            case 4:
                data[start:end] = bytes(chance.randrange(256) for _ in range(end - start))
            case 5 if start < len(data):
                data[start] ^= 1 << chance.randrange(8)
            case 6:
                other = chance.choice(seeds) if seeds else b""
                cut = chance.randint(0, len(other))
                data[start:] = other[cut:]
            case 7:
                del data[start:]
            case _:
                other = chance.choice(seeds) if seeds else b""
                data[start:end] = other[: chance.randint(0, len(other))]
    return bytes(data[:most])
