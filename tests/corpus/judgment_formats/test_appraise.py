"""Appraise exports: rankings in XML."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tercet.corpus.judgment_formats.appraise import read_appraise
from tercet.errors import InputError

EXPORT = """<?xml version="1.0" encoding="UTF-8"?>
<wmt16-results>
<HIT hit-id="3287" source-language="deu" block-id="-1" target-language="eng">
<ranking-task id="12">
  <ranking-result duration="00:00:35.337000" user="anna">
    <translation system="newstest2015.online-E.0.de-en.txt" rank="3" />
    <translation system="newstest2015.KIT.4017.de-en.txt,newstest2015.Illinois.4085.de-en.txt" rank="2" />
    <translation system="ref" rank="1" />
    <translation system="newstest2015.online-B.0.de-en.txt" rank="-1" />
  </ranking-result>
</ranking-task>
<ranking-task id="13">
  <ranking-result duration="00:00:01" user="anna" skipped="true" />
</ranking-task>
<ranking-task id="14">
  <ranking-result duration="00:00:09" user="bert">
    <translation system="newstest2015.online-E.0.de-en.txt" rank="1" />
    <translation system="newstest2015.online-B.0.de-en.txt" rank="1" />
  </ranking-result>
</ranking-task>
</HIT>
</wmt16-results>
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "export.xml"
    file.write_text(text, encoding="utf-8")
    return file


def test_rankings_of_an_export(tmp_path: Path) -> None:
    table = read_appraise(written(tmp_path, EXPORT))
    columns = ["testset", "pair", "segment", "system", "other", "value", "judge", "item", "line"]
    first = ("newstest2015", "de-en", 11)
    assert table.frame.select(columns).rows() == [
        (*first, "online-E.0", "KIT.4017", -1.0, "anna", 0, 5),
        (*first, "online-E.0", "Illinois.4085", -1.0, "anna", 0, 5),
        (*first, "online-E.0", "_ref", -1.0, "anna", 0, 5),
        (*first, "KIT.4017", "Illinois.4085", 0.0, "anna", 0, 5),
        (*first, "KIT.4017", "_ref", -1.0, "anna", 0, 5),
        (*first, "Illinois.4085", "_ref", -1.0, "anna", 0, 5),
        ("newstest2015", "de-en", 13, "online-E.0", "online-B.0", 0.0, "bert", 2, 16),
    ]


def test_systems_kept_as_one(tmp_path: Path) -> None:
    table = read_appraise(written(tmp_path, EXPORT), collapsed="keep")
    assert "KIT.4017+Illinois.4085" in table.systems()
    assert len(table) == 4


def test_results_that_carry_the_segment_themselves(tmp_path: Path) -> None:
    text = EXPORT.replace('<ranking-task id="14">', "").replace('duration="00:00:09"', 'id="20"')
    text = text.replace("</ranking-result>\n</ranking-task>\n</HIT>", "</ranking-result>\n</HIT>")
    assert read_appraise(written(tmp_path, text)).frame["segment"][-1] == 19


def test_packed_exports(tmp_path: Path) -> None:
    (tmp_path / "wmt16.xml.gz").write_bytes(gzip.compress(EXPORT.encode()))
    assert read_appraise(tmp_path / "wmt16.xml.gz").without_place() == (
        read_appraise(written(tmp_path, EXPORT)).without_place()
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('rank="3"', 'rank="7"', ":6: 7 is not a rank"),
        ('rank="3"', 'rank="best"', ":6: a translation without a system and a rank"),
        ('rank="3"', "", ":6: a translation without a system and a rank"),
        ("deu", "elvish", ":3: a HIT without source-language"),
        ('id="12"', 'id="0"', ":10: segment 0 where the first is 1; if the export counts from 0, say first_segment=0"),
        ('id="12"', 'id="twelve"', ":10: 'twelve' is not the number of a segment"),
        ("</HIT>", "", ":22: this is not well-formed XML (mismatched tag)"),
        ("<wmt16-results>", "<!DOCTYPE x []><wmt16-results>", ":2: a document type declaration"),
    ],
)
def test_what_is_no_export(tmp_path: Path, old: str, new: str, problem: str) -> None:
    file = written(tmp_path, EXPORT.replace(old, new))
    with pytest.raises(InputError) as error:
        read_appraise(file)
    assert str(error.value).startswith(f"{file}{problem}")


def test_the_first_segment_can_be_said(tmp_path: Path) -> None:
    file = written(tmp_path, EXPORT.replace('id="12"', 'id="0"'))
    assert read_appraise(file, first_segment=0).frame["segment"][0] == 0


def test_repeated_rankings(tmp_path: Path) -> None:
    start, end = EXPORT.index("<HIT"), EXPORT.index("</wmt16-results>")
    file = written(tmp_path, EXPORT[:end] + EXPORT[start:end] + EXPORT[end:])
    assert read_appraise(file).rankings() == 4
    assert read_appraise(file, duplicates="skip").rankings() == 2
    with pytest.raises(InputError, match=r":24: judge 'anna' judges again what stands on line 5"):
        read_appraise(file, duplicates="error")
