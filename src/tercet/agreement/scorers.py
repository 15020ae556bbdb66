"""Scorers on judged texts: metrics computed here, and scores that were computed elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.corpus.scores import read_scores, score_name
from tercet.errors import InputError, OptionError
from tercet.metrics.base import BATCH, Array, Metric, total
from tercet.metrics.scoring import Progress


@dataclass(frozen=True, eq=False)
class Scored:
    """What a scorer says of one language pair, oriented so that higher is better."""

    name: str
    signature: str
    """Of the corpus score."""
    segment_signature: str
    segments: Array | None
    """(systems, segments); None where the scorer has only scores of whole systems."""
    systems: Array
    """(systems,): the scorer's own corpus score."""
    statistics: Array | None = None
    """(systems, segments, k), additive, where corpus scores come from sums."""
    corpus_score: Callable[[Array], Array] | None = None
    """Sums of statistics to corpus scores."""


@dataclass(frozen=True)
class External:
    """A file of scores, for one language pair or for the only one there is."""

    file: Path
    pair: str | None = None

    @property
    def name(self) -> str:
        """What the scorer is called."""
        return score_name(self.file)

    @classmethod
    def parse(cls, text: str) -> External:
        """`FILE`, or `PAIR:FILE` such as `cs-en:scores.tsv`."""
        pair, colon, file = text.partition(":")
        if colon and "-" in pair and not Path(text).exists():
            return cls(Path(file), pair)
        return cls(Path(text))


def score_texts(
    texts: JudgedTexts,
    systems: Sequence[str],
    metrics: Mapping[str, Metric],
    external: Sequence[External] = (),
    *,
    lower_is_better: Sequence[str] = (),
    progress: Progress | None = None,
    computed: Mapping[str, Scored] | None = None,
) -> dict[str, Scored]:
    """Every scorer's numbers for these systems, by its name; `computed` are those of metrics that are at hand."""
    found = dict(computed or {})
    found |= {name: _computed(texts, systems, name, metric, progress) for name, metric in metrics.items()}
    for given in external:
        if given.pair not in (None, texts.pair):
            continue
        if given.name in found:
            raise OptionError(f"two scorers are called {given.name}; rename the file {given.file}")
        found[given.name] = _read(texts, systems, given, given.name in lower_is_better)
    if unknown := set(lower_is_better) - set(found):
        raise OptionError(f"there is no scorer {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    return found


def _computed(
    texts: JudgedTexts, systems: Sequence[str], name: str, metric: Metric, progress: Progress | None
) -> Scored:
    corpus = texts.corpus
    ready = metric.for_references(corpus.references)
    tables = []
    for system in systems:
        parts = []
        for start in range(0, len(corpus), BATCH):
            run = slice(start, start + BATCH)
            parts.append(ready.statistics(corpus.systems[system][run], corpus.references[run]))
            if progress:
                progress(len(parts[-1]))
        tables.append(np.concatenate(parts))
    return scored_by(name, ready, np.stack(tables), np.stack([total(rows) for rows in tables]))


def scored_by(name: str, metric: Metric, statistics: Array, totals: Array) -> Scored:
    """A metric's numbers, from the statistics of all segments (systems, segments, k) and their sums (systems, k)."""
    single = metric.for_segments()
    sign = 1.0 if metric.higher_is_better else -1.0

    def corpus_score(sums: Array) -> Array:
        return sign * metric.score(sums)

    return Scored(
        name,
        str(metric.signature),
        str(single.signature),
        sign * single.score(statistics),
        corpus_score(totals),
        statistics,
        corpus_score,
    )


def _read(texts: JudgedTexts, systems: Sequence[str], given: External, lower: bool) -> Scored:
    only = systems[0] if len(systems) == 1 else None
    scores = read_scores(given.file, systems=systems, segments=len(texts.corpus), system=only)
    matrix = (-1.0 if lower else 1.0) * scores.matrix(systems)
    if not np.isfinite(matrix).all():
        raise InputError("holds a score that is not a finite number", file=given.file)
    signature = f"{given.name}|file:{given.file.name}"
    if scores.level == "system":
        return Scored(given.name, signature, signature, None, matrix[:, 0])

    def mean(sums: Array) -> Array:  # without a definition of its own, a scorer's corpus score is the mean of segments
        return np.asarray(sums[..., 0] / sums[..., 1])

    statistics = np.stack([matrix, np.ones_like(matrix)], axis=2)
    return Scored(given.name, signature, signature, matrix, mean(statistics.sum(axis=1)), statistics, mean)
