"""A corpus and some metrics give scores: of systems, of segments, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tercet.corpus import Corpus
from tercet.metrics.base import BATCH, Array, Metric
from tercet.metrics.significance import (
    SEED,
    Comparison,
    Interval,
    confidence,
    paired_bootstrap,
    paired_randomization,
)
from tercet.signature import Signature

Progress = Callable[[int], None]  # called with the number of segments that were scored since the last call


@dataclass(frozen=True)
class Plan:
    """What is wanted beyond the systems' scores."""

    segments: bool = False
    components: bool = False
    confidence: int = 0
    """Bootstrap samples for the interval of each score; 0 for none."""
    paired: Literal["bs", "ar"] | None = None
    samples: int = 1000
    """Samples of the paired test."""
    baseline: str | None = None
    """The system that the others are compared with; None for all pairs."""
    seed: int = SEED

    @property
    def keeps_rows(self) -> bool:
        """Whether every segment's statistics are needed, or only their sum."""
        return self.segments or self.confidence > 0 or self.paired is not None


@dataclass(frozen=True)
class SystemScore:
    """One system under one metric."""

    score: float
    interval: Interval | None = None
    segments: Array | None = None
    components: Mapping[str, float] | None = None


@dataclass(frozen=True)
class MetricScores:
    """All systems under one metric."""

    spec: str
    """The metric as the user wrote it."""
    metric: Metric
    signature: Signature
    segment_signature: Signature
    systems: Mapping[str, SystemScore]
    comparisons: Sequence[Comparison] = ()

    def as_json(self) -> dict[str, Any]:
        """The part of the JSON output that others may rely on."""
        systems = {}
        for name, system in self.systems.items():
            entry: dict[str, Any] = {"score": system.score}
            if system.interval is not None:
                interval = system.interval
                entry["confidence"] = {"mean": interval.mean, "low": interval.low, "high": interval.high}
            if system.components is not None:
                entry["components"] = dict(system.components)
            if system.segments is not None:
                entry["segments"] = system.segments.tolist()
            systems[name] = entry
        found: dict[str, Any] = {
            "signature": str(self.signature),
            "higher_is_better": self.metric.higher_is_better,
            "systems": systems,
        }
        if any(system.segments is not None for system in self.systems.values()):
            found["segment_signature"] = str(self.segment_signature)
        if self.comparisons:
            found["comparisons"] = [vars(comparison) for comparison in self.comparisons]
        return found


def score_corpus(
    corpus: Corpus, metrics: Mapping[str, Metric], plan: Plan | None = None, progress: Progress | None = None
) -> list[MetricScores]:
    """Every system of a corpus under every metric; the metrics' keys are their names in the result."""
    plan = plan or Plan()
    return [_score(corpus, spec, metric, plan, progress) for spec, metric in metrics.items()]


def _score(corpus: Corpus, spec: str, metric: Metric, plan: Plan, progress: Progress | None) -> MetricScores:
    ready = metric.for_references(corpus.references)
    totals: dict[str, Array] = {}
    rows: dict[str, Array] = {}
    for name, hypotheses in corpus.systems.items():
        parts: list[Array] = []
        sums: list[Array] = []
        for start in range(0, len(hypotheses), BATCH):
            batch = slice(start, start + BATCH)
            part = ready.statistics(hypotheses[batch], corpus.references[batch])
            sums.append(part.sum(axis=0))
            if plan.keeps_rows:
                parts.append(part)
            if progress:
                progress(len(part))
        totals[name] = np.stack(sums).sum(axis=0)
        if plan.keeps_rows:
            rows[name] = np.concatenate(parts)

    systems = {
        name: system_score(
            ready,
            total,
            plan,
            interval=confidence(ready, rows[name], samples=plan.confidence, seed=plan.seed)
            if plan.confidence
            else None,
            segments=ready.for_segments().score(rows[name]) if plan.segments else None,
        )
        for name, total in totals.items()
    }
    comparisons: list[Comparison] = []
    if plan.paired:
        test = paired_bootstrap if plan.paired == "bs" else paired_randomization
        comparisons = test(ready, rows, baseline=plan.baseline, samples=plan.samples, seed=plan.seed)
    return scores_of(spec, ready, systems, comparisons, corpus.reference_counts, plan)


def system_score(
    metric: Metric, total: Array, plan: Plan, *, interval: Interval | None = None, segments: Array | None = None
) -> SystemScore:
    """A system's score from its total, with what else is wanted."""
    components = {key: float(value) for key, value in metric.components(total).items()} if plan.components else None
    return SystemScore(float(metric.score(total)), interval, segments, components)


def scores_of(
    spec: str,
    metric: Metric,
    systems: Mapping[str, SystemScore],
    comparisons: Sequence[Comparison],
    reference_counts: Sequence[int],
    plan: Plan,
) -> MetricScores:
    """The scores of all systems, signed."""
    return MetricScores(
        spec,
        metric,
        _signed(metric.signature, reference_counts, plan),
        _signed(metric.for_segments().signature, reference_counts, plan),
        systems,
        comparisons,
    )


def _signed(signature: Signature, counts: Sequence[int], plan: Plan) -> Signature:
    random = plan.confidence or plan.paired
    return signature.also(
        nrefs=counts[0] if len(counts) == 1 else "var",
        bs=plan.samples if plan.paired == "bs" else plan.confidence or None,
        ar=plan.samples if plan.paired == "ar" else None,
        seed=plan.seed if random else None,
    )
