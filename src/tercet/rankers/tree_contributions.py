"""What a verdict of the SVM over trees is made of: words, tags, phrases, clauses, relations, shared or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError
from tercet.features.registry import feature_set
from tercet.kernels.parts import LEVELS, parts_of
from tercet.rankers.attribution import Between, Contributions, feature_names
from tercet.rankers.tree_pairs import Grove

if TYPE_CHECKING:
    from tercet.rankers.kernel import KernelRanker

Array = NDArray[np.float64]


def kernel_contributions(
    ranker: KernelRanker,
    systems: Sequence[Sequence[str]],
    references: References,
    sources: Sequence[str] | None = None,
) -> Between:
    """The contributions between any two of some systems: of the kinds of nodes in the trees, and of other features.

    A score is a sum over nodes of the translation's tree and of its reference's, the mean over references. A feature's
    value is how many nodes of its kind the tree has.
    """
    if not len(ranker.weights_):
        raise OptionError("this ranker has learned nothing; call fit, or load a model")
    sets = as_references(references, len(systems[0]))
    grove = Grove(ranker.options.trees)
    every = [_tree_parts(ranker, as_hypotheses(system), sets, grove) for system in systems]
    names = _tree_names(ranker)
    if ranker.options.features:
        chosen = [feature_set(spec) for spec in ranker.options.features]
        names += feature_names(ranker.options.features, chosen)
        for place, system in enumerate(systems):
            columns = [ranker.cache.transform(one, as_hypotheses(system), sets, sources) for one in chosen]
            rows = np.concatenate(columns, axis=1).astype(np.float64)
            values, counts = every[place]
            weighed = rows * ranker.feature_weights_
            every[place] = np.concatenate([values, weighed], axis=1), np.concatenate([counts, rows], axis=1)

    def between(first: int, second: int) -> Contributions:
        (one, counted), (other, others) = every[first], every[second]
        return Contributions(names, one - other, counted, others)

    return between


def _tree_parts(
    ranker: KernelRanker, texts: Sequence[str], sets: Sequence[tuple[str, ...]], grove: Grove
) -> tuple[Array, Array]:
    """What each kind of node adds to the score of each translation, and how many there are, (texts, kinds)."""
    rows = [text for text, several in zip(texts, sets, strict=True) for _ in several]
    records = grove.records(rows, [reference for several in sets for reference in several])
    kernel = ranker.options.trees.fragment_kernel()
    found = []
    for side, support in (("hypothesis", ranker.hypotheses_), ("reference", ranker.references_)):
        parts = parts_of(kernel, records[side], support, ranker.weights_)
        found.append(parts if ranker.options.trees.marked else parts.unmarked())
    starts = np.concatenate([[0], np.cumsum([len(several) for several in sets])[:-1]]).astype(np.int64)
    share = np.array([len(several) for several in sets])[:, None]
    values = np.concatenate([parts.values for parts in found], axis=1)
    counts = np.concatenate([parts.counts for parts in found], axis=1)
    return np.add.reduceat(values, starts) / share, np.add.reduceat(counts, starts) / share


def _tree_names(ranker: KernelRanker) -> tuple[str, ...]:
    """`trees/translation.words.shared`: whose tree, which nodes, and whether the other side has them."""
    found: list[str] = []
    for side, lacking in (("translation", "own"), ("reference", "missed")):
        marks = (".shared", f".{lacking}") if ranker.options.trees.marked else ("",)
        found += [f"trees/{side}.{level}{mark}" for mark in marks for level in LEVELS]
    return tuple(found)
