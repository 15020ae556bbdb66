"""The page in a real browser: pasted lines, files, the report, keys, errors; nothing is asked of another place."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from tests.browser import MARKS, chromium, playwright  # noqa: F401

pytestmark = MARKS


@pytest.fixture
def opened(browser, url: str):
    """Opens the page; whatever it complains of or asks for elsewhere is kept."""
    contexts = []

    def open_page(*, width: int = 1200, scheme: str = "light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        complaints: list[str] = []

        def watch(page) -> None:
            page.set_default_timeout(30_000)
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("dialog", lambda dialog: complaints.append(dialog.message))
            page.on("request", lambda asked: asked.url.startswith((url, "blob:")) or complaints.append(asked.url))

        context.on("page", watch)
        page = context.new_page()
        page.complaints = complaints
        page.goto(url)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def demo() -> Iterator[Path]:
    with as_file(files("tercet") / "demo") as folder:
        yield folder


def test_three_lines_by_keys_alone(opened):
    page = opened()
    page.keyboard.press("Tab")  # to the form
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("Tab")
    keys = {
        "Reference": "The council rejected the plan <b>to close</b> two libraries.",
        "A": "The council accepted the plan <b>to close</b> two.",
        "B": "The council rejected the plan to close two libraries.",
    }
    page.keyboard.type(keys["Reference"])
    for name in "AB":
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.value") == name
        page.keyboard.press("Tab")
        page.keyboard.type(keys[name])
    page.keyboard.press("Control+Enter")
    title = page.locator("#verdict-title")
    title.wait_for()
    assert title.inner_text().startswith("B is ")
    assert " better than A: " in title.inner_text()
    assert page.evaluate("document.activeElement.id") == "verdict-title"
    why = page.locator("#verdict-why")
    assert "Only B has “rejected”" in why.inner_text()
    assert "<b>to close</b>" in why.inner_text()
    assert why.locator(".links path").count() > 10
    assert why.locator(".bars .stick").count() >= 3
    why.locator("summary", has_text="Every feature").press("Enter")
    assert why.locator(".features tbody tr").count() > 20
    assert page.complaints == []


def test_a_third_translation_can_be_looked_at(opened):
    page = opened()
    page.click("#lines-example")
    page.locator("#verdict-title").wait_for()
    assert page.locator("#verdict-title").inner_text().startswith("careful is perhaps better than hasty")
    page.click("#add-translation")
    page.keyboard.type("Something else altogether.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#verdict-others select")
    assert page.locator("#verdict-others tbody tr").count() == 3
    page.locator("#verdict-others select").last.select_option(label="A")
    assert " better than A: " in page.locator("#verdict-title").inner_text()
    page.locator("#lines-translations .remove").click()
    page.locator("#lines-form [type=submit]").click()
    page.wait_for_selector("#verdict-others select", state="detached")
    assert page.complaints == []


def test_files_become_a_report_that_sorts_and_explains(opened, demo):
    page = opened()
    page.set_input_files("[name=references]", demo / "reference.txt")
    page.set_input_files("[name=translations]", [demo / f"{name}.txt" for name in ("careful", "literal", "hasty")])
    page.set_input_files("[name=source]", demo / "reference.txt")
    page.locator("#files-form [type=submit]").press("Enter")
    page.locator("#result-title").wait_for()
    assert page.locator("#result-title").inner_text() == "careful is best: far better than hasty and literal."
    assert page.locator("#result-ranking tbody th").all_inner_texts() == ["careful", "hasty", "literal"]
    assert page.evaluate("document.activeElement.id") == "result-open"
    with page.expect_download() as saved:
        page.click("#result-save")
    assert saved.value.suggested_filename == "tercet-report.html"
    assert "careful is best" in Path(saved.value.path()).read_text("utf-8")
    with page.context.expect_page() as shown:
        page.locator("#result-open").press("Enter")
    report = shown.value
    report.wait_for_selector("html[data-ready]")
    report.locator(".heads button", has_text="Segment").click()
    assert report.locator(".row .n").all_inner_texts() == [str(number) for number in range(1, 21)]
    report.locator(".row > button").nth(2).focus()
    report.keyboard.press("Enter")
    assert "Only careful has “rejected”" in report.locator(".why").inner_text()
    report.keyboard.press("Escape")
    assert report.locator(".why").count() == 0
    report.close()
    page.reload()  # the address knows the comparison
    page.locator("#result-title").wait_for()
    page.click("#result-forget")
    page.locator("#result").wait_for(state="hidden")
    assert "#" not in page.url
    assert page.complaints == []


def test_errors_are_shown_as_the_command_line_says_them(opened, demo, tmp_path):
    page = opened()
    problem = page.locator("#files-problem")
    page.locator("#files-form [type=submit]").click()
    assert problem.inner_text() == "There are no references yet; choose at least one file."
    (tmp_path / "short.txt").write_text("one line\n")
    (tmp_path / "bytes.txt").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (tmp_path / "large.txt").write_text("word\n" * 100_000)
    page.set_input_files("[name=references]", demo / "reference.txt")
    for name, said in (
        ("short", "system 'short' (short.txt) has 1 segments but the references (reference.txt) have 20; systems, "),
        ("bytes", "bytes.txt:1: invalid UTF-8 (0x89 at byte 0 of the file); convert it to UTF-8"),
        ("large", "The files are 0.5 MB, more than the 0.3 MB taken here; use tercet compare on the command line."),
    ):
        page.set_input_files("[name=translations]", [demo / "careful.txt", tmp_path / f"{name}.txt"])
        page.locator("#files-form [type=submit]").click()
        playwright.expect(problem).to_contain_text(said)
    assert page.locator("#result").is_hidden()
    lines = page.locator("#lines-problem")
    page.locator("#lines-form [type=submit]").click()
    assert lines.inner_text() == "There is no reference yet; write or paste one."
    page.locator("#lines-references textarea").fill("a " * 1200)
    page.locator("#lines-translations textarea").first.fill("b")
    page.locator("#lines-form [type=submit]").click()
    playwright.expect(lines).to_contain_text("the references: segment 1 has 2,400 characters")
    assert page.locator("#verdict").is_hidden()
    # a browser names every 4xx on its console; nothing else may be there
    assert all("status of 4" in complaint for complaint in page.complaints)


def test_pasted_lines_in_the_plural_are_compared_as_files(opened):
    page = opened(width=360, scheme="dark")
    page.locator("#lines-references textarea").fill("one two three\nfour five six\n")
    page.locator("#lines-translations textarea").first.fill("one two three\nfour six\n")
    page.locator("#lines-translations textarea").last.fill("one three\nfour five\n")
    page.locator("#lines-form [type=submit]").click()
    page.locator("#result-title").wait_for()
    assert "2 systems, 2 segments" in page.locator("#result-setting").inner_text()
    page.click("#lines-example")
    page.locator("#verdict-title").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 22, 27)"
    assert page.complaints == []
