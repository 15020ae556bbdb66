"""Translations with their references as pairs of marked trees, and their kernels with some such pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.errors import OptionError
from tercet.features.base import Array as Floats
from tercet.features.base import FeatureSet, checked
from tercet.features.cache import FeatureCache
from tercet.kernels import Kernel, Normalized, PartialTree, Records, SubsetTree, Subtree, marked
from tercet.kernels.gram import gram_of
from tercet.kernels.trees import TreeKernel
from tercet.language.analysis import Analysis, Kind, analyze
from tercet.language.trees import Tree
from tercet.options import check_options
from tercet.signature import Signature

Fragments = Literal["partial", "subset", "subtree"]
Array = NDArray[np.float64]
CHUNK = 2000  # translations whose kernels are computed, and kept on disk, at once


@dataclass(frozen=True, kw_only=True)
class TreeOptions:
    """Which trees, and what two of them share."""

    tree: Kind = "DIS+SYN"
    fragments: Fragments = "partial"
    decay: float = 0.4
    """λ: what a longer sequence of children, and a gap in it, costs."""
    vertical: float = 0.4
    """μ: what height costs; of partial trees only."""
    marked: bool = True
    """REL on the nodes of hypothesis and reference that are found in the other."""
    analyzer: str = "english"

    def __post_init__(self) -> None:
        check_options(self)
        self.kernel()

    def fragment_kernel(self) -> TreeKernel:
        """What two trees share, counted."""
        if self.fragments == "partial":
            return PartialTree(self.decay, self.vertical)
        return SubsetTree(self.decay) if self.fragments == "subset" else Subtree(self.decay)

    def kernel(self) -> Kernel:
        """The normalised kernel of two trees."""
        return Normalized(self.fragment_kernel())

    def both_sides(self) -> Kernel:
        """K(⟨t, r⟩, ⟨t', r'⟩): the kernel of the hypotheses' trees and that of the references' (section 2.2)."""
        return self.kernel().on("hypothesis") + self.kernel().on("reference")

    @property
    def signature(self) -> Signature:
        vertical = self.vertical if self.fragments == "partial" else None
        return Signature.of(
            "trees",
            tree=self.tree,
            fragments=self.fragments,
            decay=self.decay,
            vertical=vertical,
            rel=self.marked,
            analyzer=self.analyzer,
            weights=weights_digest(self.analyzer),
        )


def weights_digest(analyzer: str) -> str:
    """A hash of the analyzer's weights, if it is the one that ships: other weights grow other trees."""
    if analyzer != "english":
        return "external"
    from tercet.language.sequence import MODELS

    found = hashlib.sha256()
    for name in ("tagger", "chunker", "clauses", "draft", "pieces", "segmenter", "discourse"):
        found.update((MODELS / f"{name}.npz").read_bytes())
    return found.hexdigest()[:8]


@dataclass
class Grove:
    """Trees of texts, each text read once; several kinds of trees can share what was read."""

    options: TreeOptions
    known: dict[str, Analysis] = field(default_factory=dict, repr=False)

    def records(self, hypotheses: Sequence[str], references: Sequence[str]) -> Records:
        """The trees of hypotheses and of the references beside them, marked against each other."""
        deep = self.options.tree != "SYN"
        texts = [text for text in dict.fromkeys((*hypotheses, *references)) if not self._knows(text, deep)]
        found = analyze(texts, analyzer=self.options.analyzer, discourse=deep)
        read = dict(zip(texts, found, strict=True))
        self.known.update(read)
        trees: dict[str, Tree] = {}

        def tree(text: str) -> Tree:
            if text not in trees:
                trees[text] = self.known[text].tree(self.options.tree)
            return trees[text]

        left = [tree(text) for text in hypotheses]
        right = [tree(text) for text in references]
        if not self.options.marked:
            return Records(hypothesis=left, reference=right)
        both = list(zip(left, right, strict=True))
        return Records(
            hypothesis=[marked(one, two) for one, two in both], reference=[marked(two, one) for one, two in both]
        )

    def _knows(self, text: str, deep: bool) -> bool:
        known = self.known.get(text)
        return known is not None and (not deep or known.discourse is not None or not known.tokens)


@dataclass(frozen=True, eq=False)
class TreeKernels(FeatureSet):
    """The kernels of a translation and its references with some landmarks: pairs of trees; the mean over references."""

    options: TreeOptions
    hypotheses: tuple[Tree, ...]
    references: tuple[Tree, ...]
    grove: Grove
    keep_analyses: bool = False
    """What was read of the texts is kept for other kinds of trees, which costs memory."""

    name = "trees"

    def __post_init__(self) -> None:
        if len(self.hypotheses) != len(self.references) or not self.hypotheses:
            raise OptionError("landmarks are pairs of trees, one or more")

    @cached_property
    def _kernel(self) -> Kernel:
        kernel = self.options.both_sides()
        return kernel.fit(Records(hypothesis=self.hypotheses, reference=self.references))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"landmark {number + 1}" for number in range(len(self.hypotheses)))

    @cached_property
    def _digest(self) -> str:
        found = hashlib.sha256()
        for one, two in zip(self.hypotheses, self.references, strict=True):
            found.update(f"{one}\n{two}\n".encode("utf-8", "surrogatepass"))
        return found.hexdigest()

    @property
    def signature(self) -> Signature:
        return Signature("trees", (*self.options.signature.items, ("landmarks", self._digest)))

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Floats:
        rows = [text for text, sets in zip(hypotheses, references, strict=True) for _ in sets]
        beside = [reference for sets in references for reference in sets]
        counts = np.array([len(sets) for sets in references])
        records = self.grove.records(rows, beside)
        if not self.keep_analyses:
            self.grove.known.clear()
        kernel = self._kernel
        found = gram_of(kernel, kernel.prepare(records, kernel.X_), len(rows), kernel.X_, len(self.hypotheses))
        if (counts > 1).any():
            found = np.add.reduceat(found, np.concatenate([[0], np.cumsum(counts)[:-1]]), axis=0) / counts[:, None]
        return checked(found, len(hypotheses), len(self.hypotheses), "trees")

    def rows(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        *,
        cache: FeatureCache,
        starts: Sequence[int] = (0,),
        progress: Callable[[int], None] | None = None,
    ) -> Floats:
        """The same in parts that are kept on disk, so that work which is interrupted goes on where it was.

        `starts`: where texts begin that other trainings may share, and so a part.
        """
        found = np.empty((len(hypotheses), len(self.hypotheses)), np.float32)
        ends = [*starts[1:], len(hypotheses)]
        parts = [
            slice(at, min(at + CHUNK, end))
            for start, end in zip(starts, ends, strict=True)
            for at in range(start, end, CHUNK)
        ]
        for part in parts:
            found[part] = cache.transform(self, hypotheses[part], references[part])
            if progress is not None:
                progress(len(hypotheses[part]))
        return found
