"""Scores computed elsewhere: three forms, and every way in which a file can be wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from tercet.corpus.scores import Scores, read_scores, write_scores
from tercet.errors import InputError, OptionError


def written(folder: Path, text: str, name: str = "X-refA.seg.score") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_blocks_of_a_system_each(tmp_path: Path) -> None:
    scores = read_scores(written(tmp_path, "A\t1\nA\t2.5\n\nB\t-3e-2\nB 4\n"), systems=["B", "A"], segments=2)
    assert (scores.name, scores.level, scores.systems) == ("X-refA", "segment", ["A", "B"])
    np.testing.assert_array_equal(scores.matrix(["B", "A"]), [[-0.03, 4], [1, 2.5]])


def test_lines_of_systems_may_alternate(tmp_path: Path) -> None:
    scores = read_scores(written(tmp_path, "A 1\nB 2\nA 3\nB 4\n"))
    np.testing.assert_array_equal(scores.matrix(["A", "B"]), [[1, 3], [2, 4]])


def test_one_score_for_a_whole_system(tmp_path: Path) -> None:
    file = written(tmp_path, "A\t1\nB\t2\n", "BLEU.sys.score")
    assert read_scores(file, segments=9).level == read_scores(file).level == "system"
    assert read_scores(file, segments=1).level == "segment"


def test_one_number_a_line(tmp_path: Path) -> None:
    file = written(tmp_path, "0.25\n1\n", "mine.txt")
    scores = read_scores(file, system="A", segments=2)
    assert (scores.name, scores.level) == ("mine", "segment")
    np.testing.assert_array_equal(scores.values["A"], [0.25, 1])
    with pytest.raises(InputError, match="does not say which system"):
        read_scores(file)


def test_json_lines_in_any_order(tmp_path: Path) -> None:
    lines = ['{"system": "A", "segment": 1, "score": 2, "note": "x"}', '{"system": "B", "segment": 0, "score": 3.5}']
    lines += ['{"system": "A", "segment": 0, "score": 1}', '{"system": "B", "segment": 1, "score": -1}']
    scores = read_scores(written(tmp_path, "\n".join(lines)), systems=["A", "B"], segments=2)
    np.testing.assert_array_equal(scores.matrix(["A", "B"]), [[1, 2], [3.5, -1]])


def test_json_lines_without_segments_are_in_order(tmp_path: Path) -> None:
    scores = read_scores(written(tmp_path, '{"score": 2}\n{"score": 1}\n'), system="A")
    np.testing.assert_array_equal(scores.values["A"], [2, 1])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A\t1\nA\tnan\n", ":2: score 'nan' is not a finite number"),
        ("A\t1\nA\tinf\n", ":2: score 'inf' is not a finite number"),
        ("A\t1\nA\tNone\n", ":2: score 'None' is not a finite number"),
        ("A\t1\nA\t2\nB\t1\nB\t2\nB\t3\n", ":5: system 'B' has 3 scores where there are 2 segments"),
        ("A\t1\nA\t2\nB\t1\n", ":3: system 'B' has 1 scores where there are 2 segments"),
        ("A\t1\nA\t2\n", ": no scores for B"),
        ("A\t1\nA\n", ":2: 1 columns where the rows above have 2"),
        ("en-de A 1\nen-de A 2\n", ":1: 3 columns are not scores"),
        ("", ": the file is empty"),
        ('{"system": "A", "score": NaN}', ":1: score nan is not a finite number"),
        ('{"system": "A", "score": true}', ":1: score True is not a finite number"),
        ('{"system": "A", "score": "1"}', ":1: score '1' is not a finite number"),
        ('{"score": 1}', ':1: no "system" to say'),
        ('{"system": "A", "score": 1}\n{"system": "A"', ':2: not an object with a "score"'),
        ('{"system": "A"}', ':1: not an object with a "score"'),
        ('{"system": "A", "segment": -1, "score": 1}', ":1: segment -1 is not a whole number"),
        ('{"system": "A", "segment": 0, "score": 1}\n{"system": "A", "score": 1}', ":2: no segment here"),
        (
            '{"system": "A", "segment": 0, "score": 1}\n{"system": "A", "segment": 0, "score": 1}',
            ":2: system 'A' has segment 0 twice",
        ),
        ('{"system": "A", "segment": 1, "score": 1}', ":1: system 'A' has no segment 0 before 1"),
    ],
)
def test_what_is_no_file_of_scores(tmp_path: Path, text: str, problem: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_scores(file, systems=["A", "B"], segments=2)
    assert str(error.value).startswith(f"{file}{problem}")


def test_unequal_blocks_where_nothing_is_asked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":5: system 'B' has 3 scores where 'A' has 2 scores"):
        read_scores(written(tmp_path, "A 1\nA 2\nB 1\nB 2\nB 3\n"))


def test_there_and_back(tmp_path: Path) -> None:
    values = {"A": np.array([0.1, 1 / 3, -1e-300]), "B": np.array([1e22, 0.0, 2.0])}
    write_scores(Scores("m", "segment", values), tmp_path / "m.seg.score")
    back = read_scores(tmp_path / "m.seg.score", systems=values, segments=3)
    assert (back.name, back.level) == ("m", "segment")
    np.testing.assert_array_equal(back.matrix(["A", "B"]), np.stack([values["A"], values["B"]]))
    assert [file.name for file in tmp_path.iterdir()] == ["m.seg.score"]


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    (tmp_path / "m.seg.score.gz").write_bytes(gzip.compress(b"A 1\nA 2\n"))
    assert read_scores(tmp_path / "m.seg.score.gz").name == "m"
    (tmp_path / "bad.gz").write_bytes(b"A 1\n")
    with pytest.raises(InputError, match="is not packed"):
        read_scores(tmp_path / "bad.gz")


def test_names_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="'a b' has white space"):
        write_scores(Scores("m", "system", {"a b": np.array([1.0])}), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OptionError, match="m has no scores for C"):
        Scores("m", "system", {"A": np.array([1.0])}).matrix(["A", "C"])
