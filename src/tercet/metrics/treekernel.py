"""How alike the trees of a hypothesis and its reference are: the untrained side of Guzmán et al. (2014), table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tercet.kernels import Kernel, Normalized, PartialTree, SubsetTree, Subtree
from tercet.language.analysis import Kind, analyze
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature


@register("treekernel")
@dataclass(frozen=True, kw_only=True)
class TreeSimilarity(Metric):
    """The normalised tree kernel of hypothesis and reference, from 0 to 1; the best of several references counts."""

    tree: Kind = "DIS+SYN"
    fragments: Literal["partial", "subset", "subtree"] = "partial"
    decay: float = 0.4
    vertical: float = 0.4
    """Of partial trees only."""
    analyzer: str = "english"

    decimals = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self._kernel()

    @property
    def label(self) -> str:
        return "tree kernel"

    @property
    def signature(self) -> Signature:
        vertical = self.vertical if self.fragments == "partial" else None
        return Signature.of(
            "treekernel",
            tree=self.tree,
            fragments=self.fragments,
            decay=self.decay,
            vertical=vertical,
            analyzer=self.analyzer,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("sum", "segments")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        texts = list(dict.fromkeys((*hypotheses, *(text for sets in references for text in sets))))
        found = analyze(texts, analyzer=self.analyzer, discourse=self.tree != "SYN")
        trees = {text: analysis.tree(self.tree) for text, analysis in zip(texts, found, strict=True)}
        counts = np.array([len(sets) for sets in references])
        left = [trees[text] for text, sets in zip(hypotheses, references, strict=True) for _ in sets]
        right = [trees[text] for sets in references for text in sets]
        likeness = self._kernel().pairs(left, right)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        best = np.maximum.reduceat(likeness, starts) if len(likeness) else likeness
        return np.stack([best, np.ones_like(best)], axis=1)

    def score(self, statistics: Array) -> Array:
        return ratio(statistics[..., 0], statistics[..., 1])

    def _kernel(self) -> Kernel:
        if self.fragments == "partial":
            return Normalized(PartialTree(self.decay, self.vertical))
        return Normalized(SubsetTree(self.decay) if self.fragments == "subset" else Subtree(self.decay))
