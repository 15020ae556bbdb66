"""Probabilities, tie bands, and scores of single translations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.rankers.absolute import bradley_terry
from tercet.rankers.base import strict_tau
from tercet.rankers.calibration import Calibration, calibrate, sigmoid

judged = st.lists(st.tuples(st.integers(-6, 6), st.sampled_from([-1, 0, 1])), min_size=1, max_size=40)


def test_the_temperature_that_made_the_judgments_is_found():
    random = np.random.default_rng(0)
    margins = random.normal(size=20_000)
    values = np.where(random.random(20_000) < sigmoid(margins / 0.4), 1, -1)
    found = calibrate(margins, values)
    assert found.temperature == pytest.approx(0.4, rel=0.05)
    assert found.tie_band == 0
    sure = found.probability(margins) > 0.8
    assert np.mean(values[sure] > 0) == pytest.approx(found.probability(margins)[sure].mean(), abs=0.02)
    assert found.log_loss < np.log(2)


@given(judged)
def test_no_band_agrees_with_more_judgments(pairs):
    margins = np.array([margin for margin, _ in pairs], float)
    values = np.array([value for _, value in pairs])
    found = calibrate(margins, values)
    right = np.sum(found.verdict(margins) == values)
    for band in [0, *(np.abs(margins) + 0.25)]:
        other = Calibration(tie_band=band).verdict(margins)
        if band == 0 or np.any(values == 0):
            assert right >= np.sum(other == values)


def test_margins_that_are_all_zero_are_no_matter():
    found = calibrate(np.zeros(4), np.array([1, -1, 1, 0]))
    assert found.temperature == 1
    assert found.probability(np.zeros(2)).tolist() == [0.5, 0.5]


def test_probabilities_do_not_overflow():
    assert Calibration(1e-3).probability(np.array([-1e9, 1e9])).tolist() == [0, 1]


def test_strict_tau_counts_ties_against_and_leaves_peoples_ties_out():
    margins, values = np.array([1.0, -1, 0, 2, 5]), np.array([1.0, 1, 1, -1, 0])
    assert strict_tau(margins, values) == (1 - 2 - 1) / 4
    assert np.isnan(strict_tau(margins[4:], values[4:]))


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6))
def test_strengths_that_made_the_probabilities_are_found(strengths):
    given_strengths = np.array(strengths)
    probabilities = sigmoid(given_strengths[:, None] - given_strengths[None])
    found = bradley_terry(np.stack([probabilities, probabilities.T]))
    centred = given_strengths - given_strengths.mean()
    assert found[0] == pytest.approx(centred, abs=0.1)
    assert found[1] == pytest.approx(-centred, abs=0.1)


def test_a_certain_winner_has_a_finite_strength_and_circles_are_equal():
    certain = np.array([[0.5, 1, 1], [0, 0.5, 1], [0, 0, 0.5]])
    circle = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])
    found = bradley_terry(np.stack([certain, circle]))
    assert np.isfinite(found).all()
    assert found[0, 0] > found[0, 1] > found[0, 2]
    assert found[1] == pytest.approx([0, 0, 0], abs=1e-6)
