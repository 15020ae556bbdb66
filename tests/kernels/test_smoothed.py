"""Partial trees whose words match by their vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import OptionError
from tercet.kernels import Normalized, PartialTree, SmoothedPartialTree
from tercet.kernels.marking import REL, unmarked
from tercet.language.trees import Tree, read
from tercet.language.word_vectors import WordVectors
from tests.oracles import trees as oracle

WORDS = ["cat", "dog", "sat", "été"]
VECTORS = WordVectors(
    {word: row for row, word in enumerate(WORDS)}, np.random.default_rng(2).normal(size=(4, 3)).astype(np.float32), "0"
)
leaves = st.sampled_from([*WORDS, "unknown", REL + "cat", REL + "dog", "N"])
labels = st.sampled_from(["N", "V"])
trees = st.recursive(
    leaves.map(Tree),
    lambda children: st.builds(Tree, labels, st.lists(children, min_size=1, max_size=3).map(tuple)),
    max_leaves=6,
)


def alike(power):
    """As the class says: by vectors between leaves that both have one and both or none are marked, else by label."""

    def of(one, two):
        known = [not node.children and VECTORS.row(unmarked(node.label)) >= 0 for node in (one, two)]
        if not any(known):
            return float(one.label == two.label)
        if not all(known) or one.label.startswith(REL) != two.label.startswith(REL):
            return 0.0
        if one.label == two.label:
            return 1.0
        a, b = (VECTORS.matrix[VECTORS.row(unmarked(node.label))].astype(float) for node in (one, two))
        return ((1 + a @ b / np.linalg.norm(a) / np.linalg.norm(b)) / 2) ** power

    return of


@given(trees, trees, st.sampled_from([1, 4]))
def test_as_defined(one, two, power):
    expected = oracle.partial(one, two, alike=alike(power))
    found = SmoothedPartialTree(VECTORS, power=power)([one], [two])[0, 0]
    assert found == pytest.approx(expected, rel=1e-5)


@given(st.lists(trees, min_size=1, max_size=5))
def test_it_is_a_kernel(several):
    found = Normalized(SmoothedPartialTree(VECTORS, power=2))(several)
    assert np.linalg.eigvalsh(found)[0] > -1e-6
    np.testing.assert_allclose(np.diag(found), 1, rtol=1e-6)


def test_like_words_make_like_trees():
    one, two, three = read("(S (N cat)) (S (N dog)) (S (N unknown))")
    smooth, plain = (kernel([one], [two, three])[0] for kernel in (SmoothedPartialTree(VECTORS), PartialTree()))
    assert smooth[0] > plain[0]
    assert smooth[1] == plain[1]


def test_settings():
    kernel = SmoothedPartialTree(VECTORS)
    before = kernel(read("(S cat)"))
    kernel.set_params(decay=0.9)
    assert kernel(read("(S cat)")) > before
    for power in (0, 0.5, "2"):
        with pytest.raises(OptionError, match="it takes a whole number above 0"):
            SmoothedPartialTree(VECTORS, power=power)
