"""TrueSkill with ties: skills that each judgment moves a little, as WMT14 to WMT16 ranked their systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypedDict

import numpy as np

from tercet import _native
from tercet.agreement.comparisons import Array, Comparisons, Integers
from tercet.agreement.system_scores import SystemScore
from tercet.errors import OptionError


class _Settings(TypedDict):
    systems: int
    mu: float
    sigma: float
    beta: float
    tau: float
    draw_margin: float


@dataclass(frozen=True, kw_only=True)
class TrueSkill(SystemScore):
    """The mean of a system's skill after as many comparisons as there are, averaged over `runs`.

    The settings are those with which WMT14 was ranked (Sakaguchi, Post & Van Durme 2014): skills start at 0 with
    deviation 0.5, do not drift (tau 0), a quarter of comparisons is expected to tie, and the deviation of one
    performance, unless given, is sigma · (number of comparisons) / 40, so that no single judgment moves a skill far.

    `matching` says which comparison comes next. "uncertain", theirs: the system whose skill is least certain meets one
    near its skill, and any comparison of the two is taken, so that all systems play about equally often and each run
    is a sample in itself. "random": all comparisons, each once, in random order; with so wide a performance this keeps
    systems that were judged less often nearer to 0.
    """

    mu: float = 0.0
    sigma: float = 0.5
    beta: float | None = None
    tau: float = 0.0
    draw_probability: float = 0.25
    matching: Literal["uncertain", "random"] = "uncertain"
    runs: int = 100
    seed: int = 12345

    name = "trueskill"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sigma <= 0 or (self.beta is not None and self.beta <= 0) or self.tau < 0 or self.runs < 1:
            raise OptionError("trueskill: sigma and beta are above 0, tau is 0 or more, runs is 1 or more")
        if not 0 <= self.draw_probability < 1:
            raise OptionError(f"trueskill: draw_probability={self.draw_probability}; it is at least 0 and below 1")

    def scores(self, comparisons: Comparisons) -> Array:
        if self.matching == "uncertain":
            means = self.matched(comparisons, runs=self.runs, seed=self.seed)
        else:
            rng = np.random.default_rng(self.seed)
            means = np.stack(
                [self.skills(comparisons, [rng.permutation(len(comparisons))])[0][0] for _ in range(self.runs)]
            )
        met = np.zeros(comparisons.systems, dtype=bool)
        met[comparisons.first], met[comparisons.second] = True, True
        return np.where(met, means.mean(axis=0), np.nan)

    def resampled(self, comparisons: Comparisons, *, resamples: int, seed: int) -> Array:
        """Scores in each bootstrap sample; with "uncertain" matching, itself a draw with replacement, each run."""
        if self.matching == "uncertain":
            return self.matched(comparisons, runs=resamples, seed=seed)
        blocks = comparisons.resampled_orders(resamples, seed)
        return np.concatenate([self.skills(comparisons, block)[0] for block in blocks])

    def matched(self, comparisons: Comparisons, *, runs: int, seed: int) -> Array:
        """Means of the skills, (runs, systems), where the least certain system always meets one near its skill."""
        if runs < 1:
            raise OptionError(f"{runs} runs of trueskill; there must be at least 1 (usual: 100 to 1000)")
        rows = _native.trueskill_matched(
            comparisons.first,
            comparisons.second,
            comparisons.value,
            np.random.default_rng([seed, 2]).integers(0, 2**63 - 1, runs),
            steps=len(comparisons),
            **self._settings(comparisons),
        )
        return rows[:, : comparisons.systems]

    def skills(self, comparisons: Comparisons, orders: Sequence[Integers]) -> tuple[Array, Array]:
        """Means and deviations of the skills, each (orders, systems), after comparisons taken in each of the orders."""
        rows = _native.trueskill(
            comparisons.first,
            comparisons.second,
            comparisons.value,
            np.concatenate(orders),
            np.cumsum([0, *map(len, orders)]),
            **self._settings(comparisons),
        )
        return rows[:, : comparisons.systems], rows[:, comparisons.systems :]

    def _settings(self, comparisons: Comparisons) -> _Settings:
        if self.draw_probability == 0 and not comparisons.value.all():
            raise OptionError(
                "trueskill: there are ties but draw_probability=0; say how often people tie, such as 0.25"
            )
        beta = self.sigma * len(comparisons) / 40 if self.beta is None else self.beta
        # P(tie of equals) = 2 Φ(margin / (√2 β)) − 1 (Herbrich, Minka & Graepel 2006).
        margin = NormalDist().inv_cdf((self.draw_probability + 1) / 2) * 2**0.5 * beta
        return {
            "systems": comparisons.systems,
            "mu": self.mu,
            "sigma": self.sigma,
            "beta": beta,
            "tau": self.tau,
            "draw_margin": margin,
        }
