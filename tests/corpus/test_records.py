"""JSON lines and Parquet: the same fields, long and wide, and every way to get them wrong."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.corpus import Corpus, read
from tercet.corpus.fields import Record
from tercet.corpus.part import Part
from tercet.corpus.records import read_records
from tests.corpus.conftest import Write, complaint

WIDE = [
    {"id": "a", "src": "s1", "references": ["r1", "q1"], "systems": {"A": "a1", "B": "b1"}, "extra": 1},
    {"id": "b", "src": "s2", "references": ["r2"], "systems": {"A": "a2", "B": ""}, "extra": None},
]
LONG = [
    {"segment": 1, "system": "A", "hypothesis": "a1", "reference": "r1", "source": "s1"},
    {"segment": 2, "system": "A", "hypothesis": "a2", "reference": "r2", "source": "s2"},
    {"segment": 2, "system": "B", "hypothesis": "b2", "reference": "r2", "source": None},
    {"segment": 1, "system": "B", "hypothesis": "b1", "reference": None, "source": "s1"},
]
COMET = [{"src": "s1", "mt": "m1", "ref": "r1"}, {"src": "s2", "mt": "", "ref": "r2"}]


def jsonl(rows: list[dict]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def everything(corpus: Corpus) -> dict[str, object]:
    return {
        "references": list(corpus.references),
        "systems": {name: list(texts) for name, texts in corpus.systems.items()},
        "sources": None if corpus.sources is None else list(corpus.sources),
        "ids": None if corpus.ids is None else list(corpus.ids),
    }


def both(tmp_path: Path, rows: list[dict], name: str = "data") -> list[Corpus]:
    """The corpus from JSON lines and from Parquet."""
    (tmp_path / f"{name}.jsonl").write_text(jsonl(rows), encoding="utf-8")
    pl.DataFrame(rows).write_parquet(tmp_path / f"{name}.parquet")
    return [read([tmp_path / f"{name}.{ending}"]) for ending in ("jsonl", "parquet")]


def test_wide(tmp_path: Path) -> None:
    for corpus in both(tmp_path, WIDE):
        assert everything(corpus) == {
            "references": [("r1", "q1"), ("r2",)],
            "systems": {"A": ["a1", "a2"], "B": ["b1", ""]},
            "sources": ["s1", "s2"],
            "ids": ["a", "b"],
        }


def test_long(tmp_path: Path) -> None:
    for corpus in both(tmp_path, LONG):
        assert everything(corpus) == {
            "references": [("r1",), ("r2",)],
            "systems": {"A": ["a1", "a2"], "B": ["b1", "b2"]},
            "sources": ["s1", "s2"],
            "ids": ["1", "2"],
        }


def test_one_system_is_called_after_its_file(tmp_path: Path) -> None:
    for corpus in both(tmp_path, COMET, "system-1.2"):
        assert everything(corpus) == {
            "references": [("r1",), ("r2",)],
            "systems": {"system-1.2": ["m1", ""]},
            "sources": ["s1", "s2"],
            "ids": None,
        }


def test_systems_in_columns_of_their_own(tmp_path: Path) -> None:
    rows = [{"ref": "r1", "systems.A": "a", "systems.B.2": "b"}]
    for corpus in both(tmp_path, rows):
        assert everything(corpus)["systems"] == {"A": ["a"], "B.2": ["b"]}


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    pl.DataFrame(COMET).write_parquet(tmp_path / "table")
    assert everything(read([tmp_path / "table"]))["systems"] == {"table": ["m1", ""]}


def test_parquet_rows_in_several_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tercet.corpus.parquet._ROWS", 3)
    rows = [{"id": i, "mt": f"m{i}", "ref": f"r{i}"} for i in range(10)]
    pl.DataFrame(rows).write_parquet(tmp_path / "t.parquet", row_group_size=4)
    corpus = read([tmp_path / "t.parquet"])
    assert list(corpus.ids or ()) == [str(i) for i in range(10)]
    pl.DataFrame([*rows, {"id": 4, "mt": "m", "ref": "r"}]).write_parquet(tmp_path / "t.parquet")
    assert "t.parquet:11: segment 4 is in line 5 already" in complaint(lambda: read([tmp_path / "t.parquet"]))


def test_several_files_with_the_same_references(write: Write) -> None:
    first = write("A.jsonl", jsonl(COMET))
    second = write("B.jsonl", jsonl([{**row, "mt": "other"} for row in COMET]))
    corpus = read([first, second])
    assert everything(corpus)["systems"] == {"A": ["m1", ""], "B": ["other", "other"]}
    assert list(corpus.references) == [("r1",), ("r2",)]
    third = write("C.jsonl", jsonl([COMET[0], {**COMET[1], "ref": "different"}]))
    assert complaint(lambda: read([first, third])) == (
        "C.jsonl: the references of segment 2 differ from those in A.jsonl; give references in a file of their own"
    )
    assert complaint(lambda: read([first, write("D.jsonl", jsonl(COMET[:1]))])) == (
        "D.jsonl has references for 1 segments but A.jsonl for 2; all files must hold the same segments"
    )
    plain = write("ref.txt", "x\ny\n")
    assert list(read([first, third], [plain]).references) == [("x",), ("y",)]  # a file of their own goes before


def test_segments_are_matched_by_their_ids(write: Write) -> None:
    references = write("ref.jsonl", jsonl([{"id": 1, "ref": "r1"}, {"id": 2, "ref": ["r2", "q2"]}]))
    systems = write("A.jsonl", jsonl([{"id": 2, "mt": "a2"}, {"id": 1, "mt": "a1"}]))
    corpus = read([systems], [references])
    assert everything(corpus)["systems"] == {"A": ["a1", "a2"]}
    assert list(corpus.references) == [("r1",), ("r2", "q2")]
    corpus = read(
        [references.replace("ref", "A")], [references, write("more.txt", "x\n\n")], empty_references="missing"
    )
    assert list(corpus.references) == [("r1", "x"), ("r2", "q2")]


def test_empty_lines_and_newlines_within_a_text(write: Write) -> None:
    corpus = read([write("A.jsonl", '\n{"mt": "a\\nb \\u2028 ", "ref": "é"}\n\n')])
    assert everything(corpus)["systems"] == {"A": ["a\nb"]}


text = st.text(st.characters(exclude_categories=["Cs"])).map(str.rstrip)


@given(st.lists(st.tuples(text, text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=8), st.randoms())
def test_long_and_wide_say_the_same(rows: list[tuple[str, str, list[str]]], random) -> None:
    wide: list[Record] = [
        (i, {"id": i, "refs": 0, "references": r, "systems": {"A": a, "B": b}}) for i, (a, b, r) in enumerate(rows)
    ]
    long: list[Record] = [
        (i, {"id": i, "system": name, "mt": text, "references": r})
        for i, (a, b, r) in enumerate(rows)
        for name, text in (("A", a), ("B", b))
    ]
    random.shuffle(long)
    long = [(line, fields) for line, (_, fields) in enumerate(long, start=1)]
    first = read_records(wide, file="wide", name="")
    second = read_records(long, file="long", name="").in_order(first.ids or (), of="wide")

    def shown(part: Part) -> object:
        return {n: list(t) for n, t in part.systems.items()}, list(part.references or ())

    assert shown(first) == shown(second)
    assert shown(first)[0]["A"] == [a for a, _, _ in rows]  # type: ignore[index]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "A.jsonl: the file is empty; give a file with at least one segment"),
        ("\n\n", "A.jsonl: holds no records; see docs/formats.md for the fields"),
        ('[{"mt": "a"}]', "A.jsonl: is a JSON array; write one object a line, for instance with jq -c '.[]'"),
        ('{"mt": "a"}\n{"mt": }', "A.jsonl:2: not JSON (Expecting value, column 8); write one object a line"),
        ('{"mt": "a"} {"mt": "b"}', "A.jsonl:1: not JSON (Extra data, column 13); write one object a line"),
        ('"text"', "A.jsonl:1: not a JSON object; write one object a line"),
        ('{"mt": "a", "mt": "b"}', "A.jsonl:1: has 'mt' twice; keep one of them"),
        ('{"systems": {"A": "a", "A": "b"}}', "A.jsonl:1: has 'A' twice; keep one of them"),
        ('{"systems": {"A": "a"}, "systems.A": "b"}', "A.jsonl:1: system 'A' is given twice; keep one of them"),
        ('{"mt": "a", "hypothesis": "b"}', "A.jsonl:1: has both 'hypothesis' and 'mt'; keep one of them"),
        ('{"ref": "a", "reference": "b"}', "A.jsonl:1: has both 'reference' and 'ref'; keep one of them"),
        ('{"mt": "a", "systems": {"A": "a"}}', "A.jsonl:1: has 'systems' beside a system of its own; keep one of them"),
        ('{"mt": 1}', "A.jsonl:1: 'mt' is a number, not text; see docs/formats.md for the fields"),
        ('{"mt": ["a"]}', "A.jsonl:1: 'mt' is a list, not text; see docs/formats.md for the fields"),
        ('{"ref": ["a", null]}', "A.jsonl:1: 'ref' is null, not text; see docs/formats.md for the fields"),
        ('{"ref": {"a": "b"}}', "A.jsonl:1: 'ref' is an object, not text; see docs/formats.md for the fields"),
        ('{"systems": ["a"]}', "A.jsonl:1: 'systems' is a list, not texts by name; see docs/formats.md for the fields"),
        ('{"systems": {"A": null}}', "A.jsonl:1: 'systems.A' is null, not text; see docs/formats.md for the fields"),
        ('{"mt": "a", "id": 1.5}', "A.jsonl:1: 'id' is a number, not text or a whole number; see docs"),
        ('{"mt": "a", "id": true}', "A.jsonl:1: 'id' is true or false, not text or a whole number; see docs"),
        ('{"mt": "\\ud800"}', "A.jsonl:1: 'mt' holds half of a surrogate pair; write both halves"),
        (
            '{"mt": "a", "ref": "r"}\n{"mt": "b"}',
            "A.jsonl:2: lacks a reference, which line 1 has; see docs/formats.md for the fields",
        ),
        (
            '{"mt": "a", "ref": "r"}\n{"mt": "b", "ref": []}',
            "A.jsonl:2: lacks a reference, which line 1 has; see docs/formats.md for the fields",
        ),
        (
            '{"mt": "a"}\n{"mt": "b", "src": "s"}',
            "A.jsonl:2: has a source, which line 1 lacks; see docs/formats.md for the fields",
        ),
        (
            '{"systems": {"A": "a", "B": "b"}}\n{"systems": {"A": "a"}}',
            "A.jsonl:2: lacks system 'B', which line 1 has; see docs/formats.md for the fields",
        ),
        (
            '{"mt": "a"}\n{"mt": "a", "system": "A"}',
            "A.jsonl:2: has a system, which line 1 lacks; see docs/formats.md for the fields",
        ),
        (
            '{"mt": "a", "id": 1}\n{"mt": "a", "id": "1"}',
            "A.jsonl:2: segment 1 is in line 1 already; give every segment its own id, or every record its 'system'",
        ),
        (
            '{"system": "A", "mt": "a"}',
            "A.jsonl:1: needs 'system', 'segment' and 'hypothesis', as its records name systems; see docs",
        ),
        (
            '{"system": "A", "id": 1, "mt": "a"}\n{"system": "A", "id": 1, "mt": "a"}',
            "A.jsonl: system 'A' has segment 1 twice; give each system each segment once",
        ),
        (
            '{"system": "A", "id": 1, "mt": "a"}\n{"system": "B", "id": 2, "mt": "a"}',
            "A.jsonl: system 'A' lacks segment 2; give each system each segment once",
        ),
        (
            '{"system": "A", "id": 1, "mt": "a", "ref": "r"}\n{"system": "B", "id": 1, "mt": "a", "ref": "q"}',
            "A.jsonl:2: segment 1 has other references than in an earlier record; give it the same",
        ),
        (
            '{"system": "A", "id": 1, "mt": "a", "ref": "r"}\n{"system": "A", "id": 2, "mt": "a"}',
            "A.jsonl: segment 2 has no reference; give it in one of its records",
        ),
        ('{"mt": "a"}', "there are no references; give a file of references"),
        ('{"ref": "a"}', "A.jsonl: holds references but no systems"),
        ('{"other": "a"}', "A.jsonl: holds no systems"),
    ],
)
def test_what_is_refused(write: Write, lines: str, message: str) -> None:
    write("A.jsonl", lines)
    assert complaint(lambda: read(["A.jsonl"])).startswith(message)


def test_json_that_is_nested_too_deeply(write: Write) -> None:
    write("A.jsonl", '{"mt": ' + "[" * 100_000)
    assert complaint(lambda: read(["A.jsonl"])).startswith("A.jsonl:1: not JSON (")


def test_broken_parquet(write: Write) -> None:
    write("A.parquet", b"PAR1 and no more")
    assert complaint(lambda: read(["A.parquet"])).startswith("A.parquet: not a Parquet table (")
    write("B.parquet", b"")
    assert complaint(lambda: read(["B.parquet"])).startswith("B.parquet: the file is empty; ")


def test_parquet_without_known_columns_or_with_nulls(tmp_path: Path) -> None:
    path = tmp_path / "A.parquet"
    pl.DataFrame({"text": ["a"]}).write_parquet(path)
    assert complaint(lambda: read([path])) == f"{path}: holds no records; see docs/formats.md for the fields"
    pl.DataFrame({"mt": ["a", None], "ref": ["r", "r"]}).write_parquet(path)
    assert complaint(lambda: read([path])).startswith(f"{path}:2: lacks a hypothesis, which line 1 has; ")
    pl.DataFrame({"mt": [1.5], "ref": ["r"]}).write_parquet(path)
    assert complaint(lambda: read([path])).startswith(f"{path}:1: 'mt' is a number, not text; ")
