"""Running text in four forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.errors import InputError
from tercet.language.running_text import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's plain, isn't it?\n\nYes.\n", [["it", "'s", "plain", ",", "is", "n't", "it", "?"], ["yes", "."]]),
        ("\tThe/at Jury/nn-tl said/vbd ./.\n\n\tNo/rb\n", [["the", "jury", "said", "."], ["no"]]),
        ("Rockwell NNP B-NP\nsaid VBD B-VP\n\nYes UH O\n", [["rockwell", "said"], ["yes"]]),
        (
            "( (S (NP-SBJ (NNP Pierre) (-NONE- *T*-1)) (-LRB- -LRB-) (. .)) )\n(S (UH Yes))\n",
            [["pierre", "(", "."], ["yes"]],
        ),
    ],
)
def test_forms(tmp_path: Path, text: str, expected: list[list[str]]) -> None:
    (tmp_path / "README").write_text("about it")
    (tmp_path / "text").write_text(text)
    assert list(sentences(tmp_path)) == expected


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no files of text"):
        list(sentences(tmp_path))
