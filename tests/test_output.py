"""Bars: on a terminal only, and not for who asked for quiet."""

from __future__ import annotations

import io
import sys

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
