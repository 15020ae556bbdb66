"""The report in a real browser: nothing hostile runs, nothing is asked for, everything can be reached by keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tercet.compare.report import report
from tercet.corpus import Corpus
from tests.browser import MARKS, chromium  # noqa: F401
from tests.compare.conftest import HOSTILE, by_metric, compared

pytestmark = MARKS


@pytest.fixture
def opened(browser, tmp_path: Path):
    """Opens a report; whatever the page complains of or asks for is kept."""
    contexts = []

    def open_page(html: str, *, width: int = 1200, scheme: str = "light"):
        path = tmp_path / "report.html"
        path.write_text(html, "utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: page.complaints.append(dialog.message))
        page.on("request", lambda request: request.url.startswith("file:") or page.complaints.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=30_000)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_hostile_texts_are_shown_and_never_run(opened, hostile):
    page = opened(report(hostile, *compared(hostile)))
    assert page.locator(".row").count() == len(HOSTILE)
    for button in page.locator(".row > button").all():
        button.click()
    for summary in page.locator(".why summary").all():
        summary.click()
    shown = page.locator("#table").inner_text()
    for part in ("</script><script>window.pwned = 1</script>", "onerror='window.pwned = 2'", "שלום עולם", "{{script}}"):
        assert part in shown
    assert page.evaluate("window.pwned") is None
    assert page.complaints == []


def test_segments_are_sorted_filtered_and_explained_by_keys(opened, demo):
    judge, comparison = compared(demo)
    page = opened(report(demo, judge, comparison))
    numbers = page.locator(".row .n")
    assert page.locator("h1").inner_text() == "careful is best: far better than hasty and literal."
    page.locator(".heads button", has_text="Segment").click()
    assert numbers.all_inner_texts() == [str(number) for number in range(1, 21)]
    page.keyboard.press("/")
    page.keyboard.type("umbrella")
    assert numbers.all_inner_texts() == ["7"]
    assert page.locator("#count").inner_text() == "1 of 20 segments"
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.locator("#filters select").first.select_option("-1")
    worse = int((comparison.verdicts["careful", "hasty"] < 0).sum())
    assert numbers.count() == worse
    page.locator("#filters select").first.select_option("all")
    page.locator(".row > button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    why = page.locator(".why")
    text = why.inner_text()
    assert "careful is " in text
    assert "“rejected”" in text
    assert "of the reference’s 14 words" in text
    assert why.locator(".links path").count() > 20
    assert page.evaluate("document.activeElement.dataset.segment") == "2"
    page.keyboard.press("Escape")
    assert why.count() == 0
    assert page.complaints == []


def test_the_page_says_what_the_terminal_says(opened, demo):
    from tercet.compare.explanation import Explainer
    from tercet.compare.explanation_text import sentences

    judge, comparison = compared(demo)
    explainer = Explainer(demo, judge, comparison)
    page = opened(report(demo, judge, comparison))
    page.locator(".heads button", has_text="Segment").click()
    for segment in (1, 4, 6):
        page.locator(".row > button").nth(segment - 1).click()
        said = page.locator(".row").nth(segment - 1).locator("ul.plain li").all_inner_texts()
        expected = [line.replace("'s ", "’s ") for line in sentences(explainer.explain(segment, "careful", "hasty"))]
        assert list(map(without_sizes, said)) == list(map(without_sizes, expected))


def test_one_segment_and_no_difference(opened):
    corpus = Corpus(references=[("",)], systems={"a": [""], "b": [""]})
    page = opened(report(corpus, *compared(corpus)))
    page.locator(".row > button").click()
    assert "a and b tie" in page.locator(".why").inner_text()
    assert page.complaints == []


def without_sizes(line: str) -> str:
    """A page keeps contributions in steps: their last digit may differ."""
    return re.sub(r"\d+\.\d\d", "…", line)


def test_a_cell_of_the_matrix_chooses_two_systems(opened, corpus):
    page = opened(report(corpus, *by_metric(corpus)))
    page.locator(".matrix button").last.click()
    assert page.locator("#pair-controls select").first.input_value() == "2"
    assert "worse than" in page.locator("#pair-sentence").inner_text()
    assert page.locator("#histogram svg rect").count() > 5
    assert page.locator("#lengths svg circle").count() >= 1
    page.locator("#pair-controls button").click()
    assert "better than" in page.locator("#pair-sentence").inner_text()
    assert page.complaints == []


def test_a_phone_needs_no_sideways_scrolling_and_paper_no_colour_scheme(opened, demo):
    html = report(demo, *compared(demo))
    page = opened(html, width=360, scheme="dark")
    page.locator(".row > button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 22, 27)"
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(251, 250, 247)"
    page.emulate_media(media="print")
    assert page.locator("#filters").is_hidden()
    assert page.locator(".ranking").is_visible()
    assert page.complaints == []
