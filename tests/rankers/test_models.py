"""Model files: what is written comes back, and what is wrong is refused before anything is made of it."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tercet.agreement.challenge import Accuracy
from tercet.errors import InputError, ResourceError
from tercet.features.cache import FeatureCache
from tercet.rankers.challenged import write_into_card
from tercet.rankers.models import CONFIG, WEIGHTS, load
from tercet.rankers.network import NetworkRanker
from tests import world


@pytest.fixture
def model(trained: NetworkRanker, tmp_path: Path) -> Path:
    trained.card_ |= {"title": "A toy", "licence": "CC0", "date": "2015-07-26"}
    trained.save(tmp_path / "model")
    return tmp_path / "model"


def changed(model: Path, **change: object) -> None:
    config = json.loads((model / CONFIG).read_text())
    for path, value in change.items():
        place, keys = config, path.split("__")
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
    (model / CONFIG).write_text(json.dumps(config))


def test_a_model_comes_back_as_it_was(trained, model):
    again = NetworkRanker.load(model, cache=FeatureCache(None))
    references, systems = world.texts(10, seed=7)
    args = systems["good"], systems["fair"], references
    assert np.array_equal(again.margin(*args), trained.margin(*args))
    assert np.array_equal(again.probability(*args), trained.probability(*args))
    assert str(again.signature) == str(trained.signature)
    assert again.card_["training"] == trained.card_["training"]


def test_the_card_says_what_a_stranger_asks(model):
    card = (model / "README.md").read_text()
    for part in ("# A toy", "licence: CC0", "2015-07-26", "bleu, ter", "| validation | xx-en |", "sha256", "2 members"):
        assert part in card


def test_the_card_tells_what_the_network_cannot_tell(trained, model):
    before = (model / "README.md").read_text()
    write_into_card(model, trained, "0" * 64, [Accuracy("", "numbers", 3, 1, 10), Accuracy("", "names", 9, 0, 10)])
    card = (model / "README.md").read_text()
    told = card[card.index("## What it can tell") : card.index("## Data")]
    assert card.replace(told, "") == before  # all else stays
    assert "not to be trusted with: numbers." in card
    assert "| names | 10 | 90.0 | 59.6–98.2 |" in card
    again = NetworkRanker.load(model, cache=FeatureCache(None))
    assert again.card_["challenge"]["kinds"]["numbers"] == {"right": 3, "ties": 1, "n": 10}


def test_a_folder_of_something_else_is_left_alone(trained, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("years of work")
    with pytest.raises(InputError, match="exists and is something else"):
        trained.save(tmp_path / "thesis")
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter1.tex"]
    trained.save(tmp_path / "model")
    trained.save(tmp_path / "model")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == ["model", "thesis"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "pickle"}, "is not a tercet-network model"),
        ({"version": 2}, "version 2 of the format; this tercet reads 1"),
        ({"architecture__hidden": 10**9}, "absurd size"),
        ({"architecture__vectors": -6}, "absurd size"),
        ({"members": 10**9}, "absurd size"),
        ({"members": 3}, "where F32"),
        ({"architecture__hidden": 3}, "where F32"),
        ({"architecture__form": "circular"}, "is not a model's configuration"),
        ({"options": None}, "is not a model's configuration"),
        ({"calibration__temperature": -1.0}, "temperature"),
        ({"calibration__tie_band": 0.9}, "is not the file that its configuration describes"),
        ({"sha256": "0" * 64}, "is not the file that its configuration describes"),
        ({"feature_signatures__similarity": ["a|b", "c|d"]}, "was trained with a.b, and here is"),
        ({"feature_signatures__similarity": []}, "names 0 sets of similarity"),
    ],
)
def test_a_configuration_that_does_not_hold_is_refused(model, change, message):
    changed(model, **change)
    with pytest.raises(InputError, match=message):
        load(model)


def rewritten(file: Path, change: dict[str, np.ndarray]) -> None:
    save_file({**load_file(file), **change}, file)


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.int64])
def test_other_numbers_than_float32_are_refused(model, kind):
    rewritten(model / WEIGHTS, {"bias": np.zeros((2, 6), kind)})
    with pytest.raises(InputError, match=r"bias is \w+ .*where F32"):
        load(model)


def test_weights_that_do_not_hold_are_refused(model):
    file = model / WEIGHTS
    whole = file.read_bytes()
    rewritten(file, {"extra": np.zeros(1, np.float32)})
    with pytest.raises(InputError, match=r"other arrays than its configuration says \(extra\)"):
        load(model)
    for content in (b"", whole[:4], whole[:-4], whole + b"\0\0\0\0", b"\xff" * 64, struct.pack("<Q", 1 << 62) + b"{}"):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"not safetensors|longer or shorter"):
            load(model)
    file.write_bytes(whole)
    rewritten(file, {"offset": np.array([np.nan, 0], np.float32)})
    with pytest.raises(InputError, match="not finite"):
        load(model)


def test_a_header_that_states_more_than_there_is_allocates_nothing(model):
    header = {"input": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}}
    text = json.dumps(header).encode()
    (model / WEIGHTS).write_bytes(struct.pack("<Q", len(text)) + text)
    with pytest.raises(InputError, match="other arrays"):
        load(model)


def test_features_that_are_not_to_be_had_are_named(model, tmp_path):
    changed(model, features__vectors=["glove50"])
    with pytest.raises(ResourceError, match=r"not available here: .*tercet resources install glove-6b-50d"):
        load(model)
    with pytest.raises(InputError, match="no such model"):
        load(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file where a model's folder is meant"):
        load(tmp_path / "file")
    (model / CONFIG).write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        load(model)
