"""The report: one HTML file that opens anywhere, asks for nothing, and tells who is better, how sure, and why."""

from __future__ import annotations

from pathlib import Path

from tercet.compare.comparison import Comparison
from tercet.compare.explanation import Explainer
from tercet.compare.judges import Judge
from tercet.compare.report.contents import Contents, Progress
from tercet.compare.report.page import page
from tercet.corpus import Corpus

__all__ = ["LIMIT", "explained_report", "report", "write_report"]

LIMIT = 2_000_000
"""Bytes that explanations in full may fill the file up to; texts and numbers are never left out."""
MOST_FULL, LEAST_FULL = 200, 10
"""Segments that are explained in full: with every feature, the nearest paraphrase and trees."""


def report(
    corpus: Corpus, judge: Judge, comparison: Comparison, *, limit: int = LIMIT, progress: Progress | None = None
) -> str:
    """The report as HTML. `progress` is called with the number of segments done."""
    return explained_report(Explainer(corpus, judge, comparison), limit=limit, progress=progress)


def explained_report(explainer: Explainer, *, limit: int = LIMIT, progress: Progress | None = None) -> str:
    """The same by an explainer at hand, who can then explain any segment without computing features again."""
    comparison = explainer.comparison
    contents = Contents(explainer, progress or (lambda done: None))
    full = min(MOST_FULL, comparison.segments)
    while True:
        found = page(comparison, contents.payload(full)).encode("utf-8", "replace")
        if full <= LEAST_FULL or len(found) <= limit:
            return found.decode("utf-8")
        full = max(LEAST_FULL, full // 2)


def write_report(
    path: Path, corpus: Corpus, judge: Judge, comparison: Comparison, *, progress: Progress | None = None
) -> None:
    """Writes the report, which appears whole or not at all."""
    from tercet.errors import InputError
    from tercet.output import whole_file

    if path.is_dir():
        raise InputError("is a directory", file=path, remedy="give --html a file")
    with whole_file(path) as file:
        file.write(report(corpus, judge, comparison, progress=progress))
