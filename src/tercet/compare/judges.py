"""Who decides a comparison: a trained model of any kind, or any metric."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.metrics.base import Metric
from tercet.rankers.attribution import Between, Contributions
from tercet.rankers.base import Ranker
from tercet.rankers.calibration import Calibration
from tercet.rankers.inputs import Counts, Inputs
from tercet.rankers.joint import JointRanker
from tercet.rankers.kernel import KernelRanker
from tercet.rankers.network import NetworkRanker
from tercet.signature import Signature

Array = NDArray[np.float64]
Systems = Sequence[Sequence[str]]
ReferenceSets = Sequence[tuple[str, ...]]


class Judge(Protocol):
    """Margins of every two systems in every segment, and what they mean."""

    @property
    def name(self) -> str:
        """What outputs call it."""

    @property
    def kind(self) -> str:
        """`model` or `metric`."""

    @property
    def signature(self) -> Signature:
        """Everything that changes a verdict."""

    @property
    def tie_band(self) -> float:
        """Margins of no more than this, either way, are ties."""

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        """(systems, systems, segments); above 0 where the first is better."""

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        """1, 0 or -1."""

    def probability(self, margins: Array) -> Array:
        """How likely the first is the better one."""

    def contributions(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Between:
        """What each feature adds to the margin of any two of the systems."""

    @property
    def counts(self) -> Counts:
        """What was not as in the training data, in all texts seen so far."""

    def afresh(self, cache: FeatureCache) -> Judge:
        """The same judge, who keeps features in this cache and has counted nothing yet."""

    def whole_sets(self) -> dict[str, bool]:
        """What the verdict is made of, and whether that looks at the references of all segments together."""

    def notes(self) -> list[str]:
        """What a reader of the verdicts should know."""


@runtime_checkable
class Explains(Protocol):
    """A ranker that can say what each feature adds to a margin."""

    def contributions(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Between: ...


@dataclass(frozen=True)
class RankerJudge:
    """A trained ranker of any kind, with its probabilities and, if it has one, its tie band."""

    ranker: Ranker
    name: str = "model"
    hint: str = ""
    """What a user could do for a better judge."""
    kind: str = field(default="model", init=False)

    @property
    def signature(self) -> Signature:
        return self.ranker.signature

    @property
    def calibration(self) -> Calibration:
        """What the ranker learned about its own margins; all rankers of this package learn it."""
        found: Any = getattr(self.ranker, "calibration_", None)
        return found if isinstance(found, Calibration) else Calibration()

    @property
    def tie_band(self) -> float:
        return self.calibration.tie_band

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        found = np.zeros((len(systems), len(systems), len(references)))
        for i, first in enumerate(systems):
            for j in range(i + 1, len(systems)):
                found[i, j] = self.ranker.margin(first, systems[j], references, sources)
        return found - found.transpose(1, 0, 2)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        return self.calibration.verdict(margins)

    def probability(self, margins: Array) -> Array:
        return self.calibration.probability(margins)

    def contributions(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Between:
        if isinstance(self.ranker, Explains):
            return self.ranker.contributions(systems, references, sources)
        every = self.margins(systems, references, sources)
        return lambda first, second: _undivided(self.name, every[first, second])

    @property
    def counts(self) -> Counts:
        return Counts()

    @property
    def features(self) -> Sequence[str]:
        """The feature sets that compare a translation with its references."""
        return ()

    def afresh(self, cache: FeatureCache) -> Judge:
        if not hasattr(self.ranker, "cache"):
            return self
        ranker: Any = copy(self.ranker)
        ranker.cache = cache
        return replace(self, ranker=ranker)

    def whole_sets(self) -> dict[str, bool]:
        return {f"the model {self.name} takes {spec}, which": feature_set(spec).whole_set for spec in self.features}

    def notes(self) -> list[str]:
        return [self.hint] if self.hint else []


@dataclass(frozen=True)
class NetworkJudge(RankerJudge):
    """A trained network: the features of each system are computed once for all its comparisons."""

    ranker: NetworkRanker

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        return self.ranker.margins(systems, references, sources)

    @property
    def inputs(self) -> Inputs:
        """The features of the trained network."""
        assert self.ranker.inputs_ is not None, "a judge has been trained"
        return self.ranker.inputs_

    @property
    def counts(self) -> Counts:
        return self.inputs.counts

    @property
    def features(self) -> Sequence[str]:
        return self.inputs.specs.similarity

    def afresh(self, cache: FeatureCache) -> Judge:
        ranker = copy(self.ranker)
        ranker.inputs_ = self.inputs.afresh(cache)
        return replace(self, ranker=ranker)

    def notes(self) -> list[str]:
        counts, found = self.counts, super().notes()
        if counts.clipped:
            found.append(f"{counts.clipped} of {counts.values} feature values lay outside the training data's range")
        if counts.without_vector:
            found.append(f"{counts.without_vector} sentences are empty or have no known word, and were given zeros")
        return found


@dataclass(frozen=True)
class JointJudge(RankerJudge):
    """A joint-objective metric: every translation is scored once, and a margin is a difference of activations."""

    ranker: JointRanker

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        scores = np.stack([self.ranker.activation(system, references, sources) for system in systems])
        return np.asarray(scores[:, None] - scores[None], np.float64)

    @property
    def features(self) -> Sequence[str]:
        return self.ranker.features


@dataclass(frozen=True)
class KernelJudge(RankerJudge):
    """A preference SVM over trees: every translation is scored once."""

    ranker: KernelRanker

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        return self.ranker.margins(systems, references, sources)

    @property
    def features(self) -> Sequence[str]:
        return self.ranker.options.features


@dataclass(frozen=True)
class MetricJudge:
    """A metric's segment scores: the better score wins. It knows no probabilities: a win is 1, a tie 1/2."""

    metric: Metric
    kind: str = field(default="metric", init=False)
    tie_band: float = field(default=0.0, init=False)

    @property
    def name(self) -> str:
        return self.metric.label

    @property
    def signature(self) -> Signature:
        return self.metric.for_segments().signature

    def margins(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Array:
        scores = np.stack([self.metric.segments(system, references) for system in systems])
        scores = scores if self.metric.higher_is_better else -scores
        return np.asarray(scores[:, None] - scores[None], np.float64)

    def verdict(self, margins: Array) -> NDArray[np.int64]:
        return np.sign(margins).astype(np.int64)

    def probability(self, margins: Array) -> Array:
        return np.asarray((1 + np.sign(margins)) / 2, np.float64)

    def contributions(self, systems: Systems, references: ReferenceSets, sources: Sequence[str] | None) -> Between:
        sign = 1 if self.metric.higher_is_better else -1
        taken_apart = [self.metric.for_segments().parts(system, references) for system in systems]
        if None in taken_apart:  # most metrics: one number, shown as it is
            scores = [self.metric.segments(system, references)[:, None] for system in systems]
            taken_apart = [((self.metric.name,), score, score) for score in scores]
        every = [found for found in taken_apart if found is not None]

        def between(first: int, second: int) -> Contributions:
            (names, one, counted), (_, other, others) = every[first], every[second]
            return Contributions(names, sign * (one - other), counted, others)

        return between

    @property
    def counts(self) -> Counts:
        return Counts()

    def afresh(self, cache: FeatureCache) -> Judge:
        return self

    def whole_sets(self) -> dict[str, bool]:
        return {self.metric.name: self.metric.whole_set}

    def notes(self) -> list[str]:
        return []


def judge_of(ranker: Ranker, name: str, hint: str = "") -> RankerJudge:
    """The judge for a ranker of any kind."""
    if isinstance(ranker, NetworkRanker):
        return NetworkJudge(ranker, name, hint)
    if isinstance(ranker, JointRanker):
        return JointJudge(ranker, name, hint)
    if isinstance(ranker, KernelRanker):
        return KernelJudge(ranker, name, hint)
    return RankerJudge(ranker, name, hint)


def choose_judge(model: str | None = None, metric: str | None = None) -> Judge:
    """The judge that `-M` or `-m` names; else the best shipped model that can be used here; else chrF."""
    from tercet.errors import OptionError
    from tercet.rankers.loading import default_model, load_model, model_name, stronger_model

    if model is not None and metric is not None:
        raise OptionError("-M and -m are two judges; choose one")
    if model is not None:
        return judge_of(load_model(model), model_name(model))
    if metric is None and (found := default_model()) is not None:
        name, ranker = found
        stronger = stronger_model(name)
        return judge_of(ranker, name, "" if stronger is None else f"{stronger[0]} is a stronger model: {stronger[1]}")
    from tercet.metrics.registry import metric as metric_of

    return MetricJudge(metric_of(metric or "chrf"))


def _undivided(name: str, margins: Array) -> Contributions:
    column = margins[:, None]
    unknown = np.full_like(column, np.nan)
    return Contributions((name,), column, unknown, unknown)
