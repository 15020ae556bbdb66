"""Tests of dependent correlations against the worked examples of the literature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tercet.agreement.significance import compare_dependent, steiger_z, williams_matrix, williams_t, zou_interval
from tercet.errors import OptionError, ShapeError, UndefinedError
from tests.oracles import agreement as oracle


def test_williams_worked_examples() -> None:
    # Silver, Hittner & May (2006), the program DEPCOR.
    found = williams_t(0.3, 0.4, 0.5, 100)
    assert found.statistic == pytest.approx(-1.0767, abs=5e-5)
    assert found.two_sided == pytest.approx(0.2843, abs=5e-5)
    assert found.p_value == pytest.approx(1 - 0.2843 / 2, abs=5e-5)
    # The example of r.test in R's psych: p = 0.1000759 two-sided.
    found = williams_t(0.693458895410494, 0.695966022434845, 0.988475791500198, 5105)
    assert found.two_sided == pytest.approx(0.1000759, abs=5e-8)


def test_williams_of_scores() -> None:
    # As mt-metrics-eval's own tests state it.
    gold, first, second = [1, 2, 3, 4, 5], [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    matrix = williams_matrix(gold, {"first": first, "second": second})
    assert matrix.p_values[0, 1] == pytest.approx(0.019, abs=5e-4)
    assert matrix.p_values[1, 0] == pytest.approx(0.981, abs=5e-4)
    assert matrix.values == pytest.approx([0.999, 0.987], abs=5e-4)
    assert np.isnan(np.diag(matrix.p_values)).all()


def test_steiger_worked_examples() -> None:
    assert steiger_z(0.4, 0.5, 0.1, 103).statistic == pytest.approx(-0.8887185, abs=5e-8)  # Steiger (1980, p. 249)
    found = steiger_z(0.3, 0.4, 0.5, 100)  # Silver, Hittner & May (2006)
    assert found.statistic == pytest.approx(-1.0718, abs=5e-5)
    assert found.two_sided == pytest.approx(0.2838, abs=5e-5)


def test_zou_worked_example() -> None:
    assert zou_interval(0.396, 0.179, 0.088, 66) == pytest.approx((-0.093, 0.517), abs=5e-4)  # Zou (2007)


@given(st.floats(-0.95, 0.95), st.floats(-0.95, 0.95), st.floats(-0.95, 0.95), st.integers(5, 500))
def test_williams_agrees_with_the_determinant(r12: float, r13: float, r23: float, n: int) -> None:
    assume(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 > 1e-3)
    found = williams_t(r12, r13, r23, n)
    assert found.statistic == pytest.approx(oracle.williams(r12, r13, r23, n), rel=1e-9, abs=1e-9)
    turned = williams_t(r13, r12, r23, n)
    assert turned.statistic == pytest.approx(-found.statistic)
    assert turned.p_value + found.p_value == pytest.approx(1)
    low, high = zou_interval(r12, r13, r23, n)
    assert low <= r12 - r13 <= high
    narrow_low, narrow_high = zou_interval(r12, r13, r23, n, level=0.8)
    assert low <= narrow_low <= narrow_high <= high


def test_two_scorers_that_are_one() -> None:
    random = np.random.default_rng(1)
    gold = random.normal(size=50)
    scores = gold + random.normal(size=50)
    found = compare_dependent(gold, scores, 2 * scores + 1)
    assert found.williams.p_value == pytest.approx(0.5, abs=1e-6)
    assert found.first == pytest.approx(found.second)


def test_what_people_did_not_judge_takes_no_part() -> None:
    random = np.random.default_rng(1)
    gold, first, second = random.normal(size=(3, 4, 10))
    gold[0, ::2] = np.nan
    kept = ~np.isnan(gold)
    assert compare_dependent(gold, first, second) == compare_dependent(gold[kept], first[kept], second[kept])
    assert compare_dependent(gold, first, second).n == 35


def test_bad_input_is_named() -> None:
    with pytest.raises(UndefinedError, match="constant"):
        williams_matrix([1, 2, 3, 4], {"sound": [1, 2, 4, 3], "constant": [0.1] * 4})
    with pytest.raises(UndefinedError, match="needs 4 judged"):
        williams_t(0.5, 0.4, 0.3, 3)
    with pytest.raises(OptionError, match="between -1 and 1"):
        williams_t(1.5, 0.4, 0.3, 30)
    with pytest.raises(OptionError, match="cannot occur together"):
        williams_t(0.9, -0.9, 0.9, 30)
    with pytest.raises(OptionError, match="confidence level of 95"):
        zou_interval(0.5, 0.4, 0.3, 30, level=95)
    with pytest.raises(UndefinedError, match="Zou"):
        zou_interval(1.0, 0.4, 0.4, 30)
    with pytest.raises(ShapeError, match="shape"):
        williams_matrix([1, 2, 3, 4], {"a": [1, 2, 3, 4], "b": [1, 2, 3]})
    with pytest.raises(ShapeError, match="two or more"):
        williams_matrix([1, 2, 3, 4], {"a": [1, 2, 4, 3]})
