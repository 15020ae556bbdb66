"""Judged texts as a linear metric learns from them: rows of features, pairs of sentences, pairs of corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import ShapeError
from tercet.features.base import FeatureSet
from tercet.features.cache import FeatureCache

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Sentences(NamedTuple):
    """Pairs of rows of which people preferred the first; `text` is the number of the text that both are of."""

    better: Numbers
    worse: Numbers
    text: Numbers


class Assessed(NamedTuple):
    """Rows that were assessed by themselves."""

    row: Numbers
    value: Array
    text: Numbers


class Corpora(NamedTuple):
    """Outputs of whole systems: where their rows begin, how many there are, and what people gave them.

    `human` is on the scale of Expected Wins, between 0 and 1.
    """

    start: Numbers
    length: Numbers
    human: Array
    text: Numbers

    def pairs(self) -> tuple[Numbers, Numbers, Array]:
        """Every two corpora of one text that people told apart: the better, the worse, and by how much."""
        better, worse = np.nonzero((self.text[:, None] == self.text) & (self.human[:, None] > self.human))
        return better, worse, self.human[better] - self.human[worse]


@dataclass(frozen=True, eq=False)
class Examples:
    """All that one training or validation uses."""

    rows: Floats
    sentences: Sentences
    assessed: Assessed
    corpora: Corpora
    texts: tuple[str, ...]
    """`newstest2012 cs-en`, …"""

    def with_sentences_of_assessments(self, each: int, difference: float, seed: int) -> Examples:
        """Further pairs of sentences, drawn at random from assessed rows of one text.

        `each` pairs are drawn for every assessed row; those whose values differ by less than `difference` standard
        deviations of the text's assessments are left out. The two are of different segments as a rule: a direct
        assessment is absolute, so that people's words on any two can be compared.
        """
        random = np.random.default_rng(seed)
        found = [self.sentences]
        for text in np.unique(self.assessed.text):
            of_text = self.assessed.text == text
            rows, values = self.assessed.row[of_text], self.assessed.value[of_text]
            one, other = random.integers(0, len(rows), (2, each * len(rows)))
            apart = np.abs(values[one] - values[other])
            told = (apart > 0) & (apart >= difference * values.std())
            first, second = one[told], other[told]
            turn = values[first] < values[second]
            better, worse = np.where(turn, second, first), np.where(turn, first, second)
            found.append(Sentences(rows[better], rows[worse], np.full(len(better), text)))
        return replace(self, sentences=Sentences(*(np.concatenate(parts) for parts in zip(*found, strict=True))))


def examples(
    judged: Sequence[JudgedTexts], features: Sequence[FeatureSet], cache: FeatureCache | None = None
) -> Examples:
    """Rows for every segment of every judged system, and what people said of them."""
    if not judged:
        raise ShapeError("there are no judged texts to learn from")
    cache = cache or FeatureCache()
    rows: list[Floats] = []
    sentences, assessed, corpora = [], [], []
    start = 0
    for number, texts in enumerate(judged):
        systems = texts.judgments.systems()
        segments = len(texts.corpus)
        rows += [rows_of(list(texts.corpus.systems[name]), texts, features, cache) for name in systems]
        begins = start + segments * np.arange(len(systems))
        of_segments = texts.judgments.of_segments()
        if texts.judgments.kind == "comparison":
            found = of_segments.untied().indices(systems)
            first, second = begins[found.system] + found.segment, begins[found.other] + found.segment
            won = found.value > 0
            sentences.append(
                Sentences(np.where(won, first, second), np.where(won, second, first), np.full(len(won), number))
            )
            human = expected_wins(found.system, found.other, found.value, len(systems))
        else:
            mean = of_segments.averaged().indices(systems)
            assessed.append(Assessed(begins[mean.system] + mean.segment, mean.value, np.full(len(mean.value), number)))
            human = _wins_of_assessments(texts, systems, mean.system, mean.value)
        known = ~np.isnan(human)
        corpora.append(
            Corpora(begins[known], np.full(known.sum(), segments), human[known], np.full(known.sum(), number))
        )
        start += segments * len(systems)
    return Examples(
        np.concatenate(rows),
        Sentences(*_joined(sentences, int, int, int)),
        Assessed(*_joined(assessed, int, float, int)),
        Corpora(*_joined(corpora, int, int, float, int)),
        tuple(f"{texts.testset} {texts.pair}" for texts in judged),
    )


def rows_of(
    hypotheses: Sequence[str], texts: JudgedTexts, features: Sequence[FeatureSet], cache: FeatureCache
) -> Floats:
    """The features of one system, all sets side by side."""
    references = list(texts.corpus.references)
    sources = None if texts.corpus.sources is None else list(texts.corpus.sources)
    return np.concatenate([cache.transform(one, hypotheses, references, sources) for one in features], axis=1)


def expected_wins(first: Numbers, second: Numbers, value: Array, systems: int) -> Array:
    """Koehn (2012): the mean over opponents of the fraction of comparisons won, ties left out; NaN without any."""
    wins = np.zeros((systems, systems))
    np.add.at(wins, (first[value > 0], second[value > 0]), 1)
    np.add.at(wins, (second[value < 0], first[value < 0]), 1)
    return _mean_over_opponents(wins, wins + wins.T)


def _wins_of_assessments(texts: JudgedTexts, systems: Sequence[str], system: Numbers, value: Array) -> Array:
    """Assessments of systems on the scale of Expected Wins: how often each would win if scores of segments were normal.

    Of two systems with means a and b and segments of standard deviation σ, the first wins with probability
    Φ((a - b) / (σ √2)). The means are those given for whole systems, or else those of each system's segments.
    """
    from scipy.special import ndtr

    means = np.full(len(systems), np.nan)
    whole = texts.judgments.of_systems()
    if len(whole):
        given = whole.averaged().indices(systems)
        means[given.system] = given.value
    elif len(value):
        counts = np.bincount(system, minlength=len(systems))
        sums = np.bincount(system, value, len(systems))
        means = np.divide(sums, counts, out=means, where=counts > 0)
    spread = float(np.std(value)) if len(value) > 1 else float(np.nanstd(means))
    if len(systems) < 2 or spread == 0:
        return np.full(len(systems), np.nan)
    wins = ndtr((means[:, None] - means) / (spread * np.sqrt(2)))
    met = ~np.isnan(wins)
    return _mean_over_opponents(np.where(met, wins, 0), met.astype(np.float64))


def _mean_over_opponents(wins: Array, met: Array) -> Array:
    others = ~np.eye(len(wins), dtype=bool) & (met > 0)
    rates = np.divide(wins, met, out=np.zeros_like(wins), where=others)
    opponents = others.sum(axis=1)
    found: Array = np.divide(rates.sum(axis=1), opponents, out=np.full(len(wins), np.nan), where=opponents > 0)
    return found


def _joined(parts: Sequence[tuple[NDArray[Any], ...]], *types: type) -> list[Any]:
    if not parts:
        return [np.zeros(0, one) for one in types]
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]
