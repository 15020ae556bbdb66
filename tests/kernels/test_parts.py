"""Kernels taken apart by the kinds of nodes that they come from."""

from __future__ import annotations

import numpy as np
import pytest

import tercet
from tercet.kernels import Normalized, PartialTree, SubsetTree, Subtree, marked
from tercet.kernels.parts import LEVELS, level_of, parts_of
from tercet.language import analyze
from tercet.language.trees import read_one

TEXTS = ["He said that it rains because it is autumn.", "It rains.", "", "Autumn it is he said."]


@pytest.mark.parametrize("kernel", [PartialTree(), SubsetTree(), Subtree()], ids=["partial", "subset", "subtree"])
@pytest.mark.parametrize("kind", ["SYN", "DIS", "DIS+POS", "DIS+SYN"])
def test_parts_sum_to_the_weighted_kernels(kernel, kind):
    trees = [analysis.tree(kind) for analysis in analyze(TEXTS)]
    support = [marked(tree, trees[0]) for tree in trees] + trees
    weights = np.random.default_rng(1).normal(size=len(support))
    found = parts_of(kernel, trees, support, weights)
    assert found.values.shape == found.counts.shape == (len(trees), 2 * len(LEVELS))
    expected = np.array([[_normalised(kernel, a, b) for b in support] for a in trees]) @ weights
    assert found.values.sum(axis=1) == pytest.approx(expected)
    assert found.counts.sum(axis=1).tolist() == [sum(1 for _ in tree.nodes()) for tree in trees]
    assert found.unmarked().values.sum(axis=1) == pytest.approx(expected)


def _normalised(kernel, one, two):
    return Normalized(kernel).pairs([one], [two])[0]


def test_a_part_is_of_the_nodes_of_its_kind():
    """By hand: only the word is shared, a fragment of weight μ λ² in both trees."""
    tree, other = read_one("(NP (NN cat))"), read_one("(VP (VB cat))")
    found = parts_of(PartialTree(), [tree], [other], np.array([2.0]))
    shared = 0.4 * 0.4**2
    lengths = [PartialTree()([one])[0, 0] ** 0.5 for one in (tree, other)]
    expected = np.zeros(2 * len(LEVELS))
    expected[len(LEVELS)] = 2 * shared / (lengths[0] * lengths[1])
    assert found.values[0] == pytest.approx(expected)
    assert found.counts[0].tolist() == [0] * 5 + [1, 1, 1, 0, 0]
    both = marked(tree, tree)
    assert parts_of(PartialTree(), [both], [both], np.ones(1)).counts[0].tolist() == [1, 1, 1, 0, 0] + [0] * 5


def test_kinds_of_nodes():
    (analysis,) = analyze(TEXTS[:1])
    kinds = {node.label: level_of(node) for node in analysis.tree("DIS+SYN").nodes()}
    assert kinds["DIS:ATTRIBUTION"] == kinds["NUCLEUS"] == "relations"
    assert kinds["EDU:NUCLEUS"] == "clauses"
    assert (kinds["NP"], kinds["VBZ"], kinds["rains"]) == ("phrases", "tags", "words")
    assert level_of(analysis.tree("SYN")) == "relations"


def test_threads_change_no_digit():
    trees = [analysis.tree() for analysis in analyze(TEXTS)]
    before = tercet.threads()
    try:
        found = []
        for number in (1, 3):
            tercet.set_threads(number)
            found.append(parts_of(PartialTree(), trees, trees, np.ones(len(trees))).values)
    finally:
        tercet.set_threads(before)
    assert np.array_equal(*found)
