"""The numbers and texts of a report in few bytes: a JSON header and arrays, deflated, in base64.

Arrays of 16-bit numbers are kept as two planes, low bytes and high bytes, which deflate far better than alternating.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.compare.matching import STAGES, Matching
from tercet.metrics.ter import Alignment

BOUNDARY = "\x01"
"""Stands between words that no blank separates; texts as they are shown hold no control characters."""
_LETTERS = {"match": "=", "substitution": "s", "insertion": "i", "deletion": "d"}
_FAR = 255  # a link that does not fit into a byte: two bytes with the place itself follow


@dataclass
class Payload:
    """Grows field by field; `encoded` gives the text that the page carries."""

    header: dict[str, Any] = field(default_factory=dict)
    _arrays: list[tuple[str, str, bytes]] = field(default_factory=list)

    def numbers(self, name: str, values: NDArray[np.float64], step: float) -> None:
        """Numbers as multiples of a step, clipped to 16 bits."""
        scaled = np.clip(np.rint(values / step), -32768, 32767).astype("<i2").ravel()
        planes = scaled.view(np.uint8).reshape(-1, 2).T
        self.header.setdefault("steps", {})[name] = step
        self._arrays.append((name, "i2", np.ascontiguousarray(planes).tobytes()))

    def bytes(self, name: str, values: bytes) -> None:
        """Bytes as they are."""
        self._arrays.append((name, "u1", values))

    def encoded(self) -> str:
        """Base64 of the deflated whole: the header's length in four bytes, the header, the arrays one after another."""
        directory = [[name, kind, len(content)] for name, kind, content in self._arrays]
        header = json.dumps(self.header | {"arrays": directory}, ensure_ascii=False, separators=(",", ":"))
        head = header.encode("utf-8", "replace")  # half a surrogate pair in a system's name
        whole = b"".join([len(head).to_bytes(4, "little"), head, *(content for _, _, content in self._arrays)])
        return base64.b64encode(zlib.compress(whole, 9)).decode("ascii")


def decoded(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays again, as the page's script reads them."""
    whole = zlib.decompress(base64.b64decode(text))
    start = 4 + int.from_bytes(whole[:4], "little")
    header: dict[str, Any] = json.loads(whole[4:start])
    arrays: dict[str, Any] = {}
    for name, kind, size in header["arrays"]:
        content = np.frombuffer(whole[start : start + size], np.uint8)
        if kind == "i2":
            content = np.ascontiguousarray(content.reshape(2, -1).T).view("<i2").ravel()
            arrays[name] = content * header["steps"][name]
        else:
            arrays[name] = content
        start += size
    return header, arrays


def marked_text(text: str, words: Sequence[str]) -> str:
    """A text as it is shown, with a mark between words that no blank separates: split there, it gives the words."""
    found: list[str] = []
    place = 0
    for word in words:
        at = text.index(word, place)
        found.append(text[place:at] if at > place or not found else BOUNDARY)
        found.append(word)
        place = at + len(word)
    return "".join(found)


def packed_links(matching: Matching) -> tuple[bytes, bytes]:
    """For each word of a hypothesis where its partner stands, from where it would be expected; and the stages."""
    partner = {link.hypothesis: link for link in matching.links}
    places, stages, expected = bytearray(), bytearray(), 0
    for i in range(len(matching.hypothesis)):
        link = partner.get(i)
        if link is None:
            places.append(0)
            continue
        jump = link.reference - expected
        code = 1 + (2 * jump if jump >= 0 else -2 * jump - 1)
        if code < _FAR:
            places.append(code)
        else:
            places += bytes([_FAR]) + link.reference.to_bytes(2, "little")
        stages.append(STAGES.index(link.stage))
        expected = link.reference + 1
    return bytes(places), bytes(stages)


def packed_edits(alignment: Alignment, reference: int) -> str:
    """`==s=i` for edits, then shifts as `start,length,target`, then the number of the reference if it is not 0."""
    edits = "".join(_LETTERS[operation.edit] for operation in alignment.operations)
    shifts = [f"{shift.start},{len(shift.words)},{shift.target}" for shift in alignment.shifts]
    return "|".join([edits, *shifts]) + (f"@{reference}" if reference else "")
