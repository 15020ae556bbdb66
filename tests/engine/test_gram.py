"""Gram matrices by blocks are those of the kernels, whoever computes the blocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tercet.engine import Driver, driver
from tercet.engine.gram import gram_by_blocks
from tercet.errors import TercetError
from tercet.kernels import Normalized, PartialTree, Preference, Records
from tercet.kernels.data import Preferences
from tercet.language.trees import Tree, read

TREES = [
    read(f"(S (NP (D {d}) (N {n})) (VP (V {v}){extra}))")[0]
    for d in ("the", "a")
    for n in ("tree", "(", "señor")[::2]
    for v in ("runs", "falls", "sleeps")
    for extra in ("", " (ADV slowly)")
]


@pytest.fixture
def both(workers: Driver) -> Iterator[dict[str, Driver]]:
    with driver("single", None) as one:
        yield {"one": one, "workers": workers}


def test_trees_with_themselves_and_with_others(both, tmp_path: Path) -> None:
    kernel = Normalized(PartialTree(decay=0.4, vertical=0.4))
    for name, who in both.items():
        found = gram_by_blocks(kernel, TREES, folder=tmp_path / name, driver=who, block=7)
        np.testing.assert_array_equal(found, kernel(TREES))
        found = gram_by_blocks(kernel, TREES, TREES[:5], folder=tmp_path / f"{name} others", driver=who, block=7)
        np.testing.assert_array_equal(found, kernel(TREES, TREES[:5]))


def test_preferences_between_records(both, tmp_path: Path) -> None:
    tree = Normalized(PartialTree())
    kernel = Preference(tree.on("hypothesis") + tree.on("reference"))
    items = Records(hypothesis=TREES, reference=TREES[::-1])
    pairs = Preferences(items, [0, 1, 2, 3, 9], [4, 5, 6, 7, 8])
    for name, who in both.items():
        found = gram_by_blocks(kernel, pairs, folder=tmp_path / name, driver=who, block=2)
        np.testing.assert_array_equal(found, kernel(pairs))


def test_a_rerun_computes_nothing_and_other_data_are_refused(both, tmp_path: Path) -> None:
    kernel, folder = PartialTree(), tmp_path / "run"
    gram_by_blocks(kernel, TREES, folder=folder, driver=both["one"], block=5)
    before = {path: path.stat().st_mtime_ns for path in (folder / "parts").iterdir()}
    (folder / "parts" / "000002.parquet").unlink()
    gram_by_blocks(kernel, TREES, folder=folder, driver=both["one"], block=5)
    after = {path: path.stat().st_mtime_ns for path in (folder / "parts").iterdir()}
    assert {path.stem for path, time in after.items() if before[path] != time} == {"000002"}
    with pytest.raises(TercetError, match=r"its input has changed since: data.json"):
        gram_by_blocks(kernel, TREES[1:] + TREES[:1], folder=folder, driver=both["one"], block=5)
    with pytest.raises(TercetError, match="holds the parts of another command"):
        gram_by_blocks(PartialTree(decay=0.5), TREES, folder=folder, driver=both["one"], block=5)


def test_a_tree_of_any_depth_travels(both, tmp_path: Path) -> None:
    deep = Tree("x")
    for _ in range(3000):
        deep = Tree("y", (deep,))
    found = gram_by_blocks(PartialTree(decay=0.1), [deep, TREES[0]], folder=tmp_path / "run", driver=both["workers"])
    np.testing.assert_array_equal(found, PartialTree(decay=0.1)([deep, TREES[0]]))
