"""Scores of systems by counting and by Bradley–Terry, rank ranges, clusters."""

from __future__ import annotations

import choix
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreement.bradley_terry import maximum_a_posteriori
from tercet.agreement.clusters import rank_clusters, rank_ranges, ranks
from tercet.agreement.comparisons import Comparisons
from tercet.agreement.rankings import (
    METHODS,
    BetterOrEqual,
    BradleyTerry,
    ExpectedWins,
    WinRatio,
    rank_systems,
    system_score,
)
from tercet.corpus.judgments import Judgments
from tercet.errors import OptionError, ShapeError
from tests.agreement.judgments import as_comparisons, matches

# A beats B 3:1 with a tie, A and C 1:1, B beats C 2:0, B and C tie twice.
BY_HAND = [(0, 1, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1), (0, 1, 0), (0, 2, 1), (2, 0, 1), (1, 2, 1), (1, 2, 1)]
BY_HAND += [(2, 1, 0), (1, 2, 0)]


def test_scores_by_hand():
    comparisons = as_comparisons(3, BY_HAND)
    assert ExpectedWins().scores(comparisons) == pytest.approx([(3 / 4 + 1 / 2) / 2, (1 / 4 + 1) / 2, (1 / 2 + 0) / 2])
    assert WinRatio().scores(comparisons) == pytest.approx([4 / 6, 3 / 6, 1 / 4])
    assert BetterOrEqual().scores(comparisons) == pytest.approx([5 / 7, 6 / 9, 3 / 6])


@given(matches())
def test_tallies_count_each_comparison_once(found):
    systems, played = found
    tally = as_comparisons(systems, played).tally()
    for a in range(systems):
        for b in range(systems):
            wins = sum((x, y, v) in ((a, b, 1), (b, a, -1)) for x, y, v in played)
            ties = sum({x, y} == {a, b} and v == 0 for x, y, v in played)
            assert (tally.wins[a, b], tally.ties[a, b]) == (wins, ties)


@given(matches())
def test_expected_wins_agrees_with_the_definition(found):
    systems, played = found
    scores = ExpectedWins().scores(as_comparisons(systems, played))
    for a in range(systems):
        rates = []
        for b in set(range(systems)) - {a}:
            won = sum((x, y, v) in ((a, b, 1), (b, a, -1)) for x, y, v in played)
            lost = sum((x, y, v) in ((b, a, 1), (a, b, -1)) for x, y, v in played)
            if won + lost:
                rates.append(won / (won + lost))
        assert scores[a] == pytest.approx(sum(rates) / len(rates) if rates else np.nan, nan_ok=True)


@given(matches(ties=False), st.sampled_from([1e-3, 0.01, 1.0]))
def test_bradley_terry_agrees_with_choix(found, penalty):
    systems, played = found
    wins = [(a, b) if value > 0 else (b, a) for a, b, value in played]
    theirs = choix.opt_pairwise(systems, wins, alpha=penalty, method="Newton-CG", tol=1e-10)
    ours = maximum_a_posteriori(as_comparisons(systems, played).tally().wins[None], penalty)[0]
    assert ours == pytest.approx(theirs, abs=1e-4)


@given(matches(), st.sampled_from(["omit", "half"]))
def test_bradley_terry_is_at_the_maximum(found, ties):
    """The slope is nil: a system won as often as its strength says, less what the penalty takes."""
    systems, played = found
    comparisons, method = as_comparisons(systems, played), BradleyTerry(ties=ties)
    tally = comparisons.tally()
    wins = tally.wins + (tally.ties / 2 if ties == "half" else 0)
    theta = maximum_a_posteriori(wins[None], method.penalty)[0]
    expected = (wins + wins.T) / (1 + np.exp(theta[None, :] - theta[:, None]))
    assert wins.sum(axis=1) == pytest.approx(expected.sum(axis=1) + 2 * method.penalty * theta, abs=1e-5)
    assert theta.sum() == pytest.approx(0, abs=1e-6)
    known = (wins + wins.T).sum(axis=1) > 0
    assert method.scores(comparisons)[known] == pytest.approx(theta[known])


def test_bradley_terry_of_a_system_that_never_lost_is_finite():
    for penalty in (1e-9, 0.01, 100.0):
        theta = BradleyTerry(penalty=penalty).scores(as_comparisons(3, [(0, 1, 1)] * 500 + [(1, 2, 1)] * 500))
        assert np.isfinite(theta).all()
        assert theta[0] > theta[1] > theta[2]


@pytest.mark.parametrize("name", ["expected_wins", "win_ratio", "better_or_equal", "bradley_terry"])
@given(found=matches(ties=False))
def test_turning_judgments_round_turns_the_order_round(name, found):
    """Antisymmetry: who wins becomes who loses."""
    systems, played = found
    method = system_score(name)
    forth = method.scores(as_comparisons(systems, played))
    back = method.scores(as_comparisons(systems, [(a, b, -value) for a, b, value in played]))
    met = ~np.isnan(forth)
    assert np.array_equal(met, ~np.isnan(back))
    assert (forth + back)[met] == pytest.approx(0 if name == "bradley_terry" else 1, abs=1e-6)


@pytest.mark.parametrize("name", ["expected_wins", "win_ratio", "better_or_equal", "bradley_terry"])
@given(found=matches(), random=st.randoms(use_true_random=False))
def test_names_of_systems_do_not_matter(name, found, random):
    systems, played = found
    played += [(a, (a + 1) % systems, value) for a in range(systems) for value in (1, -1)]
    to = list(range(systems))
    random.shuffle(to)
    one = rank_systems(as_comparisons(systems, played), name, resamples=25, seed=4)
    other = rank_systems(as_comparisons(systems, [(to[a], to[b], v) for a, b, v in played]), name, resamples=25, seed=4)
    assert one.scores == pytest.approx(other.scores[to], abs=1e-9)
    if name != "bradley_terry":  # whose last digits decide between equal systems
        for field in ("low", "high", "cluster"):
            assert np.array_equal(getattr(one, field), getattr(other, field)[to])


@pytest.mark.parametrize("name", [*METHODS, "trueskill:matching=random"])
def test_equal_systems_share_a_cluster_and_others_do_not(name):
    """0 and 1 are alike, 2 loses to both nine times out of ten."""
    rng = np.random.default_rng(11)
    played = [(0, 1, int(v)) for v in rng.permutation([1, -1, 0] * 100)]
    played += [(a, 2, int(v)) for a in (0, 1) for v in rng.permutation([1] * 270 + [-1] * 30)]
    ranking = rank_systems(as_comparisons(3, played), name, resamples=200)
    assert ranking.cluster.tolist() == [1, 1, 2]
    assert ranking.low.tolist() == [1, 1, 3]
    assert ranking.high.tolist() == [2, 2, 3]


@pytest.mark.parametrize("name", METHODS)
def test_only_a_seed_changes_the_ranges(name):
    rng = np.random.default_rng(2)
    first = rng.integers(0, 6, 300)
    comparisons = Comparisons(
        first, (first + rng.integers(1, 6, 300)) % 6, rng.integers(-1, 2, 300), np.arange(300) // 10
    )
    score = system_score(name)
    one = score.resampled(comparisons, resamples=30, seed=1)
    assert np.array_equal(one, score.resampled(comparisons, resamples=30, seed=1))
    assert not np.array_equal(one, score.resampled(comparisons, resamples=30, seed=2))


def test_resamples_are_of_items():
    """Two items, each all for one side: a resample has ten comparisons, won 0, 5 or 10."""
    comparisons = as_comparisons(2, [(0, 1, 1)] * 5 + [(0, 1, -1)] * 5, item=[7] * 5 + [3] * 5)
    (tally,) = comparisons.resampled_tallies(200, seed=1)
    assert tally.wins.shape == (200, 2, 2)
    assert set(tally.wins[:, 0, 1]) == {0, 5, 10}
    assert (tally.decided[:, 0, 1] == 10).all()
    orders = [order for block in comparisons.resampled_orders(200, seed=1) for order in block]
    assert [len(order) for order in orders] == [10] * 200
    assert [np.sum(order < 5) for order in orders] == tally.wins[:, 0, 1].tolist()


def test_resampled_tallies_have_the_right_mean_and_spread():
    comparisons = as_comparisons(2, [(0, 1, 1)] * 60 + [(0, 1, -1)] * 30 + [(0, 1, 0)] * 10)
    wins = np.concatenate([tally.wins[:, 0, 1] for tally in comparisons.resampled_tallies(4000, seed=8)])
    assert wins.mean() == pytest.approx(60, abs=0.3)
    assert wins.std() == pytest.approx(np.sqrt(100 * 0.6 * 0.4), rel=0.05)


def test_blocks_make_no_difference(monkeypatch):
    comparisons = as_comparisons(3, BY_HAND)
    whole = ExpectedWins().resampled(comparisons, resamples=50, seed=6)
    monkeypatch.setattr("tercet.agreement.comparisons._BLOCK", 40)
    assert np.array_equal(whole, ExpectedWins().resampled(comparisons, resamples=50, seed=6), equal_nan=True)


def test_ranks_share_the_better_place():
    assert ranks(np.array([[0.2, 0.9, 0.2, 0.5], [1, 1, 1, 1]])).tolist() == [[3, 1, 3, 2], [1, 1, 1, 1]]


@pytest.mark.parametrize(
    ("times", "wmt13", "wmt14"),
    [
        ({2: 1000}, (2, 2), (2, 2)),
        ({1: 25, 2: 950, 3: 25}, (2, 2), (2, 2)),
        ({1: 26, 2: 948, 3: 26}, (2, 3), (1, 3)),  # of two alike neighbours, the worse rank
        ({1: 27, 2: 948, 3: 25}, (1, 2), (1, 2)),
        ({2: 955, 3: 45}, (2, 2), (2, 3)),  # all the doubt on one side
        ({1: 940, 4: 60}, (1, 4), (1, 4)),  # a gap
        ({1: 60, 4: 940}, (1, 4), (1, 4)),
        ({1: 300, 2: 300, 3: 400}, (1, 3), (1, 3)),
        ({5: 1}, (5, 5), (5, 5)),
    ],
)
def test_ranges_by_hand(times, wmt13, wmt14):
    resampled = np.array([[rank, 1] for rank, n in times.items() for _ in range(n)])
    for kind, (low, high) in (("wmt13", wmt13), ("wmt14", wmt14)):
        lows, highs = rank_ranges(resampled, kind=kind)
        assert (lows.tolist(), highs.tolist()) == ([low, 1], [high, 1])


@given(st.lists(st.integers(1, 7), min_size=1, max_size=60), st.sampled_from([0.5, 0.9, 0.95]))
def test_ranges_hold_what_they_promise(column, confidence):
    resampled = np.array(column)[:, None]
    for kind in ("wmt13", "wmt14"):
        (low,), (high,) = rank_ranges(resampled, confidence, kind=kind)
        assert min(column) <= low <= high <= max(column)
    (low,), (high,) = rank_ranges(resampled, confidence, kind="wmt13")
    assert np.mean((low <= resampled) & (resampled <= high)) >= confidence - 1e-9
    assert any(column.count(rank) == max(map(column.count, column)) for rank in range(low, high + 1))


@pytest.mark.parametrize(
    ("ranges", "clusters"),
    [
        ([(1, 1), (2, 3), (2, 3), (4, 4)], [1, 2, 2, 3]),
        ([(1, 2), (2, 3), (3, 4)], [1, 1, 1]),  # a chain
        ([(1, 4), (2, 2), (4, 4), (5, 5)], [1, 1, 1, 2]),  # a wide range that covers others
        ([(3, 3), (2, 2), (1, 1)], [3, 2, 1]),
        ([(1, 1)], [1]),
    ],
)
def test_clusters_by_hand(ranges, clusters):
    low, high = np.array(ranges).T
    assert rank_clusters(low, high).tolist() == clusters


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=9))
def test_clusters_are_the_connected_overlaps(ranges):
    low, high = np.array([(start, start + length) for start, length in ranges]).T
    clusters = rank_clusters(low, high)
    n = len(low)
    joined = (low[:, None] <= high) & (low <= high[:, None])
    reach = np.linalg.matrix_power(joined.astype(np.int64), n) > 0
    assert np.array_equal(reach, clusters[:, None] == clusters)
    assert sorted(set(clusters)) == list(range(1, max(clusters) + 1))


def test_rows_are_ready_for_json():
    ranking = rank_systems(as_comparisons(3, BY_HAND * 20), resamples=50)
    rows = ranking.rows(["A", "B", "C"])
    assert [row["rank"] for row in rows] == [1, 1, 3]
    assert rows[2] == {"system": "C", "score": 0.25, "rank": 3, "low": 3, "high": 3, "cluster": 2}
    with pytest.raises(ShapeError, match="2 names for 3 systems"):
        ranking.rows(["A", "B"])


def test_a_resample_may_say_nothing_of_a_system():
    """System 2 has one comparison: a third of the resamples leave it out, one of them may be ties only."""
    ranking = rank_systems(as_comparisons(3, [(0, 1, 1), (0, 1, 0), (0, 2, 1)]), resamples=300)
    assert ((ranking.low >= 1) & (ranking.high <= 3)).all()
    assert ranking.cluster.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        (([], [], []), "no comparisons"),
        (([0, 1], [1], [1]), "unequal length"),
        (([0, 1], [1, 1], [1, 1]), "with itself"),
        (([0], [1], [2]), "value 2"),
        (([0], [-1], [1]), "system -1"),
        (([0.5], [1], [1]), "whole numbers"),
        ((["a"], ["b"], [1]), "whole numbers"),
        (([[0]], [[1]], [[1]]), "dimensions"),
        (([0], [1], [np.nan]), "whole numbers"),
    ],
)
def test_refuses_arrays_that_do_not_fit(arrays, says):
    with pytest.raises(ShapeError, match=says):
        Comparisons(*map(np.array, arrays))


def test_judgments_become_comparisons():
    rows = {
        "pair": ["cs-en"] * 3,
        "segment": [0, 0, 4],
        "system": ["A", "B", "C"],
        "other": ["B", "C", "A"],
        "value": [1.0, 0.0, -1.0],
    }
    judgments = Judgments.make("comparison", pl.DataFrame({**rows, "item": [5, 5, 9]}))
    comparisons = Comparisons.of(judgments, ["C", "B", "A", "unjudged"])
    assert comparisons.first.tolist() == [2, 1, 0]
    assert comparisons.second.tolist() == [1, 0, 2]
    assert comparisons.value.tolist() == [1, 0, -1]
    assert (comparisons.systems, comparisons.items) == (4, 2)
    assert Comparisons.of(Judgments.make("comparison", pl.DataFrame(rows)), ["A", "B", "C"]).items == 3
    with pytest.raises(OptionError, match="one pair at a time"):
        Comparisons.of(Judgments.make("comparison", pl.DataFrame({**rows, "pair": ["a", "a", "b"]})), ["A", "B", "C"])
    scores = pl.DataFrame({"pair": ["cs-en"], "system": ["A"], "value": [0.3]})
    with pytest.raises(OptionError, match="not comparisons"):
        Comparisons.of(Judgments.make("assessment", scores), ["A"])


def test_refuses_more_systems_than_were_said():
    with pytest.raises(ShapeError, match="system 2 is not one of the 2"):
        Comparisons(np.array([0]), np.array([2]), np.array([1]), systems=2)
    with pytest.raises(ShapeError, match="item 2"):
        Comparisons(np.array([0]), np.array([1]), np.array([1]), np.array([1, 2]))


def test_names_the_system_that_cannot_be_scored():
    silent = as_comparisons(3, [(0, 1, 1), (0, 2, 0)])
    with pytest.raises(ShapeError, match="system 'C'"):
        rank_systems(silent, names=["A", "B", "C"])
    assert rank_systems(silent, "better_or_equal", resamples=10).rank.tolist() == [1, 3, 1]
    unseen = as_comparisons(3, [(0, 1, 1)])
    for name in METHODS:
        with pytest.raises(ShapeError, match="system 2"):
            rank_systems(unseen, name, resamples=5)


def test_refuses_options_that_make_no_sense():
    comparisons = as_comparisons(3, BY_HAND)
    with pytest.raises(OptionError, match="unknown ranking method 'elo'"):
        rank_systems(comparisons, "elo")
    with pytest.raises(OptionError, match="resamples=0"):
        rank_systems(comparisons, resamples=0)
    with pytest.raises(OptionError, match="confidence=1"):
        rank_systems(comparisons, resamples=5, confidence=1)
    with pytest.raises(OptionError, match="ranges 'wmt15'"):
        rank_systems(comparisons, resamples=5, ranges="wmt15")
    with pytest.raises(OptionError, match="penalty=0"):
        BradleyTerry(penalty=0.0)
    with pytest.raises(OptionError, match="no option"):
        system_score("expected_wins:alpha=1")
    assert system_score("bradley_terry:penalty=0.5,ties=half") == BradleyTerry(penalty=0.5, ties="half")
