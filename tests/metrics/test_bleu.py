"""BLEU against sacreBLEU and against its definition."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import OptionError
from tercet.language.tokenizers import tokenize
from tercet.metrics import BLEU
from tests import strategies
from tests.oracles import ngrams as oracle

EDGE_CASES = [
    ("", [""]),
    ("", ["a reference"]),
    ("a hypothesis", [""]),
    (" ", ["\u3000\x85"]),
    ("one", ["one"]),
    ("the the the the", ["the cat", "the the"]),
    ("It cost $1,000.50 – 3.5% (cheap).", ["It cost $1,000.50, 3.5 % (cheap)."]),
    ("&quot;A&amp;lt;B&quot; <skipped>end-\nof line.", ['"A<B" endof line.']),
    ("中文，字符 3.14。", ["中文 字符, 3.14。", "中文"]),
]


def sacrebleu_scores(bleu: sacrebleu.BLEU, corpus: list[tuple[str, list[str]]]) -> list[float]:
    return [bleu.sentence_score(hypothesis, list(references)).score for hypothesis, references in corpus]


OPTIONS = list(
    itertools.product(["none", "13a", "intl", "char", "zh"], ["none", "floor", "add-k", "exp"], [False, True])
)


@pytest.mark.parametrize(("tokenizer", "smooth", "effective"), OPTIONS)
def test_edge_cases_score_as_in_sacrebleu(tokenizer, smooth, effective):
    peer = sacrebleu.BLEU(tokenize=tokenizer, smooth_method=smooth, effective_order=effective, lowercase=effective)
    ours = BLEU(tokenize=tokenizer, smooth=smooth, effective_order=effective, lowercase=effective)
    hypotheses, references = zip(*EDGE_CASES, strict=True)
    scores = ours.segments(hypotheses, [tuple(texts) for texts in references])
    np.testing.assert_allclose(scores, sacrebleu_scores(peer, EDGE_CASES), rtol=0, atol=1e-9)


@pytest.mark.parametrize("order", [1, 2, 4, 5, 9])
@pytest.mark.parametrize(("smooth", "value"), [("exp", None), ("floor", 0.01), ("add-k", 3.0)])
def test_a_corpus_scores_as_in_sacrebleu(order, smooth, value):
    hypotheses = ["the cat sat on the mat .", "a dog , perhaps", "", "the cats sat on mats"]
    references = [
        ("the cat is on the mat .", "a cat sat"),
        ("a dog ?", "dogs"),
        ("nothing", ""),
        ("cats sat on mats", "x"),
    ]
    peer = sacrebleu.BLEU(max_ngram_order=order, smooth_method=smooth, smooth_value=value)
    expected = peer.corpus_score(hypotheses, [list(stream) for stream in zip(*references, strict=True)]).score
    assert BLEU(max_order=order, smooth=smooth, smooth_value=value).corpus(hypotheses, references) == pytest.approx(
        expected, abs=1e-9
    )


@given(strategies.corpora, st.sampled_from(["none", "13a", "char", "zh"]))
def test_any_text_scores_as_in_sacrebleu(corpus, tokenizer):
    hypotheses, references = zip(*corpus, strict=True)
    peer = sacrebleu.BLEU(tokenize=tokenizer, effective_order=True)
    scores = BLEU(tokenize=tokenizer).segments(hypotheses, references)
    np.testing.assert_allclose(scores, sacrebleu_scores(peer, corpus), rtol=0, atol=1e-9)


@given(strategies.corpora, st.integers(1, 20))
def test_statistics_agree_with_the_definition(corpus, order):
    hypotheses, references = zip(*corpus, strict=True)
    rows = BLEU(tokenize="13a", max_order=order).statistics(hypotheses, references)
    for row, hypothesis, texts in zip(rows, hypotheses, references, strict=True):
        assert row.tolist() == oracle.bleu(tokenize([hypothesis])[0], tokenize(texts), order)


@pytest.mark.parametrize("size", [2, 300, 100_000])
def test_ten_thousand_tokens(size):
    random = Random(size)
    vocabulary = [f"w{i}" for i in range(size)]
    hypothesis, reference = (" ".join(random.choices(vocabulary, k=10_000)) for _ in range(2))
    row = BLEU(tokenize="none").statistics([hypothesis], [(reference,)])[0]
    assert row.tolist() == oracle.bleu(hypothesis.split(), [reference.split()], 4)


def test_segments_leave_out_orders_they_are_too_short_for():
    assert BLEU().segments(["two words"], [("two words",)])[0] == pytest.approx(100)
    assert BLEU(effective_order=False).segments(["two words"], [("two words",)])[0] == 0


def test_components_are_the_sixteen_numbers_of_bleucomp():
    bleu = BLEU()
    rows = bleu.statistics(["the cat sat down", ""], [("the cat sat",), ("x",)])
    components = bleu.components(rows)
    assert len(components) == 16
    assert components["precision1"].tolist() == [0.75, 0]
    assert components["length_ratio"].tolist() == pytest.approx([4 / 3, 0])
    assert components["brevity_penalty"].tolist() == [1, 0]


def test_signature_holds_what_changes_the_number():
    assert "|case:lc|eff:no|tok:intl|smooth:floor[0.10]|" in str(
        BLEU(lowercase=True, tokenize="intl", smooth="floor").signature
    )
    assert BLEU().signature != BLEU(max_order=3).signature


@pytest.mark.parametrize("options", [{"smooth": "kneser"}, {"max_order": 0}, {"max_order": 2.5}, {"lowercase": 1}])
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        BLEU(**options)
