"""TER against its definition, against sacreBLEU, and against itself."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tercet
from tercet import _native
from tercet.errors import OptionError
from tercet.language.tercom import normalize
from tercet.metrics import TER, metric
from tests.oracles import ter as oracle

words = st.integers(1, 12).flatmap(lambda size: st.lists(st.sampled_from([f"w{i}" for i in range(size)]), max_size=16))


@st.composite
def edited_pairs(draw: st.DrawFn, longest: int = 75) -> tuple[list[str], list[str]]:
    """A long sentence and the same with blocks moved, words lost, put in and replaced: most words are unlike."""
    size = draw(st.integers(20, longest))
    kinds = draw(st.sampled_from([8, 40, 1000]))
    reference = [str(word) for word in draw(st.lists(st.integers(1, kinds), min_size=size, max_size=size))]
    hypothesis = list(reference)
    for _ in range(draw(st.integers(0, 6))):
        start, length = draw(st.integers(0, len(hypothesis))), draw(st.integers(1, 40))
        block = hypothesis[start : start + length]
        match draw(st.sampled_from(["move", "move", "delete", "insert", "replace"])):
            case "move":
                del hypothesis[start : start + length]
                target = draw(st.integers(0, len(hypothesis)))
                hypothesis[target:target] = block
            case "delete":
                del hypothesis[start : start + length]
            case "insert":
                hypothesis[start:start] = [f"new{i}" for i in range(length)]
            case "replace":
                hypothesis[start : start + length] = [f"other{i}" for i in range(len(block))]
    return (hypothesis, reference) if draw(st.booleans()) else (reference, hypothesis)


def edits(hypothesis: list[str], reference: list[str]) -> float:
    return float(_native.ter([" ".join(hypothesis)], [(" ".join(reference),)])[0, 0])


@given(words, words)
@example([], [])
@example([], ["w0"])
@example(["w0"], [])
def test_agrees_with_the_definition(hypothesis: list[str], reference: list[str]) -> None:
    assert edits(hypothesis, reference) == oracle.edits(hypothesis, reference)


@settings(max_examples=20)
@given(edited_pairs())
def test_agrees_with_the_definition_where_the_beam_cuts(pair: tuple[list[str], list[str]]) -> None:
    assert edits(*pair) == oracle.edits(*pair)


@pytest.mark.parametrize("unseen", [120, 210])
@pytest.mark.parametrize("moved", [(2, 3, 9), (0, 1, 15), (9, 2, 4)])
def test_moves_where_the_beam_hides_the_rest(unseen: int, moved: tuple[int, int, int]) -> None:
    """A shared passage stands 55 words aside, beyond beam and shifts; what may be shifted stands before it."""
    start, passage = [f"a{i}" for i in range(20)], [f"b{i}" for i in range(unseen)]
    reference = [*start, *passage, *(f"c{i}" for i in range(55))]
    hypothesis = [*start, *(f"d{i}" for i in range(55)), *passage]
    place, length, target = moved
    block = hypothesis[place : place + length]
    del hypothesis[place : place + length]
    hypothesis[target:target] = block
    within, without = (
        oracle.beam_matrix(hypothesis, reference, beam=beam)[-1][len(reference)] for beam in (oracle.BEAM, None)
    )
    assert within > without
    assert edits(hypothesis, reference) == oracle.edits(hypothesis, reference) == unseen + 55 + 1


@pytest.mark.parametrize(("distance", "expected"), [(50, 1), (51, 2)])
def test_a_word_may_move_fifty_places(distance: int, expected: int) -> None:
    rest = [str(i) for i in range(70)]
    here, there = [*rest[:3], "x", *rest[3:]], [*rest[: 3 + distance], "x", *rest[3 + distance :]]
    assert (
        edits(here, there) == edits(there, here) == oracle.edits(here, there) == oracle.edits(there, here) == expected
    )


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [(1, 120), (2, 500), (120, 1), (3, 64), (64, 65), (5, 300), (300, 26)]
)
def test_lengths_far_apart(hypothesis: int, reference: int) -> None:
    pair = [str(i * 7 % 11) for i in range(hypothesis)], [str(i * 5 % 13) for i in range(reference)]
    assert edits(*pair) == oracle.edits(*pair)


@pytest.mark.parametrize("size", [30, 60, 100])
def test_the_limit_on_candidates(size: int) -> None:
    pair = [str(i * i % 3) for i in range(size)], [str(i * i % 5 % 3) for i in range(size)]
    assert edits(*pair) == oracle.edits(*pair)


sentence = st.text(
    st.sampled_from("ab AB.,-'s3&;\"()\n\t\u00a0\u3000çĞİßΣ中、。・カひ㈠！，？\u0301\U0001f600\ud800")
    | st.characters(),
    max_size=40,
)
entity = st.sampled_from(
    ["&amp;", "&amp;lt;", "&quot;", "&lt;", "&gt;", "'s ", "3.5", "1,000.", "\n-", "5-6", "..", " "]
)
texts = st.lists(sentence | entity, max_size=8).map("".join)


@given(
    texts,
    st.lists(texts, min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
@example("", [""], False, False, False, False)
@example("", ["a b"], False, False, False, False)
@example("a b", [""], False, False, False, False)
@example("a b", ["", "a c d"], False, False, False, False)
@example("a b c", ["b a", "c b a d", "a"], False, False, False, False)
@example("&amp;lt; 3..5", ["&amp;amp;lt; 3..5"], True, False, False, False)
def test_equals_sacrebleu_with_every_option(
    hypothesis: str, references: list[str], normalized: bool, no_punct: bool, asian: bool, cased: bool
) -> None:
    options = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian, "case_sensitive": cased}
    expected = sacrebleu.TER(**options).sentence_score(hypothesis, references)
    ours = TER(**options)
    [statistics] = ours.statistics([hypothesis], [tuple(references)])
    assert tuple(statistics) == (expected.num_edits, expected.ref_length)
    assert float(ours.score(statistics)) == pytest.approx(expected.score, abs=1e-9)


def test_equals_sacrebleu_over_a_corpus() -> None:
    hypotheses = ["The cat sat on the mat .", "", "on the mat the cat sat", "x"]
    references = [("the cat sat on a mat.", "a cat"), ("nothing", ""), ("the cat sat on the mat", "y"), ("", "")]
    expected = sacrebleu.TER().corpus_score(hypotheses, [list(column) for column in zip(*references, strict=True)])
    assert TER().corpus(hypotheses, references) == pytest.approx(expected.score, abs=1e-9)
    assert TER().segments(["", "x", ""], ["", "", "x y"]).tolist() == [0.0, 100.0, 100.0]


def test_lowercase_is_python_s() -> None:
    # sacreBLEU lowercases references twice, tercet once: the same, because the second time changes nothing
    assert all(chr(c).lower().lower() == chr(c).lower() for c in range(0x110000))


@pytest.mark.parametrize(
    "options",
    [{}, {"normalized": True}, {"no_punct": True, "case_sensitive": True}, {"normalized": True, "asian_support": True}],
)
def test_signature_reads_as_sacrebleu_s(options: dict[str, bool]) -> None:
    peer = sacrebleu.TER(**options)
    peer.sentence_score("a", ["a"])
    expected = str(peer.get_signature()).removeprefix("nrefs:1|").rpartition("|version:")[0]
    assert str(TER(**options).signature) == f"TER|{expected}|version:tercet-{tercet.__version__}"


def test_is_found_by_name() -> None:
    assert metric("ter:normalized=true,no-punct=yes") == TER(normalized=True, no_punct=True)
    assert not TER.higher_is_better
    assert TER().statistic_names == ("edits", "reference_length")
    with pytest.raises(OptionError, match="normalized"):
        TER(normalized=1)  # type: ignore[arg-type]


@settings(max_examples=100)
@given(words | edited_pairs(40).map(lambda pair: pair[0]), words | edited_pairs(40).map(lambda pair: pair[1]))
def test_the_alignment_adds_up_to_the_score(hypothesis: list[str], reference: list[str]) -> None:
    alignment = TER().alignment(" ".join(hypothesis), " ".join(reference))
    assert alignment.edits == edits(hypothesis, reference)

    standing = list(hypothesis)
    for shift in alignment.shifts:
        assert tuple(standing[shift.start : shift.start + len(shift.words)]) == shift.words
        assert shift.target != shift.start
        del standing[shift.start : shift.start + len(shift.words)]
        standing[shift.target : shift.target] = shift.words

    operations = alignment.operations
    assert [operation.hypothesis for operation in operations if operation.hypothesis is not None] == standing
    assert [operation.reference for operation in operations if operation.reference is not None] == reference
    places = [operation.hypothesis_place for operation in operations if operation.hypothesis_place is not None]
    assert sorted(places) == list(range(len(hypothesis)))
    for operation in operations:
        if operation.hypothesis_place is not None:
            assert hypothesis[operation.hypothesis_place] == operation.hypothesis
        if operation.reference_place is not None:
            assert reference[operation.reference_place] == operation.reference
        assert (operation.edit == "match") == (operation.hypothesis == operation.reference)
        assert (operation.edit == "insertion") == (operation.hypothesis is None)
        assert (operation.edit == "deletion") == (operation.reference is None)


def test_the_alignment_of_a_sentence() -> None:
    alignment = TER().alignment("On the mat sat the cat today", "the cat sat on a mat")
    assert [shift.words for shift in alignment.shifts] == [("the", "cat"), ("sat",)]
    assert [operation.edit for operation in alignment.operations] == ["match"] * 4 + [
        "substitution",
        "match",
        "deletion",
    ]
    assert alignment.edits == 4


def test_ten_thousand_tokens_take_seconds() -> None:
    generator = np.random.default_rng(7)
    few, many = (generator.integers(0, kinds, 10_000).astype(str).tolist() for kinds in (2, 5_000))
    moved = many[:4_000] + many[4_005:4_015] + many[4_000:4_005] + many[4_015:]
    same = ["a"] * 5_000 + ["b"] + ["a"] * 5_000
    pairs = [
        (few, few[::-1]),
        (many, moved),
        (same, ["b", *same[::-1][:9_000]]),
        (many, many),
        (many, []),
        (many, ["1"]),
    ]
    started = time.monotonic()
    found = [edits(hypothesis, reference) for hypothesis, reference in pairs]
    assert time.monotonic() - started < 30
    assert found[1] == 1
    assert found[3:] == [0, 10_000, 9_999 if "1" in many else 10_000]


def test_threads_change_nothing() -> None:
    generator = np.random.default_rng(3)
    hypotheses = [" ".join(map(str, generator.integers(0, 20, generator.integers(0, 80)))) for _ in range(500)]
    references = [(" ".join(map(str, generator.integers(0, 20, generator.integers(0, 80)))),) for _ in range(500)]
    before = tercet.threads()
    try:
        tercet.set_threads(1)
        alone = _native.ter(hypotheses, references)
        tercet.set_threads(4)
        assert np.array_equal(_native.ter(hypotheses, references), alone)
    finally:
        tercet.set_threads(before)


@pytest.mark.data
def test_equals_sacrebleu_on_newstest2012(data: Path) -> None:
    folder = data / "wmt12"
    references = (folder / "references/newstest2012-ref.en").read_text("utf-8").split("\n")
    peer, checked = sacrebleu.TER(), 0
    for k, file in enumerate(sorted((folder / "system-outputs/newstest2012").glob("*/*"))):
        hypotheses = file.read_text("utf-8").split("\n")
        places = range(k * 31 % 97, 1500, 375)
        scores = TER().segments([hypotheses[i] for i in places], [references[i] for i in places])
        for place, score in zip(places, scores, strict=True):
            expected = peer.sentence_score(hypotheses[place], [references[place]]).score
            assert score == pytest.approx(expected, abs=1e-9), (file.name, place)
            checked += 1
    assert checked == 4 * 49


def test_normalization_is_by_word() -> None:
    text = normalize('It\'s 3-5%, "OK"', lowercase=True, normalized=True, punctuation=True, asian=False)
    assert text.split() == ["it", "'s", "3", "-", "5", "%", ",", '"', "ok", '"']
