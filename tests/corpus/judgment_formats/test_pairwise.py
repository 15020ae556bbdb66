"""Pairwise CSVs: comparisons as they stand, and systems judged as one."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.corpus.judgment_formats.pairwise import read_pairwise, write_pairwise
from tercet.corpus.judgments import Judgments
from tercet.errors import InputError, OptionError

HEADER = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID"


def named(*systems: str) -> str:
    return "+".join(f"newstest2016.{system}.0.en-tr" for system in systems)


def written(folder: Path, *rows: tuple[object, ...], header: str = HEADER) -> Path:
    file = folder / "pairwise.csv"
    lines = [",".join(map(str, ("eng", "tur", 541, 541, "judge54", *row))) for row in rows]
    file.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return file


def test_comparisons_as_they_stand(tmp_path: Path) -> None:
    file = written(tmp_path, (named("A"), 2, named("G"), 3, 1615), (named("A"), 2, named("C"), 2, 1615))
    table = read_pairwise(file)
    assert table.testsets() == ["newstest2016"]
    columns = ["pair", "segment", "system", "other", "value", "judge", "item", "line"]
    assert table.frame.select(columns).rows() == [
        ("en-tr", 540, "A.0", "G.0", 1.0, "judge54", 1615, 2),
        ("en-tr", 540, "A.0", "C.0", 0.0, "judge54", 1615, 3),
    ]


# WMT16 expanded a ranking of B, C and {D, E} to all pairs of B, C, D and E, the last two tied.
COLLAPSED = [
    (named("B"), 5, named("C"), 1, 7),
    (named("B"), 5, named("D", "E"), 2, 7),
    (named("C"), 1, named("D", "E"), 2, 7),
]


def test_systems_judged_as_one_are_expanded_as_wmt_did(tmp_path: Path) -> None:
    table = read_pairwise(written(tmp_path, *COLLAPSED))
    assert sorted(table.frame.select("system", "other", "value").rows()) == [
        ("B.0", "C.0", -1.0),
        ("B.0", "D.0", -1.0),
        ("B.0", "E.0", -1.0),
        ("C.0", "D.0", 1.0),
        ("C.0", "E.0", 1.0),
        ("D.0", "E.0", 0.0),
    ]
    assert table.rankings() == 1


def test_or_kept_as_one(tmp_path: Path) -> None:
    table = read_pairwise(written(tmp_path, *COLLAPSED), collapsed="keep")
    assert table.frame["other"].to_list() == ["C.0", "D.0+E.0", "D.0+E.0"]
    with pytest.raises(OptionError, match="collapsed='no'"):
        read_pairwise(tmp_path / "pairwise.csv", collapsed="no")  # type: ignore[arg-type]


def test_ties_within_come_once_in_every_ranking(tmp_path: Path) -> None:
    other = [(*row[:-1], 8) for row in COLLAPSED]
    assert len(read_pairwise(written(tmp_path, *COLLAPSED, *other))) == 12


def test_files_without_the_number_of_the_ranking(tmp_path: Path) -> None:
    rows = [row[:-1] for row in COLLAPSED[1:]]
    table = read_pairwise(written(tmp_path, *rows, header=HEADER.removesuffix(",rankingID")))
    assert table.frame["item"].null_count() == len(table) == 6


def test_bad_ranks_and_left_out_ones(tmp_path: Path) -> None:
    file = written(tmp_path, (named("A"), -1, named("G"), 3, 1), (named("A"), 1, named("G"), 3, 1))
    assert read_pairwise(file).frame["line"].to_list() == [3]
    file = written(tmp_path, (named("A"), 1, named("G"), 9, 1))
    with pytest.raises(InputError, match=r":2: system2rank 9 is not a rank"):
        read_pairwise(file)


def test_only_a_header(tmp_path: Path) -> None:
    assert len(read_pairwise(written(tmp_path))) == 0


rows = st.lists(
    st.tuples(st.integers(0, 3000), st.permutations(["A", "b.1", "ж", "x,y", '"']), st.sampled_from([-1.0, 0.0, 1.0])),
    min_size=1,
    max_size=10,
)


@given(rows, st.booleans(), st.booleans())
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, list[str], float]], items: bool, testset: bool
) -> None:
    frame = pl.DataFrame(
        {
            "segment": [row[0] for row in rows],
            "system": [row[1][0] for row in rows],
            "other": [row[1][1] for row in rows],
            "value": [row[2] for row in rows],
        }
    ).with_columns(
        pair=pl.lit("de-en"),
        judge=pl.lit("j"),
        testset=pl.lit("newstest2015" if testset else None, pl.String),
        item=pl.int_range(pl.len()) if items else pl.lit(None, pl.Int64),
    )
    table = Judgments.make("comparison", frame)
    file = tmp_path_factory.getbasetemp() / "pairs-there-and-back.csv"
    write_pairwise(table, file)
    assert read_pairwise(file).without_place() == table
