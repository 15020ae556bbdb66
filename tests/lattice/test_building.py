"""Lattices from sentences: they hold exactly the sentences that replacing phrases makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tercet.lattice.automaton import Lattice
from tercet.lattice.building import Builder
from tercet.lattice.index import Paraphrase
from tercet.lattice.sources import Source
from tests.oracles.building import sentences_of

Table = dict[tuple[str, ...], list[tuple[str, ...]]]

words = st.sampled_from(["a", "b", "c", "the", "."])
phrases = st.lists(words, min_size=1, max_size=3).map(tuple)
tables = st.dictionaries(phrases, st.lists(phrases, min_size=1, max_size=3, unique=True), max_size=6)


class Listed(Source):
    """Paraphrases from a dictionary."""

    def __init__(self, table: Table, tag: str = "") -> None:
        self.table, self.tag, self.name, self.judged = table, tag, "listed", True

    def spans(self, words: Sequence[str]):  # type: ignore[no-untyped-def]
        for start in range(len(words)):
            for length in range(1, len(words) - start + 1):
                found = self.table.get(tuple(words[start : start + length]))
                if found:
                    yield start, length, tuple(Paraphrase(other, 1.0, self.tag) for other in found)


@given(st.lists(words, max_size=5), tables, st.booleans(), st.sampled_from([(), ("the",)]))
def test_holds_all_ways_to_say_it(
    sentence: list[str], table: Table, multiword: bool, function: tuple[str, ...]
) -> None:
    builder = Builder([Listed(table)], multiword=multiword, function_words=function)
    lattice = builder.lattice(sentence)
    assert set(lattice.sentences()) == sentences_of(sentence, table, multiword=multiword, function_words=function)
    assert Lattice(lattice.states, lattice.edges, lattice.finals) == lattice  # in the form that is promised


class Only:
    """Keeps one word."""

    def kept(
        self, words: Sequence[str], candidates: Mapping[int, Sequence[str]], tags: Sequence[str] | None = None
    ) -> dict[int, list[str]]:
        return {place: [word for word in some if word == "x" and place > 0] for place, some in candidates.items()}


def test_a_judge_of_substitutes_has_the_last_word() -> None:
    builder = Builder([Listed({("a",): [("x",), ("y",)], ("b",): [("x",), ("y",)]})], substitutes=Only())
    assert set(builder.lattice(["a", "b"]).sentences()) == {("a", "b"), ("a", "x")}


def test_other_forms_of_a_word_are_not_judged() -> None:
    forms, others = Listed({("a",): [("as",)]}), Listed({("a",): [("as",), ("y",)]})
    forms.judged = False
    assert set(Builder([others, forms], substitutes=Only()).lattice(["a"]).sentences()) == {("a",), ("as",)}


def test_tags_decide_where_a_pair_may_be_used() -> None:
    source = Listed({("run",): [("sprint",)]}, tag="VB")
    assert Builder([source], tagger=lambda words: ["NN"] * len(words)).lattice(["run"]).paths == 1
    assert Builder([source], tagger=lambda words: ["VB"] * len(words)).lattice(["run"]).paths == 2
    assert Builder([source]).lattice(["run"]).paths == 2


def test_several_sources_and_an_empty_sentence() -> None:
    builder = Builder([Listed({("a",): [("x",)]}), Listed({("a",): [("y",), ("x",)], ("a", "b"): [("z",)]})])
    assert set(builder.lattice(["a", "b"]).sentences()) == {("a", "b"), ("x", "b"), ("y", "b"), ("z",)}
    assert list(builder.lattice([]).sentences()) == [()]
