"""The best of several translations of a segment: against references, by pairwise wins, or by minimum Bayes risk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tercet.errors import ShapeError
from tercet.metrics.base import BATCH, Metric
from tercet.signature import Signature

Array = NDArray[np.float64]
Lists = Sequence[tuple[str, ...]]
Progress = Callable[[int], None]


class Ranks(Protocol):
    """What a trained model must be able to do: margins of every two of some systems."""

    def margins(
        self, systems: Sequence[Sequence[str]], references: Sequence[tuple[str, ...]], sources: Sequence[str] | None
    ) -> Array:
        """Above 0 where the first of two is better, (systems, systems, segments)."""

    def probability(self, margins: Array) -> Array:
        """How likely the first is the better one."""


@dataclass(frozen=True)
class Reranked:
    """A score for each translation of each segment, above which `higher_is_better` tells what is good."""

    lists: Lists
    scores: Sequence[Array]
    signature: Signature
    higher_is_better: bool = True

    def order(self, segment: int) -> list[int]:
        """The translations of a segment, the best first; of equals the one that the list has first."""
        scores = self.scores[segment]
        return [int(place) for place in np.argsort(-scores if self.higher_is_better else scores, kind="stable")]

    def best(self) -> list[str]:
        """One translation for each segment."""
        return [texts[self.order(number)[0]] for number, texts in enumerate(self.lists)]

    def as_json(self) -> dict[str, Any]:
        """The JSON of `tercet rerank`; `place` counts the list's translations from 1."""
        segments = [
            {
                "segment": number + 1,
                "ranking": [
                    {"place": place + 1, "hypothesis": texts[place], "score": float(self.scores[number][place])}
                    for place in self.order(number)
                ],
            }
            for number, texts in enumerate(self.lists)
        ]
        return {"signature": str(self.signature), "segments": segments}


def against_references(lists: Lists, references: Lists, metric: Metric, progress: Progress | None = None) -> Reranked:
    """By a metric's score against references: the oracle's choice."""
    _same_length(lists, references)
    flat = [text for texts in lists for text in texts]
    sets = [one for texts, one in zip(lists, references, strict=True) for _ in texts]
    scores = metric.segments(flat, sets)
    (progress or _nothing)(len(lists))
    signature = metric.for_segments().signature.also(by="references")
    return Reranked(lists, _split(scores, lists), signature, metric.higher_is_better)


def pairwise_wins(
    lists: Lists,
    references: Lists,
    model: Ranks,
    signature: Signature,
    sources: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Reranked:
    """By how likely a translation beats the others of its list, on the mean over them, in percent."""
    _same_length(lists, references)
    scores: list[Array] = [np.empty(0)] * len(lists)
    for size in sorted({len(texts) for texts in lists}):  # lists of one size make a table
        places = [number for number, texts in enumerate(lists) if len(texts) == size]
        systems = [[lists[number][rank] for number in places] for rank in range(size)]
        around = None if sources is None else [sources[number] for number in places]
        won = model.probability(model.margins(systems, [references[number] for number in places], around))
        mean = (won.sum(axis=1) - 0.5) / max(1, size - 1)  # every translation ties with itself
        for column, number in enumerate(places):
            scores[number] = 100 * mean[:, column] if size > 1 else np.full(1, 50.0)
        (progress or _nothing)(len(places))
    return Reranked(lists, scores, signature.also(by="wins"))


def minimum_bayes_risk(lists: Lists, metric: Metric, progress: Progress | None = None) -> Reranked:
    """By a metric's mean score with every translation of the list as the reference (Kumar & Byrne 2004).

    Equal translations are computed once and counted as often as they stand. Where a metric can exchange the two sides
    in its statistics, only half of the pairs are computed.
    """
    ready = metric.for_segments().for_references([(text,) for texts in lists for text in texts])
    scores: list[Array] = []
    for start, stop in _portions(lists):
        scores += _risks(ready, lists[start:stop])
        (progress or _nothing)(stop - start)
    return Reranked(lists, scores, ready.signature.also(by="mbr"), metric.higher_is_better)


def _risks(metric: Metric, lists: Lists) -> list[Array]:
    distinct = [list(dict.fromkeys(texts)) for texts in lists]
    pairs = [np.triu_indices(len(texts)) for texts in distinct]
    upper = _statistics(metric, distinct, pairs)
    lower = metric.exchanged(upper)
    if lower is None:
        lower = _statistics(metric, distinct, [(second, first) for first, second in pairs])
    else:
        unknown = np.asarray(np.isnan(lower).any(axis=1), np.bool_)
        if unknown.any():
            lower[unknown] = _statistics(metric, distinct, [(second, first) for first, second in pairs], unknown)
    above, below = metric.score(upper), metric.score(lower)

    found, at = [], 0
    for texts, different, (first, second) in zip(lists, distinct, pairs, strict=True):
        table = np.empty((len(different), len(different)))
        table[second, first] = below[at : at + len(first)]
        table[first, second] = above[at : at + len(first)]
        at += len(first)
        places = {text: place for place, text in enumerate(different)}
        where = np.array([places[text] for text in texts])
        weights = np.bincount(where, minlength=len(different)) / len(texts)
        found.append((table @ weights)[where])
    return found


def _statistics(
    metric: Metric,
    lists: Sequence[Sequence[str]],
    pairs: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
    chosen: NDArray[np.bool_] | None = None,
) -> Array:
    hypotheses = [texts[i] for texts, (first, _) in zip(lists, pairs, strict=True) for i in first]
    references = [(texts[j],) for texts, (_, second) in zip(lists, pairs, strict=True) for j in second]
    if chosen is not None:
        hypotheses = [text for text, wanted in zip(hypotheses, chosen, strict=True) if wanted]
        references = [text for text, wanted in zip(references, chosen, strict=True) if wanted]
    return metric.statistics(hypotheses, references)


def _portions(lists: Lists) -> list[tuple[int, int]]:
    """Runs of segments with about as many pairs as a kernel takes at once."""
    found, start, pairs = [], 0, 0
    for number, texts in enumerate(lists):
        pairs += len(texts) ** 2
        if pairs >= 5 * BATCH:
            found.append((start, number + 1))
            start, pairs = number + 1, 0
    return [*found, (start, len(lists))] if start < len(lists) else found


def _split(scores: Array, lists: Lists) -> list[Array]:
    return np.split(scores, np.cumsum([len(texts) for texts in lists])[:-1])


def _same_length(lists: Lists, references: Lists) -> None:
    if len(lists) != len(references):
        raise ShapeError(f"{len(lists)} lists of translations and references of {len(references)} segments")


def _nothing(done: int) -> None:
    pass
