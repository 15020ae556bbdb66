"""Texts to try kernels on: real scripts, odd characters, and small vocabularies in which things repeat."""

from __future__ import annotations

from hypothesis import strategies as st

# Characters at which tokenizers and metrics decide something, in several scripts, with what breaks naive code:
# combining marks, white space that is not a blank, astral characters, lone surrogates.
_TELLING = "aAbéßİ.,-'\"&<>;:!?()%$€+/0123  \t\n\r\x1c\x85\xa0\u2028\u3000​́中文字、。アイกखا𝒳🙂\ud800\udfff“”…—"

characters = st.one_of(st.sampled_from(_TELLING), st.characters())

texts = st.text(characters, max_size=60)
"""Any string that Python can hold."""

words = st.sampled_from(["the", "cat", "sat", "on", "mat", "The", "cats", ".", ",", "0", "1.5", "a-b", "été", "猫"])


def sentences(max_size: int = 30) -> st.SearchStrategy[str]:
    """Sentences over few words, so that n-grams match and repeat."""
    return st.lists(words, max_size=max_size).map(" ".join)


any_text = st.one_of(sentences(), texts)

reference_sets = st.lists(any_text, min_size=1, max_size=3).map(tuple)
"""One to three references of a segment."""

corpora = st.lists(st.tuples(any_text, reference_sets), min_size=1, max_size=6)
"""Segments: a hypothesis and its references."""
