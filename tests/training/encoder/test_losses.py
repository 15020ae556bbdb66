"""Measures as the feature set has them, and losses by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.features import context
from tercet.language.encoder import Encoded

pytest.importorskip("jax", reason="needs the extra train")
losses = pytest.importorskip("training.encoder.losses", reason="needs the extra train")
matching = pytest.importorskip("training.encoder.matching", reason="needs the extra train")


def test_measures_are_those_of_the_feature_set() -> None:
    random = np.random.default_rng(0)
    lengths, reference = np.array([6, 4, 9, 2, 2, 0]), np.array([2, 2, 2, 2, 4, 5])
    states = random.standard_normal((6, 10, 5)).astype(np.float32)
    found = np.asarray(matching.measures(states, lengths, reference))
    encoded = [Encoded(np.arange(100, 100 + n), states[i, :n]) for i, n in enumerate(lengths)]
    rows = context.matched(encoded[:5], [encoded[i] for i in reference[:5]])
    assert np.allclose(found[:5], rows[:, [0, 1, -1]], atol=1e-5)
    assert np.isfinite(found).all()


def test_gradients_are_finite_where_texts_are_empty_or_absent() -> None:
    import jax

    states = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)
    states[2] = 0
    lengths, reference = np.array([4, 2, 0]), np.array([0, 0, 2])
    gradient = jax.grad(lambda one: matching.measures(one, lengths, reference).sum())(states)
    assert np.isfinite(np.asarray(gradient)).all()


def test_pairwise_weighs_votes() -> None:
    scores, votes = np.array([1.0, 0.0, -1.0]), np.zeros((3, 3))
    votes[0, 1], votes[2, 1] = 1, 3
    expected = (np.log1p(np.exp(-1)) + 3 * np.log1p(np.exp(1))) / 4
    assert float(losses.pairwise(scores, votes)) == pytest.approx(expected, rel=1e-5)
    assert float(losses.pairwise(scores, np.zeros((3, 3)))) == 0


def test_regression_is_the_error_of_a_line() -> None:
    known = np.array([True, True, False])
    found = losses.regression(np.array([1.0, 2.0, 9.0]), np.array([2.0, -1.0]), np.array([1.0, 1.0, 0.0]), known)
    assert float(found) == pytest.approx((0 + 2**2) / 2)


def test_systems_want_the_margin_that_people_gave() -> None:
    scores = np.array([2.0, 0.0, -2.0, 7.0])  # the last is of no system
    members = np.array([[0.5, 0.5, 0, 0], [0, 0, 1, 0]])
    margins = np.array([[0, 0.9], [0, 0]])
    sigmoid = 1 / (1 + np.exp(-scores[:3]))
    apart = sigmoid[:2].mean() - sigmoid[2]
    assert float(losses.systems(scores, members, margins)) == pytest.approx(0.9 - apart, rel=1e-4)
    assert float(losses.systems(scores, members, margins / 9)) == 0
