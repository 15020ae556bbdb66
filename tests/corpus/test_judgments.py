"""The table of judgments: what it refuses, what it answers, and what it leaves out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tercet.corpus.judgments import SCHEMA, Judgments
from tercet.errors import InputError, OptionError


def comparisons(rows: list[tuple[int, str, str, float]], **columns: object) -> Judgments:
    schema = {"segment": pl.Int64, "system": pl.String, "other": pl.String, "value": pl.Float64}
    frame = pl.DataFrame(rows, schema, orient="row").with_columns(
        pl.lit("cs-en").alias("pair"), pl.lit("f.csv").alias("file"), pl.int_range(2, pl.len() + 2).alias("line")
    )
    return Judgments.make("comparison", frame.with_columns(pl.lit(value).alias(key) for key, value in columns.items()))


def assessments(rows: list[tuple[int | None, str, float, str | None]]) -> Judgments:
    schema = {"segment": pl.Int64, "system": pl.String, "value": pl.Float64, "judge": pl.String}
    return Judgments.make("assessment", pl.DataFrame(rows, schema, orient="row").with_columns(pair=pl.lit("de-en")))


def test_missing_columns_are_null_and_in_order() -> None:
    table = assessments([(0, "A", 1.5, None)])
    assert dict(table.frame.schema) == dict(SCHEMA)
    assert table.frame.row(0) == (None, "de-en", 0, "A", None, 1.5, None, None, None, None)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ((0, "A", "A", 1.0), "f.csv:2: system 'A' is compared with itself"),
        ((0, "A", None, 1.0), "f.csv:2: a comparison of 'A' with nothing"),
        ((0, "A", "B", 0.5), "f.csv:2: a comparison is -1, 0 or 1, not 0.5"),
        ((-1, "A", "B", 1.0), "f.csv:2: segment -1 is below 0"),
        ((0, "", "B", 1.0), "f.csv:2: a judgment without a system"),
        ((0, "A", "B", float("nan")), "f.csv:2: the value of system 'A' is nan"),
        ((0, "A", "B", None), "f.csv:2: the value of system 'A' is None"),
    ],
)
def test_what_no_comparison_is(row: tuple[int, str, str, float], problem: str) -> None:
    with pytest.raises(InputError) as error:
        comparisons([row])
    assert str(error.value) == problem


def test_an_assessment_has_one_system() -> None:
    with pytest.raises(InputError, match="an assessment of 'A' that names 'B' too"):
        Judgments(comparisons([(0, "A", "B", 1.0)]).frame, "assessment")


def test_unknown_kinds_and_columns() -> None:
    frame = comparisons([]).frame
    with pytest.raises(OptionError, match="kind='ranking'"):
        Judgments(frame, "ranking")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no column score"):
        Judgments.make("assessment", pl.DataFrame({"score": [1.0]}))
    with pytest.raises(OptionError, match="need the columns testset, pair"):
        Judgments(frame.drop("item"), "comparison")


def test_questions_to_the_table() -> None:
    table = comparisons([(0, "B", "A", 1.0), (0, "A", "C", 0.0), (4, "C", "B", -1.0)], judge="x", item=3)
    assert table.pairs() == ["cs-en"]
    assert table.systems() == table.systems("cs-en") == ["A", "B", "C"]
    assert table.systems("de-en") == []
    assert table.judges() == ["x"]
    assert table.rankings() == 1
    assert len(table.untied()) == 2
    assert len(table.of("de-en")) == 0
    assert len(table.without(["C"])) == 1
    assert repr(table) == "<3 comparisons, cs-en>"


def test_of_takes_the_test_set_too() -> None:
    one, two = comparisons([(0, "A", "B", 1.0)], testset="x"), comparisons([(0, "A", "B", -1.0)], testset="y")
    both = Judgments.concat([one, two])
    assert both.testsets() == ["x", "y"]
    assert both.of("cs-en", "y") == two


def test_rankings_of_different_parts_stay_different() -> None:
    part = comparisons([(0, "A", "B", 1.0), (0, "A", "C", 1.0)], item=7)
    unranked = comparisons([(1, "A", "B", 1.0)])
    joined = Judgments.concat([part, unranked, part])
    assert joined.rankings() == 2
    assert joined.frame["item"].to_list() == [7, 7, None, 15, 15]


def test_comparisons_and_assessments_do_not_mix() -> None:
    with pytest.raises(OptionError, match="do not go into one table"):
        Judgments.concat([comparisons([(0, "A", "B", 1.0)]), assessments([(0, "A", 1.0, None)])])
    with pytest.raises(OptionError, match="no judgments to join"):
        Judgments.concat([])
    with pytest.raises(OptionError, match="only comparisons"):
        assessments([(0, "A", 1.0, None)]).untied()


def test_indices_are_places_in_the_given_order() -> None:
    table = comparisons([(5, "B", "A", 1.0), (6, "A", "C", -1.0)], judge="x", item=2)
    indices = table.indices(["C", "B", "A"])
    np.testing.assert_array_equal(indices.segment, [5, 6])
    np.testing.assert_array_equal(indices.system, [1, 2])
    np.testing.assert_array_equal(indices.other, [2, 0])
    np.testing.assert_array_equal(indices.value, [1, -1])
    np.testing.assert_array_equal(indices.judge, [0, 0])
    np.testing.assert_array_equal(indices.item, [2, 2])
    with pytest.raises(OptionError, match="the judgments name C"):
        table.indices(["A", "B"])


def test_indices_of_assessments_of_systems() -> None:
    indices = assessments([(None, "A", 0.5, None), (None, "B", 0.25, "j")]).indices(["A", "B"])
    np.testing.assert_array_equal(indices.segment, [-1, -1])
    np.testing.assert_array_equal(indices.other, [-1, -1])
    np.testing.assert_array_equal(indices.judge, [-1, 0])
    assert indices.system.dtype == indices.judge.dtype == np.int64


def test_the_mean_of_judges() -> None:
    table = assessments([(0, "A", 1.0, "x"), (0, "B", 5.0, "x"), (0, "A", 2.0, "y"), (None, "A", 9.0, "y")])
    rows = table.averaged().frame.select("segment", "system", "value", "judge").rows()
    assert rows == [(0, "A", 1.5, None), (0, "B", 5.0, None), (None, "A", 9.0, None)]


def test_a_repeated_ranking_is_the_same_set_of_systems() -> None:
    first = comparisons([(0, "A", "B", 1.0), (0, "A", "C", 1.0), (0, "B", "C", 0.0)], judge="x", item=0)
    turned = comparisons([(0, "C", "B", 1.0), (0, "C", "A", 1.0), (0, "B", "A", 0.0)], judge="x", item=0)
    smaller = comparisons([(0, "A", "B", 1.0)], judge="x", item=0)
    of_another = comparisons([(0, "A", "B", 1.0), (0, "A", "C", 1.0), (0, "B", "C", 0.0)], judge="y", item=0)
    table = Judgments.concat([first, smaller, of_another, turned])
    again = table.repeats()
    assert again.select("row", "item", "line", "judge", "first_line").rows() == [(7, 3, 2, "x", 2)]
    assert table.without_repeats().rankings() == 3


def test_repeats_without_rankings() -> None:
    pairs = comparisons([(0, "A", "B", 1.0), (0, "B", "A", 1.0), (1, "A", "B", 1.0)])
    assert pairs.repeats()["line"].to_list() == [3]
    assert pairs.without_repeats().frame["line"].to_list() == [2, 4]
    scores = assessments([(0, "A", 1.0, "x"), (0, "A", 1.0, "y"), (0, "A", 3.0, "x")])
    assert scores.without_repeats().frame["value"].to_list() == [1.0, 1.0]


CHECKED = [(0, "A", "B", 1.0), (1, "A", "X", 1.0), (2, "Y", "B", 1.0), (3, "A", "_ref", 1.0), (9, "A", "B", 1.0)]


def test_what_cannot_be_used_is_left_out_and_counted() -> None:
    kept, skipped = comparisons(CHECKED).check(["A", "B", "Z"], 9, on_missing="skip")
    assert kept.frame["line"].to_list() == [2]
    assert dict(skipped.counts) == {
        "judgment of the reference": 1,
        "system without output": 2,
        "segment beyond the file": 1,
    }
    assert skipped.total == 4
    assert skipped.unjudged == ("Z",)
    assert skipped.messages() == [
        "1 judgment left out: judgment of the reference (first: f.csv:5: the reference was judged as a system)",
        "2 judgments left out: system without output (first: f.csv:3: system 'X' was judged but has no cs-en output "
        "(there are: A, B, Z))",
        "1 judgment left out: segment beyond the file (first: f.csv:6: segment 10 of cs-en was judged but the outputs "
        "have 9 segments)",
        "nobody judged Z",
    ]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (CHECKED[:2], "f.csv:3: system 'X' was judged but has no cs-en output (there are: A, B); add its output, or "),
        (CHECKED[2:3], "f.csv:2: system 'Y' was judged"),
        (CHECKED[4:], "f.csv:2: segment 10 of cs-en was judged but the outputs have 9 segments; give the whole test"),
    ],
)
def test_what_cannot_be_used_is_an_error(rows: list[tuple[int, str, str, float]], problem: str) -> None:
    with pytest.raises(InputError) as error:
        comparisons(rows).check(["A", "B"], 9)
    assert str(error.value).startswith(problem)
    assert "--on-missing skip" in str(error.value)


def test_the_reference_counts_where_it_is_an_output() -> None:
    kept, skipped = comparisons(CHECKED[3:4]).check(["A", "_ref"], None)
    assert (len(kept), skipped.total, bool(skipped)) == (1, 0, False)


def test_names_with_braces_are_only_names() -> None:
    with pytest.raises(InputError, match=r"system '\{0\}' was judged"):
        comparisons([(0, "{0}", "B", 1.0)]).check(["{x}", "B"], 9)


def test_check_takes_one_pair_and_a_known_policy() -> None:
    other = Judgments.make("comparison", comparisons(CHECKED).frame.with_columns(pair=pl.lit("de-en")))
    with pytest.raises(OptionError, match=r"one pair at a time with \.of\(pair\)"):
        Judgments.concat([comparisons(CHECKED), other]).check(["A"], 1)
    with pytest.raises(OptionError, match="on_missing='ignore'"):
        other.check(["A"], 1, on_missing="ignore")  # type: ignore[arg-type]
