"""Tree kernels against their definitions, and against counts made by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import _native
from tercet.errors import OptionError, ShapeError
from tercet.kernels import Normalized, PartialTree, SubsetTree, Subtree, gram
from tercet.kernels.forest import Forest
from tercet.language import Tree
from tercet.language.trees import read, read_one
from tests.oracles import trees as oracle

labels = st.sampled_from(["a", "b", "c", "été", ""])
trees = st.recursive(
    labels.map(Tree), lambda children: st.builds(Tree, labels, st.lists(children, max_size=4).map(tuple)), max_leaves=9
)
decays = st.sampled_from([0.1, 0.4, 0.7, 1.0])

CAT = read_one("(VP (V brought) (NP (D a) (N cat)))")


@given(trees, trees, decays, decays)
def test_partial_trees_as_defined(one, two, decay, vertical):
    expected = oracle.partial(one, two, decay, vertical)
    assert PartialTree(decay, vertical)([one], [two])[0, 0] == pytest.approx(expected, rel=1e-12)


@given(trees, trees, decays)
def test_subset_trees_and_subtrees_as_defined(one, two, decay):
    assert SubsetTree(decay)([one], [two])[0, 0] == pytest.approx(oracle.subset(one, two, decay), rel=1e-12)
    assert Subtree(decay)([one], [two])[0, 0] == pytest.approx(oracle.subtree(one, two, decay), rel=1e-12)


def random_tree(generator, size, labels="abc"):
    """A tree of about that many nodes, each put under a random one."""
    children = [[]]
    for node in range(1, size):
        children[generator.randrange(node)].append(node)
        children.append([])
    built = {}
    for node in reversed(range(size)):
        built[node] = Tree(generator.choice(labels), tuple(built[child] for child in children[node]))
    return built[0]


def test_ten_thousand_random_pairs():
    generator = random.Random(7)
    one = [random_tree(generator, generator.randint(1, 7)) for _ in range(100)]
    two = [random_tree(generator, generator.randint(1, 7)) for _ in range(100)]
    expected = np.array([[oracle.partial(a, b) for b in two] for a in one])
    assert (expected > 0).mean() > 0.5
    np.testing.assert_allclose(PartialTree()(one, two), expected, rtol=1e-12, atol=0)


def test_the_counts_of_moschitti_2006():
    """With λ = μ = 1 and labels that differ, the kernel of a tree with itself is the number of its fragments.

    The tree is that of the paper's figures. By hand: five of its nodes have children, so five subtrees. Subset trees:
    1 of V, D, N each, 2 · 2 of NP, 2 · (1 + 4) of VP, 17 in all. Partial trees: 1 of each word, 2 of V, D, N,
    (1 + 2) (1 + 2) of NP, (1 + 2) (1 + 9) of VP, 48 in all.
    """
    assert Subtree(1)([CAT])[0, 0] == 5
    assert SubsetTree(1)([CAT])[0, 0] == 17
    assert PartialTree(1, 1)([CAT])[0, 0] == 48
    assert len(oracle.partial_fragments(CAT, 1, 1)) == 48


def test_a_kernel_by_hand():
    """(A b c d) with (A b d): A, b, d, and of A with b, with d, and with b and d, which passes over c."""
    one, two = read("(A b c d) (A b d)")
    leaf = 0.5 * 0.3**2
    expected = 2 * leaf + 0.5 * (0.3**2 + leaf + leaf + 0.3 * leaf * leaf)
    assert PartialTree(0.3, 0.5)([one], [two])[0, 0] == pytest.approx(expected, rel=1e-14)


@given(trees, trees, decays, decays)
def test_the_kernel_is_the_product_of_its_features(one, two, decay, vertical):
    left, right = (oracle.partial_fragments(tree, decay, vertical) for tree in (one, two))
    product = sum(weight * right[fragment] for fragment, weight in left.items())
    assert PartialTree(decay, vertical)([one], [two])[0, 0] == pytest.approx(product, rel=1e-10)


@given(trees, decays, decays)
def test_the_weights_of_fragments_as_defined(tree, decay, vertical):
    known = oracle.partial_fragments(tree, decay, vertical)
    fragments = Forest.of([_tree(fragment) for fragment in known])
    found = _native.fragment_weights(
        PartialTree(decay, vertical).native, fragments.native, Forest.of([tree], fragments).native
    )
    np.testing.assert_allclose(found[:, 0], list(known.values()), rtol=1e-10)


def _tree(fragment):
    return Tree(fragment[0], tuple(_tree(child) for child in fragment[1:]))


@given(trees, st.lists(trees, min_size=1, max_size=3))
def test_what_nodes_contribute(tree, others):
    kernel = PartialTree()
    one = Forest.of([tree])
    two = Forest.of(others, one)
    weights = np.linspace(-1, 2, len(two.trees))
    found = _native.tree_kernel_by_node(kernel.native, one.native, 0, two.native, weights)
    queue = [tree]
    for node in queue:
        queue.extend(node.children)
    for node, value in zip(queue, found[:, 0], strict=True):
        deltas = [
            sum(oracle.partial_delta(node, n, 0.4, 0.4, oracle.same_label) for n in oracle.nodes(other))
            for other in two.trees
        ]
        assert value == pytest.approx(float(np.dot(deltas, weights)), rel=1e-9, abs=1e-12)


@given(trees, trees)
def test_the_plain_loop_has_the_same_numbers(one, two):
    a = Forest.of([one])
    b = Forest.of([two], a)
    zero = np.zeros(1, np.int64)
    fast, plain = (
        _native.tree_kernels(PartialTree().native, a.native, zero, b.native, zero, plain=how)[0, 0]
        for how in (False, True)
    )
    assert fast == pytest.approx(plain, rel=1e-12)


@given(st.lists(trees, min_size=1, max_size=6))
def test_normalised_kernels(several):
    found = Normalized(PartialTree())(several)
    np.testing.assert_allclose(np.diag(found), 1, rtol=1e-12)
    assert (found == found.T).all()
    assert found.max() <= 1 + 1e-12
    assert np.linalg.eigvalsh(found)[0] > -1e-9
    np.testing.assert_allclose(np.diag(found), Normalized(PartialTree()).diag(several), rtol=1e-12)


def test_a_tree_without_fragments_is_like_nothing():
    word = Tree("a")
    assert Normalized(SubsetTree())([word, CAT]).tolist() == [[0, 0], [0, pytest.approx(1)]]


def test_single_nodes_and_a_thousand():
    assert PartialTree()([Tree("a")], [Tree("a"), Tree("b")]).tolist() == [[pytest.approx(0.4**3), 0]]
    generator = random.Random(1)
    large = random_tree(generator, 1000, "abcdefgh")
    assert Normalized(PartialTree())([large])[0, 0] == pytest.approx(1)
    flat = Tree("S", tuple(Tree("x") for _ in range(1000)))
    assert 0 < PartialTree()([flat])[0, 0] < np.inf
    deep = read_one("(a " * 20_000 + "b" + ")" * 20_000)
    other = read_one("(c " * 20_000 + "b" + ")" * 20_000)
    assert PartialTree()([deep], [other])[0, 0] == pytest.approx(0.4**3)


def test_numbers_too_large_are_an_error():
    flat = Tree("S", tuple(Tree("x") for _ in range(2000)))
    with pytest.raises(ShapeError, match="too large for a number; take a smaller decay"):
        PartialTree(1, 1)([flat])


def test_any_number_of_threads_gives_the_same_digits():
    generator = random.Random(3)
    several = [random_tree(generator, 40) for _ in range(60)]
    before = _native.threads()
    try:
        tercet.set_threads(1)
        one = PartialTree()(several)
        tercet.set_threads(4)
        assert (PartialTree()(several) == one).all()
        assert (gram(PartialTree(), several, block=7)[::2] == one[::2]).all()
    finally:
        tercet.set_threads(before)


@pytest.mark.parametrize("decay", [0, -1, 1.5, "much", True, float("nan")])
def test_decays_out_of_range(decay):
    with pytest.raises(OptionError, match=r"decay=.* is not allowed; it lies above 0 and up to 1"):
        PartialTree(decay)


def test_what_is_no_tree():
    with pytest.raises(ShapeError, match="a tree is wanted, not str"):
        PartialTree()(["(S a)"])


@pytest.mark.parametrize("counts", [[2, 0], [0, 0], [1, 1], [1, 2, 0]])
def test_arrays_that_make_no_tree(counts):
    n = len(counts)
    none = np.full(n, -1, np.int32)
    with pytest.raises(ValueError, match="do not make a tree"):
        _native.Forest(np.array([0, n]), np.zeros(n, np.int32), np.array(counts, np.int32), none, none)
