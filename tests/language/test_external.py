"""spaCy and Stanza at the boundary: what is asked of them is what their documentation promises."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import pytest

from tercet.errors import InputError, ResourceError
from tercet.language import analyze
from tercet.language.external import SpacyAnalyzer, StanzaAnalyzer


class Document(list):
    """The part of spaCy's Doc that is used."""

    def __init__(self, text, tokens, chunks=None):
        super().__init__(tokens)
        self.text, self.noun_chunks, self._parsed = text, chunks or [], chunks is not None

    def has_annotation(self, name):
        assert name == "DEP"
        return self._parsed


def spacy_token(i, text, place, tag, first=False):
    return SimpleNamespace(i=i, text=text, idx=place, tag_=tag, pos_="X", is_sent_start=first, is_space=text.isspace())


def nlp(language, make):
    return SimpleNamespace(lang=language, pipe=lambda texts: (make(text) for text in texts))


def test_spacy_in_another_language_keeps_its_tags_and_noun_chunks():
    def make(text):
        tokens = [
            spacy_token(0, "Der", 0, "ART", True),
            spacy_token(1, "Hund", 4, "NN"),
            spacy_token(2, " ", 9, "_SP"),
            spacy_token(3, "bellt", 10, ""),
            spacy_token(4, "Ja", 16, "PTKANT", True),
        ]
        return Document(text, tokens, [tokens[:3]])

    (analysis,) = analyze(["Der Hund  bellt Ja"], analyzer=SpacyAnalyzer(nlp("de", make)))
    assert analysis.tokens == ("Der", "Hund", "bellt", "Ja")
    assert analysis.tags == ("ART", "NN", "X", "PTKANT")
    assert analysis.chunks == ("B-NP", "I-NP", "O", "O")
    assert analysis.sentences == analysis.units == (0, 3)
    assert str(analysis.tree("DIS")) == "(DIS:JOINT (EDU:NUCLEUS Der Hund bellt) (EDU:NUCLEUS Ja))"


def test_spacy_in_english_goes_on_with_our_models():
    def make(text):
        words = [("He", "PRP"), ("said", "VBD"), ("it", "PRP"), ("rained", "XX"), (".", ".")]
        places = [0, 3, 8, 11, 17]
        return Document(text, [spacy_token(i, w, places[i], t, i == 0) for i, (w, t) in enumerate(words)], [])

    (analysis,) = analyze(["He said it rained."], analyzer=SpacyAnalyzer(nlp("en", make)))
    assert analysis.tags == ("PRP", "VBD", "PRP", "XX", ".")
    assert analysis.chunks == ("B-NP", "B-VP", "B-NP", "B-VP", "O")
    assert analysis.units == (0, 2)


def test_stanza():
    def word(xpos, upos):
        return SimpleNamespace(xpos=xpos, upos=upos)

    def token(text, start, *words):
        return SimpleNamespace(text=text, start_char=start, end_char=start + len(text), words=words)

    def pipeline(text):
        assert text == "Va au lit"
        tokens = [
            token("Va", 0, word(None, "VERB")),
            token("au", 3, word("P", "ADP"), word(None, "DET")),
            token("lit", 6, word(None, "NOUN")),
        ]
        return SimpleNamespace(sentences=[SimpleNamespace(tokens=tokens)])

    analysis, empty = analyze(["Va au lit", " "], analyzer=StanzaAnalyzer(pipeline, language="fr"))
    assert (analysis.tokens, analysis.tags) == (("Va", "au", "lit"), ("VERB", "P+DET", "NOUN"))
    assert (analysis.starts, analysis.ends, analysis.units) == ((0, 3, 6), (2, 5, 9), (0,))
    assert empty.tokens == ()


@pytest.mark.parametrize("name", ["spacy", "stanza"])
def test_a_missing_package_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ResourceError, match=f"needs the package {name}; install it with: pip install {name}"):
        analyze(["a"], analyzer=f"{name}:en_core")


def test_a_missing_model_is_named(monkeypatch):
    def load(model):
        raise OSError(f"[E050] Can't find model '{model}'.\nmore lines")

    package = ModuleType("spacy")
    package.load = load
    monkeypatch.setitem(sys.modules, "spacy", package)
    with pytest.raises(ResourceError, match=r"spacy cannot load 'xx_none' .*; try: python -m spacy download xx_none"):
        analyze(["a"], analyzer="spacy:xx_none")


def test_tokens_are_not_for_others():
    with pytest.raises(InputError, match="sentence 1 is tokens, and spaCy makes its own"):
        analyze([["a", "b"]], analyzer=SpacyAnalyzer(nlp("de", lambda text: None)))


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="spaCy is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_blank_spacy_pipeline():
    (analysis, empty) = analyze(["Guten Tag,  Welt", ""], analyzer="spacy:blank-de")
    assert analysis.tokens == ("Guten", "Tag", ",", "Welt")
    assert [analysis.text[a:b] for a, b in zip(analysis.starts, analysis.ends, strict=True)] == list(analysis.tokens)
    assert analysis.units == (0,)
    assert empty.tokens == ()
