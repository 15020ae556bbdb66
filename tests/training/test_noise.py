"""Spoilt sentences: what is measured on them is the same every time."""

from __future__ import annotations

from training.noise import spoilt_forms

SENTENCES = [
    [("The", "dog", "barked", "loudly", "."), ("DT", "NN", "VBD", "RB", ".")],
    [("Prices", "fell", ",", "he", "said"), ("NNS", "VBD", ",", "PRP", "VBD")],
] * 10


def test_forms_are_spoilt_in_one_way_each_and_always_the_same():
    forms = dict(spoilt_forms(SENTENCES))
    assert list(forms) == ["lowercase", "without punctuation", "untranslated"]
    assert forms == dict(spoilt_forms(SENTENCES))
    assert all(len(spoilt) == len(SENTENCES) for spoilt in forms.values())
    assert forms["lowercase"][0] == [("the", "dog", "barked", "loudly", "."), SENTENCES[0][1]]
    assert all("," not in words for words, _ in forms["without punctuation"])
    assert all(tags == SENTENCES[i][1] for i, (_, tags) in enumerate(forms["untranslated"]))
    assert any(words != SENTENCES[i][0] for i, (words, _) in enumerate(forms["untranslated"]))
