"""Word error rate against its definition and against rapidfuzz."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import tercet
from tercet import _native
from tercet.metrics import WER, metric
from tests.oracles import wer as oracle

words = st.integers(1, 12).flatmap(lambda size: st.lists(st.sampled_from([f"w{i}" for i in range(size)]), max_size=30))


def statistics(hypothesis: list[str], references: list[list[str]]) -> tuple[float, ...]:
    return tuple(_native.wer([" ".join(hypothesis)], [tuple(map(" ".join, references))], tokenizer="none")[0])


@given(words, st.lists(words, min_size=1, max_size=3))
@example([], [[]])
@example(["w0"], [[], ["w1"]])
@example(["w0"], [["w1"], []])
@example([], [["w0"], []])
@example(["w0", "w1"], [["w0"], ["w0", "w2"], ["w0", "w1", "w2", "w3"]])
def test_agrees_with_the_definition(hypothesis: list[str], references: list[list[str]]) -> None:
    assert statistics(hypothesis, references) == oracle.statistics(hypothesis, references)


@settings(max_examples=100)
@given(st.integers(0, 400), st.integers(0, 400), st.sampled_from([1, 2, 5, 50, 1000]), st.integers(0, 2**32))
@example(64, 64, 2, 0)
@example(65, 128, 2, 0)
@example(129, 63, 5, 0)
def test_agrees_with_rapidfuzz_over_many_blocks(hypothesis: int, reference: int, kinds: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    here, there = (generator.integers(0, kinds, size).astype(str).tolist() for size in (hypothesis, reference))
    assert statistics(here, [there]) == (Levenshtein.distance(here, there), reference)


@given(st.text(max_size=30), st.text(max_size=30))
@example("\ud800 a", "a \ud800")
@example("e\u0301 \u3000 x", "é x")
def test_any_text_is_split_as_python_splits_it(hypothesis: str, reference: str) -> None:
    [row] = WER().statistics([hypothesis], [(reference,)])
    assert tuple(row) == (oracle.edit_distance(hypothesis.split(), reference.split()), len(reference.split()))


def test_options_and_scores() -> None:
    assert WER().segments(["a b", "x", "", ""], ["A b", "", "", "y"]).tolist() == [50.0, 100.0, 0.0, 100.0]
    assert WER(lowercase=True).corpus(["a b", "c"], ["A b", "d"]) == pytest.approx(100 / 3)
    assert WER(tokenize="13a").corpus(["a b."], ["a b ."]) == 0.0
    assert metric("wer:lowercase=true") == WER(lowercase=True)
    assert str(WER().signature) == f"WER|case:mixed|tok:none|version:tercet-{tercet.__version__}"
    assert not WER.higher_is_better


def test_ten_thousand_tokens_take_seconds() -> None:
    generator = np.random.default_rng(7)
    here, there = (generator.integers(0, 3_000, 10_000).astype(str).tolist() for _ in range(2))
    started = time.monotonic()
    assert statistics(here, [there]) == (Levenshtein.distance(here, there), 10_000)
    assert time.monotonic() - started < 10


def test_threads_change_nothing() -> None:
    generator = np.random.default_rng(3)
    lines = [" ".join(map(str, generator.integers(0, 20, generator.integers(0, 80)))) for _ in range(1000)]
    before = tercet.threads()
    try:
        tercet.set_threads(1)
        alone = WER().statistics(lines[:500], [(line,) for line in lines[500:]])
        tercet.set_threads(4)
        assert np.array_equal(WER().statistics(lines[:500], [(line,) for line in lines[500:]]), alone)
    finally:
        tercet.set_threads(before)
