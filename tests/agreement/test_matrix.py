"""The significance matrix as text, data and picture."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreement.matrix import p_text, significance_matrix
from tercet.errors import OptionError, ShapeError

NAN = float("nan")
NAMES = ["bleu", "chrF++", 'a<b & "c"']
P = [[NAN, 0.2, 0.0001], [0.01, NAN, NAN], [0.9999, 0.6, NAN]]
SVG = "{http://www.w3.org/2000/svg}"


def matrix():
    return significance_matrix(NAMES, [0.168, 0.245, -0.01], P, statistic="tau", test="permutation, Holm")


def test_the_best_comes_first_and_beats_by_value_and_p():
    made = matrix()
    assert made.names == ("chrF++", "bleu", 'a<b & "c"')
    assert made.beats.tolist() == [[False, True, False], [False, False, True], [False, False, False]]


def test_text():
    assert matrix().to_text() == (
        "                tau      1      2      3\n"
        "1 chrF++      0.245      ·  >.010      –\n"
        "2 bleu        0.168  <.200      ·  >.000\n"
        '3 a<b & "c"  -0.010   .600  <1.00      ·\n'
        "> row beats column, < column beats row (permutation, Holm, p < 0.05)\n"
    )


def test_data_is_plain_json():
    data = json.loads(json.dumps(matrix().to_dict(), allow_nan=False))
    assert data["scorers"] == ["chrF++", "bleu", 'a<b & "c"']
    assert data["values"] == [0.245, 0.168, -0.01]
    assert data["p_values"] == [[None, 0.01, None], [0.2, None, 0.0001], [0.6, 0.9999, None]]
    assert data["beats"][0] == [False, True, False]
    assert (data["alpha"], data["statistic"], data["test"]) == (0.05, "tau", "permutation, Holm")


def test_picture_is_well_formed_and_needs_nothing_else():
    picture = matrix().to_svg()
    root = ElementTree.fromstring(picture)
    cells = [rect.get("class") for rect in root.iter(f"{SVG}rect")]
    assert (cells.count("win"), cells.count("even"), cells.count("self")) == (2, 4, 3)
    tips = [title.text for title in root.iter(f"{SVG}title")]
    assert "chrF++ beats bleu (p = .010)" in tips
    assert 'chrF++ does not beat a<b & "c" (p = –)' in tips
    assert "prefers-color-scheme: dark" in picture
    assert not any(word in picture for word in ("<script", "href", "@import", "url("))


def test_everything_lies_inside_the_picture():
    names = ["x" * 60, "short", "y" * 45]
    root = ElementTree.fromstring(significance_matrix(names, [3, 2, 1], np.full((3, 3), 0.5)).to_svg())
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for rect in root.iter(f"{SVG}rect"):
        right = float(rect.get("x", 0)) + float(rect.get("width", 0))
        assert right <= width
        assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= height


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.floats(0, 1), min_size=n * n + n, max_size=n * n + n)))
def test_no_two_scorers_beat_each_other(numbers):
    n = int((np.sqrt(1 + 4 * len(numbers)) - 1) / 2)
    made = significance_matrix([f"s{k}" for k in range(n)], numbers[:n], np.reshape(numbers[n:], (n, n)))
    assert not (made.beats & made.beats.T).any()
    assert not made.beats.diagonal().any()
    assert not np.tril(made.beats).any()  # the best first: nothing beats what stands above it
    assert made.to_text().count("\n") == n + 2
    ElementTree.fromstring(made.to_svg())


@pytest.mark.parametrize(
    ("p", "text"),
    [(0, ".000"), (0.0004, ".000"), (0.05, ".050"), (0.9994, ".999"), (0.9996, "1.00"), (1, "1.00"), (NAN, "–")],
)
def test_p_values_as_text(p, text):
    assert p_text(p) == text


@pytest.mark.parametrize(
    ("names", "values", "p", "says"),
    [
        (["a"], [1, 2], [[NAN]], "1 scorers, values of shape"),
        ([], [], np.empty((0, 0)), "no scorers"),
        (["a", "a"], [1, 2], np.full((2, 2), 0.5), "two scorers are called 'a'"),
        (["a", "b"], [1, NAN], np.full((2, 2), 0.5), "scorer 'b' has value nan"),
        (["a", "b"], [1, 2], [[NAN, 1.5], [0.5, NAN]], "'a' against 'b' is 1.5"),
    ],
)
def test_refuses_what_does_not_fit(names, values, p, says):
    with pytest.raises(ShapeError, match=says):
        significance_matrix(names, values, p)


def test_refuses_an_alpha_out_of_range():
    with pytest.raises(OptionError, match="alpha=5"):
        significance_matrix(["a"], [1], [[NAN]], alpha=5)


def test_given_arrays_are_left_alone():
    p = np.full((2, 2), 0.5)
    significance_matrix(["a", "b"], [1, 2], p)
    assert (p == 0.5).all()
