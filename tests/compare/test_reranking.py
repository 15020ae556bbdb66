"""Reranking: minimum Bayes risk against its definition, wins against a small model, the statistics exchanged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tercet.compare.reranking import against_references, minimum_bayes_risk, pairwise_wins
from tercet.errors import ShapeError
from tercet.metrics import BLEU, TER, ChrF, Metric
from tercet.signature import Signature

METRICS = [BLEU(), BLEU(max_order=2, lowercase=True), ChrF(), ChrF(word_order=2), ChrF(eps_smoothing=True), TER()]
WORDS = st.lists(st.sampled_from(["a", "B", "cat", "the", "é", "字字", "…"]), max_size=9).map(" ".join)


@given(WORDS, WORDS)
@pytest.mark.parametrize("metric", [one for one in METRICS if not isinstance(one, TER)], ids=str)
def test_statistics_exchanged_are_those_of_texts_exchanged(metric: Metric, one: str, other: str) -> None:
    turned = metric.exchanged(metric.statistics([one], [(other,)]))
    assert turned is not None
    if not np.isnan(turned).any():
        assert np.array_equal(turned, metric.statistics([other], [(one,)]))


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(tuple), min_size=1, max_size=3))
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_minimum_bayes_risk_is_the_mean_over_all_as_references(metric: Metric, lists: list[tuple[str, ...]]) -> None:
    found = minimum_bayes_risk(lists, metric)
    for texts, scores in zip(lists, found.scores, strict=True):
        expected = [np.mean([metric.segments([one], [(other,)])[0] for other in texts]) for one in texts]
        assert np.allclose(scores, expected, atol=1e-9)


def test_the_translation_nearest_to_all_others_wins() -> None:
    lists = [("a dog ran", "the cat sat", "a dog", "the cat sat", "the cat sits"), ("only one",)]
    found = minimum_bayes_risk(lists, ChrF())
    assert found.best() == ["the cat sat", "only one"]
    assert "by:mbr" in str(found.signature)


def test_where_less_is_better_the_least_wins() -> None:
    lists = [("entirely different words here", "the cat sat on it", "the cat sat on a mat")]
    assert against_references(lists, [("the cat sat on a mat",)], TER()).best() == ["the cat sat on a mat"]
    assert minimum_bayes_risk(lists, TER()).order(0)[-1] == 0


def test_of_equals_the_first_wins() -> None:
    assert against_references([("x y", "x y", "x y")], [("x y",)], BLEU()).order(0) == [0, 1, 2]


class Length:
    """Prefers the longer translation."""

    def margins(
        self, systems: Sequence[Sequence[str]], references: Sequence[tuple[str, ...]], sources: Sequence[str] | None
    ) -> NDArray[np.float64]:
        lengths = np.array([[len(text) for text in system] for system in systems], float)
        return lengths[:, None] - lengths[None]

    def probability(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((1 + np.sign(margins)) / 2)


def test_wins_of_lists_of_several_sizes() -> None:
    lists = [("aa", "a", "aaa"), ("x",), ("b", "bb", "b")]
    found = pairwise_wins(lists, [("r",)] * 3, Length(), Signature.of("length"))
    assert [scores.tolist() for scores in found.scores] == [[50, 0, 100], [50], [25, 100, 25]]
    assert found.best() == ["aaa", "x", "bb"]
    first = found.as_json()["segments"][0]["ranking"][0]
    assert first == {"place": 3, "hypothesis": "aaa", "score": 100.0}


def test_references_of_other_segments() -> None:
    with pytest.raises(ShapeError, match="2 lists of translations and references of 1 segments"):
        against_references([("a",), ("b",)], [("r",)], BLEU())
