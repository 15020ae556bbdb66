"""Challenge sets: the one that ships, files of others, and how scorers are counted."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tercet.agreement.challenge import (
    ALL,
    MISLEADING,
    PLAIN,
    ChallengeSet,
    Triple,
    accuracies,
    read_challenge,
    wilson,
)
from tercet.agreement.challenge_tables import ChallengeResults
from tercet.errors import InputError, ShapeError, UndefinedError

KINDS = (
    "negation",
    "numbers",
    "names",
    "dropped content",
    "added content",
    "wrong sense",
    "word order",
    "agreement",
    "copied source",
    "fluent nonsense",
)


@pytest.fixture(scope="module")
def shipped():
    return read_challenge()


# --- the set that ships -----------------------------------------------------------------------------------------------


def test_ten_kinds_of_more_than_twenty_triples(shipped):
    assert tuple(shipped.kinds) == KINDS
    assert min(shipped.kinds.values()) > 20
    assert len(shipped) == sum(shipped.kinds.values()) >= 200


def test_texts_differ_and_none_stands_twice(shipped):
    for triple in shipped.triples:
        assert len({triple.reference, triple.better, triple.worse}) == 3, triple.name
        assert triple.note, triple.name
    for side in ("reference", "better", "worse"):
        seen = Counter(getattr(triple, side).casefold() for triple in shipped.triples)
        assert [text for text, times in seen.items() if times > 1] == []


def test_lengths_are_those_of_sentences(shipped):
    for triple in shipped.triples:
        words = {side: len(getattr(triple, side).split()) for side in ("reference", "better", "worse")}
        assert 6 <= words["reference"] <= 40, triple.name
        assert all(5 <= number <= 40 for number in words.values()), triple.name
        assert words["better"] <= 2 * words["reference"], triple.name


def test_texts_are_clean(shipped):
    for triple in shipped.triples:
        for text in (triple.reference, triple.better, triple.worse, triple.source):
            assert text == " ".join(text.split()) == unicodedata.normalize("NFC", text), triple.name
        for text in (triple.reference, triple.better, triple.worse):
            assert text.endswith((".", '."', '?"')), triple.name
            assert text.rstrip('"')[-1] in ".?", triple.name
            assert text.count('"') % 2 == 0, triple.name


def test_what_was_copied_stands_in_the_source(shipped):
    copied = [triple for triple in shipped.triples if triple.kind == "copied source"]
    assert all(triple.source for triple in copied)
    for triple in copied:
        foreign = set(triple.worse.lower().split()) & set(triple.source.lower().split())
        english = set(triple.better.lower().split()) | set(triple.reference.lower().split())
        assert len(foreign - english) >= 2, triple.name


def test_the_surface_misleads_in_two_thirds_of_every_kind_and_not_in_the_rest(shipped):
    kinds = np.array([triple.kind for triple in shipped.triples])
    for kind in KINDS:
        share = shipped.misleading[kinds == kind].mean()
        assert 0.5 <= share <= 0.75, kind


# --- counting ---------------------------------------------------------------------------------------------------------


def triples(*kinds: str) -> ChallengeSet:
    made = [Triple(f"{kind} {i}", kind, f"reference {i}", f"better {i}", f"worse {i}") for i, kind in enumerate(kinds)]
    return ChallengeSet("made.tsv", tuple(made))


def test_a_tie_counts_as_wrong_and_is_counted():
    challenge = triples("a", "a", "a", "b")
    found = {row.kind: row for row in accuracies(challenge, {"scorer": np.array([0.5, 0.0, -1.0, 2.0])})}
    assert (found["a"].right, found["a"].ties, found["a"].n) == (1, 1, 3)
    assert found["b"].value == 1
    assert found[ALL].value == 0.5


def test_a_scorer_that_leans_to_the_first_gains_nothing():
    challenge = triples("a", "b")
    assert (challenge.margins(lambda first, *_: np.full(len(first), 7.0)) == 0).all()
    leaning = challenge.margins(lambda first, *_: np.array([9.0 + text.startswith("worse") for text in first]))
    assert (leaning < 0).all()


def test_sources_are_given_when_all_triples_have_one():
    seen = []

    def margin(first, second, references, sources):
        seen.append(sources)
        return np.ones(len(first))

    triples("a").margins(margin)
    with_source = Triple("a 1", "a", "reference", "better", "worse", source="source")
    ChallengeSet("made.tsv", (with_source,)).margins(margin)
    assert seen == [None, None, ["source"], ["source"]]


@pytest.mark.parametrize(("margins", "error"), [([np.nan], UndefinedError), ([1.0, 2.0], ShapeError)])
def test_margins_that_are_no_numbers_are_errors(margins, error):
    with pytest.raises(error):
        triples("a").margins(lambda *_: np.array(margins))


def test_nearness_is_counted_in_words():
    near = Triple("a 1", "a", "the cat sat on the mat", "a cat was sitting there", "the cat sat on the hat")
    far = Triple("a 2", "a", "the cat sat on the mat", "The cat sat upon the mat", "a hat is not a cat")
    challenge = ChallengeSet("made.tsv", (near, far))
    assert challenge.misleading.tolist() == [True, False]
    assert {part: own.tolist() for part, own in challenge.parts().items()} == {
        "a": [True, True],
        ALL: [True, True],
        MISLEADING: [True, False],
        PLAIN: [False, True],
    }


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_are_wilsons(counts):
    right, n = counts
    expected = binomtest(right, n).proportion_ci(method="wilson")
    assert wilson(right, n) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_tables_and_json_say_the_same():
    challenge = triples("a", "a", "b")
    results = ChallengeResults(
        challenge, {"x": np.array([1.0, -1, 1]), "y": np.array([1.0, 0, -1])}, {"x": "X", "y": "Y"}
    )
    values, intervals, failures = results.tables(1, failures=True)
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in values.rows}
    assert rows["a"] == ["2", "50.0", "50.0"]
    assert rows[ALL] == ["3", "66.7", "33.3"]
    assert values.rows[2][2].strong
    assert "y 1" in values.notes[0]
    assert [row[0].text for row in intervals.rows] == list(rows)
    assert [[cell.text for cell in row] for row in failures.rows] == [["a 1", "", "all"], ["b 2", "", "y"]]
    found = {(row["scorer"], row["kind"]): row for row in results.as_json()["results"]}
    assert found["x", ALL]["value"] == pytest.approx(2 / 3)
    assert found["y", "a"]["ties"] == 1
    assert results.as_json()["challenge"]["triples"][1]["margins"] == {"x": -1.0, "y": 0.0}


# --- files of others --------------------------------------------------------------------------------------------------


def test_columns_are_found_by_name(tmp_path):
    file = tmp_path / "own.tsv"
    file.write_text("id\tworse\tBetter\tkind\treference\n1\tno\tyes\tk\tyes indeed\n\n2\tnay\tay\tk\taye\r\n")
    challenge = read_challenge(file)
    assert challenge.triples[1] == Triple("k 2", "k", "aye", "ay", "nay")
    assert challenge.sha256 != read_challenge().sha256


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind\treference\tbetter\na\tb\tc\n", "has no column worse"),
        ("kind\treference\tbetter\tworse\n", "holds no triples"),
        ("kind\treference\tbetter\tworse\na\tb\tc\t \n", "own.tsv:2: has no worse"),
        ("kind\treference\tbetter\tworse\na\tb\tc\td\na\tb\tc\tc\n", "own.tsv:3: the worse translation is the better"),
        ("kind\treference\tbetter\tworse\na\tb\tc\tb\n", "own.tsv:2: the worse translation is the reference"),
        ("kind\treference\tbetter\tworse\na\tb\tc\td\nz\tb\tc\td\n", "own.tsv:3: is the triple of line 2 again"),
        ("kind\treference\tbetter\tworse\nall\tb\tc\td\n", "own.tsv:2: 'all' is no kind"),
        ("kind\treference\tbetter\tworse\na\tb\tc\td\na\tb\tc\n", "own.tsv:3: 3 columns"),
        ("", "empty"),
    ],
)
def test_files_that_cannot_be_used_are_named(tmp_path, text, message):
    file = tmp_path / "own.tsv"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_challenge(file)
