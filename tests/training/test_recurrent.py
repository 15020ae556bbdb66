"""A network learns, and says the same after its weights have been rounded."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.language import recurrent
from tercet.language.word_vectors import WordVectors

pytest.importorskip("jax", reason="needs the extra train")
network = pytest.importorskip("training.recurrent", reason="needs the extra train")

WORDS = ["that", "he", "ran", "says", "the", "dog"]


def test_what_hangs_on_both_sides_is_learned():
    # something starts with "that" and "he", but only after "says" has been seen or before "ran" comes
    random = np.random.default_rng(0)
    sentences = [tuple(random.choice(WORDS, size=random.integers(1, 9)).tolist()) for _ in range(800)]
    starts, tags = [], []
    for words in sentences:
        for i, word in enumerate(words):
            starts.append(word in {"that", "he"} and ("says" in words[:i] or "ran" in words[i:]))
            tags.append(int(word == "ran"))
    words = network.Words.of(WordVectors({w: i for i, w in enumerate(WORDS)}, np.eye(6, dtype=np.float32), ""))
    tag = np.array(tags, np.int32)
    task = network.Task(sentences, {"tag": tag}, np.array(starts), {"verbs": tag}, {"tag": 2, "verbs": 2})
    options = network.Options(hidden=16, epochs=8, rate=0.03, dropout=0.0, input_dropout=0.0, unknown=0.0)
    trained = network.train(task, words, seeds=[2], options=options, threshold=0.0)
    assert trained.arrays["forward_states"].dtype == np.int8
    model = recurrent.make(trained.configuration, trained.arrays)
    found = model.starts(sentences, [tag])
    assert (found == np.array(starts)).mean() > 0.99
    assert np.mean(starts) == pytest.approx(0.2, abs=0.05)  # so that saying "never" would not do
