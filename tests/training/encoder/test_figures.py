"""Figures of encoders: statistics by hand, folds that are scored by the encoder that did not see them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra train")
figures = pytest.importorskip("training.encoder.figures", reason="needs the extra train")


def table(kind: str, human: list[float], ours: list[float], pair: str = "xx-en") -> Any:
    n = len(human)
    words, quality = np.arange(n), np.arange(n, dtype=float)
    return figures.Scored(pair, kind, np.arange(n), np.array(human), np.array(ours), words, quality)


def test_a_tie_of_ours_counts_against() -> None:
    one = table("comparison", [1, -1, 1, 1], [0.5, -2, 0, -1])
    assert one.statistic() == pytest.approx(0)  # two right, one tie, one wrong
    assert one.statistic(np.array([1.0, 1, 0, 0])) == 100
    assert one.statistic(chosen=np.array([False, False, True, True])) == -100


def test_pearson_with_weights_is_that_of_repeated_rows() -> None:
    random = np.random.default_rng(0)
    human, ours = random.standard_normal((2, 8))
    counts = np.array([1, 2, 0, 1, 3, 1, 1, 1])
    found = table("assessment", human.tolist(), ours.tolist()).statistic(counts.astype(float))
    expected = np.corrcoef(np.repeat(human, counts), np.repeat(ours, counts))[0, 1]
    assert found == pytest.approx(100 * expected)


def test_the_mean_is_over_language_pairs_and_its_interval_over_references() -> None:
    good, bad = table("comparison", [1] * 10, [1] * 10), table("comparison", [1] * 10, [-1] * 5 + [1] * 5, "yy-en")
    assert figures.mean([good, bad]) == 50
    low, high = figures.interval([good], [bad])
    assert 0 <= low < figures.mean([good]) - figures.mean([bad]) < high <= 200
    assert figures.interval([good], [good]) == (0, 0)


def test_parts_of_a_pair_are_put_together() -> None:
    found = figures.joined(
        [table("comparison", [1], [1]), table("comparison", [1], [1], "yy-en"), table("comparison", [-1], [1])]
    )
    assert [(one.pair, one.statistic()) for one in found] == [("xx-en", 0), ("yy-en", 100)]


def test_thirds_by_length_and_quality() -> None:
    one = table("comparison", [1] * 9, [1, 1, 1, 1, -1, 1, -1, -1, -1])
    by_words, by_quality = figures.by_parts("one", [one])
    assert "by words: low 100.00, middle 33.33, high -100.00" in by_words
    assert "by quality: low 100.00, middle 33.33, high -100.00" in by_quality


def test_scores_come_from_features_of_what_was_judged(compared: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (texts,) = compared
    seen: list[str] = []

    def features(texts: Any, encoder: str, precision: str) -> Any:
        seen.append(encoder)
        rows = {}
        for name, lines in texts.corpus.systems.items():
            for segment, line in enumerate(lines):
                reference = texts.corpus.references[segment][0]
                rows[name, segment] = np.full(3, sum(a == b for a, b in zip(line, reference, strict=True)))
        return rows

    monkeypatch.setattr(figures, "features", features)
    found = figures.scored("toy", texts, "mine", "int8", np.array([1.0, 0, 0]))
    assert found.statistic() == 100  # people prefer more letters that are right, and so does this
    assert len(found.human) == len(texts.judgments.untied())
    assert set(seen) == {"mine", "published"}
