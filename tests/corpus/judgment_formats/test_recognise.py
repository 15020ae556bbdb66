"""Formats known by what they look like."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tercet.corpus.judgment_formats import FORMATS, read_judgments, recognise
from tercet.errors import InputError, OptionError

from . import test_appraise, test_direct_assessment, test_mqm, test_pairwise, test_rankings

FILES = {
    "rankings": test_rankings.HEADER + "\n" + test_rankings.line(list("ABCDE"), [1, 2, 3, 4, 5]) + "\n",
    "pairwise": test_pairwise.HEADER + "\neng,tur,1,1,j,A,1,B,2,1\n",
    "appraise": test_appraise.EXPORT,
    "da": test_direct_assessment.SEGMENTS,
    "darr": test_direct_assessment.DARR,
    "mqm": test_mqm.HEADER + "\n" + test_mqm.ROWS[0] + "\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_files(tmp_path: Path, name: str, packed: bool) -> None:
    file = tmp_path / ("mqm_x_ende" + ".gz" * packed)
    raw = ("\ufeff\n" * (name != "appraise") + FILES[name]).encode()
    file.write_bytes(gzip.compress(raw) if packed else raw)
    assert recognise(file) == name
    assert read_judgments(file) == read_judgments(file, name)
    assert len(read_judgments(file)) > 0


def test_folders(tmp_path: Path) -> None:
    test_direct_assessment.parallel(tmp_path)
    assert recognise(tmp_path) == "da-lines"
    assert len(read_judgments(tmp_path)) == 2
    (tmp_path / "human-scores").mkdir()
    (tmp_path / "system-outputs").mkdir()
    assert recognise(tmp_path) == "evalset"


def test_what_nobody_knows_is_told_the_formats(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    for text in (" \n", "a b c\n1 2 3\n", "system,score\n"):
        file.write_text(text)
        with pytest.raises(InputError) as error:
            read_judgments(file)
        assert all(f"{name}: {known.summary}" in str(error.value) for name, known in FORMATS.items())
        assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="no format of judgments"):
        read_judgments(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_judgments(tmp_path / "nothing")


def test_options_go_to_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(FILES["da"])
    assert len(read_judgments(file, joined="expand")) == 4
    with pytest.raises(OptionError, match="the format da has no option 'collapsed'; it has joined, duplicates, first"):
        read_judgments(file, collapsed="keep")
    with pytest.raises(OptionError, match="no format 'csv' of judgments; there are rankings, pairwise"):
        read_judgments(file, format="csv")
