"""Direct assessment: parallel lines, tables of segments and systems, and comparisons made from them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tercet.corpus.judgment_formats.da_lines import read_da_lines
from tercet.corpus.judgment_formats.da_tables import read_da_table, write_da_table
from tercet.corpus.judgment_formats.darr import read_darr, write_darr
from tercet.corpus.judgments import Judgments
from tercet.errors import InputError, OptionError, ShapeError


def written(folder: Path, text: str, name: str = "table.csv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def parallel(folder: Path, pair: str = "cs-en", **files: str) -> None:
    texts = {"human": "0.5\n-1\n", "mt-system": "a\n\n", "reference": "A\nB\n", "source": "x\ny\n", **files}
    for part, text in texts.items():
        written(folder, text, f"DAseg.newstest2015.{part}.{pair}")


def test_parallel_lines_bring_their_texts(tmp_path: Path) -> None:
    parallel(tmp_path)
    parallel(tmp_path, "en-ru")
    texts = read_da_lines(tmp_path)
    assert sorted(texts) == ["cs-en", "en-ru"]
    czech = texts["cs-en"]
    assert (czech.testset, czech.pair) == ("newstest2015", "cs-en")
    assert {name: list(texts) for name, texts in czech.corpus.systems.items()} == {"mt-system": ["a", ""]}
    assert list(czech.corpus.references) == [("A",), ("B",)]
    assert list(czech.corpus.sources or ()) == ["x", "y"]
    rows = czech.judgments.frame.select("testset", "segment", "system", "value", "line").rows()
    assert rows == [("newstest2015", 0, "mt-system", 0.5, 1), ("newstest2015", 1, "mt-system", -1.0, 2)]


def test_parallel_lines_that_are_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scores here"):
        read_da_lines(tmp_path)
    parallel(tmp_path, reference="A\n")
    with pytest.raises(ShapeError, match=r"mt-system.cs-en\) has 2 segments but the references .* have 1"):
        read_da_lines(tmp_path)
    parallel(tmp_path, human="0.5\n")
    with pytest.raises(ShapeError, match=r"human.cs-en has 1 scores for 2 segments"):
        read_da_lines(tmp_path)
    parallel(tmp_path, human="0.5\nn/a\n")
    with pytest.raises(InputError, match=r"human.cs-en:2: score 'n/a' is not a finite number"):
        read_da_lines(tmp_path)
    (tmp_path / "DAseg.newstest2015.mt-system.cs-en").unlink()
    with pytest.raises(InputError, match="no file of mt-system for newstest2015 cs-en"):
        read_da_lines(tmp_path)


SEGMENTS = "LP DATA SYSTEM SID HUMAN\ncs-en newstest2017 A.0 33 0.49\nde-en newstest2017 B.1+A.0+C.2 1 -0.4\n"


def test_tables_of_segments(tmp_path: Path) -> None:
    table = read_da_table(written(tmp_path, SEGMENTS))
    assert table.frame.select("testset", "pair", "segment", "system", "value", "line").rows() == [
        ("newstest2017", "cs-en", 32, "A.0", 0.49, 2),
        ("newstest2017", "de-en", 0, "B.1", -0.4, 3),
    ]
    expanded = read_da_table(tmp_path / "table.csv", joined="expand").of("de-en")
    assert expanded.frame.select("system", "value").rows() == [("B.1", -0.4), ("A.0", -0.4), ("C.2", -0.4)]
    assert read_da_table(tmp_path / "table.csv", joined="keep").systems("de-en") == ["B.1+A.0+C.2"]
    with pytest.raises(OptionError, match="joined='all'"):
        read_da_table(tmp_path / "table.csv", joined="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("separator", [" ", "\t", ",", "  "])
def test_tables_of_systems(tmp_path: Path, separator: str) -> None:
    text = "LP HUMAN SYSTEM\nlv-en 0.266 online-B.0\ncs-en -0.1 A\n".replace(" ", separator)
    table = read_da_table(written(tmp_path, text))
    assert table.frame.select("pair", "segment", "system", "value").rows() == [
        ("lv-en", None, "online-B.0", 0.266),
        ("cs-en", None, "A", -0.1),
    ]
    assert len(table.of_systems()) == 2


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("cs-en newstest2017 A.0 33 NaN", "HUMAN 'NaN' is not a finite number"),
        ("cs-en newstest2017 A.0 3x 1", "SID '3x' is not a whole number"),
        ("cs-en newstest2017 A.0 0 1", "segment 0 where the first is 1"),
        ("czech newstest2017 A.0 1 1", "'czech' is no language pair; a pair looks like cs-en"),
        ("cs-en newstest2017 A.0 1", "4 columns where the rows above have 5"),
        ("cs-en newstest2017 A.0 33 0.5", "judge 'unknown' judges again what stands on line 2"),
    ],
)
def test_what_is_no_table_of_assessments(tmp_path: Path, row: str, problem: str) -> None:
    file = written(tmp_path, SEGMENTS + row + "\n")
    with pytest.raises(InputError) as error:
        read_da_table(file)
    assert str(error.value).startswith(f"{file}:4: {problem}")


def test_a_header_of_another_width(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":2: 4 columns under a header of 3"):
        read_da_table(written(tmp_path, "LP HUMAN SYSTEM\ncs-en x 0.1 A\n"))


@pytest.mark.parametrize("text", [SEGMENTS, "LP HUMAN SYSTEM\nlv-en 0.266 B\ncs-en 1e-17 A\n"])
def test_tables_there_and_back(tmp_path: Path, text: str) -> None:
    table = read_da_table(written(tmp_path, text), joined="keep")
    write_da_table(table, tmp_path / "back.csv")
    assert read_da_table(tmp_path / "back.csv", joined="keep").without_place() == table.without_place()


def test_what_no_table_of_assessments_can_hold(tmp_path: Path) -> None:
    segments, systems = read_da_table(written(tmp_path, SEGMENTS)), "LP HUMAN SYSTEM\ncs-en 1 A\n"
    whole = read_da_table(written(tmp_path, systems))
    with pytest.raises(OptionError, match="either of segments or of systems"):
        write_da_table(Judgments.concat([segments, whole]), tmp_path / "x")
    unnamed = Judgments.make("assessment", segments.frame.drop("testset"))
    with pytest.raises(OptionError, match="these have none"):
        write_da_table(unnamed, tmp_path / "x")
    assert not (tmp_path / "x").exists()


DARR = "LP DATA SID BETTER WORSE\ncs-en newstest2018 3 A.1 B.2\nde-en newstest2018 1 C D\n"


def test_darr(tmp_path: Path) -> None:
    table = read_darr(written(tmp_path, DARR))
    assert table.frame.select("testset", "pair", "segment", "system", "other", "value", "line").rows() == [
        ("newstest2018", "cs-en", 2, "A.1", "B.2", 1.0, 2),
        ("newstest2018", "de-en", 0, "C", "D", 1.0, 3),
    ]


def test_darr_with_tabs_or_with_a_name_missing_from_the_header(tmp_path: Path) -> None:
    plain = read_darr(written(tmp_path, DARR)).without_place()
    assert read_darr(written(tmp_path, DARR.replace(" ", "\t"))).without_place() == plain
    assert read_darr(written(tmp_path, DARR.replace(" DATA", ""))).without_place() == plain


def test_darr_with_differences_below_the_threshold(tmp_path: Path) -> None:
    text = "LP DATA SID BETTER WORSE\ncs-en t 3 A B 25.0\ncs-en t 4 A B 24.9\n"
    assert read_darr(written(tmp_path, text)).frame["line"].to_list() == [2]
    assert len(read_darr(tmp_path / "table.csv", threshold=0)) == 2


def test_darr_with_segments_counted_in_documents(tmp_path: Path) -> None:
    file = written(tmp_path, "LP DATA SID BETTER WORSE\ncs-en t d2::1 A B 30\ncs-en t d1::2 A B 30\n")
    documents = {"cs-en": ["d1", "d1", "d2"]}
    assert read_darr(file, documents=documents).frame["segment"].to_list() == [2, 1]
    with pytest.raises(InputError, match=r":2: SID 'd2::1' counts within a document; give documents"):
        read_darr(file)
    with pytest.raises(InputError, match=r":3: the documents of cs-en have no segment 'd1::2'"):
        read_darr(file, documents={"cs-en": ["d1", "d2"]})


def test_what_is_no_darr(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":2: 3 columns are not a daRR table"):
        read_darr(written(tmp_path, "LP BETTER WORSE\ncs-en A B\n"))
    with pytest.raises(InputError, match="nothing below the header"):
        read_darr(written(tmp_path, "LP DATA SID BETTER WORSE\n"))
    with pytest.raises(InputError, match=r":3: judge 'unknown' judges again what stands on line 2"):
        read_darr(written(tmp_path, DARR.splitlines()[0] + "\ncs-en t 1 A B\ncs-en t 1 B A\n"), duplicates="error")


def test_darr_there_and_back(tmp_path: Path) -> None:
    table = read_darr(written(tmp_path, DARR))
    turned = pl.col("system").alias("other"), pl.col("other").alias("system"), (-pl.col("value")).alias("value")
    write_darr(Judgments.make("comparison", table.frame.with_columns(turned)), tmp_path / "back.csv")
    assert read_darr(tmp_path / "back.csv").without_place() == table.without_place()
    tied = Judgments.make("comparison", table.frame.with_columns(value=pl.lit(0.0)))
    with pytest.raises(OptionError, match="untied"):
        write_darr(tied, tmp_path / "tied.csv")
