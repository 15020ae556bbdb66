"""Analyses with the weights that ship: their layers fit together for any text, and say what a grammar would."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet import _native
from tercet.errors import InputError, OptionError
from tercet.language import Tree, analyze, draw
from tercet.language.analysis import KINDS, Analysis
from tercet.language.clauses import CONTEXT, context
from tercet.language.discourse import Relation, Span
from tests import strategies

SENTENCE = "The company said that it will close the plant because sales have fallen."


def check(analysis: Analysis) -> None:
    """Everything that must hold of any analysis."""
    size = len(analysis.tokens)
    assert len(analysis.tags) == len(analysis.chunks) == len(analysis.starts) == len(analysis.ends) == size
    assert [analysis.text[a:b] for a, b in zip(analysis.starts, analysis.ends, strict=True)] == list(analysis.tokens)
    before = "O"
    for i, chunk in enumerate(analysis.chunks):
        if chunk.startswith("I-"):
            assert i not in analysis.sentences
            assert before[2:] == chunk[2:]
        before = chunk
    assert set(analysis.sentences) <= set(analysis.units)
    assert list(analysis.units) == sorted(set(analysis.units))
    if size:
        assert (analysis.discourse.start, analysis.discourse.end) == (0, len(analysis.units))
        assert len(analysis.discourse.spans()) == len(analysis.units) - 1
    for kind in KINDS:
        tree = analysis.tree(kind)
        assert size == 0 or tree.leaves() == analysis.tokens


def test_layers_of_a_sentence():
    (analysis,) = analyze([SENTENCE])
    check(analysis)
    assert " ".join(analysis.tags) == "DT NN VBD IN PRP MD VB DT NN IN NNS VBP VBN ."
    assert " ".join(analysis.chunks) == "B-NP I-NP B-VP B-SBAR B-NP B-VP I-VP B-NP I-NP B-SBAR B-NP B-VP I-VP O"
    edges = [*analysis.units, len(analysis.tokens)]
    units = [" ".join(analysis.tokens[a:b]) for a, b in pairwise(edges)]
    assert units == ["The company said", "that it will close the plant", "because sales have fallen ."]
    assert [span.relation.name for span in analysis.discourse.spans()] == ["attribution", "causal"]
    assert analysis.discourse.relation.nuclearity == "SN"


def analysis_of_two_units(relation: Relation) -> Analysis:
    return Analysis(
        text="I go . Now",
        tokens=("I", "go", ".", "Now"),
        starts=(0, 2, 5, 7),
        ends=(1, 4, 6, 10),
        tags=("PRP", "VBP", ".", "RB"),
        chunks=("B-NP", "B-VP", "O", "B-ADVP"),
        sentences=(0,),
        units=(0, 3),
        discourse=Span(0, 2, relation, (Span(0, 1), Span(1, 2))),
    )


def test_the_four_shapes():
    analysis = analysis_of_two_units(Relation("elaboration", "NS"))
    assert {kind: str(analysis.tree(kind)) for kind in KINDS} == {
        "SYN": "(S (NP (PRP I)) (VP (VBP go)) (O (. .)) (ADVP (RB Now)))",
        "DIS": "(DIS:ELABORATION (EDU:NUCLEUS I go .) (EDU:SATELLITE Now))",
        "DIS+POS": "(DIS:ELABORATION (EDU:NUCLEUS (PRP I) (VBP go) (. .)) (EDU:SATELLITE (RB Now)))",
        "DIS+SYN": "(DIS:ELABORATION (EDU:NUCLEUS (NP (PRP I)) (VP (VBP go)) (O (. .))) "
        "(EDU:SATELLITE (ADVP (RB Now))))",
    }
    assert (
        str(analysis_of_two_units(Relation("joint", "NN")).tree("DIS"))
        == "(DIS:JOINT (EDU:NUCLEUS I go .) (EDU:NUCLEUS Now))"
    )


def test_a_unit_made_of_units_has_its_nuclearity_over_it():
    words = ("a", "b", "c")
    inner = Span(1, 3, Relation("causal", "NS"), (Span(1, 2), Span(2, 3)))
    analysis = Analysis(
        "a b c", words, (0, 2, 4), (1, 3, 5), ("NN",) * 3, ("B-NP",) * 3, (0,), (0, 1, 2),
        Span(0, 3, Relation("attribution", "SN"), (Span(0, 1), inner)),
    )  # fmt: skip
    expected = "(DIS:ATTRIBUTION (EDU:SATELLITE a) (NUCLEUS (DIS:CAUSAL (EDU:NUCLEUS b) (EDU:SATELLITE c))))"
    assert str(analysis.tree("DIS")) == expected


def test_a_chunk_that_a_unit_cuts_is_two():
    analysis = Analysis(
        "a b", ("a", "b"), (0, 2), (1, 3), ("NN", "NN"), ("B-NP", "I-NP"), (0,), (0, 1),
        Span(0, 2, Relation("joint", "NN"), (Span(0, 1), Span(1, 2))),
    )  # fmt: skip
    assert str(analysis.tree()) == "(DIS:JOINT (EDU:NUCLEUS (NP (NN a))) (EDU:NUCLEUS (NP (NN b))))"
    assert str(analysis.tree("SYN")) == "(S (NP (NN a) (NN b)))"


def test_several_sentences_are_split_parsed_and_joined():
    (analysis,) = analyze([f"{SENTENCE} It rained. Nobody came."])
    check(analysis)
    assert len(analysis.sentences) == 3
    joint = analysis.discourse.relation
    assert joint == Relation("joint", "NN")
    (alone,) = analyze([SENTENCE])
    assert analysis.discourse.children[0] == alone.discourse
    assert analysis.tags[: len(alone.tags)] == alone.tags


@settings(max_examples=60)
@given(st.lists(strategies.any_text, max_size=4))
def test_any_text(texts):
    for analysis, text in zip(analyze(texts), texts, strict=True):
        assert analysis.text == text
        check(analysis)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\x01\x02",
        "the of and to " * 250,
        "because it said that he goes and she wants to " * 200,
        "word " * 1000,
        "a" * 100_000,
        "!?." * 2000,
        "Все счастливые семьи похожи друг на друга. 所有幸福的家庭都十分相似。",
        "מזל טוב و السلام عليكم",
        "🙂👩‍👩‍👧 \ud800 \udfff",
        "dass the Haus which nicht gesagt werden a",
        "He left. " * 1500,
        "( " * 1000,
        "a\u202eb\u2028c\x85d \x1b[31mred\x1b[0m\n\n\ufeff",
        "e\u0301" * 1000 + "\u0301" * 50,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_bad_input_gives_an_analysis(text):
    (analysis,) = analyze([text])
    check(analysis)
    assert draw(analysis.tree()).svg.startswith("<svg")
    (again,) = analyze([text])
    assert again == analysis
    assert hash(again) == hash(analysis)
    assert repr(analysis)


def test_texts_do_not_depend_on_their_neighbours_or_on_threads():
    texts = [SENTENCE, "", "He left. She stayed.", "word salad the of goes"] * 30
    together = analyze(texts)
    assert together == [analyze([text])[0] for text in texts[:4]] * 30
    _native.set_threads(3)
    try:
        assert analyze(texts) == together
    finally:
        _native.set_threads(1)


def test_tokens_may_be_given():
    (analysis,) = analyze([["He", "does", "n't", "know", "."]])
    assert analysis.tokens == ("He", "does", "n't", "know", ".")
    assert " ".join(analysis.tags) == "PRP VBZ RB VB ."


def test_without_discourse():
    (analysis, empty) = analyze([SENTENCE, ""], discourse=False)
    assert (analysis.units, analysis.discourse) == ((), None)
    assert analysis.tree("SYN").leaves() == analysis.tokens
    with pytest.raises(OptionError, match="no discourse in this analysis"):
        analysis.tree("DIS")
    assert empty.tree("SYN") == Tree("S")


def test_lower_case_and_missing_punctuation_do_not_change_much():
    (plain, spoilt) = analyze([SENTENCE, SENTENCE.lower().rstrip(".")])
    assert spoilt.tags == plain.tags[:-1]
    assert spoilt.units == plain.units


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("one text", "a list of sentences is wanted"),
        ([3], "sentence 1 is neither a text nor a list of tokens"),
        (["fine", ["a", 3]], "sentence 2 is neither"),
        ([["a", ""]], "sentence 1 has an empty token"),
        ([["a", " \t"]], "sentence 1 has an empty token"),
    ],
)
def test_what_is_no_sentence_is_named(sentences, message):
    with pytest.raises(InputError, match=message):
        analyze(sentences)


def test_unknown_names():
    with pytest.raises(OptionError, match=r"unknown analyzer 'klingon'"):
        analyze(["a"], analyzer="klingon")
    with pytest.raises(OptionError, match="unknown analyzer 'spacy'"):
        analyze(["a"], analyzer="spacy")
    with pytest.raises(OptionError, match="unknown kind of tree"):
        analyze(["a"])[0].tree("XYZ")


def test_columns_of_context():
    words = ("He", "said", ",", "it", "rains")
    names = ["PRP", "VBD", ",", "VBZ"]
    tags = np.array([0, 1, 2, 0, 3], np.int32)
    chunks = np.array([0, 1, 2, 0, 1], np.int32)
    columns = context([words], tags, chunks, tag_names=names, chunk_names=["B-NP", "B-VP", "O"])
    found = dict(zip(CONTEXT, [column.tolist() for column in columns], strict=True))
    said = (_native.hash_words(["said"]) >> 1).tolist()[0]
    assert found["verb"] == [0, 0, said, 1, 1]
    assert found["verb tag"] == [0, 0, 2, 1000, 1000]
    assert found["far verb"] == [0, 0, said, said, said]
    assert found["next verb tag"] == [2, 2, 4, 4, 4]
    assert found["finite before"] == [0, 0, 1, 1, 1]
    assert found["finite after"] == [2, 2, 1, 1, 1]
    assert found["ahead"] == [10232, 23201, 320102, 10200, 20000]
    assert found["behind"] == [0, 1, 102, 232, 3201]
    assert found["chunks since"] == [0, 1, 1, 2, 3]
