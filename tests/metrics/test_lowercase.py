"""Lower case is the kernels' own for ASCII and Python's for the rest: always what str.lower() gives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import _native

# Letters whose lower case is longer, shorter, depends on its place (final sigma), or has none; a lone surrogate
_LETTERS = st.sampled_from(["A", "z", "Z", "@", "[", " ", "İ", "ẞ", "Σ", "Ω", "Å", "Ǆ", "字", "\ud800"])
_TEXTS = st.text(_LETTERS | st.characters(), max_size=40)


@given(_TEXTS, st.lists(_TEXTS, min_size=1, max_size=3))
def test_lower_case_is_that_of_str(hypothesis: str, references: list[str]) -> None:
    lower = ([hypothesis.lower()], [tuple(text.lower() for text in references)])
    given_ = ([hypothesis], [tuple(references)])
    assert np.array_equal(_native.ter(*given_, lowercase=True), _native.ter(*lower))
    bleu = partial(_native.bleu, tokenizer="none", order=2)
    assert np.array_equal(bleu(*given_, lowercase=True), bleu(*lower))


@pytest.mark.parametrize("length", [0, 1, 65_535, 65_536, 65_537, 1_000_000])
def test_lower_case_of_long_texts(length: int) -> None:
    shout = "A B" * (length // 3) + "A" * (length % 3)
    edits = _native.wer([shout, "X y", shout], [(shout.lower(),), ("x Y",), (shout,)], tokenizer="none", lowercase=True)
    assert edits[:, 0].tolist() == [0, 0, 0]
