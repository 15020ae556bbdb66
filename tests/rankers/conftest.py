"""A cache of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world import write_vectors


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def glove(tmp_path: Path) -> Path:
    """A small file of vectors in GloVe's form."""
    return write_vectors(tmp_path / "glove.txt")
