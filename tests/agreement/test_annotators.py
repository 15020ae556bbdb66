"""Agreement of people with people: κ and tau, by hand and against going through every two judgments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreement.annotators import JudgeTau, Kappa, annotator_kappa, judge_tau
from tercet.errors import OptionError, ShapeError
from tests.oracles import annotators as oracle

JUDGES = ("different", "same", "any")
PAIR = st.permutations(range(4)).map(lambda order: tuple(order[:2]))
JUDGMENTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(1, 3), PAIR, st.sampled_from([-1, 0, 1])).map(
        lambda found: (found[0], found[1], *found[2], found[3])
    ),
    min_size=1,
    max_size=40,
)

# Of one pair of translations: a says first, b says first (shown the other way round), a again says second, c ties.
BY_HAND = [("a", 1, 0, 1, 1), ("b", 1, 1, 0, -1), ("a", 1, 0, 1, -1), ("c", 1, 0, 1, 0), ("c", 2, 0, 1, 1)]


def test_kappa_by_hand():
    different = annotator_kappa(*zip(*BY_HAND, strict=True))
    assert different == Kappa(observed=1 / 5, expected=pytest.approx(0.2**2 + 0.8**2 / 2), meetings=5)
    assert different.kappa == pytest.approx((0.2 - 0.36) / 0.64)
    same = annotator_kappa(*zip(*BY_HAND, strict=True), judges="same")
    assert same == Kappa(observed=0.0, expected=0.5, meetings=1)  # a tied nothing where a repeated
    assert annotator_kappa(*zip(*BY_HAND, strict=True), judges="any").meetings == 6
    assert annotator_kappa(*zip(*BY_HAND, strict=True), chance="uniform").expected == pytest.approx(1 / 3)


def test_tau_by_hand():
    assert judge_tau(*zip(*BY_HAND, strict=True)) == JudgeTau(concordant=1, discordant=2, ties=3)
    assert judge_tau(*zip(*BY_HAND, strict=True), judges="different") == JudgeTau(1, 1, 3)
    assert judge_tau(*zip(*BY_HAND, strict=True), judges="same").tau == -1
    assert sum([JudgeTau(3, 1, 0), JudgeTau(1, 1, 2)]).tau == pytest.approx(2 / 6)


@given(JUDGMENTS, st.sampled_from(JUDGES))
def test_agrees_with_every_two_judgments(judgments, judges):
    counts = oracle.meetings(judgments, judges)
    tau = judge_tau(*zip(*judgments, strict=True), judges=judges)
    concordant, discordant = counts[1, 1] + counts[-1, -1], counts[-1, 1]
    assert tau == JudgeTau(concordant, discordant, counts.total() - concordant - discordant)
    if counts.total() and oracle.chance(judgments, judges) < 1:
        kappa = annotator_kappa(*zip(*judgments, strict=True), judges=judges)
        assert kappa.meetings == counts.total()
        assert kappa.kappa == pytest.approx(oracle.kappa(judgments, judges))


@given(JUDGMENTS, st.sampled_from(JUDGES), st.randoms(use_true_random=False))
def test_order_of_showing_and_names_do_not_matter(judgments, judges, random):
    to = [0, 1, 2, 3]
    random.shuffle(to)
    renamed = [
        (f"judge {judge}", 10 * segment, to[b], to[a], -value)
        if random.random() < 0.5
        else (f"judge {judge}", 10 * segment, to[a], to[b], value)
        for judge, segment, a, b, value in random.sample(judgments, len(judgments))
    ]
    assert judge_tau(*zip(*judgments, strict=True), judges=judges) == judge_tau(
        *zip(*renamed, strict=True), judges=judges
    )


def test_judges_who_always_agree_have_kappa_one():
    judgments = [(judge, segment, 0, 1, segment % 3 - 1) for judge in "abcd" for segment in range(30)]
    assert annotator_kappa(*zip(*judgments, strict=True)).kappa == 1


def test_refuses_what_cannot_be_counted():
    alone = [("a", 1, 0, 1, 1), ("a", 2, 0, 1, 1)]
    with pytest.raises(ShapeError, match="judged twice"):
        annotator_kappa(*zip(*alone, strict=True))
    with pytest.raises(ShapeError, match="no tau"):
        _ = judge_tau(*zip(*alone, strict=True)).tau
    with pytest.raises(ShapeError, match="all judgments are ties"):
        annotator_kappa(["a", "b"], [1, 1], [0, 0], [1, 1], [0, 0])
    with pytest.raises(ShapeError, match="unequal length"):
        judge_tau(["a"], [1, 1], [0, 0], [1, 1], [0, 0])
    with pytest.raises(ShapeError, match="with itself"):
        judge_tau(["a"], [1], [1], [1], [0])
    with pytest.raises(ShapeError, match="name no judge"):
        annotator_kappa([-1, -1], [1, 1], [0, 0], [1, 1], [0, 1])
    assert judge_tau([-1, -1], [1, 1], [0, 0], [1, 1], [1, 1]).tau == 1
    with pytest.raises(ShapeError, match="no judgments"):
        judge_tau([], [], [], [], [])
    with pytest.raises(OptionError, match="judges='both'"):
        judge_tau(["a"], [1], [0], [1], [0], judges="both")
    with pytest.raises(OptionError, match="chance='none'"):
        annotator_kappa(["a"], [1], [0], [1], [0], chance="none")
