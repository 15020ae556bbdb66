"""Where the optional parts are, and why a test that needs one skips."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("tercet", deadline=None, max_examples=200)
settings.load_profile("tercet")

DATA = Path(os.environ.get("TERCET_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the WMT data."""
    if not (DATA / "wmt12").is_dir():
        pytest.skip("no WMT data: set TERCET_DATA to the folder that holds wmt12/")
    return DATA
