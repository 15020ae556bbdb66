"""Gram matrices in blocks: of any size, with progress, in memory or in a file that is mapped into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.errors import InputError, ShapeError
from tercet.kernels.base import Array
from tercet.kernels.data import Numbers, size

if TYPE_CHECKING:
    from tercet.kernels.base import Kernel

BLOCK = 1024
Progress = Callable[[int, int], None]
"""Called with the kernels that are done and how many there are."""


def gram(
    kernel: Kernel,
    X: Any,
    Y: Any = None,
    *,
    file: Path | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Array:
    """The kernels of X with itself or with Y, float64 (X, Y).

    `file`: an npy file that takes the matrix, for one that is larger than memory; the result is mapped from it.
    """
    a = kernel.prepare(X)
    if Y is None:
        return gram_of(kernel, a, size(X), None, size(X), file=file, block=block, progress=progress)
    return gram_of(kernel, a, size(X), kernel.prepare(Y, a), size(Y), file=file, block=block, progress=progress)


def gram_of(
    kernel: Kernel,
    a: Any,
    rows: int,
    b: Any,
    columns: int,
    *,
    file: Path | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Array:
    """The same of prepared data; without `b` the lower half is copied from the upper one."""
    if block < 1:
        raise ShapeError(f"blocks of {block} rows cannot be computed; take 1 or more")
    out: Array
    if file is None:
        out = np.empty((rows, columns))
    else:
        try:
            out = np.lib.format.open_memmap(file, "w+", np.float64, (rows, columns))
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror or error})", file=file) from error
    done = 0
    for across, down, values in blocks(kernel, a, rows, b, columns, block):
        out[across[0] : across[-1] + 1, down[0] : down[-1] + 1] = values
        done += values.size
        if b is None and across[0] != down[0]:
            out[down[0] : down[-1] + 1, across[0] : across[-1] + 1] = values.T
            done += values.size
        if progress is not None:
            progress(done, rows * columns)
    if isinstance(out, np.memmap):
        out.flush()
    return out


def blocks(
    kernel: Kernel, a: Any, rows: int, b: Any, columns: int, block: int = BLOCK
) -> Iterator[tuple[Numbers, Numbers, Array]]:
    """Parts of a Gram matrix with the numbers of their rows and columns; without `b`, those from the diagonal up."""
    for top, left in corners(rows, columns, block, symmetric=b is None):
        across, down = np.arange(top, min(top + block, rows)), np.arange(left, min(left + block, columns))
        yield across, down, one_block(kernel, a, across, b, down)


def corners(rows: int, columns: int, block: int, *, symmetric: bool) -> list[tuple[int, int]]:
    """The first row and column of each block."""
    every = product(range(0, rows, block), range(0, columns, block))
    return [(top, left) for top, left in every if not symmetric or left >= top]


def one_block(kernel: Kernel, a: Any, across: Numbers, b: Any, down: Numbers) -> Array:
    """The kernels of some rows and columns of prepared data; without `b`, of `a` with itself."""
    values = kernel.block(a, across, a if b is None else b, down)
    if b is None and across[0] == down[0]:  # digits of one half: the sums of the other were made in another order
        values = np.triu(values) + np.triu(values, 1).T
    if not np.isfinite(values).all():
        raise ShapeError("a kernel is too large for a number; take a smaller decay, or smaller trees")
    return values
