"""Five-way rankings: languages, ranks, repeats, and pairs counted one by one."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.corpus.judgment_formats.rankings import read_rankings, write_rankings
from tercet.corpus.judgments import Judgments
from tercet.errors import InputError, OptionError

HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{i}Number,system{i}Id" for i in range(1, 6))
    + ","
    + ",".join(f"system{i}rank" for i in range(1, 6))
)


def line(systems: list[str], ranks: list[object], *, segment: object = 3, judge: str = "j1", prefix: str = "") -> str:
    names = ",".join(f"{i},{prefix}{name}" for i, name in enumerate(systems))
    return f"Czech,English,{segment},cs-en.test,{segment},{judge},{names},{','.join(map(str, ranks))}"


def written(folder: Path, *lines: str) -> Path:
    file = folder / "rankings.csv"
    file.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return file


def test_all_pairs_of_a_ranking(tmp_path: Path) -> None:
    table = read_rankings(written(tmp_path, line(list("ABCDE"), [2, 1, 2, 5, -1])))
    assert table.kind == "comparison"
    assert table.frame.select("pair", "segment", "system", "other", "value", "judge", "item", "line").rows() == [
        ("cs-en", 2, "A", "B", -1.0, "j1", 0, 2),
        ("cs-en", 2, "A", "C", 0.0, "j1", 0, 2),
        ("cs-en", 2, "A", "D", 1.0, "j1", 0, 2),
        ("cs-en", 2, "B", "C", 1.0, "j1", 0, 2),
        ("cs-en", 2, "B", "D", 1.0, "j1", 0, 2),
        ("cs-en", 2, "C", "D", 1.0, "j1", 0, 2),
    ]


def test_names_lose_the_test_set_and_the_pair(tmp_path: Path) -> None:
    table = read_rankings(written(tmp_path, line(list("ABCDE"), [1, 2, 3, 4, 5], prefix="newstest2013.cs-en.")))
    assert table.systems() == list("ABCDE")
    assert table.testsets() == ["newstest2013"]


def test_fillers_and_rankings_nobody_made_are_left_out(tmp_path: Path) -> None:
    three = line(["A", "_ref", "B", "blank", "blank"], [2, 1, 2, -1, -1])
    table = read_rankings(written(tmp_path, three, line(list("ABCDE"), [-1] * 5), "", line(list("ABCDE"), [1] * 5)))
    assert table.rankings() == 2
    assert table.frame["line"].unique().sort().to_list() == [2, 5]
    assert "_ref" in table.systems()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (line(list("ABCDE"), [1, 2, 6, 4, 5]), "system3rank 6 is not a rank; ranks are 1 to 5, and -1 where"),
        (line(list("ABCDE"), [1, 0, 3, 4, 5]), "system2rank 0 is not a rank"),
        (line(list("ABCDE"), [1, "best", 3, 4, 5]), "system2rank 'best' is not a whole number"),
        (line(list("ABCDE"), [1, "2.0", 3, 4, 5]), "system2rank '2.0' is not a whole number"),
        (line(["A", "B", "C", "D", "blank"], [1, 2, 3, 4, 5]), "system5rank 5 without a system"),
        (line(list("ABCDA"), [1, 2, 3, 4, 5]), "system 'A' is compared with itself"),
        (line(list("ABCDE"), [1, 2, 3, 4, 5], segment=0), "segment 0 where the first is 1; if the file counts from 0"),
        (line(list("ABCDE"), [1, 2, 3, 4, 5], segment="x"), "srcIndex 'x' is not a whole number"),
        (line(list("ABCDE"), [1, 2, 3, 4, 5]).replace("Czech", "Elvish"), "srclang 'Elvish' is no language"),
        (line(list("ABCDE"), [1, 2, 3, 4, 5]).replace(",3,cs", ",4,cs"), "srcIndex 4 and segmentId 3 differ"),
        (line(list("ABCDE"), [1, 2, 3, 4]), "20 columns where the rows above have 21"),
    ],
)
def test_what_is_no_ranking(tmp_path: Path, row: str, problem: str) -> None:
    file = written(tmp_path, line(list("ABCDE"), [1, 2, 3, 4, 5]), row)
    with pytest.raises(InputError) as error:
        read_rankings(file)
    assert str(error.value).startswith(f"{file}:3: {problem}")


def test_the_first_segment_and_its_column_can_be_said(tmp_path: Path) -> None:
    ranking = line(list("ABCDE"), [1, 2, 3, 4, 5], segment=0)
    assert read_rankings(written(tmp_path, ranking), first_segment=0).frame["segment"].unique().to_list() == [0]
    differ = line(list("ABCDE"), [1, 2, 3, 4, 5]).replace(",3,cs", ",7,cs")
    file = written(tmp_path, differ)
    assert read_rankings(file, segment_column="srcIndex").frame["segment"][0] == 6
    assert read_rankings(file, segment_column="segmentId").frame["segment"][0] == 2


def test_headers_that_lack_a_column(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(HEADER.replace("judgeId,", "") + "\n")
    with pytest.raises(InputError, match="the header has no column judgeId"):
        read_rankings(file)


def test_quoted_cells(tmp_path: Path) -> None:
    ranking = line(list("ABCDE"), [1, 2, 3, 4, 5], judge='"judge, the first"')
    assert read_rankings(written(tmp_path, ranking)).judges() == ["judge, the first"]


def test_what_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes(f"{HEADER}\n{line(list('ABCDE'), [1, 2, 3, 4, 5])}\n".encode() + b"Czech,\xe9\n")
    with pytest.raises(InputError, match=r"x\.csv:3: invalid UTF-8"):
        read_rankings(file)
    file.write_text(f"\ufeff{HEADER}\n{line(list('ABCDE'), [1, 2, 3, 4, 5])}\r\n")
    assert len(read_rankings(file)) == 10


def test_repeated_rankings(tmp_path: Path) -> None:
    first, again = line(list("ABCDE"), [1, 2, 3, 4, 5]), line(list("EDCBA"), [1, 2, 3, 4, 5])
    file = written(tmp_path, first, line(list("ABCDE"), [1] * 5, judge="j2"), again)
    assert read_rankings(file).rankings() == 3
    assert read_rankings(file, duplicates="skip").frame["line"].unique().sort().to_list() == [2, 3]
    with pytest.raises(InputError, match=r":4: judge 'j1' judges again what stands on line 2; keep both"):
        read_rankings(file, duplicates="error")
    with pytest.raises(OptionError, match="duplicates='drop'"):
        read_rankings(file, duplicates="drop")  # type: ignore[arg-type]


ranking = st.tuples(
    st.lists(st.sampled_from(["A", "B-1", "c.d", "Ω", "_ref", "x y"]), min_size=2, max_size=5, unique=True),
    st.lists(st.integers(1, 5), min_size=5, max_size=5),
    st.integers(0, 3000),
    st.sampled_from(["j1", "j2", None]),
    st.sampled_from(["newstest2013", None]),
)


@given(st.lists(ranking, min_size=1, max_size=8))
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, rankings: list[tuple[object, ...]]) -> None:
    rows = []
    for item, (systems, ranks, segment, judge, testset) in enumerate(rankings):
        for (a, x), (b, y) in combinations(zip(systems, ranks, strict=False), 2):
            rows.append((testset, "fr-en", segment, a, b, float((y > x) - (y < x)), judge, item))
    names = ["testset", "pair", "segment", "system", "other", "value", "judge", "item"]
    table = Judgments.make("comparison", pl.DataFrame(rows, names, orient="row", infer_schema_length=None))
    file = tmp_path_factory.getbasetemp() / "there-and-back.csv"
    write_rankings(table, file)
    assert read_rankings(file).without_place() == table


def test_comparisons_that_are_no_ranking_are_not_written(tmp_path: Path) -> None:
    def table(*rows: tuple[str, str, float]) -> Judgments:
        frame = pl.DataFrame(list(rows), ["system", "other", "value"], orient="row")
        return Judgments.make("comparison", frame.with_columns(pair=pl.lit("cs-en"), segment=0, item=0))

    for judgments in (
        table(("A", "B", 1.0), ("B", "C", 1.0), ("A", "C", -1.0)),
        table(("A", "B", 1.0), ("B", "C", 1.0)),
        table(("A", "B", 0.0), ("A", "C", 0.0), ("B", "C", 1.0)),
    ):
        with pytest.raises(OptionError, match="not one ranking"):
            write_rankings(judgments, tmp_path / "x.csv")
    with pytest.raises(OptionError, match="comma"):
        write_rankings(table(("A,B", "C", 1.0)), tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []
