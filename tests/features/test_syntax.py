"""The feature set syntax25."""

from __future__ import annotations

import numpy as np

from tercet.features import names, sentence_vectors
from tercet.features.base import without_vector
from tercet.features.cache import FeatureCache

TEXTS = ["The cat sat on the mat.", "mat the on cat sat", ""]


def test_syntax25_needs_nothing_installed():
    assert "syntax25" in names()
    found = sentence_vectors("syntax25")
    vectors = found.encode(TEXTS)
    assert vectors.shape == (3, 25)
    assert len(found.names) == 25
    assert without_vector(vectors) == 1
    assert np.array_equal(found.transform(TEXTS, [("a",)] * 3), vectors)


def test_the_signature_names_the_weights():
    from tercet.language.syntax import syntax_network

    assert syntax_network().sha256[:16] in str(sentence_vectors("syntax25").signature)


def test_vectors_are_kept_on_disk(cache, monkeypatch):
    from tercet.language.syntax import SyntaxNetwork

    kept = FeatureCache.default()
    found = sentence_vectors("syntax25")
    vectors = kept.encode(found, TEXTS)
    assert len(list(cache.rglob("*.npy"))) == 1
    monkeypatch.setattr(SyntaxNetwork, "encode", None)
    assert np.array_equal(kept.encode(found, TEXTS), vectors)
