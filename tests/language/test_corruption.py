"""Errors that are put into sentences to learn from."""

from __future__ import annotations

from random import Random

import pytest

from training.corruption import KINDS, NAMES, Forms, corrupted

TAGGED = [
    ("the", "DT", "B-NP"),
    ("old", "JJ", "I-NP"),
    ("men", "NNS", "I-NP"),
    (",", ",", "O"),
    ("who", "WP", "B-NP"),
    ("walked", "VBD", "B-VP"),
    ("to", "TO", "B-PP"),
    ("town", "NN", "B-NP"),
    (",", ",", "O"),
    ("are", "VBP", "B-VP"),
    ("walking", "VBG", "I-VP"),
    ("home", "NN", "B-NP"),
    (".", ".", "O"),
]
SENTENCE = [(*word, False) for word in TAGGED]
OTHERS = [("new", "JJ"), ("women", "NNS"), ("ran", "VBD"), ("house", "NN"), ("were", "VBP"), ("reading", "VBG")]
FORMS = Forms.of([tuple(zip(*(word[:2] for word in [*TAGGED, *OTHERS]), strict=True))] * 5)


@pytest.mark.parametrize("kind", NAMES)
def test_each_kind_changes_the_sentence_and_marks_where(kind):
    changed = 0
    for seed in range(40):
        found = KINDS[kind][0](SENTENCE, Random(seed), FORMS)
        if found is not SENTENCE:
            changed += 1
            assert any(word[3] for word in found)
            assert [word[0] for word in found] != [word[0] for word in SENTENCE]
    assert changed > 20
    assert [word[:3] for word in SENTENCE] == TAGGED


def test_forms_are_those_of_the_same_word():
    assert FORMS.inflected["walk", "V"] == [("walked", "VBD"), ("walking", "VBG")]


def test_errors_grow_with_the_length_and_come_again_with_the_seed():
    few = [sum(word[3] for word in corrupted(SENTENCE, Random(i), FORMS, length=1000)[0]) for i in range(100)]
    many = [sum(word[3] for word in corrupted(SENTENCE, Random(i), FORMS, length=3)[0]) for i in range(100)]
    assert min(few) >= 1
    assert sum(many) > 2 * sum(few)
    assert corrupted(SENTENCE, Random(5), FORMS, length=8) == corrupted(SENTENCE, Random(5), FORMS, length=8)


def test_what_is_too_short_stays():
    assert corrupted(SENTENCE[:2], Random(1), FORMS, length=8) == (SENTENCE[:2], set())
