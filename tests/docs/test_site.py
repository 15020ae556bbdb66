"""The site: every page is in the navigation, it builds without a warning, and it asks for nothing from anywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.documented import ROOT

DOCS = ROOT / "docs"


class _Lenient(yaml.SafeLoader):
    """mkdocs.yml may hold tags that name functions of Python; here they are only words."""


_Lenient.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)


def _pages(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        below = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(below, list):
            yield from _pages(below)
        else:
            yield below


def test_the_navigation_has_every_page_once():
    config = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), _Lenient)
    named = list(_pages(config["nav"]))
    assert len(named) == len(set(named))
    left_out = tuple(config["exclude_docs"].split())
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    pages = {page for page in pages if not page.startswith(left_out)}
    made_elsewhere = {"contributing.md", "training.md", "changelog.md"}
    assert set(named) - made_elsewhere == pages, "add a line under `nav` in mkdocs.yml for each page of docs/"


def test_every_file_that_a_page_shows_is_there():
    """Also without mkdocs: links and pictures between files of the project."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s#]+)", text):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists() or (page.parent / target).name in (
                    "contributing.md",
                    "training.md",
                    "changelog.md",
                ), f"{page}: {target}"


class _Requests(HTMLParser):
    """What a page makes a browser fetch; links that a reader may follow are none of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fetched = [given.get(key) for key in ("src", "srcset", "poster", "data")]
        if tag == "link" and given.get("rel") not in ("canonical", "prev", "next", "edit"):
            fetched.append(given.get("href"))
        self.found += [one for one in fetched if one]
        self.found += re.findall(r"url\(([^)]+)\)", given.get("style") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocstrings", reason="the site is built with the extra docs: pip install '.[docs]'")
    pytest.importorskip("material", reason="the site is built with the extra docs: pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},  # the theme's notice about another program's future
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "WARNING" not in run.stderr
    return folder


def test_it_builds_and_has_every_card(site):
    cards = sorted((ROOT / "src" / "tercet" / "models").glob("*/config.json"))
    for file in cards:
        page = (site / "cards" / f"{file.parent.name}.html").read_text("utf-8")
        assert "weights" in page or "features" in page
    assert (site / "cards" / "tagger.html").is_file()
    start = (site / "index.html").read_text("utf-8")
    assert "careful is best" in start


def test_it_asks_for_nothing_from_anywhere(site):
    for page in site.rglob("*.html"):
        requests = _Requests()
        requests.feed(page.read_text("utf-8"))
        for one in requests.found:
            assert not re.match(r"(?:[a-z]+:)?//", one.strip("'\"")), f"{page}: {one}"
    for sheet in site.rglob("*.css"):
        for one in re.findall(r"url\(([^)]+)\)|@import\s+([^;]+)", sheet.read_text("utf-8")):
            assert "//" not in "".join(one).removeprefix("data:").split(",")[0], f"{sheet}: {one}"


@pytest.mark.browser
def test_search_works_from_a_folder_without_a_server(site):
    """In a real browser: nothing is asked for from anywhere, no script fails, and words are found."""
    from tests.browser import BROWSER, playwright

    if BROWSER is None:
        pytest.skip("no Chromium here: install the system's chromium package")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        requests: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((site / "api" / "metrics.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 390  # a phone scrolls one way only
        page.keyboard.press("f")
        page.wait_for_selector(".md-search__input:focus")
        page.keyboard.type("bootstrap")
        page.wait_for_selector(".md-search-result__item")
        browser.close()
    assert errors == []
    assert [one for one in requests if not one.startswith(("file:", "data:", "blob:"))] == []
