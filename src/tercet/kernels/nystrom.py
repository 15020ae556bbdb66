"""Nyström's features: rows of numbers whose scalar products come near a kernel's (Williams & Seeger 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tercet.errors import OptionError
from tercet.kernels.base import Array, Kernel
from tercet.kernels.data import size, take
from tercet.kernels.gram import gram_of


@dataclass(eq=False)
class Nystrom:
    """φ(x) = U Λ^-½ Uᵀ k(x), where k(x) are the kernels with some landmarks and U Λ Uᵀ those of the landmarks.

    Landmarks are drawn at random from the data that this is fitted to. Directions with less than `floor` of the
    greatest eigenvalue are left out, for their numbers are noise.
    """

    kernel: Kernel
    landmarks: int = 1000
    seed: int = 1
    floor: float = 1e-7

    def fit(self, X: Any, y: object = None) -> Self:
        """Draws the landmarks."""
        if self.landmarks < 1:
            raise OptionError(f"{self.landmarks} landmarks are too few; take 1 or more")
        number = size(X)
        rows = np.sort(np.random.default_rng(self.seed).permutation(number)[: self.landmarks])
        self.rows_ = rows
        self.X_ = self.kernel.prepare(take(X, rows))
        self.projection_ = whitening(gram_of(self.kernel, self.X_, len(rows), None, len(rows)), self.floor)
        return self

    def transform(self, X: Any) -> Array:
        """The features, (things, directions)."""
        if not hasattr(self, "X_"):
            raise OptionError("there are no landmarks yet; call fit before transform")
        kernels = gram_of(self.kernel, self.kernel.prepare(X, self.X_), size(X), self.X_, len(self.rows_))
        return np.asarray(kernels @ self.projection_, np.float64)

    def fit_transform(self, X: Any, y: object = None) -> Array:
        """Draws the landmarks from X, and gives its features."""
        return self.fit(X).transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor."""
        found: dict[str, Any] = {name: getattr(self, name) for name in ("kernel", "landmarks", "seed", "floor")}
        if deep:
            found |= {f"kernel__{key}": value for key, value in self.kernel.get_params().items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Sets arguments of the constructor, also of the kernel."""
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name == "kernel" and inner:
                self.kernel.set_params(**{inner: value})
            elif key in ("kernel", "landmarks", "seed", "floor"):
                setattr(self, key, value)
            else:
                raise OptionError(f"Nystrom has no parameter {key!r}; it has kernel, landmarks, seed, floor")
        return self


def whitening(gram: Array, floor: float) -> Array:
    """U Λ^-½ of a Gram matrix, without the directions that are noise: kernels @ this are features.

    A turn by Uᵀ is left out: it changes no scalar product.
    """
    values, vectors = np.linalg.eigh(gram)
    kept = values > floor * max(values[-1], 0)
    if not kept.any():
        raise OptionError("the kernels of the landmarks are all 0; nothing can be learned from them")
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]), np.float64)
