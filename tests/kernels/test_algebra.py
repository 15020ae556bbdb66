"""Kernels that compose, and scikit-learn's conventions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError, OptionError, ShapeError
from tercet.kernels import Linear, Normalized, Nystrom, PartialTree, Preference, Preferences, Records, SubsetTree, gram
from tercet.kernels.algebra import Scaled
from tercet.language.trees import read
from tests.kernels.test_tree_kernels import trees

TREES = read(
    "(S (NP (D the) (N cat)) (V sat)) (S (NP (N cats)) (V sat)) (S (V sit)) (S (NP (D the) (N cat)) (V sat)) (X y)"
)
NUMBERS = np.array([[1.0, 2], [0, 1], [3, -1], [2, 2], [0, 0]])
RECORDS = Records(hypothesis=TREES, reference=TREES[::-1], scores=NUMBERS)
PAIRS = Preferences(RECORDS, [0, 1, 2, 3], [1, 2, 4, 0])


def kernels():
    tree = Normalized(PartialTree())
    both = tree.on("hypothesis") + tree.on("reference")
    yield both, RECORDS
    yield both + 0.5 * Linear("scores"), RECORDS
    yield both * Linear("scores"), RECORDS
    yield Preference(both + 0.5 * Linear("scores")), PAIRS
    yield Linear(), NUMBERS


@pytest.mark.parametrize("which", range(5))
def test_every_view_of_a_kernel_has_the_same_numbers(which):
    kernel, data = list(kernels())[which]
    whole = kernel(data)
    n = len(whole)
    assert (whole == whole.T).all()
    assert np.linalg.eigvalsh(whole)[0] > -1e-9
    np.testing.assert_allclose(kernel(data, data), whole, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(kernel.diag(data), np.diag(whole), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(kernel.pairs(data, data), np.diag(whole), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(kernel.fit(data).transform(data), whole, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(kernel.fit_transform(data), whole, rtol=1e-12, atol=1e-15)
    for block in (1, 2, n):
        np.testing.assert_allclose(gram(kernel, data, block=block), whole, rtol=1e-12, atol=1e-15)


def test_the_algebra_is_that_of_matrices():
    tree, linear = Normalized(PartialTree()).on("hypothesis"), Linear("scores")
    one, two = tree(RECORDS), linear(RECORDS)
    np.testing.assert_allclose((tree + linear)(RECORDS), one + two)
    np.testing.assert_allclose((tree * linear)(RECORDS), one * two)
    np.testing.assert_allclose((3 * tree)(RECORDS), 3 * one)
    np.testing.assert_allclose((tree * 3)(RECORDS), 3 * one)
    np.testing.assert_allclose(two, NUMBERS @ NUMBERS.T)


def test_the_preference_kernel_as_printed():
    """Guzmán et al. (2014), eq. 1."""
    tree = PartialTree()
    k = tree(TREES)
    pairs = Preferences(TREES, [0, 3, 2], [1, 2, 2])
    expected = [
        [k[a, c] + k[b, d] - k[a, d] - k[b, c] for c, d in ((0, 1), (3, 2), (2, 2))]
        for a, b in ((0, 1), (3, 2), (2, 2))
    ]
    np.testing.assert_allclose(Preference(tree)(pairs), expected, atol=1e-15)


def test_a_file_takes_what_memory_does_not(tmp_path):
    kernel = PartialTree()
    seen = []
    found = gram(
        kernel, TREES, file=tmp_path / "gram.npy", block=2, progress=lambda done, total: seen.append((done, total))
    )
    assert isinstance(found, np.memmap)
    assert (np.load(tmp_path / "gram.npy") == kernel(TREES)).all()
    assert seen[-1] == (25, 25)
    with pytest.raises(InputError, match="cannot be written"):
        gram(kernel, TREES, file=tmp_path / "none" / "gram.npy")


def test_params_there_and_back():
    sklearn = pytest.importorskip("sklearn.base")
    kernel = Preference(Normalized(PartialTree(0.2, 0.3)).on("hypothesis") + 0.5 * Linear("scores"))
    params = kernel.get_params()
    assert params["kernel__left__kernel__kernel__decay"] == 0.2
    assert params["kernel__right__factor"] == 0.5
    copy = sklearn.clone(kernel)
    assert (copy(PAIRS) == kernel(PAIRS)).all()
    copy.set_params(kernel__left__kernel__kernel__decay=0.9)
    assert (copy(PAIRS) != kernel(PAIRS)).any()
    assert "decay=0.9" in repr(copy)
    with pytest.raises(OptionError, match="has no parameter 'colour'"):
        copy.set_params(colour=1)


def test_a_pipeline_of_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    target = [1, 1, 0, 1, 0]
    pipeline = make_pipeline(Normalized(PartialTree()), SVC(kernel="precomputed", C=100)).fit(TREES, target)
    assert pipeline.predict(TREES).tolist() == target


@given(st.lists(trees, min_size=2, max_size=8))
def test_with_all_as_landmarks_nystrom_is_the_kernel(several):
    kernel = Normalized(PartialTree())
    features = Nystrom(kernel, landmarks=100, floor=1e-12).fit_transform(several)
    np.testing.assert_allclose(features @ features.T, kernel(several), atol=1e-5)


def test_nystrom_with_few_landmarks():
    machine = Nystrom(Normalized(PartialTree()), landmarks=2, seed=3)
    features = machine.fit_transform(TREES)
    assert features.shape == (5, 2)
    assert (Nystrom(Normalized(PartialTree()), landmarks=2, seed=3).fit(TREES).transform(TREES) == features).all()
    assert machine.set_params(kernel__kernel__decay=0.1, landmarks=1).get_params()["kernel__kernel__decay"] == 0.1
    with pytest.raises(OptionError, match="are too few"):
        Nystrom(PartialTree(), landmarks=0).fit(TREES)
    with pytest.raises(OptionError, match="call fit before transform"):
        Nystrom(PartialTree()).transform(TREES)
    with pytest.raises(OptionError, match="are all 0"):
        Nystrom(Normalized(SubsetTree())).fit(read("(a) (b)"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Linear()([1.0, 2.0]), "a row for each thing"),
        (lambda: Linear()(np.array([[np.nan]])), "row 1 holds a number that is not finite"),
        (lambda: Linear()(NUMBERS, NUMBERS[:, :1]), "have no scalar product"),
        (lambda: Records(a=[1], b=[1, 2]), r"columns of unequal length \(a 1, b 2\)"),
        (lambda: Records(), "records need a column"),
        (lambda: Preferences(TREES, [0], [9]), "not among the 5"),
        (lambda: Preferences(TREES, [0, 1], [1]), "do not make pairs"),
        (lambda: PartialTree().pairs(TREES, TREES[:1]), "cannot be put beside"),
        (lambda: gram(PartialTree(), TREES, block=0), "take 1 or more"),
    ],
)
def test_data_that_do_not_fit(wrong, message):
    with pytest.raises(ShapeError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: PartialTree().on("x")(TREES), "takes Records, not list"),
        (lambda: Linear("x")(NUMBERS), "takes Records, not ndarray"),
        (lambda: PartialTree().on("x")(RECORDS), "there is no column 'x'"),
        (lambda: Preference(PartialTree())(TREES), "takes Preferences, not list"),
        (lambda: -1 * PartialTree(), "the factor is a number of 0 or more"),
        (lambda: Scaled(PartialTree(), "2"), "the factor is a number"),
        (lambda: PartialTree().transform(TREES), "call fit before transform"),
    ],
)
def test_kernels_that_do_not_fit(wrong, message):
    with pytest.raises(OptionError, match=message):
        wrong()


def test_scikit_learn_is_not_imported():
    code = "import sys, tercet.kernels; sys.exit(any(name.split('.')[0] == 'sklearn' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
