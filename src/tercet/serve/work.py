"""What is done with texts: `tercet.compare`, and nothing else. Every answer is what the command line would say."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from tercet.compare.comparison import Comparison, compare, two_systems
from tercet.compare.explanation import Explainer
from tercet.compare.explanation_text import sentences
from tercet.compare.judges import Judge
from tercet.compare.presentation import headline, setting
from tercet.compare.report import explained_report
from tercet.compare.report.contents import Contents
from tercet.corpus import Corpus
from tercet.errors import InputError, OptionError
from tercet.features.cache import MemoryCache
from tercet.serve.limits import Limits


@dataclass(frozen=True)
class Found:
    """A finished comparison."""

    comparison: Comparison
    explainer: Explainer
    report: bytes

    @property
    def size(self) -> int:
        """Bytes: the report, the margins and what explanations hold ready."""
        comparison = self.comparison
        return len(self.report) + 32 * comparison.segments * len(comparison.pairs)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The result in a sentence, the setting and the ranking."""
        comparison = self.comparison
        return {
            "headline": headline(comparison),
            "setting": setting(comparison),
            "ranking": [_finite(asdict(ranked)) for ranked in comparison.ranking],
        }

    def result(self, *, segments: bool) -> bytes:
        """The JSON of `tercet compare -f json`."""
        found = self.comparison.as_json()
        if not segments:
            del found["segments"]
        found["pairs"] = [_finite(pair) for pair in found["pairs"]]
        found["ranking"] = [_finite(ranked) for ranked in found["ranking"]]
        return json.dumps(found).encode()

    def explanation(self, segment: int, pair: Sequence[str] | None) -> dict[str, Any]:
        """The reasons for a verdict on one segment, as `--explain --pair` gives them."""
        return _explained(self.explainer, segment, *two_systems(self.comparison, pair))


@dataclass(frozen=True)
class Work:
    """A corpus to be compared."""

    corpus: Corpus
    judge: Judge

    @property
    def segments(self) -> int:
        """How many there are."""
        return len(self.corpus)

    def run(self, judged: Callable[[], None], progress: Callable[[int], None]) -> Found:
        """The comparison and its report; `judged` is called between the two, `progress` with the segments written."""
        judge = self.judge.afresh(MemoryCache())
        comparison = compare(self.corpus, judge)
        judged()
        explainer = Explainer(self.corpus, judge, comparison)
        return Found(comparison, explainer, explained_report(explainer, progress=progress).encode())


def verdict(
    judge: Judge,
    limits: Limits,
    *,
    references: Sequence[str],
    translations: dict[str, str],
    source: str | None = None,
    packed: bool = False,
) -> dict[str, Any]:
    """The verdict on one segment, between every two translations, with its reasons."""
    for name in translations:
        _check_unicode(name, "the name of a translation")
    lines = [_line(text, f"reference {i}") for i, text in enumerate(references, start=1)]
    corpus = Corpus(
        references=[tuple(lines)],
        systems={name: [_line(text, f"translation {name!r}")] for name, text in translations.items()},
        sources=None if source is None else [_line(source, "the source")],
    )
    limits.check(corpus)
    limits.check_explained(corpus)
    judge = judge.afresh(MemoryCache())
    comparison = compare(corpus, judge, samples=1)  # one segment: there is nothing to test
    explainer = Explainer(corpus, judge, comparison)
    order = [ranked.system for ranked in comparison.ranking]
    found = {
        "model": comparison.model,
        "kind": comparison.kind,
        "signature": str(judge.signature),
        "ranking": [
            {"system": ranked.system, "rank": ranked.rank, "score": ranked.score} for ranked in comparison.ranking
        ],
        "verdicts": [_explained(explainer, 1, *pair) for pair in combinations(order, 2)],
        "notes": list(comparison.notes),
    }
    return found | {"packed": Contents(explainer).payload(1)} if packed else found


def warm(judge: Judge) -> None:
    """Loads what a judge and its explanations need, so that no request waits for it and a fault shows early."""
    texts = {"a": "The cat sat on the mat.", "b": "A cat is sitting on a mat."}
    verdict(judge, Limits(), references=["The cat sat on a mat."], translations=texts, packed=True)


def _line(text: str, name: str) -> str:
    _check_unicode(text, name)
    text = text.removesuffix("\n").removesuffix("\r")
    if "\n" in text:
        raise InputError(
            f"{name} has {text.count(chr(10)) + 1} lines, but a verdict is on one segment",
            remedy="compare several as files",
        )
    return text


def _check_unicode(text: str, name: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} has half a surrogate pair (at character {error.start + 1})", remedy="send UTF-8"
        ) from error


def _explained(explainer: Explainer, segment: int, first: str, second: str) -> dict[str, Any]:
    if not 1 <= segment <= len(explainer.corpus):
        raise OptionError(f"there is no segment {segment}; the corpus has 1 to {len(explainer.corpus)}")
    found = explainer.explain(segment, first, second)
    return {
        "first": first,
        "second": second,
        "verdict": {1: "first", 0: "tie", -1: "second"}[found.verdict],
        "probability": found.probability,
        "margin": found.margin,
        "sentences": sentences(found),
        "explanation": found.as_json(),
    }


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN: what is not known is null."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in values.items()}
