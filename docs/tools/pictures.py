"""Takes the pictures of the documentation again: `python docs/tools/pictures.py`.

They show what a user sees after a fresh installation; needs playwright, and the system's Chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parents[1] / "images"
TERCET = [sys.executable, "-m", "tercet"]
WIDTH = 1100


def report(browser: Browser, folder: Path) -> None:
    """The report of the demo, down to its segments."""
    page = folder / "report.html"
    subprocess.run([*TERCET, "demo", "-q", "--html", str(page)], check=True, stdout=subprocess.DEVNULL)
    view = browser.new_page(viewport={"width": WIDTH, "height": 1420})
    view.goto(page.as_uri())
    view.wait_for_selector("table tbody tr")
    view.screenshot(path=IMAGES / "report.png")


def serve(browser: Browser) -> None:
    """The page with a verdict on its own example."""
    command = [*TERCET, "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = next(word for line in server.stderr for word in line.split() if word.startswith("http://"))
        view = browser.new_page(viewport={"width": WIDTH, "height": 1000})
        view.goto(address)
        view.get_by_role("button", name="Show an example").click()
        view.get_by_text("of people who prefer one").or_(view.get_by_text("tie")).first.wait_for()
        view.evaluate('scrollTo({top: 0, behavior: "instant"})')
        view.wait_for_timeout(500)  # fading in
        view.screenshot(path=IMAGES / "serve.png")
        server.terminate()


def main() -> None:
    """All of them, with nothing installed beside tercet."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        os.environ["TERCET_CACHE"] = f"{name}/cache"
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        report(browser, Path(name))
        serve(browser)
        browser.close()


if __name__ == "__main__":
    main()
