"""The encoder in JAX is the encoder that CTranslate2 runs, with adapters and without."""

from __future__ import annotations

import numpy as np
import pytest

from tercet import resources
from tests.oracles import bert as oracle

pytest.importorskip("jax", reason="needs the extra train")
bert = pytest.importorskip("training.encoder.bert", reason="needs the extra train")

from tests.training.encoder.conftest import HEADS, LAYERS, PIECES  # noqa: E402

SHAPE = bert.Shape(LAYERS, HEADS, 1e-12)
EVERY = range(LAYERS)


def states(weights: dict[str, np.ndarray], linear: object, sequences: list[list[int]]) -> np.ndarray:
    longest = max(map(len, sequences))
    pieces = np.array([[*one, *[0] * (longest - len(one))] for one in sequences])
    seen = np.arange(longest) < np.array([[len(one)] for one in sequences])
    return np.asarray(bert.hidden_states(weights, linear, bert.embedded(weights, pieces, SHAPE), seen, SHAPE, EVERY))


def sequences(*lengths: int) -> list[list[int]]:
    random = np.random.default_rng(1)
    return [random.integers(0, PIECES, length).tolist() for length in lengths]


def test_it_equals_the_oracle_whatever_the_padding(weights: dict[str, np.ndarray]) -> None:
    texts = sequences(2, 9, 5)
    found = states(weights, bert.whole(weights), texts)
    wide = {name: weight.astype(np.float64) for name, weight in weights.items()}
    for one, row in zip(texts, found, strict=True):
        expected = oracle.hidden_states(wide, one, layers=LAYERS, heads=HEADS)
        assert np.abs(row[: len(one)] - expected).max() < 1e-5


@pytest.mark.parametrize(("precision", "within"), [("float32", 1e-5), ("bfloat16", 0.1)])
def test_adapters_beside_the_matrices_are_adapters_merged(
    weights: dict[str, np.ndarray], precision: str, within: float
) -> None:
    random = np.random.default_rng(2)
    adapters = bert.low_rank(weights, range(1, LAYERS), 3, seed=0)
    adapters = {
        name: one + 0.3 * random.standard_normal(one.shape).astype(np.float32) for name, one in adapters.items()
    }
    beside = bert.adapted(weights, bert.frozen(weights, EVERY, precision), adapters, 0.5)
    merged = bert.merged(weights, adapters, 0.5)
    texts = sequences(7, 4)
    difference = np.abs(states(weights, beside, texts) - states(merged, bert.whole(merged), texts))
    assert difference[0].max() < within
    assert difference[1, :4].max() < within
    assert np.abs(states(weights, bert.whole(weights), texts) - states(merged, bert.whole(merged), texts)).max() > 0.1


def test_new_adapters_change_nothing(weights: dict[str, np.ndarray]) -> None:
    merged = bert.merged(weights, bert.low_rank(weights, EVERY, 2, seed=0), 1.0)
    assert all(np.array_equal(merged[name], weight) for name, weight in weights.items())


@pytest.mark.resource
def test_the_published_model_is_what_ctranslate2_runs() -> None:
    pytest.importorskip("ctranslate2", reason="the extra encoder is not installed")
    if resources.status("minilm").state != "installed":
        pytest.skip("the resource minilm is not installed; run `tercet resources install minilm`")
    from tercet.language.encoder import Encoder

    parameters = bert.read_parameters(resources.find("minilm", "model.safetensors"))
    shape = bert.Shape.read(resources.find("minilm", "config.json"))
    texts = ["The cat sat on the mat.", "", "¿Qué? 日本語 ☃", "It is not the same thing at all, said the minister."]
    for one in Encoder(precision="float32").encode(texts):
        pieces = one.pieces[None]
        below = bert.embedded(parameters, pieces, shape)
        seen = np.ones(pieces.shape, bool)
        found = bert.hidden_states(parameters, bert.whole(parameters), below, seen, shape, range(shape.layers))
        assert np.abs(np.asarray(found)[0] - one.vectors).max() < 1e-4
