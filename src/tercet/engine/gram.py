"""Gram matrices block by block: each block is a part of a run, and the matrix is put together when all are there.

What kernels are computed of is written to the run's folder once, and every process reads and prepares it once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tercet
from tercet import output
from tercet.engine.drivers import Driver, Progress
from tercet.engine.store import About, Receipt, Store, complete, opened
from tercet.errors import InputError, ShapeError
from tercet.kernels.base import Kernel
from tercet.kernels.data import Preferences, Records, size
from tercet.kernels.files import from_parents
from tercet.kernels.gram import BLOCK, corners, one_block
from tercet.language.trees import Tree

Array = NDArray[np.float64]
DATA, MATRIX = "data.json", "gram.npy"


@dataclass(frozen=True, eq=False)
class Block:
    """One block of the matrix: a task."""

    store: Store
    kernel: Kernel
    number: int
    top: int
    left: int
    block: int


def gram_by_blocks(
    kernel: Kernel,
    X: Any,
    Y: Any = None,
    *,
    folder: Path,
    driver: Driver,
    block: int = BLOCK,
    anew: bool = False,
    progress: Progress | None = None,
) -> Array:
    """The kernels of X with itself or with Y, to the bit those of `kernels.gram`, mapped from a file in the folder.

    X and Y are trees, vectors, records of them, or preferences between records.
    """
    if block < 1:
        raise ShapeError(f"blocks of {block} rows cannot be computed; take 1 or more")
    content = json.dumps({"X": _plain(X), "Y": None if Y is None else _plain(Y)}).encode()
    rows, columns = size(X), size(X) if Y is None else size(Y)
    about = About(
        {"work": "Gram", "kernel": repr(kernel), "version": tercet.__version__},
        [{"file": DATA, "sha256": hashlib.sha256(content).hexdigest()}],
        {"rows": rows, "columns": columns, "block": block},
    )
    places = corners(rows, columns, block, symmetric=Y is None)
    tell = progress or (lambda number: None)
    with opened(folder, about, anew=anew) as store:
        output.write_bytes(folder / DATA, content, remedy="choose another folder")
        known = {number: receipt for number in range(len(places)) if (receipt := store.whole(number)) is not None}
        tell(len(known))
        tasks = [
            Block(Store(folder.absolute(), about.key), kernel, number, top, left, block)
            for number, (top, left) in enumerate(places)
            if number not in known
        ]
        for receipt in driver.run(compute_block, tasks, lambda _: tell(1)):
            known[receipt.number] = receipt
        complete(store, about, [known[number] for number in range(len(places))])
        return _together(store, places, rows, columns, block, symmetric=Y is None)


def compute_block(task: Block) -> Receipt:
    """Computes one block and writes it."""
    import polars as pl

    if (receipt := task.store.whole(task.number)) is not None:
        return receipt
    prepared, rows, columns = _prepared(task.store, _Same(task.kernel))
    across = np.arange(task.top, min(task.top + task.block, rows))
    down = np.arange(task.left, min(task.left + task.block, columns))
    values = one_block(task.kernel, prepared[0], across, prepared[1], down)
    table = pl.DataFrame({"kernel": np.ascontiguousarray(values).reshape(-1)})
    return task.store.write(task.number, table, {"rows": len(across), "columns": len(down)})


@dataclass(frozen=True)
class _Same:
    """A kernel that equals every other: the store's key tells them apart."""

    kernel: Kernel

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=2)
def _prepared(store: Store, kernel: _Same) -> tuple[tuple[Any, Any], int, int]:
    """The data as the kernel wants them, and how many there are; read once in every process."""
    try:
        content = json.loads((store.folder / DATA).read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", file=store.folder / DATA, remedy="start again") from error
    x = _restored(content["X"])
    a = kernel.kernel.prepare(x)
    if content["Y"] is None:
        return (a, None), size(x), size(x)
    y = _restored(content["Y"])
    return (a, kernel.kernel.prepare(y, a)), size(x), size(y)


def _together(
    store: Store, places: Sequence[tuple[int, int]], rows: int, columns: int, block: int, *, symmetric: bool
) -> Array:
    path = store.folder / MATRIX
    found: Array = np.lib.format.open_memmap(path, "w+", np.float64, (rows, columns))
    for number, (top, left) in enumerate(places):
        high, wide = min(block, rows - top), min(block, columns - left)
        values = store.read(number)["kernel"].to_numpy().reshape(high, wide)
        found[top : top + high, left : left + wide] = values
        if symmetric and top != left:
            found[left : left + wide, top : top + high] = values.T
    if isinstance(found, np.memmap):
        found.flush()
    return found


def _plain(data: Any) -> Any:
    """Trees, vectors, records and preferences as JSON, from which `_restored` makes the same again."""
    if isinstance(data, Records):
        return {"records": {name: _plain(column) for name, column in data.items()}}
    if isinstance(data, Preferences):
        return {"items": _plain(data.items), "first": data.first.tolist(), "second": data.second.tolist()}
    if isinstance(data, np.ndarray):
        return {"array": data.tolist(), "dtype": data.dtype.str}
    if all(isinstance(item, Tree) for item in data):
        return {"trees": [_parents(tree) for tree in data]}
    raise ShapeError(f"blocks are of trees, arrays, records or preferences, not of {type(data).__name__}")


def _restored(content: Any) -> Any:
    if "records" in content:
        return Records(**{name: _restored(column) for name, column in content["records"].items()})
    if "items" in content:
        return Preferences(_restored(content["items"]), content["first"], content["second"])
    if "array" in content:
        return np.array(content["array"], content["dtype"])
    return [from_parents(labels, parents) for labels, parents in content["trees"]]


def _parents(tree: Tree) -> tuple[list[str], list[int]]:
    """The label and the parent of each node, level by level."""
    nodes, parents = [tree], [-1]
    for place, node in enumerate(nodes):  # the list grows while it is walked
        nodes.extend(node.children)
        parents.extend([place] * len(node.children))
    return [node.label for node in nodes], parents
