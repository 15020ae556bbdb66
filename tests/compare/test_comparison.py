"""Systems against each other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tercet.compare import MetricJudge, compare
from tercet.compare.comparison import PairResult, _permutation, _ranking
from tercet.compare.presentation import tables
from tercet.corpus import Corpus
from tercet.errors import OptionError
from tercet.metrics import TER, ChrF
from tests import world


@pytest.fixture
def corpus() -> Corpus:
    references, systems = world.texts(40, seed=3)
    return Corpus(references=[(text,) for text in references], systems=systems)


@pytest.mark.parametrize("metric", [ChrF(), TER()], ids=["higher is better", "lower is better"])
def test_wins_are_counted_and_the_better_system_leads(corpus, metric):
    found = compare(corpus, MetricJudge(metric), samples=500)
    assert [(pair.first, pair.second) for pair in found.pairs] == [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    for pair in found.pairs:
        scores = [
            metric.segments(list(corpus.systems[name]), list(corpus.references)) for name in (pair.first, pair.second)
        ]
        better = scores[0] > scores[1] if metric.higher_is_better else scores[0] < scores[1]
        assert pair.wins == better.sum()
        assert pair.wins + pair.losses + pair.ties == 40
        assert pair.probability == pytest.approx((pair.wins + pair.ties / 2) / 40)
        assert pair.p_holm >= pair.p_value
    assert [ranked.system for ranked in found.ranking] == ["good", "fair", "poor"]
    assert [ranked.rank for ranked in found.ranking] == [1, 2, 3]
    assert [ranked.cluster for ranked in found.ranking] == [1, 2, 3]


def test_a_system_and_itself_tie_everywhere(corpus):
    twins = Corpus(
        references=corpus.references, systems={"one": corpus.systems["fair"], "other": corpus.systems["fair"]}
    )
    found = compare(twins, MetricJudge(ChrF()), samples=200)
    assert (found.pairs[0].wins, found.pairs[0].losses, found.pairs[0].ties) == (0, 0, 40)
    assert (found.pairs[0].probability, found.pairs[0].p_value) == (0.5, 1)
    assert [(ranked.rank, ranked.cluster) for ranked in found.ranking] == [(1, 1), (1, 1)]


def test_the_test_agrees_with_all_permutations():
    margins = np.array([0.3, 0.8, -0.2, 0.5, 0.1, 0.9, -0.4, 0.7])
    every = [abs(np.dot(signs, margins)) for signs in product((1, -1), repeat=8)]
    exact = np.mean(np.array(every) >= margins.sum() - 1e-9)
    assert _permutation(margins, 20_000, 1) == pytest.approx(exact, abs=0.02)
    assert _permutation(margins, 500, 1) == _permutation(margins, 500, 1)


def test_a_cluster_ends_where_all_above_beat_all_below():
    def pair(first: str, second: str, p: float) -> PairResult:
        return PairResult(first, second, 6, 4, 0, 0.6, 0.1, p, p)

    found = _ranking("abc", [pair("a", "b", 0.5), pair("a", "c", 0.01), pair("b", "c", 0.01)])
    assert [(ranked.system, ranked.cluster) for ranked in found] == [("a", 1), ("b", 1), ("c", 2)]
    found = _ranking("abc", [pair("a", "b", 0.01), pair("a", "c", 0.01), pair("b", "c", 0.5)])
    assert [ranked.cluster for ranked in found] == [1, 2, 2]
    found = _ranking("abc", [pair("a", "b", 0.01), pair("a", "c", 0.2), pair("b", "c", 0.01)])
    assert [ranked.cluster for ranked in found] == [1, 1, 1]


def test_json_and_tables_hold_every_segment(corpus):
    found = compare(corpus, MetricJudge(ChrF()), samples=50)
    content = found.as_json()
    assert set(content) == {"signature", "pairs", "ranking", "segments", "notes"}
    assert {"first", "second", "wins", "losses", "ties", "probability", "p_value"} <= set(content["pairs"][0])
    assert set(content["ranking"][0]) == {"system", "score", "rank", "cluster"}
    assert len(content["segments"]) == 3 * 40
    assert {entry["verdict"] for entry in content["segments"]} <= {"first", "second", "tie"}
    assert len(tables(found, 2, segments=True)[2].rows) == 3 * 40
    assert "ar:50|seed:12345" in content["signature"]


def test_one_system_is_no_comparison(corpus):
    alone = Corpus(references=corpus.references, systems={"good": corpus.systems["good"]})
    with pytest.raises(OptionError, match="two systems or more"):
        compare(alone, MetricJudge(ChrF()))
