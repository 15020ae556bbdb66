"""Comparisons of two systems as arrays, checked, and counted into who beat whom how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.errors import OptionError, ShapeError

if TYPE_CHECKING:
    from tercet.corpus.judgments import Judgments

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

# Numbers that a block of resamples may take in memory at once: 32 MB of float64.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Tally:
    """How often each system won and tied: i beat j `wins[..., i, j]` times; `ties` are symmetric.

    Leading axes, if there are any, are resamples.
    """

    wins: Array
    ties: Array

    @property
    def losses(self) -> Array:
        """How often i lost to j."""
        return np.swapaxes(self.wins, -1, -2)

    @property
    def decided(self) -> Array:
        """Comparisons of i and j that were not ties."""
        return self.wins + self.losses


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Judgments of two systems each: `value` is +1 where the first is better, -1 where the second is, 0 for a tie.

    `first` and `second` are numbers of systems, 0 to `systems` - 1. `item` names the unit that a bootstrap draws: the
    comparisons of one five-way ranking share an item, as WMT13 resampled them; without it each comparison stands alone.
    """

    first: Integers
    second: Integers
    value: Integers
    item: Integers | None = None
    systems: int = field(default=0)

    def __post_init__(self) -> None:
        first, second = whole_numbers(self.first, "first"), whole_numbers(self.second, "second")
        value = whole_numbers(self.value, "value")
        same_length(first=first, second=second, value=value)
        if not len(value):
            raise ShapeError("no comparisons; a ranking needs at least one")
        least, most = min(first.min(), second.min()), max(first.max(), second.max())
        systems = self.systems or int(most) + 1
        if least < 0 or most >= systems:
            raise ShapeError(f"system {least if least < 0 else most} is not one of the {systems}; number them from 0")
        check_comparisons(first, second, value)
        item = None
        if self.item is not None:
            labels = np.asarray(self.item)
            same_length(first=first, item=labels)
            item = np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
        for name, array in (("first", first), ("second", second), ("value", value), ("item", item)):
            object.__setattr__(self, name, array)
        object.__setattr__(self, "systems", systems)

    @classmethod
    def of(cls, judgments: Judgments, systems: Sequence[str]) -> Self:
        """The comparisons of one language pair, systems by their place in `systems`, rankings as items."""
        if judgments.kind != "comparison":
            raise OptionError("assessments are not comparisons of systems; average them instead")
        if len(judgments.pairs()) > 1:
            raise OptionError(f"judgments of {', '.join(judgments.pairs())}: rank one pair at a time with .of(pair)")
        table = judgments.indices(systems)
        item = None if (table.item < 0).any() else table.item  # -1: not from a ranking
        return cls(table.system, table.other, whole_numbers(table.value, "value"), item, systems=len(systems))

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def items(self) -> int:
        """How many units a bootstrap draws from."""
        return len(self) if self.item is None else int(self.item.max()) + 1

    @cached_property
    def _cells(self) -> Integers:
        """Where each comparison is counted: a cell of the wins, or behind them a cell of the ties."""
        n = self.systems
        winner = np.where(self.value >= 0, self.first, self.second)
        loser = np.where(self.value >= 0, self.second, self.first)
        return np.asarray(np.where(self.value == 0, n * n, 0) + winner * n + loser)

    def tally(self) -> Tally:
        """Wins and ties of all comparisons."""
        return self._as_tally(np.bincount(self._cells, minlength=2 * self.systems**2).astype(np.float64))

    def resampled_tallies(self, resamples: int, seed: int) -> Iterator[Tally]:
        """Tallies of `resamples` bootstrap samples of items, in blocks; the same for the same seed."""
        from scipy.sparse import csr_matrix

        rows = np.arange(len(self)) if self.item is None else self.item
        shape = (self.items, 2 * self.systems**2)
        # Transposed once: cells × items times items × resamples keeps the product in one pass over the comparisons.
        counts = csr_matrix((np.ones(len(self)), (self._cells, rows)), shape=shape[::-1])
        for weights in resampled_items(self.items, resamples, seed):
            yield self._as_tally(np.ascontiguousarray((counts @ weights.T).T))

    def resampled_orders(self, resamples: int, seed: int) -> Iterator[list[Integers]]:
        """Bootstrap samples as numbers of comparisons in random order, in blocks; the same for the same seed."""
        rng = np.random.default_rng([seed, 1])
        rows = np.arange(len(self)) if self.item is None else self.item
        block = []
        for weights in resampled_items(self.items, resamples, seed):
            for weight in weights:
                block.append(rng.permutation(np.repeat(np.arange(len(self)), weight.astype(np.int64)[rows])))
                if len(block) * len(self) >= _BLOCK:
                    yield block
                    block = []
        if block:
            yield block

    def _as_tally(self, counts: Array) -> Tally:
        n = self.systems
        both = counts.reshape(*counts.shape[:-1], 2, n, n)
        return Tally(both[..., 0, :, :], both[..., 1, :, :] + np.swapaxes(both[..., 1, :, :], -1, -2))


def resampled_items(items: int, resamples: int, seed: int) -> Iterator[Array]:
    """How often each item is in each bootstrap sample, (resamples, items), in blocks; the same for the same seed."""
    if resamples < 1:
        raise OptionError(f"resamples={resamples}; a bootstrap needs at least 1 (usual: 1000)")
    rng = np.random.default_rng([seed, 0])
    step = max(1, _BLOCK // items)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        yield np.stack(
            [np.bincount(rng.integers(0, items, items), minlength=items).astype(np.float64) for _ in range(rows)]
        )


def whole_numbers(values: ArrayLike, name: str) -> Integers:
    """A one-dimensional int64 array, or an error that says what is wrong with it."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ShapeError(f"{name} has {array.ndim} dimensions; give one number for each comparison")
    whole = array.dtype.kind in "iub" or (array.dtype.kind == "f" and bool(np.all(array == np.round(array))))
    if not whole and array.size:
        raise ShapeError(f"{name} holds something else than whole numbers; number systems from 0, values are -1, 0, 1")
    return array.astype(np.int64)


def same_length(**arrays: NDArray[np.generic]) -> None:
    """An error that names the arrays whose lengths differ."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError("arrays of unequal length: " + ", ".join(f"{name} {n}" for name, n in lengths.items()))


def check_comparisons(first: Integers, second: Integers, value: Integers) -> None:
    """An error where a system meets itself or a value is none of -1, 0, 1."""
    itself = np.flatnonzero(first == second)
    if len(itself):
        raise ShapeError(f"comparison {itself[0] + 1} is of system {first[itself[0]]} with itself; leave it out")
    strange = np.flatnonzero(np.abs(value) > 1)
    if len(strange):
        raise ShapeError(
            f"comparison {strange[0] + 1} has value {value[strange[0]]}; "
            "give 1 (first better), 0 (tie) or -1 (second better)"
        )
