"""Segments of files: what ends one, what is dropped, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.corpus import files
from tercet.corpus.lines import Lines
from tercet.errors import InputError


@pytest.fixture
def written(tmp_path: Path):
    def write(data: bytes | str, name: str = "text.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@pytest.mark.parametrize(
    ("data", "segments"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),  # no last newline
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\xef\xbb\xbfa\n", ["a"]),  # byte order mark
        (b"\xef\xbb\xbf\n", [""]),
        (b"a\xef\xbb\xbf\n", ["a\ufeff"]),  # elsewhere it is a character
        ("a\u2028b\x85c\x0bd\x1ce\n".encode(), ["a\u2028b\x85c\x0bd\x1ce"]),
        ("  a \t\u00a0\u3000\n".encode(), ["  a"]),
        (b"a\x00b\n", ["a\x00b"]),
        ("ä€𝄞\n日本\n".encode(), ["ä€𝄞", "日本"]),
    ],
)
def test_segments(written, data: bytes, segments: list[str]) -> None:
    for path in (written(data), written(gzip.compress(data), "packed.txt.gz")):
        lines = Lines.read(path)
        assert len(lines) == len(segments)
        assert list(lines) == segments
        assert lines[:] == segments
        assert [lines[i] for i in range(len(lines))] == segments


@given(st.lists(st.text(), min_size=1), st.slices(20))
def test_a_file_is_read_as_it_was_written(texts: list[str], index: slice) -> None:
    texts = [text.replace("\n", " ").encode("utf-8", "ignore").decode() for text in texts]
    data = "".join(f"{text}\n" for text in texts).encode()
    expected = [text.rstrip() for text in texts]
    expected[0] = expected[0] if not data.startswith(b"\xef\xbb\xbf") else texts[0][1:].rstrip()
    lines = Lines.of(files.Content("given", np.frombuffer(data, np.uint8)))
    assert list(lines) == expected
    assert lines[index] == expected[index]
    assert lines[-1] == expected[-1]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_packed_strings_come_back(texts: list[str]) -> None:
    lines = Lines.pack(texts, "memory")
    assert list(lines) == [text.rstrip() for text in texts]  # '\n' inside a text does not end it
    assert len(lines) == len(texts)


def test_packing_refuses_half_a_surrogate_pair() -> None:
    with pytest.raises(UnicodeEncodeError):
        Lines.pack(["\ud800"], "memory")


def test_indices_and_slices() -> None:
    lines = Lines.pack("abcdef", "memory")
    assert (lines[0], lines[-1], lines[5]) == ("a", "f", "f")
    assert lines[1:3] == ["b", "c"]
    assert lines[::-2] == ["f", "d", "b"]
    assert lines[4:2] == []
    assert lines[4:100] == ["e", "f"]
    for index in (6, -7):
        with pytest.raises(IndexError):
            lines[index]
    assert "c" in lines
    assert lines.index("c") == 2


def test_large_files_are_mapped(written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MAPPED_FROM", 4)
    lines = Lines.read(written("first\nsecond\n"))
    assert lines[:] == ["first", "second"]
    with pytest.raises(InputError, match="the file is empty"):
        Lines.read(written(""))


def test_a_file_that_changes_under_us_is_noticed(written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MAPPED_FROM", 4)
    path = written("first\nsecond\n")
    lines = Lines.read(path)
    with path.open("r+b") as stream:
        stream.write(b"f\xffrst")
    assert lines[1] == "second"
    with pytest.raises(InputError, match="the file has changed while it was read; try again"):
        lines[0]


def test_more_files_than_a_process_may_open(written) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    path = written("text\n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        many = [Lines.read(path) for _ in range(200)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert {lines[0] for lines in many} == {"text"}


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\nb\n".encode())))
    lines = Lines.read("-")
    assert (lines.name, lines[:]) == ("stdin", ["é", "b"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a\nb\n",))
    writer.start()
    assert Lines.read(pipe)[:] == ["a", "b"]
    writer.join()


def message(file: object) -> str:
    with pytest.raises(InputError) as caught:
        Lines.read(file)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(written, data: bytes) -> None:
    path = written(data)
    assert message(path) == f"{path}: the file is empty; give a file with at least one segment"


@pytest.mark.parametrize(
    ("data", "line", "place"),
    [
        (b"caf\xe9\n", 1, "0xE9 at byte 3"),
        (b"a\nb\xff\n", 2, "0xFF at byte 3"),
        (b"\xef\xbb\xbfa\n\xc0\xaf", 2, "0xC0 at byte 5"),  # counted from the start of the file
        (b"a\n\xe2\x82", 2, "0xE2 at byte 2"),
        (b"\xed\xa0\x80", 1, "0xED at byte 0"),
    ],
)
def test_invalid_utf8_is_refused(written, data: bytes, line: int, place: str) -> None:
    path = written(data)
    remedy = "convert it to UTF-8, for instance with iconv"
    assert message(path) == f"{path}:{line}: invalid UTF-8 ({place} of the file); {remedy}"


def test_utf16_is_recognized(written) -> None:
    path = written("text\n".encode("utf-16"))
    assert message(path) == f"{path}: is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"


def test_what_is_not_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written) -> None:
    assert message(tmp_path / "none") == f"{tmp_path / 'none'}: no such file"
    assert message(tmp_path) == f"{tmp_path}: is a directory where a file is meant"
    assert message("a\0b").endswith("cannot be read: embedded null byte")
    path = written("text")
    assert message(path / "below").startswith(f"{path / 'below'}: cannot be read: Not a directory")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # a superuser would be let in
    assert message(path) == f"{path}: no permission to read it"


def test_broken_gzip(written) -> None:
    packed = gzip.compress(b"some text\n" * 1000)
    path = written(packed[:-20], "cut.gz")
    assert message(path).startswith(f"{path}: cannot be unpacked: ")
    assert message(path).endswith("; test it with gzip -t")
    path = written(packed[:12] + b"\xff\xff\xff" + packed[15:], "broken.gz")
    assert "cannot be unpacked" in message(path)
    path = written(b"plain\n", "plain.gz")
    assert message(path) == f"{path}: is called .gz but is not packed; rename it, or pack it with gzip"


def test_gzip_is_known_by_its_content(written) -> None:
    assert Lines.read(written(gzip.compress(b"a\n") + gzip.compress(b"b\n"), "no-ending"))[:] == ["a", "b"]


def test_reads_what_sacrebleu_reads(written) -> None:
    from sacrebleu.utils import smart_open

    path = written("a \r\n\u00a0b\u2028c\n\n d\r\re\x85\t\nlast")
    with smart_open(str(path)) as stream:
        assert Lines.read(path)[:] == [line.rstrip() for line in stream]
