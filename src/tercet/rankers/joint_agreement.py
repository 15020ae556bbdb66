"""How far a joint-objective metric agrees with people on judged texts, with chrF beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.metrics.registry import metric as metric_of
from tercet.rankers.calibration import sigmoid
from tercet.rankers.joint import Array, JointRanker
from tercet.rankers.joint_data import Examples, examples

BASELINE = "chrf"
TAU, SEGMENTS, SYSTEMS = "strict tau, segments", "Pearson's r, segments", "Pearson's r, systems"

Row = dict[str, Any]
"""`data`, `pair`, `statistic`, `value` and the value of the baseline under its name."""


def agreement(ranker: JointRanker, judged: Sequence[JudgedTexts], *, baseline: bool = True) -> list[Row]:
    """Of each text the tau of comparisons or r of assessments, and r of systems; chrF's beside it, if wanted."""
    rows: list[Row] = []
    for texts in judged:
        part = examples([texts], ranker.feature_sets, ranker.cache)
        assert ranker.weights_ is not None
        scores = sigmoid(ranker.weights_.forward(part.rows))
        spans = [slice(start, start + length) for start, length in zip(*part.corpora[:2], strict=True)]
        ours = _values(part, scores, [scores[span].mean() for span in spans])

        theirs = _baseline(texts, part, spans) if baseline else {}
        for statistic, value in ours.items():
            about = {"data": texts.testset, "pair": texts.pair, "statistic": statistic, "value": value}
            rows.append(about | ({BASELINE: theirs[statistic]} if baseline else {}))
    return rows


def _baseline(texts: JudgedTexts, part: Examples, spans: Sequence[slice]) -> dict[str, float]:
    chrf = metric_of(BASELINE)
    references = list(texts.corpus.references)
    systems = (list(texts.corpus.systems[name]) for name in texts.judgments.systems())
    counts = np.concatenate([chrf.statistics(system, references) for system in systems])
    return _values(part, chrf.score(counts), [float(chrf.score(counts[span].sum(axis=0))) for span in spans])


def mean_over_parts(parts: Sequence[Sequence[Row]]) -> list[Row]:
    """One row for each statistic of each text: the mean over the parts of it that were measured."""
    values: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for row in (row for part in parts for row in part):
        values.setdefault((row["data"], row["pair"], row["statistic"]), []).append((row["value"], row[BASELINE]))
    rows = []
    for (data, pair, statistic), found in values.items():
        mean, baseline = np.mean(found, axis=0).tolist()
        rows.append({"data": data, "pair": pair, "statistic": statistic, "value": mean, BASELINE: baseline})
    return rows


def both_levels(rows: Sequence[Row]) -> float:
    """Sentences and corpora alike in one figure: the mean over texts at each level, and the mean of the levels."""
    levels = [[row["value"] for row in rows if (row["statistic"] == SYSTEMS) == corpora] for corpora in (False, True)]
    return float(np.mean([np.mean(values) for values in levels if values]))


def _values(part: Examples, scores: Array, corpora: Sequence[float]) -> dict[str, float]:
    found = {}
    if len(part.sentences.better):
        right = scores[part.sentences.better] > scores[part.sentences.worse]
        found[TAU] = float(2 * right.mean() - 1)
    if len(part.assessed.row) > 2:
        found[SEGMENTS] = float(np.corrcoef(scores[part.assessed.row], part.assessed.value)[0, 1])
    if len(part.corpora.start) > 2:
        found[SYSTEMS] = float(np.corrcoef(corpora, part.corpora.human)[0, 1])
    return found
