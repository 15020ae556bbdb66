"""How alike the trees of a hypothesis and its reference are: the untrained side of Guzmán et al. (2014), table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tercet.kernels import Normalized, PartialTree, SubsetTree, Subtree
from tercet.kernels.parts import LEVELS, parts_of
from tercet.kernels.trees import TreeKernel
from tercet.language.analysis import Kind, analyze
from tercet.language.trees import Tree
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

Trees = list[Tree]


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
        _, _, best = self._best(hypotheses, references)
        return np.stack([best, np.ones_like(best)], axis=1)

    def score(self, statistics: Array) -> Array:
        return ratio(statistics[..., 0], statistics[..., 1])

    def parts(
        self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], Array, Array]:
        """What is shared by kind of node of the hypothesis: its words, tags, phrases, clauses and relations."""
        ours, theirs, _ = self._best(hypotheses, references)
        kernel = self._kernel()
        every = [
            parts_of(kernel, [one], [other], np.ones(1)).unmarked() for one, other in zip(ours, theirs, strict=True)
        ]
        values, counts = (np.concatenate([getattr(part, name) for part in every]) for name in ("values", "counts"))
        return tuple(f"{self.name}/{level}" for level in LEVELS), values, counts

    def _best(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> tuple[Trees, Trees, Array]:
        """The trees of each hypothesis and of the reference that is most like it, and how much they are alike."""
        texts = list(dict.fromkeys((*hypotheses, *(text for sets in references for text in sets))))
        found = analyze(texts, analyzer=self.analyzer, discourse=self.tree != "SYN")
        trees = {text: analysis.tree(self.tree) for text, analysis in zip(texts, found, strict=True)}
        left = [trees[text] for text, sets in zip(hypotheses, references, strict=True) for _ in sets]
        right = [trees[text] for sets in references for text in sets]
        likeness = Normalized(self._kernel()).pairs(left, right)
        ends = np.cumsum([len(sets) for sets in references])
        best = [start + int(np.argmax(likeness[start:end])) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
        return [left[i] for i in best], [right[i] for i in best], likeness[best]

    def _kernel(self) -> TreeKernel:
        if self.fragments == "partial":
            return PartialTree(self.decay, self.vertical)
        return SubsetTree(self.decay) if self.fragments == "subset" else Subtree(self.decay)
