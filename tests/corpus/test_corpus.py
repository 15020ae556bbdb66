"""The corpus and its contract: the same number of segments everywhere, or a line that says where not."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.corpus import Corpus, Lines
from tercet.corpus.references import ListedReferences, ParallelReferences, join
from tercet.errors import OptionError, ShapeError, TercetError


def lines(*texts: str, name: str = "file") -> Lines:
    return Lines.pack(texts, name)


def message(*args: object, error: type[TercetError] = ShapeError, **kwargs: object) -> str:
    with pytest.raises(error) as caught:
        Corpus(*args, **kwargs)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_corpus_of_lists() -> None:
    corpus = Corpus([("a", "b"), ("c",)], {"A": ["x", ""], "B": ["y", "z"]}, ["s", "t"])
    assert len(corpus) == 2
    assert list(corpus.references) == [("a", "b"), ("c",)]
    assert list(corpus.systems["A"]) == ["x", ""]
    assert repr(corpus) == "Corpus(2 segments, systems A, B)"


def test_one_flat_reference_and_no_system() -> None:
    corpus = Corpus(["a", "b"], {})  # type: ignore[list-item]
    assert list(corpus.references) == [("a",), ("b",)]
    assert (dict(corpus.systems), corpus.sources) == ({}, None)


def test_it_is_frozen() -> None:
    hypotheses = ["x"]
    corpus = Corpus([("a",)], {"A": hypotheses})
    hypotheses.append("later")
    assert list(corpus.systems["A"]) == ["x"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.sources = ["s"]  # type: ignore[misc]
    with pytest.raises(TypeError):
        corpus.systems["B"] = ["y"]  # type: ignore[index]


REMEDY = "systems, references and source must hold the same segments"


def test_unequal_numbers_name_both_sides() -> None:
    three = lines("a", "b", "c", name="ref.en")
    two = lines("x", "y", name="A.txt")
    assert message(ParallelReferences([three]), {"A": two}) == (
        f"system 'A' (A.txt) has 2 segments but the references (ref.en) have 3; {REMEDY}"
    )
    assert message(ParallelReferences([three]), {}, two) == (
        f"the source (A.txt) has 2 segments but the references (ref.en) have 3; {REMEDY}"
    )
    assert message([("a",), ("b",), ("c",)], {"A": ["x", "y"]}) == (
        f"system 'A' has 2 segments but the references have 3; {REMEDY}"
    )
    assert message([("a",), ("b",)], {"A": ["x", "y"], "B": ["x"]}) == (
        f"system 'B' has 1 segments but the references have 2; {REMEDY}"
    )
    with pytest.raises(ShapeError) as caught:
        ParallelReferences([three, two])
    assert str(caught.value) == (
        "A.txt has 2 segments but ref.en has 3; files of references must hold the same segments"
    )


def test_what_else_is_refused() -> None:
    assert message([("a",), ()], {"A": ["x", "y"]}) == "segment 2 has no reference; every segment needs one or more"
    assert message(ListedReferences.pack([["a"], []], "r.jsonl"), {"A": ["x", "y"]}) == (
        "r.jsonl: segment 2 has no reference; every segment needs one or more"
    )
    assert "references look transposed" in message([["a", "b", "c"], ["d", "e", "f"]], {"A": ["x", "y", "z"]})
    assert message([("a",)], {"A": "x"}).startswith("system 'A': hypotheses are one string")
    assert message([("a",)], {"A": [None]}) == "system 'A': hypothesis 1 is NoneType, not a string"
    assert message([("a",)], {" ": ["x"]}) == "a system is called ' '; give it a name"
    assert message([], {}) == "the corpus has no segments; give at least one"
    assert message([], {"A": []}) == "the corpus has no segments; give at least one"
    assert message([("a",)], {}, ids=["1", "2"]) == "2 ids for 1 segments; every segment needs one"
    with pytest.raises(ShapeError, match="no references; every segment needs one or more"):
        ParallelReferences([])


@given(st.integers(1, 30), st.integers(1, 12))
def test_batches_hold_everything_once_and_in_order(segments: int, size: int) -> None:
    hypotheses = [f"h{i}" for i in range(segments)]
    references = ParallelReferences([lines(*(f"{k}{i}" for i in range(segments))) for k in "rq"])
    corpus = Corpus(references, {"A": Lines.pack(hypotheses, "A"), "B": hypotheses}, hypotheses)
    batches = list(corpus.batches(size))
    assert [batch.start for batch in batches] == list(range(0, segments, size))
    assert all(len(batch.references) <= size for batch in batches)
    for name in "AB":
        assert [text for batch in batches for text in batch.hypotheses[name]] == hypotheses
    assert [text for batch in batches for text in batch.sources or []] == hypotheses
    assert [row for batch in batches for row in batch.references] == list(references)
    assert list(references) == [(f"r{i}", f"q{i}") for i in range(segments)]


def test_batches_of_nothing_are_refused() -> None:
    with pytest.raises(OptionError, match="batches of 0 segments are not possible; take 1 or more"):
        next(Corpus([("a",)], {}).batches(0))


def test_batches_are_what_a_metric_takes() -> None:
    import numpy as np

    from tercet.metrics import BLEU

    hypotheses, references = ["the cat sat on the mat", "", "a b c d"], ["the cat sat on a mat", "x", "a b c d"]
    corpus = Corpus(ParallelReferences([lines(*references)]), {"A": lines(*hypotheses)})
    bleu = BLEU()
    rows = [bleu.statistics(batch.hypotheses["A"], batch.references) for batch in corpus.batches(2)]
    assert float(bleu.score(np.concatenate(rows).sum(axis=0))) == bleu.corpus(hypotheses, references)


@pytest.mark.parametrize(
    ("empty", "rows"),
    [
        ("text", [("a", "b", "c"), ("", "", "d"), ("e", "", "")]),
        ("missing", [("a", "b", "c"), ("", "d"), ("e",)]),  # the first reference is always there
    ],
)
def test_empty_references_are_text_unless_said(empty, rows) -> None:
    columns = [lines("a", "", "e"), lines("b", "", ""), lines("c", "d", "")]
    references = ParallelReferences(columns, empty=empty)
    assert list(references) == rows
    assert [references[i] for i in range(-3, 0)] == rows
    assert references[1:] == rows[1:]
    assert references[::-1] == rows[::-1]
    with pytest.raises(IndexError):
        references[3]
    listed = ListedReferences.pack([[text] for text in columns[2]], "more")
    joined = join([ParallelReferences(columns[:2]), listed], empty=empty)
    assert list(joined) == rows


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4)), st.slices(12))
def test_listed_references_come_back(rows: list[list[str]], index: slice) -> None:
    references = ListedReferences.pack(rows, "file")
    expected = [tuple(text.rstrip() for text in row) for row in rows]
    assert list(references) == expected
    assert references[index] == expected[index]
    assert references.counts().tolist() == [len(row) for row in rows]


def test_joined_references_must_fit() -> None:
    listed = ListedReferences.pack([["a"]], "r.jsonl")
    assert join([listed]) is listed
    with pytest.raises(ShapeError) as caught:
        join([ParallelReferences([lines("a", "b", name="ref.en")]), listed])
    assert str(caught.value) == (
        "r.jsonl has 1 segments but ref.en has 2; files of references must hold the same segments"
    )
