"""The native side of Lines against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tercet import _native
from tests.oracles import lines as oracle

SPAN = 4096  # what the kernel looks at between two checks


def array(data: bytes) -> np.ndarray:
    return np.frombuffer(data, np.uint8)


EDGES = [
    (b"", None),
    (b"\x00", None),
    (b"plain", None),
    ("ä€𝄞".encode(), None),
    ("\ufeff\u2028\x85\U0010ffff".encode(), None),
    (b"\x80", 0),  # a continuation byte alone
    (b"a\xc3", 1),  # cut off
    (b"\xe2\x82", 0),
    (b"\xf0\x9d\x84", 0),
    (b"\xc0\xaf", 0),  # overlong
    (b"\xe0\x80\xaf", 0),
    (b"\xf0\x80\x80\xaf", 0),
    (b"\xed\xa0\x80", 0),  # a surrogate
    (b"\xed\x9f\xbf", None),
    (b"\xf4\x8f\xbf\xbf", None),
    (b"\xf4\x90\x80\x80", 0),  # above U+10FFFF
    (b"\xf5\x80\x80\x80", 0),
    (b"\xff", 0),
    (b"caf\xe9 latin-1", 3),
]


@pytest.mark.parametrize(("data", "place"), EDGES)
def test_ill_formed_utf8_at_its_edges(data: bytes, place: int | None) -> None:
    assert _native.ill_formed_utf8(array(data)) == place
    assert oracle.ill_formed_utf8(data) == place


@pytest.mark.parametrize("shift", range(-5, 6))
@pytest.mark.parametrize(("data", "place"), EDGES)
def test_ill_formed_utf8_across_blocks(data: bytes, place: int | None, shift: int) -> None:
    for size in (32, SPAN, 2 * SPAN):
        for filler in (b"a", "ж".encode()):
            before = filler * ((size + shift) // len(filler))
            found = _native.ill_formed_utf8(array(before + data + b"..."))
            assert found == (None if place is None else len(before) + place)


def test_ill_formed_utf8_in_a_long_run_of_continuation_bytes() -> None:
    assert _native.ill_formed_utf8(array("é".encode() + b"\x80" * 3 * SPAN)) == 2


@given(
    st.lists(st.one_of(st.binary(max_size=8), st.text(max_size=20).map(lambda s: s.encode("utf-8", "surrogatepass"))))
)
def test_ill_formed_utf8_agrees_with_the_definition_and_with_python(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    try:
        data.decode()
        place = None
    except UnicodeDecodeError as error:
        place = error.start
    assert oracle.ill_formed_utf8(data) == place
    assert _native.ill_formed_utf8(array(data)) == place


@given(st.text(min_size=1, max_size=10), st.integers(0, 9999), st.binary(min_size=1, max_size=3))
def test_ill_formed_utf8_finds_the_place_in_a_long_text(text: str, at: int, noise: bytes) -> None:
    data = (text * (10_000 // len(text))).encode()
    data = data[:at] + noise + data[at:]
    assert _native.ill_formed_utf8(array(data)) == oracle.ill_formed_utf8(data)


@given(st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", "é".encode(), b"\x85", "\u2028".encode(), b"\x0b"])))
@example([])
@example([b"\n"])
@example([b"a"])
def test_line_starts_agree_with_the_definition(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    starts = _native.line_starts(array(data))
    assert starts.dtype == np.int64
    assert starts.tolist() == oracle.line_starts(data)


SPACES = "".join(chr(c) for c in range(0x110000) if chr(c).isspace())


@given(
    st.lists(st.text(st.one_of(st.sampled_from(SPACES + "aé€𝄞\u200b\ufeff"), st.characters(exclude_categories=["Cs"]))))
)
@example([SPACES, f"a{SPACES}", "\u200b", "", "é\u00a0", "𝄞\u3000 "])
def test_line_texts_are_what_rstrip_leaves(texts: list[str]) -> None:
    lines = [text.encode() + b"\n" for text in texts]
    starts = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    assert _native.line_texts(array(b"".join(lines)), starts) == [text.rstrip() for text in texts]


@pytest.mark.parametrize("starts", [[-1, 2], [0, 9], [3, 1], [0, 0]])
def test_line_texts_stay_within_the_file(starts: list[int]) -> None:
    with pytest.raises(IndexError):
        _native.line_texts(array(b"a\nbc\n"), np.array(starts, np.int64))


@given(st.lists(st.binary(max_size=4), max_size=4))
@example([b"a\xa0"])
@example([b"\x85"])
@example([b"\x22\x85"])
@example([b"\xe0\x82\x85"])
@example([b"\xe3\x80"])
def test_line_texts_of_a_file_that_has_changed(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    starts = np.array([0, len(data) + 1], np.int64)
    try:
        expected = data.decode().rstrip()
    except UnicodeDecodeError:
        with pytest.raises(UnicodeDecodeError):
            _native.line_texts(array(data), starts)
    else:
        assert _native.line_texts(array(data), starts) == [expected]


def test_line_starts_of_long_lines() -> None:
    data = b"\n".join([b"w " * 10_000, b"", b"x" * 70_000, b""] * 50)
    assert _native.line_starts(array(data)).tolist() == oracle.line_starts(data)
