"""The sentence encoder: windows without the model, and the model itself where it is installed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import resources
from tercet.errors import OptionError
from tercet.language import encoder as module
from tercet.language import minilm
from tercet.language.encoder import WINDOW, Encoder
from tests.oracles import bert

SENTENCES = ["The cat sat on the mat.", "", "¿Qué? 日本語 ☃", "a \ud800 lone surrogate", "The cat sat on the mat."]


@given(st.integers(min_value=2, max_value=4000))
def test_windows_hold_every_piece_once(length: int) -> None:
    pieces = np.arange(length)  # so that a piece is its own place
    starts = list(module._window_starts(length))
    windows = [module._window(pieces, start) for start in starts]
    assert all(len(window) <= WINDOW for window in windows)
    joined = module._joined(
        [(start, window[:, None].astype(np.float32)) for start, window in zip(starts, windows, strict=True)], length
    )
    assert np.array_equal(joined[:, 0], pieces)


def test_a_piece_has_the_vector_of_the_window_in_which_it_stands_farthest_from_an_edge() -> None:
    length = 2 + 1020
    parts = [(start, np.full((WINDOW, 1), start, np.float32)) for start in module._window_starts(length)]
    assert [start for start, _ in parts] == [0, 255, 510]
    joined = module._joined(parts, length)[1:-1, 0]
    assert joined[:382].tolist() == [0] * 382
    assert joined[384:637].tolist() == [255] * 253
    assert joined[640:].tolist() == [510] * 380


def test_layers_that_the_model_does_not_have() -> None:
    with pytest.raises(OptionError, match="layers=7 is not allowed; it takes 1 to 6"):
        Encoder(layers=7)


@pytest.fixture(scope="module")
def installed() -> None:
    pytest.importorskip("ctranslate2", reason="the extra encoder is not installed")
    if resources.status("minilm").state != "installed":
        pytest.skip("the resource minilm is not installed; run `tercet resources install minilm`")


@pytest.mark.resource
@pytest.mark.usefixtures("installed")
class TestModel:
    @pytest.mark.parametrize("layers", [2, 6])
    def test_it_equals_the_oracle(self, layers: int) -> None:
        from safetensors.numpy import load_file

        weights = load_file(resources.find("minilm", "model.safetensors"))
        heads = json.loads(resources.find("minilm", "config.json").read_text())["num_attention_heads"]
        weights = {name: weight.astype(np.float64) for name, weight in weights.items() if weight.dtype.kind == "f"}
        for one in Encoder(layers=layers, precision="float32").encode(SENTENCES):
            expected = bert.hidden_states(weights, one.pieces.tolist(), layers=layers, heads=heads)
            assert np.abs(one.vectors - expected).max() < 1e-4

    def test_eight_bits_are_near_to_thirty_two(self) -> None:
        texts = [text for text in SENTENCES if text] + ["It is not the same thing at all, said the minister."]
        small, full = Encoder(precision="int8").sentences(texts), Encoder(precision="float32").sentences(texts)
        assert np.einsum("ij,ij->i", small, full).min() > 0.98

    def test_neighbours_and_order_change_nothing_that_matters(self) -> None:
        alone = [Encoder().encode([text])[0] for text in SENTENCES]
        together = Encoder().encode([*SENTENCES, "a much longer sentence " * 20])
        for one, other in zip(alone, together, strict=False):
            assert np.array_equal(one.pieces, other.pieces)
            assert np.abs(one.vectors - other.vectors).max() < 1e-3

    def test_a_text_longer_than_the_window_has_all_its_pieces(self) -> None:
        (one,) = Encoder().encode(["word " * 1500 + "end"])
        assert len(one.pieces) == len(one.vectors) == 1503
        assert np.isfinite(one.vectors).all()

    def test_windows_of_the_encoder_are_read_like_texts_of_their_own(self) -> None:
        words = " ".join(["house", "tree", "river"][i % 3] for i in range(800))
        (one,) = Encoder(precision="float32").encode([words])
        first = one.pieces[: WINDOW - 1]  # the first window, and its last special piece
        (alone,) = Encoder(precision="float32").encode([" ".join(words.split()[: WINDOW - 2])])
        assert np.array_equal(alone.pieces[:-1], first)
        assert np.abs(one.vectors[1:200] - alone.vectors[1:200]).max() < 1e-4

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " \t ",
            "<b>bold</b> &amp; [UNK] [SEP] [CLS] [MASK]",
            "Здравствуй, мир",
            "مرحبا بالعالم",
            "नमस्ते",
            "😀" * 40,
            "\u200b\ufeff",
            "\x00\x07",
            "e\u0301" * 600,
            "x" * 5000,
        ],
    )
    def test_any_text_has_finite_vectors_within_its_special_pieces(self, text: str) -> None:
        (one,) = Encoder().encode([text])
        assert one.pieces[0] == 101
        assert one.pieces[-1] == 102
        assert len(one.pieces) == len(one.vectors) >= 2
        assert np.isfinite(one.vectors).all()
        assert np.linalg.norm(one.sentence) == pytest.approx(1, abs=1e-4)

    def test_sentences_of_none(self) -> None:
        assert Encoder().sentences([]).shape == (0, minilm.DIMENSION)
