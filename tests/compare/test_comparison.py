"""Systems against each other."""

from __future__ import annotations

import pytest

from tercet.compare import MetricJudge, compare
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


def test_json_and_tables_hold_every_segment(corpus):
    found = compare(corpus, MetricJudge(ChrF()), samples=50)
    content = found.as_json()
    assert set(content) == {"model", "signature", "pairs", "ranking", "segments", "notes"}
    assert content["model"] == "chrF2"
    assert {"first", "second", "wins", "losses", "ties", "probability", "p_value"} <= set(content["pairs"][0])
    assert {"system", "score", "rank", "cluster"} <= set(content["ranking"][0])
    assert set(content["segments"][0]) == {"segment", "first", "second", "verdict", "probability", "margin"}
    assert len(content["segments"]) == 3 * 40
    assert {entry["verdict"] for entry in content["segments"]} <= {"first", "second", "tie"}
    assert len(tables(found, 2, segments=True)[2].rows) == 3 * 40
    assert "bs:50|ar:50|seed:12345" in content["signature"]


def test_one_system_is_no_comparison(corpus):
    alone = Corpus(references=corpus.references, systems={"good": corpus.systems["good"]})
    with pytest.raises(OptionError, match="two systems or more"):
        compare(alone, MetricJudge(ChrF()))
