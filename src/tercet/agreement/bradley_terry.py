"""Bradley–Terry strengths, for one tally or a thousand resamples of it at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tercet.agreement.comparisons import Array, Tally
from tercet.agreement.system_scores import TallyScore
from tercet.errors import OptionError

_TOLERANCE = 1e-10  # on the Newton decrement: what the objective can still gain


@dataclass(frozen=True, kw_only=True)
class BradleyTerry(TallyScore):
    """Strengths θ with P(i beats j) = 1 / (1 + exp(θj − θi)) that maximise log-likelihood − `penalty` · Σθ².

    The penalty is a Gaussian prior (choix calls it alpha): it gives a system that never lost a finite strength, and
    pins Σθ = 0. `ties` are left out, as in Expected Wins, or count half a win for both.
    """

    penalty: float = 0.01
    ties: Literal["omit", "half"] = "omit"

    name = "bradley_terry"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.penalty > 0 and np.isfinite(self.penalty)):
            raise OptionError(f"bradley_terry: penalty={self.penalty}; it is a number above 0 (default 0.01)")

    def from_tally(self, tally: Tally) -> Array:
        wins = tally.wins + tally.ties / 2 if self.ties == "half" else tally.wins
        strengths = maximum_a_posteriori(wins.reshape(-1, *wins.shape[-2:]), self.penalty)
        strengths = strengths.reshape(wins.shape[:-1])
        return np.where((wins + np.swapaxes(wins, -1, -2)).sum(axis=-1) > 0, strengths, np.nan)


def maximum_a_posteriori(wins: Array, penalty: float) -> Array:
    """Strengths (resamples, systems) of `wins` (resamples, systems, systems), by Newton's method with halved steps.

    The objective is strictly concave, so a step halved until it no longer loses always arrives.
    """
    games = wins + np.swapaxes(wins, -1, -2)
    ridge = 2 * penalty * np.eye(wins.shape[-1])
    theta = np.zeros(wins.shape[:-1])
    value = _objective(theta, wins, penalty)
    active = np.arange(len(wins))
    for _ in range(200):
        some, w, g = theta[active], wins[active], games[active]
        p = _sigmoid(some[:, :, None] - some[:, None, :])
        gradient = (w - g * p).sum(axis=-1) - 2 * penalty * some
        weight = g * p * (1 - p)
        hessian = weight.sum(axis=-1)[..., None] * np.eye(wins.shape[-1]) - weight + ridge
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        going = (step * gradient).sum(axis=-1) > _TOLERANCE
        theta[active[~going]] += step[~going]  # so near that the last step needs no care
        active, some, step, w = active[going], some[going], step[going], w[going]
        if not len(active):
            return theta
        size = np.ones(len(active))
        for _ in range(40):
            trial = some + size[:, None] * step
            reached = _objective(trial, w, penalty)
            worse = reached < value[active] - 1e-12 * np.abs(value[active])  # less is rounding
            if not worse.any():
                break
            size = np.where(worse, size / 2, size)
        theta[active], value[active] = trial, reached
    raise OptionError(f"bradley_terry: no maximum found with penalty={penalty}; give a greater one")


def _objective(theta: Array, wins: Array, penalty: float) -> Array:
    difference = theta[:, :, None] - theta[:, None, :]
    loss = (wins * np.logaddexp(0, -difference)).sum(axis=(-1, -2)) + penalty * (theta**2).sum(axis=-1)
    return np.asarray(-loss, dtype=np.float64)


def _sigmoid(x: Array) -> Array:
    from scipy.special import expit

    return np.asarray(expit(x))
