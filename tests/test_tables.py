"""Tables in every format."""

from __future__ import annotations

import pytest

from tercet.tables import Cell, Table, best


@pytest.fixture
def table():
    table = Table(["System", "BLEU"], title="Scores")
    table.add("a_b", "9.50")
    table.add("猫", Cell("10.25 ± 1", strong=True))
    table.notes.append("BLEU|nrefs:1")
    return table


def test_text_is_aligned_by_what_a_terminal_shows(table):
    assert table.render("text").split("\n") == [
        "Scores",
        "System       BLEU",
        "──────  ─────────",
        "a_b          9.50",
        "猫      10.25 ± 1",
        "BLEU|nrefs:1",
    ]


def test_the_best_is_bold_where_there_is_colour(table):
    assert "\x1b[1m10.25 ± 1\x1b[0m" in table.render("text", color=True)
    assert "\x1b" not in table.render("text")


def test_markdown(table):
    assert table.render("markdown").split("\n")[2:6] == [
        "| System | BLEU |",
        "| --- | ---: |",
        "| a_b | 9.50 |",
        "| 猫 | **10.25 ± 1** |",
    ]


def test_latex_escapes_what_latex_would_take_for_its_own(table):
    shown = table.render("latex")
    assert r"a\_b & 9.50 \\" in shown
    assert r"\textbf{10.25 $\pm$ 1}" in shown
    assert r"\begin{tabular}{lr}" in shown


def test_tsv_has_one_line_a_row(table):
    table.add("tab\there", "1")
    assert table.render("tsv").split("\n") == ["System\tBLEU", "a_b\t9.50", "猫\t10.25 ± 1", "tab here\t1"]


@pytest.mark.parametrize(
    ("values", "higher", "expected"),
    [
        ([1.0, 2.0], True, [False, True]),
        ([1.0, 2.0], False, [True, False]),
        ([1.001, 1.002], True, [True, True]),
        ([float("nan"), 1.0, 0.5], True, [False, True, False]),
        ([1.0], True, [False]),
    ],
)
def test_best_is_what_looks_best(values, higher, expected):
    assert best(values, higher_is_better=higher, decimals=2) == expected
