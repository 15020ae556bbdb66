"""The network of Guzmán et al. (2015, section 3.2) and its antisymmetric form, applied with numpy alone.

A row of input is [x1, x2, xr, xs, ψ1, ψ2, β]: the vectors of two hypotheses, of the reference and, if there is one, of
the source; then the similarity features of each hypothesis, and what stands between the two (not in the paper). All
weights that touch the input are one matrix, so a forward pass is one product: a column for each hidden node, zero where
the node's group does not see the input, and a last column that goes straight to the output (the skip arcs).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.options import check_options

Form = Literal["paper", "antisymmetric"]
Array = NDArray[np.float64]
Floats = NDArray[np.float32]

_ROWS = 8192  # rows of input at once


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The shape of a network."""

    vectors: int
    source: int
    similarity: int
    hidden: int = 4
    """Nodes in each group; 0 for the flat network, in which all input goes straight to the output."""
    form: Form = "paper"
    between: int = 0
    """Numbers about the two hypotheses together, the same whichever stands first."""

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def width(self) -> int:
        """How long a row of input is."""
        return 3 * self.vectors + self.source + 2 * self.similarity + self.between

    @cached_property
    def parts(self) -> dict[str, slice]:
        """Where in a row each part is."""
        found, start = {}, 0
        sizes = {"x1": self.vectors, "x2": self.vectors, "xr": self.vectors, "xs": self.source}
        sizes |= {"p1": self.similarity, "p2": self.similarity, "b": self.between}
        for name, size in sizes.items():
            found[name] = slice(start, start + size)
            start += size
        return found

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The parts that each group of hidden nodes sees: the two hypotheses, then each against the reference.

        What is between the hypotheses cannot favour either of them by itself: it has a group with the similarity
        features of both, whose weight it can change, and no way straight to the output. The antisymmetric form has
        each group once: the network run both ways round is what shares the weights.
        """
        if not self.hidden:
            return ()
        found: list[tuple[str, ...]] = [("x1", "x2"), ("x1", "xr"), ("x2", "xr")] if self.vectors else []
        if self.vectors and self.source:
            found += [("x1", "xs"), ("x2", "xs")]
        if self.between:
            found.append(("p1", "p2", "b"))
        return tuple(group for group in found if self.form == "paper" or "x2" not in group or "x1" in group)

    @property
    def sees_references(self) -> bool:
        """Whether the vectors of references change a margin: straight to the output, both orders have the same."""
        return bool(self.hidden and self.vectors)

    @property
    def nodes(self) -> int:
        """All hidden nodes."""
        return len(self.groups) * self.hidden

    @cached_property
    def mask(self) -> Floats:
        """1 where a column of the matrix sees a part of the input, float32 (width, nodes + 1)."""
        mask = np.zeros((self.width, self.nodes + 1), np.float32)
        for i, group in enumerate(self.groups):
            for part in group:
                mask[self.parts[part], i * self.hidden : (i + 1) * self.hidden] = 1
        straight = ("p1", "p2") if self.hidden and self.vectors else [part for part in self.parts if part != "b"]
        for part in straight:
            if self.form == "paper" or not part.endswith("2"):
                mask[self.parts[part], -1] = 1
        return mask

    @cached_property
    def swapped(self) -> NDArray[np.int64]:
        """The columns of a row when the hypotheses change places."""
        order = np.arange(self.width)
        places = [order[self.parts[name]] for name in ("x2", "x1", "xr", "xs", "p2", "p1", "b")]
        return np.concatenate(places)

    def row(
        self, x1: Floats, x2: Floats, xr: Floats, xs: Floats, p1: Floats, p2: Floats, between: Floats | None = None
    ) -> Floats:
        """Rows of input from their parts."""
        b = np.zeros((len(x1), 0), np.float32) if between is None else between
        return np.concatenate([x1, x2, xr, xs, p1, p2, b], axis=1, dtype=np.float32)


@dataclass(frozen=True)
class Weights:
    """What is learned, for each member of an ensemble."""

    input: Floats
    """(members, width, nodes + 1)"""
    bias: Floats
    """(members, nodes)"""
    output: Floats
    """(members, nodes)"""
    offset: Floats
    """(members,)"""

    @staticmethod
    def shapes(architecture: Architecture, members: int) -> dict[str, tuple[int, ...]]:
        """The shape that each array must have."""
        nodes = architecture.nodes
        return {
            "input": (members, architecture.width, nodes + 1),
            "bias": (members, nodes),
            "output": (members, nodes),
            "offset": (members,),
        }


def margins(architecture: Architecture, weights: Weights, rows: Floats) -> Array:
    """The margin of every row for every member, (members, rows): above 0 where the first hypothesis is better.

    In the paper's form a pair is decided by Δ = f(t1, t2, r) - f(t2, t1, r). The margin is half the difference of the
    two activations before the sigmoid: it has Δ's sign, and does not round to a tie where both are almost certain.
    """
    found = np.empty((len(weights.offset), len(rows)))
    scale = 0.5 if architecture.form == "paper" else 1.0
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS].astype(np.float64, order="C")
        # the same layout both ways: only then do both products round alike, and equal translations tie exactly
        one, other = _activation(weights, part), _activation(weights, np.take(part, architecture.swapped, axis=1))
        found[:, start : start + _ROWS] = scale * (one - other)
    return found


def _activation(weights: Weights, rows: Array) -> Array:
    before = rows @ weights.input  # (members, rows, nodes + 1)
    hidden = np.tanh(before[..., :-1] + weights.bias[:, None, :])
    return np.asarray(
        (hidden * weights.output[:, None, :]).sum(axis=-1) + before[..., -1] + weights.offset[:, None], np.float64
    )
