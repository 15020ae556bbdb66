"""Isotonic regression against scikit-learn's, and as a line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from tercet.errors import ShapeError
from tercet.rankers.isotonic import Isotonic

scores = st.lists(st.tuples(st.integers(0, 8), st.integers(-5, 5)), min_size=1, max_size=40)


@given(scores)
def test_pools_as_scikit_learn_does(rows):
    x, y = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    line = Isotonic.fit(x, y)
    peer = IsotonicRegression().fit(x, y).predict(np.unique(x))
    np.testing.assert_allclose(line.y, np.unique(peer.round(5)), atol=1e-4)


@given(scores, st.lists(st.floats(-2, 10), min_size=2, max_size=20))
def test_never_falls(rows, at):
    x, y = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    line = Isotonic.fit(x, y)
    values = line(np.sort(at))
    assert (np.diff(values) >= 0).all()
    assert values.min() >= y.min() - 1e-6
    assert values.max() <= y.max() + 1e-6


def test_what_is_no_rising_line_is_refused():
    with pytest.raises(ShapeError, match="rise"):
        Isotonic(np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    with pytest.raises(ShapeError, match="as many"):
        Isotonic.fit(np.zeros(2), np.zeros(3))
