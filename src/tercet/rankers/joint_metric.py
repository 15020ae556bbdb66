"""A trained joint-objective metric among all other metrics: `-m joint`, `-m joint:model=FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tercet.metrics.base import Array, Metric, ratio
from tercet.rankers.joint import JointRanker
from tercet.rankers.joint_models import load
from tercet.rankers.loading import find_model
from tercet.signature import Signature


@dataclass(frozen=True, kw_only=True)
class Joint(Metric):
    """Between 0 and 1, learned from judgments of sentences and of whole systems (Stanojević & Sima'an 2017)."""

    model: str = "joint"
    """A model's folder, or the name of one that ships with tercet."""
    scale: str = "score"
    """`score`: the metric's own, between 0 and 1; `da`: the direct assessment to be expected, 0 an average one."""

    name = "joint"
    decimals = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        from tercet.errors import OptionError

        if self.scale not in ("score", "da"):
            raise OptionError(f"joint: scale={self.scale!r} is not allowed; it takes score or da")
        if self.scale == "da" and self.ranker.assessment_ is None:
            raise OptionError(f"{self.model}: not calibrated to direct assessments; leave scale=da out")

    @cached_property
    def ranker(self) -> JointRanker:
        """The model, loaded once."""
        return load(find_model(self.model))

    @property
    def label(self) -> str:
        return "joint" if self.scale == "score" else "joint, expected DA"

    @property
    def signature(self) -> Signature:
        of_model = self.ranker.signature
        features = "+".join(_options(str(one.signature)) for one in self.ranker.feature_sets)
        kept = [item for item in of_model.items if item[0] != "features"]
        return Signature(of_model.name, (*kept, ("features", features), ("scale", self.scale)))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("sum", "segments")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        judge = self.ranker.score if self.scale == "score" else self.ranker.assessment
        scores = judge(hypotheses, references)
        return np.stack([scores, np.ones_like(scores)], axis=1)

    def score(self, statistics: Array) -> Array:
        return ratio(statistics[..., 0], statistics[..., 1])


def _options(signature: str) -> str:
    """A feature set's signature in one item: `beer57,case=lc,tok=13a`."""
    parts = [part.replace(":", "=") for part in signature.split("|") if not part.startswith("version:")]
    return ",".join(parts)
