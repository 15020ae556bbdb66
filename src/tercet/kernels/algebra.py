"""Kernels made of kernels: normalised, of a column, summed, multiplied, scaled, of preferences; and the linear one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tercet.errors import OptionError, ShapeError
from tercet.kernels.base import Array, Kernel
from tercet.kernels.data import Numbers, Preferences, Records, size, take


@dataclass(eq=False, repr=False)
class Normalized(Kernel):
    """K(x, y) / √(K(x, x) K(y, y)): 1 for equal things. Where one has no features at all, it is 0."""

    kernel: Kernel

    def prepare(self, X: Any, like: Any = None) -> Any:
        inner = self.kernel.prepare(X, None if like is None else like[0])
        every = np.arange(size(X))
        lengths = np.sqrt(self.kernel.aligned(inner, every, inner, every))
        return inner, np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        found = self.kernel.block(a[0], rows, b[0], columns)
        return np.asarray(found * a[1][rows, None] * b[1][columns], np.float64)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return np.asarray(self.kernel.aligned(a[0], rows, b[0], columns) * a[1][rows] * b[1][columns], np.float64)


@dataclass(eq=False, repr=False)
class On(Kernel):
    """A kernel of one column of records."""

    kernel: Kernel
    column: str

    def prepare(self, X: Any, like: Any = None) -> Any:
        if not isinstance(X, Records):
            raise OptionError(f"a kernel on {self.column!r} takes Records, not {type(X).__name__}")
        return self.kernel.prepare(X[self.column], like)

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.kernel.block(a, rows, b, columns)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.kernel.aligned(a, rows, b, columns)


@dataclass(eq=False, repr=False)
class Sum(Kernel):
    """The sum of two kernels: the features of both."""

    left: Kernel
    right: Kernel

    def prepare(self, X: Any, like: Any = None) -> Any:
        known = (None, None) if like is None else like
        return self.left.prepare(X, known[0]), self.right.prepare(X, known[1])

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.left.block(a[0], rows, b[0], columns) + self.right.block(a[1], rows, b[1], columns)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.left.aligned(a[0], rows, b[0], columns) + self.right.aligned(a[1], rows, b[1], columns)


@dataclass(eq=False, repr=False)
class Product(Sum):
    """The product of two kernels: all pairs of a feature of one with a feature of the other."""

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.left.block(a[0], rows, b[0], columns) * self.right.block(a[1], rows, b[1], columns)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.left.aligned(a[0], rows, b[0], columns) * self.right.aligned(a[1], rows, b[1], columns)


@dataclass(eq=False, repr=False)
class Scaled(Kernel):
    """A kernel times a number of 0 or more."""

    kernel: Kernel
    factor: float

    def __post_init__(self) -> None:
        number = isinstance(self.factor, int | float) and not isinstance(self.factor, bool)
        if not number or not 0 <= self.factor < float("inf"):
            raise OptionError(f"a kernel times {self.factor!r} is no kernel; the factor is a number of 0 or more")

    def prepare(self, X: Any, like: Any = None) -> Any:
        return self.kernel.prepare(X, like)

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.factor * self.kernel.block(a, rows, b, columns)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return self.factor * self.kernel.aligned(a, rows, b, columns)


@dataclass(eq=False, repr=False)
class Linear(Kernel):
    """The scalar product of rows of numbers: of an array, or of a column of records such as a feature set's."""

    column: str | None = None

    def prepare(self, X: Any, like: Any = None) -> Any:
        if self.column is not None:
            if not isinstance(X, Records):
                raise OptionError(f"a kernel on {self.column!r} takes Records, not {type(X).__name__}")
            X = X[self.column]
        rows = np.asarray(X, np.float64)
        if rows.ndim != 2:
            raise ShapeError(f"numbers of shape {rows.shape}; a row for each thing is wanted")
        if like is not None and like.shape[1] != rows.shape[1]:
            raise ShapeError(f"rows of {rows.shape[1]} and of {like.shape[1]} numbers have no scalar product")
        if not np.isfinite(rows).all():
            raise ShapeError(
                f"row {int(np.argmin(np.isfinite(rows).all(axis=1))) + 1} holds a number that is not finite"
            )
        return rows

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return np.asarray(a[rows] @ b[columns].T, np.float64)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        return np.asarray(np.einsum("ij,ij->i", a[rows], b[columns]), np.float64)


@dataclass(eq=False, repr=False)
class Preference(Kernel):
    """The kernel of two preferences: of the differences that their items make (Guzmán et al. 2014, eq. 1).

    PK(⟨a, b⟩, ⟨c, d⟩) = K(a, c) + K(b, d) - K(a, d) - K(b, c), for which every item is compared once.
    """

    kernel: Kernel

    def prepare(self, X: Any, like: Any = None) -> Any:
        if not isinstance(X, Preferences):
            raise OptionError(f"a kernel of preferences takes Preferences, not {type(X).__name__}")
        used, places = np.unique(np.concatenate([X.first, X.second]), return_inverse=True)
        inner = self.kernel.prepare(take(X.items, used), None if like is None else like[0])
        return inner, places[: len(X.first)], places[len(X.first) :]

    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        one, first, second = _items(a, rows)
        two, third, fourth = _items(b, columns)
        k = self.kernel.block(a[0], one, b[0], two)
        left = k[first] - k[second]
        return np.asarray(left[:, third] - left[:, fourth], np.float64)

    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        (one, first, second), (two, third, fourth) = (
            (a[0], a[1][rows], a[2][rows]),
            (b[0], b[1][columns], b[2][columns]),
        )
        found = self.kernel.aligned(one, first, two, third) + self.kernel.aligned(one, second, two, fourth)
        return found - self.kernel.aligned(one, first, two, fourth) - self.kernel.aligned(one, second, two, third)


def _items(prepared: Any, rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The items of some preferences, each once, and where the first and the second of each are among them."""
    items, places = np.unique(np.concatenate([prepared[1][rows], prepared[2][rows]]), return_inverse=True)
    return items, places[: len(rows)], places[len(rows) :]
