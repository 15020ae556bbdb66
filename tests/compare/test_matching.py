"""Words that match, for showing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.compare.matching import Matcher, looks_english, shown, words_of
from tercet.compare.report.packing import BOUNDARY, marked_text
from tests.strategies import texts


def test_words_and_what_stands_around_them():
    assert words_of("He said: “No, it's 1,500 U.S. dollars.”") == [
        "He", "said", ":", "“", "No", ",", "it's", "1,500", "U.S", ".", "dollars", ".", "”",
    ]  # fmt: skip
    assert words_of("中文 ok。") == ["中", "文", "ok", "。"]
    assert words_of("नमस्ते दुनिया") == ["नमस्ते", "दुनिया"]
    assert words_of("") == []
    assert words_of("...") == [".", ".", "."]


def test_stages_in_turn_and_longer_runs_first():
    matcher = Matcher(synonyms=lambda word: frozenset({"big"} if word == "large" else ()))
    found = matcher.match(
        ["the", "dogs", "saw", "the", "big", "cat"], ["a", "cat", "and", "the", "dog", "saw", "the", "large", "cat"]
    )
    named = [(found.hypothesis[link.hypothesis], link.reference, link.stage) for link in found.links]
    assert named == [
        ("the", 3, "exact"), ("dogs", 4, "stem"), ("saw", 5, "exact"), ("the", 6, "exact"), ("big", 7, "synonym"),
        ("cat", 8, "exact"),
    ]  # fmt: skip
    assert found.missed == ["a", "cat", "and"]
    assert found.added == []
    assert [link.stage for link in Matcher(language=None).match(["dogs"], ["dog"]).links] == []


@settings(max_examples=100)
@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_as_many_words_match_as_can_and_none_twice(one, other):
    found = Matcher(language=None).match(one, other)
    assert len(found.links) == sum(min(one.count(c), other.count(c)) for c in "abcd")
    assert (
        len({link.hypothesis for link in found.links})
        == len({link.reference for link in found.links})
        == len(found.links)
    )
    assert all(one[link.hypothesis] == other[link.reference] for link in found.links)


def test_long_texts_are_matched_too():
    words = ["the", "a"] * 5000
    found = Matcher(language=None).match(words, words[::-1])
    assert len(found.links) > 5000


@given(texts)
def test_a_text_and_its_words_are_packed_together(text):
    line = shown(text)
    words = words_of(line)
    packed = marked_text(line, words)
    assert packed.replace(BOUNDARY, "") == line
    assert [word for word in packed.replace(BOUNDARY, " ").split(" ") if word] == words
    assert packed.count(BOUNDARY) + packed.count(" ") == max(0, len(words) - 1)


def test_english_is_told_by_its_function_words():
    assert looks_english([("The ferry to the island leaves in the morning.",)])
    assert not looks_english([("Die Fähre zur Insel fährt jeden Morgen ab.",)])
    assert not looks_english([("",)])
