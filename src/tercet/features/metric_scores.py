"""Metrics as features: their segment scores, or the numbers that those are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tercet.corpus.segments import as_hypotheses, as_references
from tercet.features.base import Array, FeatureSet, checked
from tercet.features.registry import register
from tercet.metrics.base import BATCH, Metric
from tercet.metrics.registry import metric as metric_of
from tercet.signature import Signature


@dataclass(frozen=True, kw_only=True)
class Scores(FeatureSet):
    """The segment scores of some metrics, a column a metric."""

    metrics: tuple[str, ...]
    """As they are written after `-m`."""

    @cached_property
    def _metrics(self) -> list[Metric]:
        return [metric_of(spec) for spec in self.metrics]

    @property
    def names(self) -> tuple[str, ...]:
        return self.metrics

    @property
    def whole_set(self) -> bool:
        return any(one.whole_set for one in self._metrics)

    @property
    def signature(self) -> Signature:
        return _joined(getattr(self, "name", "scores"), [one.for_segments() for one in self._metrics])

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        columns = [one.segments(hypotheses, references) for one in self._metrics]
        return checked(np.stack(columns, axis=1), len(hypotheses), len(columns), ", ".join(self.metrics))


@register("4metrics")
@dataclass(frozen=True, kw_only=True)
class FourMetrics(Scores):
    """4METRICS (Guzmán et al. 2015): BLEU, NIST, TER and METEOR of each segment.

    The paper does not say with which options; these were the best together on WMT13 fr-en
    (`training.guzman2015_settings`). METEOR without its tables would be another metric: they must be there.
    """

    metrics: tuple[str, ...] = ("bleu", "nist:lowercase=false", "ter:case_sensitive=true", "meteor:task=adq")

    @cached_property
    def _metrics(self) -> list[Metric]:
        from tercet import resources

        resources.find("meteor")
        return [metric_of(spec) for spec in self.metrics]


@dataclass(frozen=True, kw_only=True)
class Components(FeatureSet):
    """The named numbers behind a metric's score, such as BLEU's precisions, matches, totals and lengths."""

    metric: str

    @cached_property
    def _metric(self) -> Metric:
        return metric_of(self.metric).for_segments()

    @cached_property
    def names(self) -> tuple[str, ...]:
        empty = np.zeros((0, len(self._metric.statistic_names)))
        return tuple(self._metric.components(empty))

    @property
    def whole_set(self) -> bool:
        return self._metric.whole_set

    @property
    def signature(self) -> Signature:
        return _joined(getattr(self, "name", "components"), [self._metric])

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        ready = self._metric.for_references(sets)
        parts = [np.zeros((0, len(self.names)))]
        for start in range(0, len(texts), BATCH):
            rows = ready.statistics(texts[start : start + BATCH], sets[start : start + BATCH])
            parts.append(np.stack(list(ready.components(rows).values()), axis=1))
        return checked(np.concatenate(parts), len(texts), len(self.names), self.metric)


@register("bleucomp")
@dataclass(frozen=True, kw_only=True)
class BleuComponents(Components):
    """BLEUCOMP (Guzmán et al. 2015): four precisions, matches and totals, two lengths, their ratio, the penalty."""

    metric: str = "bleu"


def _joined(name: str, metrics: Sequence[Metric]) -> Signature:
    items = [(one.name, ",".join(f"{key}={value}" for key, value in one.signature.items)) for one in metrics]
    return Signature(name, tuple(items))
