"""Corpora to compare, and a cache of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.compare import Comparison, Judge, MetricJudge, choose_judge, compare
from tercet.corpus import Corpus
from tercet.metrics import ChrF
from tests import world


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def corpus() -> Corpus:
    references, systems = world.texts(40, seed=3)
    return Corpus(references=[(text,) for text in references], systems=systems)


@pytest.fixture
def demo() -> Corpus:
    """English, with a second reference for some segments and sources that are not English."""
    from importlib.resources import files

    folder = files("tercet") / "demo"
    lines = {
        name: (folder / f"{name}.txt").read_text("utf-8").splitlines()
        for name in ("reference", "careful", "literal", "hasty")
    }
    references = [
        (text, text.lower().rstrip(".")) if i % 3 == 0 else (text,) for i, text in enumerate(lines.pop("reference"))
    ]
    return Corpus(references=references, systems=lines, sources=[f"« Segment {i} »" for i in range(len(references))])


HOSTILE = [
    "</script><script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 2'> \" ' ` &amp; &lt;",
    "line\u2028separator\u2029paragraph \x00 \x01 \x1b[31m",
    "שלום עולם – مرحبا بالعالم \u202ereversed\u202c",
    "{{script}} {{data}} ${window.pwned = 3} <!-- --> ]]> {% raw %}",
    "中文没有空格，日本語も。 e\u0301a\u0308 👩‍👩‍👧 \ud83d",
    "",
    "   ",
]


@pytest.fixture
def hostile() -> Corpus:
    """Every text that a careless page would run, break on, or show wrongly."""
    turned = HOSTILE[1:] + HOSTILE[:1]
    return Corpus(
        references=[(text,) for text in HOSTILE],
        systems={
            "</title><script>window.pwned = 4</script>": turned,
            '" onmouseover="window.pwned = 5': HOSTILE,
            "<b>&amp;": [text.upper() for text in HOSTILE],
        },
        sources=turned,
    )


def compared(corpus: Corpus, judge: Judge | None = None) -> tuple[Judge, Comparison]:
    """By a model that ships unless told otherwise."""
    judge = choose_judge("joint") if judge is None else judge
    return judge, compare(corpus, judge, samples=200)


def by_metric(corpus: Corpus) -> tuple[Judge, Comparison]:
    return compared(corpus, MetricJudge(ChrF()))
