"""Penn tokens of raw English, where they stand, and where sentences end."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given

from tercet.language.english import given as given_tokens
from tercet.language.english import tokens
from tests import strategies


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \t\n", ""),
        ("He didn't see John's dog.", "He did n't see John 's dog ."),
        ("He didn’t, we’ve, I'm, they'll", "He did n’t , we ’ve , I 'm , they 'll"),
        ("I cannot; I'm gonna go", "I can not ; I 'm gon na go"),
        (
            "Mr. Smith of Acme Inc. paid $5,000.50 (3.5%) on Jan. 3.",
            "Mr. Smith of Acme Inc. paid $ 5,000.50 ( 3.5 % ) on Jan. 3 .",
        ),
        ("The U.S. and the E.U., i.e. both", "The U.S. and the E.U. , i.e. both"),
        (
            "a well-known and/or state-of-the-art thing -- really",
            "a well-known and/or state-of-the-art thing -- really",
        ),
        ("Wait... What?! No.", "Wait ... What ?! No ."),
        ('"Why?" he asked', '" Why ? " he asked'),
        ("the boys' toys", "the boys ' toys"),
        ("John F. Kennedy met I. We left", "John F. Kennedy met I . We left"),
        ("see http://a.org/b?c=1 or me@x.org now", "see http://a.org/b?c=1 or me@x.org now"),
        ("at 10:30 on 3/4/2012, 20-30 people", "at 10:30 on 3/4/2012 , 20-30 people"),
        ("the '80s, US$5 for U.S.-based firms", "the '80s , US$ 5 for U.S.-based firms"),
        ("is n't he 's here", "is n't he 's here"),
        ("end.The next", "end . The next"),
        ("a\x00b\x07c", "a b c"),
        ("猫が好き。 naïve Ünïcode", "猫が好き 。 naïve Ünïcode"),
    ],
)
def test_penn_tokens(text, expected):
    assert " ".join(tokens(text).forms) == expected


@given(strategies.any_text)
def test_offsets_point_at_the_tokens_and_nothing_is_lost(text):
    found = tokens(text)
    assert [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)] == list(found.forms)
    assert all(end <= start for end, start in zip(found.ends, found.starts[1:], strict=False))
    assert all(form for form in found.forms)
    left_out = set("".join("".join(found.forms))) ^ set(text)
    assert all(c.isspace() or ord(c) < 32 or 127 <= ord(c) < 160 for c in left_out)
    assert found.sentences[:1] == ((0,) if found.forms else ())
    assert list(found.sentences) == sorted(set(found.sentences))
    assert all(first < len(found.forms) for first in found.sentences)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One .", "Two !", "Three ?", "Four"]),
        ('He said "Go." Then he left.', ['He said " Go . "', "Then he left ."]),
        ('"Why?" he asked. Nobody knew.', ['" Why ? " he asked .', "Nobody knew ."]),
        ("Mr. A. Smith met Dr. Jones. They talked.", ["Mr. A. Smith met Dr. Jones .", "They talked ."]),
        ("all small . no capitals here .", ["all small .", "no capitals here ."]),
        ("He works at Acme Corp. in Ohio", ["He works at Acme Corp. in Ohio"]),
        ("3.5 is a number. 4 too", ["3.5 is a number .", "4 too"]),
    ],
)
def test_sentences(text, sentences):
    found = tokens(text)
    edges = [*found.sentences, len(found.forms)]
    assert [" ".join(found.forms[a:b]) for a, b in pairwise(edges)] == sentences


def test_tokens_that_are_given_stay():
    found = given_tokens(("do", "n't.", "Stop", "!"))
    assert (found.text, found.forms, found.starts, found.ends) == (
        "do n't. Stop !",
        ("do", "n't.", "Stop", "!"),
        (0, 3, 8, 13),
        (2, 7, 12, 14),
    )


@pytest.mark.parametrize(
    "piece", ["a.", "Mr. ", "'", "a-", "a@", "a.b", '"', ". ", "U.", "a_@", "1,", "www.", "A. b", "-'"]
)
def test_time_is_linear(piece):
    def seconds(count: int) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            tokens(piece * count)
            best = min(best, time.process_time() - start)
        return best

    # ten times the text in far less than the hundred times of a quadratic tokenizer
    assert seconds(20_000) < 40 * seconds(2_000) + 0.05
