"""chrF against sacreBLEU and against its definition."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import OptionError
from tercet.metrics import ChrF
from tests import strategies
from tests.metrics.test_bleu import EDGE_CASES
from tests.oracles import ngrams as oracle

ORDERS = [(6, 0), (6, 2), (1, 1), (0, 2), (10, 0)]


@pytest.mark.parametrize(("characters", "words"), ORDERS)
@pytest.mark.parametrize("eps", [False, True])
@pytest.mark.parametrize("whitespace", [False, True])
def test_edge_cases_score_as_in_sacrebleu(characters, words, eps, whitespace):
    options = {"char_order": characters, "word_order": words, "eps_smoothing": eps, "whitespace": whitespace}
    peer = sacrebleu.CHRF(**options, lowercase=True)
    hypotheses, references = zip(*EDGE_CASES, strict=True)
    expected = [peer.sentence_score(hypothesis, texts).score for hypothesis, texts in EDGE_CASES]
    scores = ChrF(**options, lowercase=True).segments(hypotheses, [tuple(texts) for texts in references])
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)


@given(strategies.corpora, st.sampled_from(ORDERS), st.sampled_from([1, 2, 3]))
def test_any_text_scores_as_in_sacrebleu(corpus, orders, beta):
    hypotheses, references = zip(*corpus, strict=True)
    peer = sacrebleu.CHRF(char_order=orders[0], word_order=orders[1], beta=beta)
    expected = [peer.sentence_score(hypothesis, list(texts)).score for hypothesis, texts in corpus]
    scores = ChrF(char_order=orders[0], word_order=orders[1], beta=beta).segments(hypotheses, references)
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)


@given(strategies.any_text, strategies.any_text, st.integers(0, 9), st.integers(1, 4))
def test_statistics_agree_with_the_definition(hypothesis, reference, characters, words):
    row = ChrF(char_order=characters, word_order=words).statistics([hypothesis], [(reference,)])[0]
    assert row.tolist() == oracle.chrf(hypothesis, reference, characters, words)


@pytest.mark.parametrize("size", [2, 60, 5_000])  # the last is more than fit into a packed run of six
def test_ten_thousand_characters(size):
    random = Random(size)
    alphabet = [chr(0x4E00 + i) for i in range(size)]
    hypothesis, reference = ("".join(random.choices(alphabet, k=10_000)) for _ in range(2))
    row = ChrF().statistics([hypothesis], [(reference,)])[0]
    assert row.tolist() == oracle.chrf(hypothesis, reference, 6, 0)


def test_names_follow_the_options():
    assert [ChrF().label, ChrF(word_order=2).label, ChrF(beta=3, word_order=1).label] == ["chrF2", "chrF2++", "chrF3+"]


def test_no_order_at_all_is_refused():
    with pytest.raises(OptionError, match="not both 0"):
        ChrF(char_order=0)
