"""Pages of the site that are files elsewhere in the project: model cards, and what stands at its root.

mkdocs runs this (`hooks` in mkdocs.yml). A link that works between files of the project works between their pages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
MODELS = "src/tercet/models"
CARDS = "Model cards"
PAGES = {
    "contributing.md": "CONTRIBUTING.md",
    "training.md": "training/README.md",
    "changelog.md": "CHANGELOG.md",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)


def cards() -> dict[str, str]:
    """The page of every model card, and the card's file."""
    models = ROOT / MODELS
    files = sorted([*models.glob("*/README.md"), *models.glob("*.md")])
    named = {file.parent.name if file.name == "README.md" else file.stem: file for file in files}
    return {f"cards/{name}.md": file.relative_to(ROOT).as_posix() for name, file in named.items()}


def generated() -> dict[str, str]:
    """Page of the site, file of the project."""
    return PAGES | cards()


def with_cards(nav: list[Any]) -> list[Any]:
    """The navigation with every card under `Model cards`."""
    found: list[Any] = []
    for entry in nav:
        if isinstance(entry, dict):
            ((title, below),) = entry.items()
            listed = [{PurePosixPath(page).stem: page} for page in cards()]
            entry = {title: listed if title == CARDS else with_cards(below) if isinstance(below, list) else below}
        found.append(entry)
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = with_cards(config.nav)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, source in generated().items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    uri = page.file.src_uri
    origin = generated().get(uri, f"docs/{uri}")
    pages = {f"docs/{file.src_uri}": file.src_uri for file in files} | {f: p for p, f in generated().items()}

    def link(found: re.Match[str]) -> str:
        target = os.path.normpath(PurePosixPath(origin).parent / found[2])
        if "://" in found[2] or target not in pages:
            return found[0]
        return found[1] + os.path.relpath(pages[target], PurePosixPath(uri).parent or ".") + found[3]

    return "".join(part if code else _LINK.sub(link, part) for part, code in _parts(markdown))


def _parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """Stretches of text, and whether each is code between fences."""
    at, code = 0, False
    for fence in _FENCE.finditer(markdown):
        yield markdown[at : fence.start()], code
        at, code = fence.start(), not code
    yield markdown[at:], code
