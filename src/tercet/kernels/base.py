"""What every kernel is: a scalar product of two things, computed in blocks."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tercet.errors import OptionError, ShapeError
from tercet.kernels.data import Numbers, size

if TYPE_CHECKING:
    from tercet.kernels.algebra import On, Product, Scaled, Sum

Array = NDArray[np.float64]


class Kernel(ABC):
    """A symmetric, positive semi-definite function of two things.

    `kernel(X)` and `kernel(X, Y)` are matrices; `diag(X)` is the diagonal of the former. As a transformer it is
    `fit` to X and gives the kernels of others with X. Kernels add, multiply, and take a factor.
    """

    @abstractmethod
    def prepare(self, X: Any, like: Any = None) -> Any:
        """The data as `block` wants them; `like` are data, prepared before, that they will be compared with."""

    @abstractmethod
    def block(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        """Kernels of some prepared things with some others, (rows, columns)."""

    @abstractmethod
    def aligned(self, a: Any, rows: Numbers, b: Any, columns: Numbers) -> Array:
        """Kernels of each of some prepared things with the other that stands at its place."""

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """The Gram matrix of X with itself or with Y; see `tercet.kernels.gram` for large ones."""
        from tercet.kernels.gram import gram

        return gram(self, X, Y)

    def diag(self, X: Any) -> Array:
        """The kernel of each thing with itself."""
        prepared, every = self.prepare(X), np.arange(size(X))
        return self.aligned(prepared, every, prepared, every)

    def pairs(self, X: Any, Y: Any) -> Array:
        """The kernel of each of X with the one of Y that stands at its place."""
        if size(X) != size(Y):
            raise ShapeError(f"{size(X)} things cannot be put beside {size(Y)}")
        one, every = self.prepare(X), np.arange(size(X))
        return self.aligned(one, every, self.prepare(Y, one), every)

    def fit(self, X: Any, y: object = None) -> Self:
        """Keeps X, with which `transform` compares."""
        self.X_ = self.prepare(X)
        self.n_features_out_ = size(X)
        return self

    def transform(self, X: Any) -> Array:
        """Kernels with the things that this was fitted to, (things, fitted things)."""
        from tercet.kernels.gram import gram_of

        if not hasattr(self, "X_"):
            raise OptionError("this kernel has nothing to compare with; call fit before transform")
        return gram_of(self, self.prepare(X, self.X_), size(X), self.X_, self.n_features_out_)

    def fit_transform(self, X: Any, y: object = None) -> Array:
        """The Gram matrix of X."""
        self.fit(X)
        return self(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor; with `deep` also those of kernels inside, as `kernel__decay`."""
        found: dict[str, Any] = {}
        for name in inspect.signature(type(self)).parameters:
            found[name] = value = getattr(self, name)
            if deep and isinstance(value, Kernel):
                found |= {f"{name}__{key}": inner for key, inner in value.get_params().items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Sets arguments of the constructor, also of kernels inside."""
        own = self.get_params(deep=False)
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in own:
                raise OptionError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(own)}")
            if inner:
                own[name].set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def on(self, column: str) -> On:
        """This kernel of a column of records."""
        from tercet.kernels.algebra import On

        return On(self, column)

    def __add__(self, other: Kernel) -> Sum:
        from tercet.kernels.algebra import Sum

        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Kernel | float) -> Product | Scaled:
        from tercet.kernels.algebra import Product, Scaled

        return Product(self, other) if isinstance(other, Kernel) else Scaled(self, other)

    def __rmul__(self, factor: float) -> Scaled:
        from tercet.kernels.algebra import Scaled

        return Scaled(self, factor)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator inside a pipeline; imported only when it asks."""
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            classifier_tags=None,
            regressor_tags=None,
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params(deep=False).items())
        return f"{type(self).__name__}({shown})"
