"""Tree kernels a second, on real trees of WMT12: beside their definition in Python, and beside a plain C++ loop."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tercet
from bench.measure import CPU, REPETITIONS, Figure, Result, median_of, race, seconds
from tercet import _native
from tercet.kernels import PartialTree, SmoothedPartialTree, SubsetTree
from tercet.kernels.forest import Forest
from tercet.kernels.marking import marked
from tercet.language import analyze
from tercet.language.analysis import KINDS
from tercet.language.trees import Tree

SEGMENTS = 250


def _trees(data: Path, kind: str, *, rel: bool = True) -> list[Tree]:
    """Hypotheses of one system, marked against their references as a model sees them."""
    folder = data / "wmt12"
    system = sorted((folder / "system-outputs" / "newstest2012" / "cs-en").iterdir())[0]
    texts = [
        path.read_text("utf-8").split("\n")[:SEGMENTS]
        for path in (system, folder / "references" / "newstest2012-ref.en")
    ]
    hypotheses, references = ([one.tree(kind) for one in analyze(lines)] for lines in texts)
    if not rel:
        return hypotheses
    return [marked(one, two) for one, two in zip(hypotheses, references, strict=True)]


def _work(kernel: PartialTree, forest: Forest, number: int, *, plain: bool = False) -> None:
    chosen = np.arange(min(number, len(forest.trees)))
    _native.tree_kernels(kernel.native, forest.native, chosen, forest.native, chosen, plain=plain)


def results(data: Path) -> Iterator[Result]:
    """One thread, CPU time, the same trees on both sides."""
    tercet.set_threads(1)
    oracle = importlib.import_module("tests.oracles.trees")  # only to measure against
    kernel = PartialTree()
    for kind in KINDS:
        forest = Forest.of(_trees(data, kind))
        number = min(100, len(forest.trees))
        yield race(
            f"partial tree kernel, {kind} with REL",
            "all pairs of nodes, C++",
            lambda forest=forest, number=number: _work(kernel, forest, number, plain=True),  # type: ignore[misc]
            lambda forest=forest, number=number: _work(kernel, forest, number),  # type: ignore[misc]
            amount=number**2,
            unit="kernels",
        )
    forest = Forest.of(_trees(data, "DIS+SYN", rel=False))
    number = min(100, len(forest.trees))
    yield race(
        "partial tree kernel, DIS+SYN without REL",
        "all pairs of nodes, C++",
        lambda: _work(kernel, forest, number, plain=True),
        lambda: _work(kernel, forest, number),
        amount=number**2,
        unit="kernels",
    )
    # the definition takes every subsequence of children: only trees with few children are possible
    small = [tree for tree in _trees(data, "DIS+SYN") if max(len(node.children) for node in tree.nodes()) <= 5][:12]
    few = Forest.of(small)
    again = 100  # times: one pass is too short to be timed
    slow = median_of(
        1, lambda: seconds(lambda: [oracle.partial(one, two) for one in few.trees for two in few.trees], CPU)
    )
    fast = median_of(REPETITIONS, lambda: seconds(lambda: [_work(kernel, few, len(small)) for _ in range(again)], CPU))
    work = f"partial tree kernel, DIS+SYN with REL, {len(few.trees)} trees of at most 5 children a node"
    yield Result(work, "the definition, Python", slow, fast / again, len(few.trees) ** 2, "kernels")


def figures(data: Path) -> Iterator[Figure]:
    """Kernels a second of one core."""
    tercet.set_threads(1)
    forest = Forest.of(_trees(data, "DIS+SYN"))
    number = min(200, len(forest.trees))
    for name, kernel in (("partial tree", PartialTree()), ("subset tree", SubsetTree())):

        def work(kernel: PartialTree = kernel) -> None:  # type: ignore[assignment]
            _work(kernel, forest, number)

        rate = number**2 / median_of(REPETITIONS, lambda work=work: seconds(work, CPU))  # type: ignore[misc]
        wanted = "≥ 300,000" if name == "partial tree" else ""
        yield Figure(f"{name} kernels a second, DIS+SYN with REL", f"{rate:,.0f}", wanted)
    sizes = forest.sizes()
    yield Figure("nodes of these trees, mean and most", f"{sizes.mean():.0f}, {sizes.max()}", "")
    yield from _smoothed(forest, number)


def _smoothed(forest: Forest, number: int) -> Iterator[Figure]:
    from tercet.language.word_vectors import WordVectors

    words = sorted({leaf for tree in forest.trees for leaf in tree.leaves()})
    matrix = np.random.default_rng(1).normal(size=(len(words), 50)).astype(np.float32)
    vectors = WordVectors({word: row for row, word in enumerate(words)}, matrix, "")
    kernel = SmoothedPartialTree(vectors)
    prepared = Forest.of(forest.trees[:number], words=vectors)
    rate = number**2 / median_of(REPETITIONS, lambda: seconds(lambda: _work(kernel, prepared, number), CPU))  # type: ignore[arg-type]
    yield Figure("smoothed partial tree kernels a second, vectors of 50", f"{rate:,.0f}", "")
