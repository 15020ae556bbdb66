"""Matching of word pieces by their vectors in context."""

from __future__ import annotations

import numpy as np
import pytest

from tercet import resources
from tercet.errors import OptionError
from tercet.features import context
from tercet.features.registry import feature_set, sentence_vectors
from tercet.language.encoder import Encoded


def encoded(pieces: list[int], vectors: list[list[float]]) -> Encoded:
    special = [[1.0, 1.0]]
    return Encoded(np.array([101, *pieces, 102]), np.array(special + vectors + special, np.float32))


def test_measures_by_hand() -> None:
    hypothesis = encoded([1996, 4937], [[1, 0], [0, 2]])
    reference = encoded([1996, 3899, 4937], [[3, 0], [1, 1], [0, 1]])
    precision, recall, f1, idf_precision, idf_recall, idf_f1 = context.matched([hypothesis], [reference])[0, :6]
    half = np.sqrt(0.5)  # the cosine of the second reference piece with either of the hypothesis
    assert precision == pytest.approx(1)
    assert recall == pytest.approx((2 + half) / 3)
    assert f1 == pytest.approx(2 * recall / (1 + recall))
    rare = context.rarity()[[1996, 3899, 4937]]
    assert idf_precision == pytest.approx(1)
    assert idf_recall == pytest.approx((rare[0] + half * rare[1] + rare[2]) / rare.sum())
    assert idf_f1 == pytest.approx(2 * idf_recall / (1 + idf_recall))


def test_texts_without_pieces() -> None:
    nothing, something = encoded([], []), encoded([1996], [[1, 0]])
    rows = context.matched([nothing, nothing, something], [nothing, something, nothing])
    assert rows[:, :6].tolist() == [[1] * 6, [0] * 6, [0] * 6]


def test_rare_pieces_weigh_more() -> None:
    rare = context.rarity()
    the, zebra = 1996, 29145
    assert rare.min() > 0
    assert rare[zebra] > 3 * rare[the]


@pytest.mark.parametrize("layers", ["", "x", "²", "6,5", "7", "0", "3+7"])
def test_layers_that_do_not_exist(layers: str) -> None:
    with pytest.raises(OptionError, match="layers="):
        context.Context(layers=layers)


@pytest.fixture(autouse=True)
def cache() -> None:
    """The user's own, for the encoder is there."""


@pytest.mark.resource
class TestInstalled:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("ctranslate2", reason="the extra encoder is not installed")
        if resources.status("minilm").state != "installed":
            pytest.skip("the resource minilm is not installed; run `tercet resources install minilm`")

    def test_meaning_counts_more_than_words(self) -> None:
        features = feature_set("context")
        references = [("The minister resigned on Monday.",)] * 3
        rows = features.transform(
            ["The minister stepped down on Monday.", "The minister re-signed on Monday.", "A dog barked."], references
        )
        f1 = rows[:, features.names.index("context.6.f1")]
        assert f1[0] > f1[2]
        assert f1[1] > f1[2]

    def test_of_several_references_the_best_counts(self) -> None:
        features = feature_set("context")
        good, bad = "The house is small.", "An unrelated sentence."
        both = features.transform(["The house is little."], [(bad, good)])
        assert np.allclose(both, features.transform(["The house is little."], [(good,)]), atol=1e-3)

    def test_what_is_between_two_texts_is_the_same_both_ways(self) -> None:
        features = feature_set("context:layers=5+6")
        one, other = ["A house.", "", "The minister resigned."], ["A small house.", "x", "The minister resigned."]
        found = features.between(one, other)
        assert np.array_equal(found, features.between(other, one))
        assert found.shape == (3, len(features.between_names))
        assert found[2] == pytest.approx(np.ones(4), abs=1e-5)
        assert 0.5 < found[0, 0] < 1

    def test_details_come_beside_the_means(self) -> None:
        hypotheses, references = ["The house is little.", ""], [("The house is small.",), ("x",)]
        plain, more = feature_set("context"), feature_set("context:details=true")
        found = more.transform(hypotheses, references)
        kept = [more.names.index(name) for name in plain.names]
        assert np.array_equal(found[:, kept], plain.transform(hypotheses, references))
        assert len(more.names) > len(plain.names)

    def test_a_text_without_word_pieces_has_the_zero_vector(self) -> None:
        rows = sentence_vectors("minilm").encode(["", "a word"])
        assert not rows[0].any()
        assert np.linalg.norm(rows[1]) == pytest.approx(1, abs=1e-5)
