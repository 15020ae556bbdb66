"""From pairwise comparisons to a ranking of systems: scores, rank ranges and clusters, as WMT prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tercet.agreement.bradley_terry import BradleyTerry
from tercet.agreement.clusters import Ranges, rank_clusters, rank_ranges, ranks
from tercet.agreement.comparisons import Array, Comparisons, Integers, Tally
from tercet.agreement.system_scores import BetterOrEqual, ExpectedWins, SystemScore, WinRatio
from tercet.agreement.trueskill import TrueSkill
from tercet.errors import OptionError, ShapeError
from tercet.options import parse_options, split_spec

METHODS: dict[str, type[SystemScore]] = {
    kind.name: kind for kind in (ExpectedWins, TrueSkill, BradleyTerry, WinRatio, BetterOrEqual)
}

__all__ = [
    "METHODS",
    "BetterOrEqual",
    "BradleyTerry",
    "Comparisons",
    "ExpectedWins",
    "Ranking",
    "SystemScore",
    "Tally",
    "TrueSkill",
    "WinRatio",
    "rank_systems",
    "system_score",
]


@dataclass(frozen=True, eq=False)
class Ranking:
    """One entry a system, by its number: score, rank, the range of its rank, and its cluster (1 is the best)."""

    method: str
    scores: Array
    rank: Integers
    low: Integers
    high: Integers
    cluster: Integers
    resamples: int
    confidence: float

    @property
    def order(self) -> Integers:
        """Numbers of the systems from the best to the worst; equal scores by number."""
        return np.argsort(-self.scores, kind="stable")

    def rows(self, systems: Sequence[str]) -> list[dict[str, Any]]:
        """The table from the best to the worst, as plain values ready for JSON."""
        if len(systems) != len(self.scores):
            raise ShapeError(f"{len(systems)} names for {len(self.scores)} systems; give one for each")
        return [
            {
                "system": systems[i],
                "score": float(self.scores[i]),
                "rank": int(self.rank[i]),
                "low": int(self.low[i]),
                "high": int(self.high[i]),
                "cluster": int(self.cluster[i]),
            }
            for i in self.order
        ]


def system_score(spec: str) -> SystemScore:
    """The method that `name` or `name:option=value,...` describes."""
    name, raw = split_spec(spec)
    if name not in METHODS:
        raise OptionError(f"unknown ranking method {name!r}; there are {', '.join(METHODS)}")
    return METHODS[name](**parse_options(METHODS[name], raw, of=name))


def rank_systems(
    comparisons: Comparisons,
    method: SystemScore | str = "expected_wins",
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    ranges: Ranges = "wmt13",
    seed: int = 12345,
    names: Sequence[str] | None = None,
) -> Ranking:
    """Systems scored by `method`, each with its range of ranks in a bootstrap, and clusters of overlapping ranges.

    As in WMT13 and WMT14: the items (rankings of several systems, or single comparisons) are drawn with replacement
    `resamples` times, systems are ranked each time, and a system's range holds `confidence` of its ranks, chosen as
    `ranges` says. A system of which a resample says nothing takes the middle score of that resample. `names` serve
    messages only.
    """
    score = system_score(method) if isinstance(method, str) else method
    scores = score.scores(comparisons)
    silent = np.flatnonzero(np.isnan(scores))
    if len(silent):
        system = f"system {silent[0]}" if names is None else f"system {names[silent[0]]!r}"
        raise ShapeError(
            f"{score.name} has nothing to score {system} by: no comparison, or only ties; leave the system out"
        )
    resampled = score.resampled(comparisons, resamples=resamples, seed=seed)
    resampled[np.isnan(resampled).all(axis=1)] = 0  # a resample of ties only: all systems are alike
    resampled = np.where(np.isnan(resampled), np.nanmedian(resampled, axis=1, keepdims=True), resampled)
    low, high = rank_ranges(ranks(resampled), confidence, kind=ranges)
    return Ranking(score.name, scores, ranks(scores), low, high, rank_clusters(low, high), resamples, confidence)
