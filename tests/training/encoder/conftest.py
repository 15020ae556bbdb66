"""A small random BERT, and judged texts about it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.corpus.judgments import Judgments

LAYERS, HEADS, DIMENSION, INNER, PIECES, PLACES = 3, 2, 8, 20, 60, 32


@pytest.fixture(scope="session")
def weights() -> dict[str, np.ndarray]:
    """Under the published names."""
    random = np.random.default_rng(5)

    def normal(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": normal(PIECES, DIMENSION) * 3,
        "embeddings.position_embeddings.weight": normal(PLACES, DIMENSION),
        "embeddings.token_type_embeddings.weight": normal(2, DIMENSION),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            found |= _linear(f"{at}attention.{part}", DIMENSION, DIMENSION, normal)
        found |= _linear(f"{at}intermediate.dense", INNER, DIMENSION, normal)
        found |= _linear(f"{at}output.dense", DIMENSION, INNER, normal)
        norms += [f"{at}attention.output.LayerNorm", f"{at}output.LayerNorm"]
    for norm in norms:
        found |= {f"{norm}.weight": 1 + 0.1 * normal(DIMENSION), f"{norm}.bias": 0.1 * normal(DIMENSION)}
    return found


def _linear(name: str, outputs: int, inputs: int, normal: Any) -> dict[str, np.ndarray]:
    return {f"{name}.weight": normal(outputs, inputs), f"{name}.bias": 0.1 * normal(outputs)}


class Letters:
    """A tokenizer whose pieces are the letters of a text."""

    def encode_batch(self, texts: Sequence[str]) -> list[SimpleNamespace]:
        return [SimpleNamespace(ids=[1, *(3 + ord(c) % (PIECES - 3) for c in text), 2]) for text in texts]


@pytest.fixture(scope="session")
def tokenizer() -> Letters:
    return Letters()


@pytest.fixture(scope="session")
def compared() -> list[JudgedTexts]:
    """Forty segments of three systems; who has more letters of the reference right is preferred."""
    random = np.random.default_rng(3)
    letters = list("abcdefghij")
    references = ["".join(random.choice(letters, random.integers(6, 11))) for _ in range(40)]

    def spoilt(share: float) -> list[str]:
        return ["".join(random.choice(letters) if random.random() < share else c for c in one) for one in references]

    systems = {"good": spoilt(0.1), "middling": spoilt(0.4), "bad": spoilt(0.7)}
    names = list(systems)
    rows = []
    for segment, reference in enumerate(references):
        right = {name: sum(a == b for a, b in zip(systems[name][segment], reference, strict=True)) for name in names}
        for first, second in (("good", "middling"), ("middling", "bad"), ("bad", "good")):
            value = int(np.sign(right[first] - right[second]))
            rows.append((segment, first, second, value))
    frame = pl.DataFrame(rows, schema=["segment", "system", "other", "value"], orient="row")
    frame = frame.with_columns(pl.lit("toy").alias("testset"), pl.lit("xx-en").alias("pair"))
    corpus = Corpus(references=[(one,) for one in references], systems=systems)
    return [JudgedTexts("toy", "xx-en", corpus, Judgments.make("comparison", frame))]


@pytest.fixture(scope="session")
def assessed() -> list[JudgedTexts]:
    """Twenty assessed sentences of one system."""
    random = np.random.default_rng(4)
    references = ["".join(random.choice(list("klmnop"), 8)) for _ in range(20)]
    lines = [one[: 8 - i % 4] for i, one in enumerate(references)]
    frame = pl.DataFrame({"segment": range(20), "value": [-float(i % 4) for i in range(20)]}).with_columns(
        pl.lit("toy").alias("testset"), pl.lit("yy-en").alias("pair"), pl.lit("one").alias("system")
    )
    corpus = Corpus(references=[(one,) for one in references], systems={"one": lines})
    return [JudgedTexts("toy", "yy-en", corpus, Judgments.make("assessment", frame))]
