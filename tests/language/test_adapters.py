"""Adapters of the encoder: read, written, merged, and told apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tercet import resources
from tercet.errors import InputError, OptionError
from tercet.features.registry import feature_set
from tercet.language import minilm
from tercet.language.encoder import Encoder
from tercet.language.minilm import Adapters, merged, read_adapters, write_adapters

MATRIX = "encoder.layer.0.output.dense"


def adapters(outputs: int = 4, inputs: int = 6, rank: int = 2, size: float = 1.0) -> Adapters:
    random = np.random.default_rng(0)
    arrays = {
        f"{MATRIX}.up": random.standard_normal((outputs, rank)),
        f"{MATRIX}.down": random.standard_normal((rank, inputs)),
    }
    return Adapters({name: (size * one).astype(np.float32) for name, one in arrays.items()}, 0.5, (1.0, 2.0, 3.0))


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "identity", lambda: "f" * 64)


def test_merged_is_the_sum() -> None:
    weight = np.ones((4, 6), np.float32)
    one = adapters()
    published = {f"{MATRIX}.weight": weight, f"{MATRIX}.bias": np.zeros(4, np.float32)}
    found = merged(published, one)
    assert np.allclose(found[f"{MATRIX}.weight"], 1 + 0.5 * one.arrays[f"{MATRIX}.up"] @ one.arrays[f"{MATRIX}.down"])
    assert found[f"{MATRIX}.bias"] is published[f"{MATRIX}.bias"]
    assert (weight == 1).all()  # what was published stays


@pytest.mark.usefixtures("known")
def test_written_and_read(tmp_path: Path) -> None:
    one = adapters()
    write_adapters(tmp_path / "one.safetensors", one)
    found = read_adapters(tmp_path / "one.safetensors")
    assert found.scale == 0.5
    assert found.mix == (1.0, 2.0, 3.0)
    assert all(np.allclose(found.arrays[name], array, atol=2e-3) for name, array in one.arrays.items())


def test_adapters_of_something_else() -> None:
    with pytest.raises(InputError, match="which the encoder does not have"):
        merged({}, adapters())
    with pytest.raises(InputError, match=r"do not have its shape, \(4, 6\)"):
        merged({f"{MATRIX}.weight": np.ones((4, 6), np.float32)}, adapters(inputs=5))
    alone = Adapters({f"{MATRIX}.up": np.ones((4, 2), np.float32)}, 1.0, (1.0,))
    with pytest.raises(InputError, match="which the encoder does not have"):
        merged({f"{MATRIX}.weight": np.ones((4, 6), np.float32)}, alone)


@pytest.mark.parametrize("content", [b"", b"no safetensors", b"\x02\0\0\0\0\0\0\0{}"])
def test_files_that_hold_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.safetensors").write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.safetensors.*holds no adapters"):
        read_adapters(tmp_path / "bad.safetensors")


def test_an_encoder_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="tunned is not allowed; it takes published, tuned, tuned-wmt13 or a file"):
        Encoder(variant="tunned")
    with pytest.raises(OptionError, match="encoder=x is not allowed"):
        feature_set("context:encoder=x")
    with pytest.raises(OptionError, match="encoder=x is not allowed"):
        feature_set("minilm:encoder=x")


def test_what_ships_is_small_and_of_the_encoder_it_was_made_for() -> None:
    from safetensors import safe_open

    file = minilm.adapters_file("tuned")
    assert file is not None
    assert file.stat().st_size < 8_000_000
    found = read_adapters(file)
    assert len(found.mix) == 3
    layers = {name.split(".")[2] for name in found.arrays}
    assert layers == {"3", "4", "5"}
    assert all(np.isfinite(array).all() for array in found.arrays.values())
    with safe_open(file, "np") as content:
        about = content.metadata()["tercet"]
    if resources.status("minilm").state == "installed":
        assert minilm.identity() in about


@pytest.mark.resource
class TestInstalled:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("ctranslate2", reason="the extra encoder is not installed")
        if resources.status("minilm").state != "installed":
            pytest.skip("the resource minilm is not installed; run `tercet resources install minilm`")

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        one = adapters(384, 1536, 4, 0.1)
        write_adapters(tmp_path / "own.safetensors", one)
        return tmp_path / "own.safetensors"

    def test_an_adapted_encoder_is_the_oracle_with_merged_weights(self, file: Path) -> None:
        from tests.oracles import bert

        encoder = Encoder(layers=1, precision="float32", variant=str(file))
        (one,) = encoder.encode(["The cat sat on the mat."])
        (plain,) = Encoder(layers=1, precision="float32").encode(["The cat sat on the mat."])
        weights = {
            name: weight.astype(np.float64)
            for name, weight in minilm.weights(str(file)).items()
            if weight.dtype.kind == "f"
        }
        expected = bert.hidden_states(weights, one.pieces.tolist(), layers=1, heads=12)
        assert np.abs(one.vectors - expected).max() < 1e-4
        assert np.abs(one.vectors - plain.vectors).max() > 0.01

    def test_the_tuned_encoder_by_name(self) -> None:
        features = feature_set("context:encoder=tuned")
        assert features.names[0] == "context-tuned.6.precision"
        same, other = features.transform(["The house is small.", "A dog."], [("The house is small.",)] * 2)
        assert same[2] == pytest.approx(1, abs=1e-3)
        assert same[2] > other[2]
        small = Encoder(variant="tuned").sentences(["The cat sat on the mat.", "He said nothing."])
        full = Encoder(variant="tuned", precision="float32").sentences(["The cat sat on the mat.", "He said nothing."])
        assert np.einsum("ij,ij->i", small, full).min() > 0.98

    def test_signatures_names_and_folders_are_their_own(self, file: Path) -> None:
        published, own = feature_set("context"), feature_set(f"context:encoder={file}")
        assert "adapters" not in str(published.signature)  # as it was before there were others
        assert f"adapters:{minilm.adapters_identity(str(file))[:16]}" in str(own.signature)
        assert not set(published.names) & set(own.names)
        assert own.names[0] == "context-own.6.precision"
        assert minilm.converted(1, "float32", str(file)) != minilm.converted(1, "float32")
