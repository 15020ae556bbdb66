"""Results in files, pipes and devices; bars on a terminal only, and not for who asked for quiet."""

from __future__ import annotations

import io
import os
import sys
import threading

import pytest

from tercet import output


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "asked", "everywhere", "seen"),
    [
        (Terminal, False, False, True),
        (Terminal, True, False, False),
        (Terminal, False, True, False),
        (io.StringIO, False, False, False),
    ],
)
def test_a_bar_is_where_somebody_looks(monkeypatch, stream, asked, everywhere, seen):
    monkeypatch.setattr(sys, "stderr", stream())
    assert output.be_quiet(everywhere) == everywhere
    try:
        with output.progress_bar("parsing", 3, quiet=asked) as progress:
            progress(2)
            progress(1)
    finally:
        output.be_quiet(False)
    assert ("parsing" in sys.stderr.getvalue()) == seen


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_device_is_written_to_and_never_replaced(tmp_path):
    """`-o /dev/null` by root must leave the device where it is; a pipe of the test's own stands for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    output.write_result("a result\n", pipe)
    assert pipe.is_fifo()
    reader.join(10)
    assert read == [b"a result\n"]
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "result.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), output.whole_file(target) as file:
        file.write(f"half {1 // 0}")
    assert target.read_text() == "old"
    output.write_result("new", target)
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]
