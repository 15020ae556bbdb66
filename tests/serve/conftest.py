"""A server that listens, for all tests of a process, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tercet.compare import Judge, choose_judge

DEMO = {name: (files("tercet") / "demo" / f"{name}.txt").read_bytes() for name in ("reference", "careful", "hasty")}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def judge() -> Judge:
    return choose_judge("joint")


@pytest.fixture(scope="session")
def url(judge: Judge) -> Iterator[str]:
    """The address of a server with narrow limits."""
    for part in ("fastapi", "uvicorn", "python_multipart"):
        pytest.importorskip(part, reason="the server's tests need the extra serve: pip install 'tercet[serve]'")
    from tercet.serve import Limits, create_app
    from tests.serve.listening import listening

    limits = Limits(upload=300_000, body=20_000, segment=2_000, verdicts=500, systems=6)
    with listening(create_app(judge, limits=limits)) as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[Any]:
    httpx = pytest.importorskip("httpx", reason="the server's tests need httpx: pip install httpx")
    with httpx.Client(base_url=url, timeout=30) as found:
        yield found
