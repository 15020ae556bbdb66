"""TrueSkill: its model, another program's digits, the choice of whom to compare, and what the chosen refuse."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tercet
from tercet import _native
from tercet.agreement.comparisons import Comparisons
from tercet.agreement.trueskill import TrueSkill
from tercet.errors import OptionError
from tests.agreement.judgments import as_comparisons, matches
from tests.oracles import trueskill as oracle

SETTINGS = st.fixed_dictionaries(
    {
        "mu": st.floats(-5, 5),
        "sigma": st.floats(0.1, 3),
        "beta": st.floats(0.2, 20),
        "tau": st.floats(0, 0.5),
        "draw_probability": st.floats(0.05, 0.9),
    }
)


def margin(chosen: dict[str, float]) -> float:
    return NormalDist().inv_cdf((chosen["draw_probability"] + 1) / 2) * math.sqrt(2) * chosen["beta"]


def for_oracle(chosen: dict[str, float]) -> dict[str, float]:
    return {**{name: chosen[name] for name in ("mu", "sigma", "beta", "tau")}, "margin": margin(chosen)}


@settings(max_examples=60)
@given(matches(most=8), SETTINGS)
def test_agrees_with_the_model(found, chosen):
    systems, played = found
    means, deviations = TrueSkill(**chosen).skills(as_comparisons(systems, played), [np.arange(len(played))])
    skills = oracle.trueskill(played, systems, **for_oracle(chosen))
    assert means[0] == pytest.approx([mean for mean, _ in skills], rel=1e-7, abs=1e-8)
    assert deviations[0] == pytest.approx([deviation for _, deviation in skills], rel=1e-7)


@pytest.mark.parametrize(
    ("chosen", "skills"),
    [
        (
            {"mu": 0.0, "sigma": 0.5, "beta": 1.0, "tau": 0.0, "draw_probability": 0.25},
            [(-0.0020735997, 0.4657488760), (-0.1419340044, 0.4598193166), (0.1380866574, 0.4590530745)],
        ),
        (
            {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw_probability": 0.1},
            [(23.6753788586, 5.9550672683), (22.0555024507, 5.8697948077), (27.3217912837, 5.4359335378)],
        ),
    ],
)
def test_agrees_with_the_trueskill_package(chosen, skills):
    """The digits are those of its version 0.4.5 for: 0 beats 1, 1 and 2 tie, 2 beats 0."""
    comparisons = as_comparisons(3, [(0, 1, 1), (1, 2, 0), (0, 2, -1)])
    means, deviations = TrueSkill(**chosen).skills(comparisons, [np.arange(3)])
    assert list(zip(means[0], deviations[0], strict=True)) == [pytest.approx(skill, abs=1e-8) for skill in skills]


@given(matches(), SETTINGS, st.integers(0, 2**63 - 1), st.integers(0, 40))
def test_matching_agrees_with_its_definition(found, chosen, seed, steps):
    systems, played = found
    comparisons = as_comparisons(systems, played)
    rows = _native.trueskill_matched(
        comparisons.first,
        comparisons.second,
        comparisons.value,
        np.array([seed]),
        steps=steps,
        systems=systems,
        draw_margin=margin(chosen),
        **{name: chosen[name] for name in ("mu", "sigma", "beta", "tau")},
    )
    skills = oracle.matched(played, systems, steps, seed, **for_oracle(chosen))
    assert rows[0] == pytest.approx([m for m, _ in skills] + [d for _, d in skills], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("value", [1, 0, -1])
@pytest.mark.parametrize("lead", [-1e6, -400.0, -80.0, 80.0, 400.0, 1e6])
def test_the_far_tail_stays_finite(lead, value):
    """A result that the skills make all but impossible moves them, and does not break them."""
    comparisons = as_comparisons(2, [(0, 1, 1)] * 30 + [(0, 1, value)])
    order = np.arange(31)
    means, deviations = TrueSkill(sigma=abs(lead), beta=1e-3, draw_probability=0.25).skills(comparisons, [order])
    assert np.isfinite(means).all()
    assert (deviations > 0).all()


def test_the_tail_joins_the_middle():
    """Both sides of the point where the kernel changes formula give the same move."""
    moves = []
    for skew in (29.999, 30.001):
        rows = _native.trueskill(
            np.array([0, 0]),
            np.array([1, 2]),
            np.array([1, -1]),
            np.array([1]),
            np.array([0, 1]),
            systems=3,
            mu=0.0,
            sigma=1.0,
            beta=1e-9,
            tau=0.0,
            draw_margin=skew * math.sqrt(2),
        )
        moves.append(rows[0, 2])
    assert moves[1] - moves[0] == pytest.approx(0.002 / math.sqrt(2), rel=0.002)


@given(matches(), SETTINGS)
def test_turning_judgments_round_turns_the_skills_round(found, chosen):
    systems, played = found
    order = [np.arange(len(played))]
    forth, certain = TrueSkill(**chosen).skills(as_comparisons(systems, played), order)
    back, as_certain = TrueSkill(**chosen).skills(as_comparisons(systems, [(a, b, -v) for a, b, v in played]), order)
    assert forth + back == pytest.approx(2 * chosen["mu"], abs=1e-9)
    assert certain == pytest.approx(as_certain, rel=1e-9)


@given(matches(), st.randoms(use_true_random=False))
def test_turning_a_comparison_round_changes_nothing(found, random):
    systems, played = found
    turned = [(b, a, -value) if random.random() < 0.5 else (a, b, value) for a, b, value in played]
    order = [np.arange(len(played))]
    assert np.array_equal(
        TrueSkill().skills(as_comparisons(systems, played), order)[0],
        TrueSkill().skills(as_comparisons(systems, turned), order)[0],
    )


@pytest.mark.parametrize("matching", ["uncertain", "random"])
def test_the_same_for_any_number_of_threads(matching):
    rng = np.random.default_rng(5)
    first = rng.integers(0, 5, 500)
    comparisons = Comparisons(first, (first + rng.integers(1, 5, 500)) % 5, rng.integers(-1, 2, 500))
    method = TrueSkill(matching=matching, runs=7)
    before = tercet.threads()
    try:
        tercet.set_threads(1)
        alone = method.scores(comparisons), method.resampled(comparisons, resamples=20, seed=3)
        tercet.set_threads(4)
        together = method.scores(comparisons), method.resampled(comparisons, resamples=20, seed=3)
    finally:
        tercet.set_threads(before)
    assert np.array_equal(alone[0], together[0])
    assert np.array_equal(alone[1], together[1])


def test_few_judgments_do_not_pull_a_matched_system_down():
    """System 0 wins 70 % against both others, but was judged ten times less often than they against each other."""
    played = [(0, 1, 1)] * 70 + [(0, 1, -1)] * 30 + [(0, 2, 1)] * 70 + [(0, 2, -1)] * 30
    played += [(1, 2, 1)] * 1200 + [(1, 2, -1)] * 800
    comparisons = as_comparisons(3, played)
    matched = TrueSkill(matching="uncertain").scores(comparisons)
    everything = TrueSkill(matching="random").scores(comparisons)
    assert matched.argmax() == 0
    assert everything.argmax() == 1  # why "random" is not the default


@pytest.mark.parametrize(
    "options",
    [{"sigma": 0.0}, {"beta": -1.0}, {"tau": -0.1}, {"runs": 0}, {"draw_probability": 1.0}, {"matching": "swiss"}],
)
def test_refuses_settings_that_make_no_sense(options):
    with pytest.raises(OptionError):
        TrueSkill(**options)


def test_refuses_ties_that_cannot_happen():
    with pytest.raises(OptionError, match="draw_probability=0"):
        TrueSkill(draw_probability=0.0).scores(as_comparisons(2, [(0, 1, 0)]))


def test_the_kernel_refuses_numbers_beyond_its_arrays():
    chosen = {"systems": 2, "mu": 0.0, "sigma": 0.5, "beta": 1.0, "tau": 0.0, "draw_margin": 0.1}
    one, none = np.array([0]), np.array([], dtype=np.int64)
    with pytest.raises(ValueError, match="beyond"):
        _native.trueskill(one, np.array([2]), one, one, np.array([0, 1]), **chosen)
    with pytest.raises(ValueError, match="itself"):
        _native.trueskill(one, one, one, one, np.array([0, 1]), **chosen)
    with pytest.raises(ValueError, match="order"):
        _native.trueskill(one, np.array([1]), one, np.array([1]), np.array([0, 1]), **chosen)
    with pytest.raises(ValueError, match="runs"):
        _native.trueskill(one, np.array([1]), one, one, np.array([0, 2]), **chosen)
    with pytest.raises(ValueError, match="no games"):
        _native.trueskill_matched(none, none, none, one, steps=1, **chosen)
