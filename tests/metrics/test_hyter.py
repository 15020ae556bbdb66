"""HyTER, HyTERA and the SBLEU of the same paper as metrics."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import resources
from tercet.corpus import Corpus
from tercet.errors import OptionError, ResourceError, ShapeError
from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.files import to_json_lines
from tercet.metrics import WER, metric
from tercet.metrics.hyter import HyTER, HyTERA
from tercet.metrics.sbleu import SBLEU
from tercet.metrics.scoring import Plan, score_corpus
from tests.strategies import corpora, sentences

installed = pytest.mark.skipif(
    resources.status("meteor").state != "installed", reason="METEOR's tables: tercet resources install meteor"
)
TABLE = "downplays belittles understates\ndiversity variety richness pluralism\nfilmmaking\tcinema\tmaking of films\n"
REFERENCE = "Matt Damon downplays diversity in filmmaking"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of paraphrases, and a cache of its own."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "table.txt"
    path.write_text(TABLE)
    return str(path)


@given(corpora)
def test_without_paraphrases_it_is_the_word_error_rate(segments: list[tuple[str, tuple[str, ...]]]) -> None:
    hypotheses, references = [s[0] for s in segments], [s[1] for s in segments]
    plain = HyTER(clitics=False)
    ours, theirs = (m.statistics(hypotheses, references) for m in (plain, WER(lowercase=True, tokenize="13a")))
    # of references with the same rate, word error rate takes the first, a lattice the one with the fewest edits
    assert np.array_equal(plain.score(ours), WER().score(theirs))
    assert (ours[:, 0] <= theirs[:, 0]).all()


def test_paraphrases_are_free(table: str) -> None:
    hytera = HyTERA(sources=table, content=False, vectors="none")
    assert hytera.segments(["matt damon belittles pluralism in cinema"], [REFERENCE]).tolist() == [0.0]
    assert hytera.segments(["Matt Damon understates richness in the making of films"], [REFERENCE]).tolist() == [
        pytest.approx(100 / 8)
    ]
    single = HyTERA(sources=table, content=False, vectors="none", multiword=False)
    assert single.lattice((REFERENCE,)).paths == 3 * 4 * 2
    assert hytera.lattice((REFERENCE,)).paths == 3 * 4 * 3
    match = hytera.match("damon belittles diversity in films", (REFERENCE,))
    assert match.path == ("matt", "damon", "belittles", "diversity", "in", "filmmaking")
    assert [step.edit for step in match.steps].count("match") == 4


def test_normalisers(table: str) -> None:
    hypotheses, references = ["a b c d x"], ["a b c"]
    scores = {
        normalize: metric(f"hytera:sources={table},content=no,vectors=none,normalize={normalize}").corpus(
            hypotheses, references
        )
        for normalize in ("reference", "sum", "longer")
    }
    assert scores == {"reference": pytest.approx(200 / 3), "sum": pytest.approx(25), "longer": pytest.approx(40)}


def test_another_normaliser_has_the_same_lattices(table: str) -> None:
    hytera = HyTERA(sources=table, content=False, vectors="none")
    made = hytera.lattice((REFERENCE,))
    other = hytera.by("sum")
    assert other.lattice((REFERENCE,)) is made
    assert other.corpus(["matt"], [REFERENCE]) == pytest.approx(100 * 5 / 7)
    assert (hytera.normalize, HyTER().by("longer").normalize) == ("reference", "longer")


def test_several_references_are_united(table: str) -> None:
    hytera = HyTERA(sources=table, content=False, vectors="none")
    both = (REFERENCE, "Damon plays diversity down")
    assert hytera.lattice(both).paths == 3 * 4 * 3 + 4
    assert hytera.segments(["damon plays richness down"], [both]).tolist() == [0.0]


def test_words_of_both_sides(table: str) -> None:
    hytera = HyTERA(sources=table, content=False, vectors="none")
    assert hytera.segments(["It’s DIVERSITY."], ["it 's variety ."]).tolist() == [100 / 4]
    without = HyTERA(sources=table, content=False, vectors="none", punctuation=False)
    assert without.segments(["diversity !"], ["Variety, …"]).tolist() == [100.0]
    assert without.segments(["variety !"], ["Diversity, …"]).tolist() == [0.0]


def test_corpus_scores_intervals_and_tests_come_from_statistics(table: str) -> None:
    hytera = HyTERA(sources=table, content=False, vectors="none")
    corpus = Corpus(
        references=[(REFERENCE,), ("a b",), ("",)] * 4,
        systems={"a": ["matt damon", "a b", ""] * 4, "b": ["matt damon belittles", "a", "x"] * 4},
    )
    [found] = score_corpus(corpus, {"hytera": hytera}, Plan(segments=True, confidence=50, paired="bs", samples=50))
    assert found.systems["a"].score == pytest.approx(100 * 4 / 8)
    assert found.systems["b"].segments.tolist()[:3] == [50.0, 50.0, 100.0]  # type: ignore[union-attr]
    assert found.comparisons


@pytest.mark.parametrize("normalize", ["reference", "sum", "longer"])
def test_empty_texts_and_endless_ones(table: str, normalize: str) -> None:
    hytera = metric(f"hytera:sources={table},content=no,vectors=none,normalize={normalize}")
    assert hytera.segments(["", "a", "", "a b"], ["", "", "a", "…"]).tolist()[:3] == [0, 100, 100]
    endless = " ".join(["diversity", "variety", "filmmaking", "."] * 500)
    [[edits, length]] = hytera.statistics([endless], [(REFERENCE,)]).tolist()
    # the longer path has one word in common, the shorter ones two
    assert (edits, length) == {"reference": (1999, 8), "sum": (1999, 2008), "longer": (1998, 2000)}[normalize]
    assert hytera.segments([endless], [endless]).tolist() == [0]


def test_signatures_say_what_changes_the_number(table: str) -> None:
    signatures = {
        str(HyTERA(sources=table, content=False, vectors="none", **options).signature)  # type: ignore[arg-type]
        for options in ({}, {"window": 1}, {"normalize": "sum"}, {"multiword": False}, {"punctuation": False},
                        {"clitics": False}, {"filtered": False}, {"lowercase": False})
    }  # fmt: skip
    assert len(signatures) == 8
    before = HyTERA(sources=table, content=False, vectors="none").signature
    Path(table).write_text(TABLE + "damon pitt\n")
    assert HyTERA(sources=table, content=False, vectors="none").signature != before


def test_bad_options(table: str) -> None:
    with pytest.raises(OptionError, match="window=9"):
        HyTERA(sources=table, window=9)
    with pytest.raises(OptionError, match="normalize='mean'"):
        HyTERA(normalize="mean")  # type: ignore[arg-type]
    with pytest.raises(ResourceError, match="tercet resources install meteor"):
        _ = HyTERA(sources="meteor").signature


def test_given_lattices(tmp_path: Path) -> None:
    path = tmp_path / "networks.jsonl"
    network = Lattice(3, (Edge(0, 1, ("the", "a")), Edge(1, 2, ("cat", "pet"))), (2,))
    path.write_text(to_json_lines([network, Lattice.of(["x"])]))
    hyter = HyTER(lattices=str(path))
    references = ["some reference", "another"]
    assert hyter.segments(["a pet", "some"], references).tolist() == [0.0, 100.0]
    assert HyTER(lattices=str(path), references=True).segments(["a pet", "another"], references).tolist() == [0.0, 0.0]
    assert str(hyter.signature) != str(HyTER().signature)
    with pytest.raises(ShapeError, match="2 lattices for 1 segments"):
        hyter.corpus(["a"], ["b"])
    with pytest.raises(ShapeError, match="segments 1 and 2 have the same references"):
        hyter.corpus(["a", "b"], ["b", "b"])


def _sbleu(hypothesis: list[str], reference: list[str]) -> float:
    total = 0.0
    for n in range(1, 5):
        here, there = (
            Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)) for words in (hypothesis, reference)
        )
        total += sum((here & there).values()) / sum(there.values()) if there else 0.0
    return 25 * total


@given(sentences(12), st.lists(sentences(12), min_size=1, max_size=3))
def test_sbleu_is_mean_recall_of_the_best_reference(hypothesis: str, references: list[str]) -> None:
    words = SBLEU()._wording.words([hypothesis, *references])
    expected = max(_sbleu(words[0], reference) for reference in words[1:])
    assert SBLEU().segments([hypothesis], [tuple(references)])[0] == pytest.approx(expected)


@installed
@pytest.mark.resource
def test_real_tables() -> None:
    hypotheses, references = (
        ["Matt Damon minimizes variety in films ."],
        ["Matt Damon downplays diversity in filmmaking."],
    )
    scores = {name: metric(name).corpus(hypotheses, references) for name in ("hyter", "hytera", "hytera-all")}
    assert scores["hytera-all"] <= scores["hytera"] < scores["hyter"] == pytest.approx(300 / 7)
    few, many = (metric(name).lattice((references[0],)).paths for name in ("hytera", "hytera-all"))  # type: ignore[attr-defined]
    assert 100 < few < many


def test_pairs_for_a_part_of_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "ppdb"
    path.write_text("[NN] ||| walk ||| stroll ||| PPDB2.0Score=4\n[VB] ||| walk ||| march ||| PPDB2.0Score=4\n")
    options = {"sources": str(path), "content": False, "vectors": "none"}
    tagged, plain = HyTERA(**options), HyTERA(**options, tags=False)  # type: ignore[arg-type]
    assert set(plain.lattice(("the walk was long",)).edges[1].words) == {"walk", "stroll", "march"}
    assert set(tagged.lattice(("the walk was long",)).edges[1].words) == {"walk", "stroll"}
    assert set(tagged.lattice(("they want to walk home",)).edges[3].words) == {"walk", "march"}
    assert str(tagged.signature) != str(plain.signature)
