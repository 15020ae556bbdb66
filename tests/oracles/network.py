"""The network of Guzmán et al. (2015) written down as the paper writes it: every group with its own matrix."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tercet.rankers.architecture import Architecture, Weights


@dataclass
class Pair:
    """One example: vectors of both hypotheses, reference and source; similarity of each hypothesis; what is between."""

    x1: np.ndarray
    x2: np.ndarray
    xr: np.ndarray
    xs: np.ndarray
    p1: np.ndarray
    p2: np.ndarray
    b: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))

    def swapped(self) -> Pair:
        return Pair(self.x2, self.x1, self.xr, self.xs, self.p2, self.p1, self.b)

    def row(self) -> np.ndarray:
        return np.concatenate([self.x1, self.x2, self.xr, self.xs, self.p1, self.p2, self.b]).astype(np.float32)


def activation(architecture: Architecture, weights: Weights, member: int, pair: Pair) -> float:
    """w·[φ, ψ1, ψ2] + b, before the sigmoid (section 3.2)."""
    matrix = weights.input[member].astype(np.float64)
    parts = architecture.parts
    hidden = []
    for number, group in enumerate(architecture.groups):
        nodes = slice(number * architecture.hidden, (number + 1) * architecture.hidden)
        own = np.concatenate([matrix[parts[name], nodes] for name in group])
        seen = np.concatenate([getattr(pair, name) for name in group])
        hidden.append(np.tanh(seen @ own + weights.bias[member, nodes]))
    vectors_only_hidden = architecture.vectors > 0 and architecture.hidden > 0
    straight = ["p1", "p2"] if vectors_only_hidden else ["x1", "x2", "xr", "xs", "p1", "p2"]
    if architecture.form == "antisymmetric":
        straight = [name for name in straight if not name.endswith("2")]
    skip = sum(float(getattr(pair, name) @ matrix[parts[name], -1]) for name in straight)
    φ = np.concatenate(hidden) if hidden else np.zeros(0)
    return float(φ @ weights.output[member]) + skip + float(weights.offset[member])


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def delta(architecture: Architecture, weights: Weights, member: int, pair: Pair) -> float:
    """Δ = f(t1, t2, r) - f(t2, t1, r), in the paper's form."""
    one = activation(architecture, weights, member, pair)
    other = activation(architecture, weights, member, pair.swapped())
    if architecture.form == "paper":
        return sigmoid(one) - sigmoid(other)
    return sigmoid(one - other) - sigmoid(other - one)


def cost(
    architecture: Architecture,
    weights: Weights,
    member: int,
    pairs: list[Pair],
    signs: list[int],
    *,
    kendall: bool,
    gamma: float,
    beta: float,
    tie_weight: float,
    l2: float,
) -> float:
    """Eq. 4, or eq. 6 with its sign put right, as a sum over examples; with the decay of weights but not of biases."""
    total = 0.0
    for pair, sign in zip(pairs, signs, strict=True):
        if kendall:
            change = delta(architecture, weights, member, pair)
            y = (sign + 1) / 2
            total += y * sigmoid(-gamma * change) + (1 - y) * sigmoid(gamma * change)
            total += tie_weight * np.exp(-beta * change**2 / 2)
        else:
            z = activation(architecture, weights, member, pair)
            if architecture.form == "antisymmetric":
                z -= activation(architecture, weights, member, pair.swapped())
            total -= np.log(sigmoid(z) if sign > 0 else 1 - sigmoid(z))
    decay = np.sum(weights.input[member].astype(float) ** 2) + np.sum(weights.output[member].astype(float) ** 2)
    return total + l2 * float(decay)
