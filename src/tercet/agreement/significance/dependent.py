"""Two correlations with the same human scores: whether they differ, and by how much.

They are dependent twice over: both are with the same variable, and the two scorers correlate with each other.
r12 and r13 are the correlations of people (1) with the scorers (2 and 3), r23 that of the scorers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtr

from tercet.agreement.correlation import pearson_rows
from tercet.agreement.scores import Array, as_scores
from tercet.agreement.significance.matrix import Matrix, make_matrix, stacked
from tercet.errors import OptionError, UndefinedError


@dataclass(frozen=True)
class Test:
    """A test statistic, and the one-sided p-value of "the first correlation is higher"."""

    __test__ = False  # not a test case, whatever pytest makes of the name

    statistic: float
    p_value: float

    @property
    def two_sided(self) -> float:
        """The p-value of "the correlations differ"."""
        return 2 * min(self.p_value, 1 - self.p_value)


@dataclass(frozen=True)
class Dependent:
    """Two dependent correlations compared in every way."""

    first: float
    second: float
    between: float
    n: int
    williams: Test
    steiger: Test
    low: float
    high: float
    """Zou's interval of first - second."""


def williams_t(r12: float, r13: float, r23: float, n: int) -> Test:
    """Williams' test (Williams 1959; Steiger 1980, eq. 7; Graham & Baldwin 2014): t, n - 3 degrees of freedom.

    Two scorers that are the same up to a linear map differ by nothing: t = 0.
    """
    _check(r12, r13, r23, n, least=4)
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    below = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean**2 * (1 - r23) ** 3
    above = (r12 - r13) * np.sqrt((n - 1) * (1 + r23))
    t = _quotient(above, np.sqrt(below), "Williams' test")
    return Test(t, float(stdtr(n - 3, -t)))


def steiger_z(r12: float, r13: float, r23: float, n: int) -> Test:
    """Steiger's Z1* (Steiger 1980, eq. 14): Fisher's z of both, pooled; standard normal."""
    _check(r12, r13, r23, n, least=4)
    if max(abs(r12), abs(r13)) == 1:
        raise UndefinedError("Steiger's test is undefined for a correlation of 1 or -1")
    mean = (r12 + r13) / 2
    covariance = (r23 * (1 - 2 * mean**2) - mean**2 * (1 - 2 * mean**2 - r23**2) / 2) / (1 - mean**2) ** 2
    z = _quotient(
        np.sqrt(n - 3) * (np.arctanh(r12) - np.arctanh(r13)), np.sqrt(max(2 - 2 * covariance, 0.0)), "Steiger's test"
    )
    return Test(z, float(ndtr(-z)))


def zou_interval(r12: float, r13: float, r23: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """The confidence interval of r12 - r13 (Zou 2007, "two overlapping correlations")."""
    _check(r12, r13, r23, n, least=4)
    if not 0 < level < 1:
        raise OptionError(f"a confidence level of {level:g} is not allowed; it lies between 0 and 1, usually at 0.95")
    if max(abs(r12), abs(r13)) == 1:
        raise UndefinedError("Zou's interval is undefined for a correlation of 1 or -1")
    half = ndtri((1 + level) / 2) / np.sqrt(n - 3)
    (low12, high12), (low13, high13) = (np.tanh(np.arctanh(r) + np.array([-half, half])) for r in (r12, r13))
    correlation = ((r23 - r12 * r13 / 2) * (1 - r12**2 - r13**2 - r23**2) + r23**3) / ((1 - r12**2) * (1 - r13**2))
    down, up = (
        np.sqrt(max(a**2 + b**2 - 2 * correlation * a * b, 0.0))
        for a, b in ((r12 - low12, high13 - r13), (high12 - r12, r13 - low13))
    )
    return float(r12 - r13 - down), float(r12 - r13 + up)


def compare_dependent(gold: ArrayLike, first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Dependent:
    """Pearson's correlations of two scorers with people, over everything that was judged, and their difference."""
    matrix = correlations(gold, {"first": first, "second": second})
    r12, r13, r23, n = float(matrix.people[0]), float(matrix.people[1]), float(matrix.between[0, 1]), matrix.n
    low, high = zou_interval(r12, r13, r23, n, level=level)
    return Dependent(r12, r13, r23, n, williams_t(r12, r13, r23, n), steiger_z(r12, r13, r23, n), low, high)


def williams_matrix(gold: ArrayLike, scorers: Mapping[str, ArrayLike]) -> Matrix:
    """Williams' test of every scorer against every other, on Pearson's r over everything that was judged."""
    found = correlations(gold, scorers)

    def p_value(i: int, j: int) -> tuple[float, float]:
        p = williams_t(float(found.people[i]), float(found.people[j]), float(found.between[i, j]), found.n).p_value
        return p, 1 - p

    return make_matrix("williams", found.names, found.people, p_value)


@dataclass(frozen=True)
class Correlations:
    """Pearson's r of scorers with people and with each other, and of how many scores."""

    names: tuple[str, ...]
    people: Array
    between: Array
    n: int


def correlations(gold: ArrayLike, scorers: Mapping[str, ArrayLike]) -> Correlations:
    """All correlations that a test of dependent ones needs; a constant scorer is an error that names it."""
    names, stack = stacked(scorers)
    for array in stack:
        as_scores(gold, array)  # speaks up about NaN and shapes
    people = np.asarray(gold, np.float64).ravel()
    judged = ~np.isnan(people)
    table = stack.reshape(len(stack), -1)[:, judged]
    with_people = pearson_rows(np.broadcast_to(people[judged], table.shape), table)
    if np.isnan(with_people).any():
        constant = [name for name, r in zip(names, with_people, strict=True) if np.isnan(r)]
        raise UndefinedError(
            f"the correlation of {', '.join(constant)} with people is undefined over {int(judged.sum())} judged "
            "scores: all scores on one side are the same"
        )
    between = np.array([pearson_rows(np.broadcast_to(row, table.shape), table) for row in table])
    return Correlations(names, with_people, between, int(judged.sum()))


def _quotient(above: float, below: float, test: str) -> float:
    if below > 0:
        return float(above / below)
    if above == 0:
        return 0.0
    raise UndefinedError(f"{test} is undefined: one scorer is determined by the other and people")


def _check(r12: float, r13: float, r23: float, n: int, *, least: int) -> None:
    if any(not -1 <= r <= 1 for r in (r12, r13, r23)):
        raise OptionError(f"correlations {r12:g}, {r13:g}, {r23:g}: each lies between -1 and 1")
    if n < least:
        raise UndefinedError(f"a comparison of dependent correlations needs {least} judged scores or more, not {n}")
    # The slack is for rounding: correlations of real data can miss a sound matrix by that much, and no more.
    if 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 < -1e-9:
        raise OptionError(f"correlations {r12:g}, {r13:g}, {r23:g} cannot occur together; check their order")
