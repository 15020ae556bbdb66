"""A real browser for the pages that tercet writes and serves; tests that need one say why they skip."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: pip install playwright")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium here: install the system's chromium package"),
]


@pytest.fixture(name="browser", scope="module")
def chromium() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()
