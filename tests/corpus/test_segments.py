"""References never pass transposed."""

from __future__ import annotations

import pytest

from tercet.corpus import as_hypotheses, as_references
from tercet.errors import ShapeError
from tercet.metrics import BLEU

SYSTEM = ["the cat sat on the mat", "a dog barked loudly at night", "it rained"]


@pytest.mark.parametrize(
    "references",
    [
        ["one", "two", "three"],
        [("one",), ("two",), ("three",)],
        [["one"], ["two", "zwei"], ["three"]],
        (("one", "eins", "un"), ("two", "zwei", "deux"), ("three", "drei", "trois")),
    ],
)
def test_one_tuple_for_each_segment(references):
    found = as_references(references, 3)
    assert [texts[0] for texts in found] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([SYSTEM], "look transposed: 1 lists of 3 where 3 segments are meant; use list(zip(*references))"),
        ([SYSTEM, SYSTEM], "look transposed: 2 lists of 3"),
        ([SYSTEM, SYSTEM, SYSTEM], "3 lists of 3 references could be read by segment or by reference"),
        ([("one", "two")], "3 hypotheses but references for 1 segments"),
        (["one", "two"], "3 hypotheses but references for 2 segments"),
        ("one", "references are one string"),
        ([("one",), (), ("three",)], "segment 2 has no reference"),
        ([("one",), (None,), ("three",)], "a reference of segment 2 is NoneType"),
        ([("one",), "two", ("three",)], "the references of segment 2 are str"),
        ([1, 2, 3], "the references of segment 1 are int"),
    ],
)
def test_other_shapes_are_refused(references, message):
    with pytest.raises(ShapeError) as error:
        as_references(references, 3)
    assert message in str(error.value)


def test_one_hypothesis_with_several_references_as_sacrebleu_takes_them():
    assert as_references([["one", "eins"]], 1) == [("one", "eins")]


def test_transposed_references_never_score_100():
    # sacreBLEU's shape, one list for each reference: its own corpus_score would be right, ours says what is wrong
    with pytest.raises(ShapeError, match="transposed"):
        BLEU().corpus(SYSTEM, [SYSTEM])
    # one list for each segment where as many references as segments make both readings possible
    with pytest.raises(ShapeError, match="could be read"):
        BLEU().corpus(SYSTEM[:2], [[SYSTEM[0], SYSTEM[1]], [SYSTEM[0], SYSTEM[1]]])


@pytest.mark.parametrize(
    ("hypotheses", "message"), [("text", "one string"), (["a", None], "hypothesis 2 is NoneType"), ([b"a"], "bytes")]
)
def test_hypotheses_are_a_list_of_strings(hypotheses, message):
    with pytest.raises(ShapeError, match=message):
        as_hypotheses(hypotheses)
