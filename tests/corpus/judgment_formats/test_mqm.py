"""MQM: errors weighed and summed by rater, raters averaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.corpus.judgment_formats.mqm import read_mqm
from tercet.errors import InputError

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def row(system: str, segment: object, rater: str, category: str, severity: str) -> str:
    return f'{system}\tdoc\t1\t{segment}\t{rater}\tA "quote\tEin <v>"Zitat</v>\t{category}\t{severity}'


ROWS = [
    row("A", 1, "r1", "Accuracy/Mistranslation", "Major"),
    row("A", 1, "r1", "Fluency/Punctuation", "Minor"),
    row("A", 1, "r2", "Style/Awkward", "minor"),
    row("A", 2, "r1", "No-error", "No-error"),
    row("B", 1, "r1", "Non-translation!", "Major"),
    row("B", 2, "r2", "Fluency/Punctuation", "Major"),
    row("B", 2, "r2", "Other", "Neutral"),
]


def written(folder: Path, *rows: str, name: str = "mqm_newstest2020_ende.tsv", header: str = HEADER) -> Path:
    file = folder / name
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


def test_each_rater(tmp_path: Path) -> None:
    table = read_mqm(written(tmp_path, *ROWS), raters=True)
    assert (table.pairs(), table.testsets()) == (["en-de"], ["newstest2020"])
    assert table.frame.select("system", "segment", "judge", "value", "line").rows() == [
        ("A", 0, "r1", -5.1, 2),
        ("A", 0, "r2", -1.0, 4),
        ("A", 1, "r1", 0.0, 5),
        ("B", 0, "r1", -25.0, 6),
        ("B", 1, "r2", -5.0, 7),
    ]


def test_the_mean_of_raters(tmp_path: Path) -> None:
    table = read_mqm(written(tmp_path, *ROWS))
    values = table.frame.select("system", "segment", "value", "judge").rows()
    assert [(system, segment) for system, segment, _, _ in values] == [("A", 0), ("A", 1), ("B", 0), ("B", 1)]
    assert [value for _, _, value, _ in values] == pytest.approx([-3.05, 0.0, -25.0, -5.0])
    assert {judge for *_, judge in values} == {None}


def test_a_segment_without_errors_scores_a_plain_zero(tmp_path: Path) -> None:
    assert str(read_mqm(written(tmp_path, ROWS[3])).frame["value"][0]) == "0.0"


def test_weights_can_be_given(tmp_path: Path) -> None:
    weights = {"Major": 10, "Major/Fluency": 3, "Minor": 1, "Neutral": 0, "No-error": 0}
    values = read_mqm(written(tmp_path, *ROWS), weights=weights, raters=True).frame["value"].to_list()
    assert values == [-11.0, -1.0, 0.0, -10.0, -3.0]


def test_names_of_later_years(tmp_path: Path) -> None:
    header = HEADER.replace("doc_id", "docSegId").replace("seg_id", "globalSegId") + "\tmetadata"
    file = written(tmp_path, *(line + "\t{}" for line in ROWS), name="mqm.tsv", header=header)
    with pytest.raises(InputError, match="pair='en-de'"):
        read_mqm(file)
    table = read_mqm(file, pair="en-de", testset="wmt23")
    assert (
        table.without_place()
        .frame.drop("testset")
        .equals(read_mqm(written(tmp_path, *ROWS)).without_place().frame.drop("testset"))
    )
    assert table.testsets() == ["wmt23"]


def test_severities_without_weight_are_not_zero(tmp_path: Path) -> None:
    file = written(tmp_path, *ROWS, row("B", 2, "r2", "Other", "Critical"))
    with pytest.raises(InputError) as error:
        read_mqm(file)
    assert str(error.value).startswith(
        f"{file}:9: severity 'Critical' of 'Other' has no weight; there are weights for "
    )


def test_what_is_no_segment(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":2: segment 0 where the first is 1"):
        read_mqm(written(tmp_path, row("A", 0, "r1", "Other", "Minor")))
    with pytest.raises(InputError, match=r":2: the segment 'x' is not a whole number"):
        read_mqm(written(tmp_path, row("A", "x", "r1", "Other", "Minor")))
