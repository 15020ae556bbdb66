"""Small files, and the one line that a wrong one gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tercet.errors import TercetError

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a file into an empty working directory; returns its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, data: bytes | str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return name

    return write_file


def complaint(call: Callable[[], object]) -> str:
    """The message of the error that a call ends with: one line."""
    with pytest.raises(TercetError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)
