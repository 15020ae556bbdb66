"""Tree kernels: partial trees, subset trees, subtrees, and partial trees whose words match by their vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.errors import OptionError
from tercet.kernels.base import Array, Kernel
from tercet.kernels.data import Numbers
from tercet.kernels.forest import Forest
from tercet.language.word_vectors import WordVectors

_NO_VECTORS = np.zeros((0, 0), np.float32)


class TreeKernel(Kernel):
    """Counts the fragments that two trees share; each different tree is compared once."""

    fragments: ClassVar[str]
    decay: float

    def __post_init__(self) -> None:
        for name in ("decay", "vertical"):
            value = getattr(self, name, 1.0)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 < value <= 1:
                raise OptionError(
                    f"{type(self).__name__}: {name}={value!r} is not allowed; it lies above 0 and up to 1"
                )

    @property
    def native(self) -> _native.TreeKernel:
        """The settings as the native kernels take them."""
        return _native.TreeKernel(
            self.fragments, decay=self.decay, vertical=getattr(self, "vertical", 1.0), vectors=_NO_VECTORS, power=1.0
        )

    def prepare(self, X: Any, like: Any = None) -> Forest:
        return Forest.of(X, like)

    def block(self, a: Forest, rows: Numbers, b: Forest, columns: Numbers) -> Array:
        one, across = np.unique(a.index[rows], return_inverse=True)
        two, down = np.unique(b.index[columns], return_inverse=True)
        found = _native.tree_kernels(self.native, a.native, one, b.native, two)
        return (
            found
            if len(one) == len(rows) and len(two) == len(columns) and _level(across, down)
            else found[across][:, down]
        )

    def aligned(self, a: Forest, rows: Numbers, b: Forest, columns: Numbers) -> Array:
        both, places = np.unique(np.stack([a.index[rows], b.index[columns]]), axis=1, return_inverse=True)
        one, two = np.ascontiguousarray(both[0]), np.ascontiguousarray(both[1])
        found = _native.tree_kernels_aligned(self.native, a.native, one, b.native, two)
        return np.asarray(found[places.ravel(), 0], np.float64)


def _level(*places: NDArray[np.intp]) -> bool:
    return all(bool((np.diff(one) == 1).all()) for one in places)


@dataclass(eq=False, repr=False)
class PartialTree(TreeKernel):
    """Fragments of any nodes with any of their children, in order (Moschitti 2006).

    Δ(m, n) = 0 for different labels, or else μ (λ² + Σ λ^gaps Π Δ(children)), over all equally long subsequences of the
    children of m and n, where gaps counts the children that a subsequence passes over. λ is `decay`, μ `vertical`.
    """

    decay: float = 0.4
    vertical: float = 0.4

    fragments = "partial"


@dataclass(eq=False, repr=False)
class SubsetTree(TreeKernel):
    """Fragments whose nodes have all their children or none (Collins & Duffy 2002); words alone are no fragments."""

    decay: float = 0.4

    fragments = "subset"


@dataclass(eq=False, repr=False)
class Subtree(TreeKernel):
    """Fragments of a node with all that is below it; words alone are no fragments."""

    decay: float = 0.4

    fragments = "subtree"


@dataclass(eq=False, repr=False)
class SmoothedPartialTree(TreeKernel):
    """Partial trees in which different words match as far as their vectors are alike (after Croce et al. 2011).

    A leaf of one tree matches a leaf of the other by ((1 + cosine) / 2)^power if both have vectors and both or none are
    marked REL, and else by its label. This likeness is a kernel itself, so that the whole is one.
    """

    vectors: WordVectors
    decay: float = 0.4
    vertical: float = 0.4
    power: float = 4.0

    fragments = "partial"

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.power, int | float) and float(self.power).is_integer()
        if not whole or self.power < 1:  # a product of kernels is one; a root need not be
            raise OptionError(
                f"SmoothedPartialTree: power={self.power!r} is not allowed; it takes a whole number above 0"
            )

    @cached_property
    def _unit(self) -> NDArray[np.float32]:
        matrix = np.asarray(self.vectors.matrix, np.float64)
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        return np.ascontiguousarray(
            np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0), np.float32
        )

    @cached_property
    def _settings(self) -> tuple[tuple[float, float, float], _native.TreeKernel]:
        made = _native.TreeKernel(
            "partial", decay=self.decay, vertical=self.vertical, vectors=self._unit, power=float(self.power)
        )
        return (self.decay, self.vertical, self.power), made

    @property
    def native(self) -> _native.TreeKernel:
        if self._settings[0] != (self.decay, self.vertical, self.power):
            del self._settings
        return self._settings[1]

    def prepare(self, X: Any, like: Any = None) -> Forest:
        return Forest.of(X, like, self.vectors)
