"""BLEU, chrF and TER of single segments beside sacreBLEU, with equal scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import sacrebleu
from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re, tokenizer_ter

import tercet
from bench.measure import Result, Segments, race, wmt13
from tercet.metrics import BLEU, TER, ChrF, Metric

PAIRS: list[tuple[str, Metric, sacrebleu.metrics.base.Metric, str, int]] = [
    ("sentence BLEU", BLEU(), sacrebleu.BLEU(effective_order=True), "≥ 30 ×", 3000),
    ("sentence chrF", ChrF(), sacrebleu.CHRF(), "≥ 30 ×", 3000),
    ("sentence chrF++", ChrF(word_order=2), sacrebleu.CHRF(word_order=2), "≥ 30 ×", 3000),
    ("sentence TER", TER(), sacrebleu.TER(), "≥ 50 ×", 600),
]


def _forget() -> None:
    # sacreBLEU keeps what it tokenized: a second round would not tokenize again
    for tokenizer in (tokenizer_13a.Tokenizer13a, tokenizer_re.TokenizerRegexp, tokenizer_ter.TercomTokenizer):
        tokenizer.__call__.cache_clear()


def results(data: Path) -> Iterator[Result]:
    """One thread, segment by segment there and as a batch here."""
    tercet.set_threads(1)
    everything = wmt13(data, systems=1)[0]
    for work, ours, theirs, wanted, count in PAIRS:
        segments = Segments(everything.hypotheses[:count], everything.references[:count])

        def peer_scores(theirs: sacrebleu.metrics.base.Metric = theirs, segments: Segments = segments) -> list[float]:
            _forget()
            pairs = zip(segments.hypotheses, segments.references, strict=True)
            return [theirs.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs]

        scores = ours.segments(segments.hypotheses, segments.sets)
        np.testing.assert_allclose(scores, peer_scores(), rtol=0, atol=1e-9)
        yield race(
            work,
            f"sacreBLEU {sacrebleu.__version__}",
            peer_scores,
            lambda ours=ours, segments=segments: ours.segments(segments.hypotheses, segments.sets),
            amount=count,
            wanted=wanted,
        )
