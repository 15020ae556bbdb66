"""A trained model among metrics: the score that it gives a translation by itself. `-M NAME` of score and evaluate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tercet.errors import OptionError
from tercet.metrics.base import Array, Metric, ratio
from tercet.rankers.base import Ranker
from tercet.rankers.joint import JointRanker
from tercet.rankers.loading import load_model, model_name
from tercet.rankers.network import NetworkRanker
from tercet.signature import Signature


def models_as_metrics(names: Sequence[str]) -> dict[str, Metric]:
    """The metric of each model, by the name that outputs call the model; a model that is not there is an error."""
    found: dict[str, Metric] = {}
    for name in names:
        one = ModelMetric(model=name)
        _ = one.ranker  # what it needs is missed now, and not when the texts are read
        found[one.label] = one
    return found


@dataclass(frozen=True, kw_only=True)
class ModelMetric(Metric):
    """A network's margin of a translation over its own reference, or a joint metric's score; a system has the mean."""

    model: str
    """A model's folder, or the name of one that ships with tercet."""

    name = "model"
    decimals = 4

    @cached_property
    def ranker(self) -> Ranker:
        """The model, loaded once."""
        return load_model(self.model)

    @property
    def label(self) -> str:
        return model_name(self.model)

    @property
    def signature(self) -> Signature:
        return self.ranker.signature

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("sum", "segments")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        ranker = self.ranker
        if isinstance(ranker, NetworkRanker):
            scores = ranker.lone(hypotheses, references)
        elif isinstance(ranker, JointRanker):
            scores = ranker.score(hypotheses, references)
        else:
            raise OptionError(f"{self.label}: compares two translations and scores none; use it with tercet compare")
        return np.stack([scores, np.ones_like(scores)], axis=1)

    def score(self, statistics: Array) -> Array:
        return ratio(statistics[..., 0], statistics[..., 1])
