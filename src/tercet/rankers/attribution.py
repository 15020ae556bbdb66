"""What each feature adds to a margin, exactly: the parts sum to the margin, and turn their sign with it.

Integrated gradients (Sundararajan et al. 2017) along the straight line from the point where both translations have the
mean of their features, at which the margin of an antisymmetric ranker is 0, to where they are. On a line, the input z
of a tanh node moves from z0 to z1, and the integral of its gradient with respect to an input of weight w that moved by
d is w · d · (tanh z1 − tanh z0) / (z1 − z0): no quadrature is needed, and for the linear part the share is w · d.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError
from tercet.features.base import FeatureSet
from tercet.rankers.architecture import Architecture, Weights
from tercet.rankers.inputs import Inputs

if TYPE_CHECKING:
    from tercet.rankers.joint import JointRanker
    from tercet.rankers.network import NetworkRanker

Array = NDArray[np.float64]

_ROWS = 4096  # rows of input at once
_NEAR = 1e-6  # nodes whose input moved less than this have the slope in the middle of the way


@dataclass(frozen=True, eq=False)
class Contributions:
    """Of two systems: what each feature adds to the margin in every segment, and the feature's value on either side."""

    names: tuple[str, ...]
    """`SET/COLUMN`, or the set alone where it has one column or is a set of sentence vectors."""
    values: Array
    """(segments, features); the sum over features is the margin"""
    first: Array
    """(segments, features), as the feature set gives them; NaN for a set of vectors, which is no single number"""
    second: Array


Between = Callable[[int, int], Contributions]
"""From the numbers of two systems to the contributions of their features."""


def slopes(before: Array, after: Array) -> Array:
    """(tanh after − tanh before) / (after − before), and its limit where they meet."""
    way = after - before
    near = np.abs(way) < _NEAR
    secant = (np.tanh(after) - np.tanh(before)) / np.where(near, 1, way)
    return np.asarray(np.where(near, 1 - np.tanh((after + before) / 2) ** 2, secant), np.float64)


def attributed(architecture: Architecture, weights: Weights, rows: NDArray[np.float32]) -> Array:
    """What each column of some rows of input adds to their margins, the mean over members, (rows, width)."""
    scale = 0.5 if architecture.form == "paper" else 1.0
    found = np.empty((len(rows), architecture.width))
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS].astype(np.float64)
        other = part[:, architecture.swapped]
        middle = (part + other) / 2
        one = _of_activation(weights, middle, part)
        # the same network with the hypotheses in each other's place: its columns are put back where they came from
        back = np.argsort(architecture.swapped)
        found[start : start + _ROWS] = scale * (one - _of_activation(weights, middle, other)[:, back])
    return found


def _of_activation(weights: Weights, before: Array, after: Array) -> Array:
    total = np.zeros_like(after)
    for matrix, bias, output in zip(weights.input, weights.bias, weights.output, strict=True):
        hidden, straight = matrix[:, :-1].astype(np.float64), matrix[:, -1].astype(np.float64)
        slope = slopes(before @ hidden + bias, after @ hidden + bias)
        total += (after - before) * ((slope * output) @ hidden.T + straight)
    return total / len(weights.offset)


def network_contributions(
    ranker: NetworkRanker,
    systems: Sequence[Sequence[str]],
    references: References,
    sources: Sequence[str] | None = None,
) -> Between:
    """The contributions between any two of some systems; features are computed once."""
    texts = [as_hypotheses(system) for system in systems]
    sets = as_references(references, len(texts[0]))
    views = ranker.views(texts, sets, sources)
    architecture, weights, inputs = ranker.architecture_, ranker.weights_, ranker.inputs_
    assert architecture is not None
    assert weights is not None
    assert inputs is not None
    names, belongs = _columns(inputs, architecture)
    raw = Inputs(ranker.features, ranker.cache)
    values = [
        [raw.side(text, view.references, sources).similarity.astype(np.float64) for text in texts] for view in views
    ]

    def between(first: int, second: int) -> Contributions:
        shape = (len(sets), len(names))
        found, one, other = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        shares = ranker.shares(views, first, second)
        for view, share, of_view in zip(views, shares, values, strict=True):
            used = share > 0
            rows = view.rows(architecture, first, second)
            found += share[:, None] * (attributed(architecture, weights, rows) @ belongs)
            width = architecture.similarity
            one[used, :width] += share[used, None] * of_view[first][used]
            other[used, :width] += share[used, None] * of_view[second][used]
        one[:, architecture.similarity :] = other[:, architecture.similarity :] = np.nan
        return Contributions(names, found, one, other)

    return between


def _columns(inputs: Inputs, architecture: Architecture) -> tuple[tuple[str, ...], Array]:
    """The features, and 1 where a column of a row of input belongs to a feature, (width, features)."""
    similarity = feature_names(inputs.specs.similarity, inputs.similarity_sets)
    vectors = [len(one.names) for one in inputs.vector_sets]
    names = (*similarity, *inputs.specs.vectors)
    belongs = np.zeros((architecture.width, len(names)))
    for part in ("p1", "p2"):
        belongs[architecture.parts[part], : len(similarity)] = np.eye(len(similarity))
    of_vector = np.repeat(np.eye(len(vectors)), vectors, axis=0)
    # references and sources are the same at both ends of the way, so their columns add nothing
    for part in ("x1", "x2"):
        belongs[architecture.parts[part], len(similarity) :] = of_vector
    return names, belongs


def joint_contributions(
    ranker: JointRanker,
    systems: Sequence[Sequence[str]],
    references: References,
    sources: Sequence[str] | None = None,
) -> Between:
    """The contributions between any two of some systems; features are computed once."""
    weights = ranker.weights_
    if weights is None:
        raise OptionError("this metric has learned nothing; call fit, or load a model")
    texts = [as_hypotheses(system) for system in systems]
    sets = as_references(references, len(texts[0]))
    values = [
        np.concatenate([ranker.cache.transform(one, text, sets, sources) for one in ranker.feature_sets], axis=1)
        for text in texts
    ]
    names = feature_names(ranker.features, ranker.feature_sets)
    linear, hidden = weights.linear.astype(np.float64), weights.hidden.astype(np.float64)

    def between(first: int, second: int) -> Contributions:
        one, other = values[first].astype(np.float64), values[second].astype(np.float64)
        after, before = (one - weights.center) / weights.scale, (other - weights.center) / weights.scale
        slope = slopes(before @ hidden + weights.hidden_bias, after @ hidden + weights.hidden_bias)
        found = (after - before) * ((slope * weights.output) @ hidden.T + linear)
        return Contributions(names, found, one, other)

    return between


def feature_names(specs: Sequence[str], sets: Sequence[FeatureSet]) -> tuple[str, ...]:
    """`SET/COLUMN` for every column of some feature sets; a set of one column is named by its spec alone."""
    return tuple(
        spec if len(one.names) == 1 else f"{spec}/{name}"
        for spec, one in zip(specs, sets, strict=True)
        for name in one.names
    )
