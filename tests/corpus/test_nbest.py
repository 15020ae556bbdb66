"""Readers of n-best lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.corpus.nbest import read_nbest
from tercet.errors import TercetError


def written(folder: Path, text: str) -> Path:
    file = folder / "list.txt"
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "number", "lists"),
    [
        ("a\nb\nc\nd\n", 2, [("a", "b"), ("c", "d")]),
        ("0 ||| a b ||| f= 1 ||| -2.5\n0 ||| c\n1 |||  ||| x\n", None, [("a b", "c"), ("",)]),
        ('{"hypotheses": ["a", ""]}\n\n{"id": 7, "hypotheses": ["é"]}\n', None, [("a", ""), ("é",)]),
        ("0 ||| not moses\n1 ||| by wish\n", 1, [("0 ||| not moses",), ("1 ||| by wish",)]),
    ],
)
def test_lists(tmp_path: Path, text: str, number: int | None, lists: list[tuple[str, ...]]) -> None:
    assert list(read_nbest(written(tmp_path, text), number=number).segments) == lists


@pytest.mark.parametrize(
    ("text", "number", "problem"),
    [
        ("a\nb\nc\n", 2, "has 3 lines, which is no multiple of 2; check -n"),
        ("a\nb\n", None, "a plain list needs the number of translations of each segment; give -n N"),
        ("0 ||| a\n2 ||| b\n", None, "list.txt:2: segment 2 where 0 or 1 was meant"),
        ("1 ||| a\n", None, "list.txt:1: segment 1 where 0 or 0 was meant"),
        ("0 ||| a\nb\n", None, "list.txt:2: not a line of an n-best list; write segment ||| translation"),
        ('{"hypotheses": []}\n', None, "list.txt:1: hypotheses is not a list of texts"),
        ('{"hypotheses": ["a", 1]}\n', None, "list.txt:1: hypotheses is not a list of texts"),
        ('{"texts": ["a"]}\n', None, "list.txt:1: not a JSON object with hypotheses"),
        ("9" * 5000 + " ||| a\n", None, "a plain list needs the number"),
        ("0 ||| a\n" + "9" * 5000 + " ||| b\n", None, "list.txt:2: not a line of an n-best list"),
        ('{"hypotheses"\n', None, "list.txt:1: not a JSON object with hypotheses"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, number: int | None, problem: str) -> None:
    with pytest.raises(TercetError) as caught:
        read_nbest(written(tmp_path, text), number=number)
    assert problem in str(caught.value)


def test_a_file_of_empty_lines(tmp_path: Path) -> None:
    with pytest.raises(TercetError, match="holds no lists, only empty lines"):
        read_nbest(written(tmp_path, "\n\n"), form="jsonl")


def test_a_number_for_lists_that_are_not_plain(tmp_path: Path) -> None:
    with pytest.raises(TercetError, match="the number of translations is for plain files, and this one is moses"):
        read_nbest(written(tmp_path, "0 ||| a\n"), form="moses", number=3)
