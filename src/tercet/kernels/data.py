"""What kernels are computed of: sequences, arrays, records with named columns, and preferences between records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.errors import OptionError, ShapeError

Numbers = NDArray[np.int64]


class Records(Mapping[str, Any]):
    """Columns of equal length under names, such as the trees of hypotheses and of references."""

    def __init__(self, **columns: Sequence[Any] | NDArray[Any]) -> None:
        self._columns = columns
        lengths = {name: len(column) for name, column in columns.items()}
        if not lengths:
            raise ShapeError("records need a column")
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise ShapeError(f"columns of unequal length ({shown}); every record needs all of them")
        self.size = next(iter(lengths.values()))

    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            raise OptionError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass(frozen=True, eq=False)
class Preferences:
    """Pairs of items by their numbers: the first is compared with the second. Items may be in several pairs."""

    items: Any
    first: Numbers
    second: Numbers

    def __init__(self, items: Any, first: ArrayLike, second: ArrayLike) -> None:
        one, two = np.asarray(first, np.int64), np.asarray(second, np.int64)
        if one.ndim != 1 or one.shape != two.shape:
            raise ShapeError(f"{one.shape} first and {two.shape} second items do not make pairs")
        number = size(items)
        if len(one) and not (min(one.min(), two.min()) >= 0 and max(one.max(), two.max()) < number):
            raise ShapeError(f"a pair names an item that is not among the {number}")
        for name, value in (("items", items), ("first", one), ("second", two)):
            object.__setattr__(self, name, value)


def size(data: Any) -> int:
    """How many things there are a kernel of."""
    if isinstance(data, Records):
        return data.size
    return len(data.first) if isinstance(data, Preferences) else len(data)


def take(data: Any, rows: Numbers) -> Any:
    """Some rows of any data that kernels take, in that order."""
    if isinstance(data, Records):
        return Records(**{name: take(column, rows) for name, column in data.items()})
    if isinstance(data, Preferences):
        return Preferences(data.items, data.first[rows], data.second[rows])
    return data[rows] if isinstance(data, np.ndarray) else [data[i] for i in rows.tolist()]
