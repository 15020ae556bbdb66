"""What cpp/lines.cpp computes, the slow way."""

from __future__ import annotations


def ill_formed_utf8(data: bytes) -> int | None:
    """Where the first ill-formed sequence starts: Unicode 15, table 3-7, read row by row."""
    place = 0
    while place < len(data):
        for length, ranges in _WELL_FORMED:
            piece = data[place : place + length]
            if len(piece) == length and all(
                low <= byte <= high for byte, (low, high) in zip(piece, ranges, strict=True)
            ):
                place += length
                break
        else:
            return place
    return None


_TAIL = (0x80, 0xBF)
_WELL_FORMED = [
    (1, [(0x00, 0x7F)]),
    (2, [(0xC2, 0xDF), _TAIL]),
    (3, [(0xE0, 0xE0), (0xA0, 0xBF), _TAIL]),
    (3, [(0xE1, 0xEC), _TAIL, _TAIL]),
    (3, [(0xED, 0xED), (0x80, 0x9F), _TAIL]),
    (3, [(0xEE, 0xEF), _TAIL, _TAIL]),
    (4, [(0xF0, 0xF0), (0x90, 0xBF), _TAIL, _TAIL]),
    (4, [(0xF1, 0xF3), _TAIL, _TAIL, _TAIL]),
    (4, [(0xF4, 0xF4), (0x80, 0x8F), _TAIL, _TAIL]),
]


def line_starts(data: bytes) -> list[int]:
    """Where each segment starts, and where one after the last would."""
    if not data:
        return []
    starts = [0]
    for line in data.removesuffix(b"\n").split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
