"""Model files of strangers: refused by what they state, before any memory is taken for it."""

from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, TercetError
from tercet.rankers.loading import load_model
from tercet.rankers.models import load_checkpoint

JOINT = Path(tercet.__file__).parent / "models" / "joint"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return shutil.copytree(JOINT, tmp_path / "model")


def peak() -> int:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def rewritten(model: Path, change: Callable[[dict[str, Any]], None], *, length: int | None = None) -> None:
    """The weights with another header, and perhaps another length stated for it."""
    file = model / "weights.safetensors"
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    file.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + data[8 + size :])


def set_all(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        for entry in header.values():
            entry[key] = value

    return change


def first(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        header[min(header)][key] = value

    return change


def test_the_model_is_sound(model: Path) -> None:
    rewritten(model, lambda header: None)
    assert load_model(model)


@pytest.mark.parametrize(
    ("change", "length"),
    [
        (lambda header: None, 2**63),  # a header of exabytes
        (lambda header: None, 2**30),
        (lambda header: None, 7),
        (set_all("shape", [2**40, 2**40]), None),  # a product beyond 64 bits
        (set_all("shape", [2**31]), None),
        (set_all("shape", [-1]), None),
        (set_all("shape", "many"), None),
        (set_all("dtype", "F64"), None),
        (set_all("dtype", "BOOL"), None),
        (set_all("dtype", 7), None),
        (set_all("data_offsets", [0, 2**62]), None),
        (set_all("data_offsets", [0, 4]), None),  # all of them at the same place
        (set_all("data_offsets", [4, 0]), None),
        (set_all("data_offsets", [0.5, "x"]), None),
        (first("shape", []), None),
        (first("data_offsets", None), None),
        (lambda header: header.update(more={"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}), None),
        (lambda header: header.pop(min(header)), None),
        (lambda header: header.clear(), None),
    ],
)
def test_a_header_that_lies(model: Path, change: Callable[[dict[str, Any]], None], length: int | None) -> None:
    rewritten(model, change, length=length)
    before = peak()
    with pytest.raises(InputError) as error:
        load_model(model)
    assert str(error.value).startswith(f"{model / 'weights.safetensors'}: ")
    assert "\n" not in str(error.value)
    assert peak() - before < 50


def test_overlapping_arrays_of_the_right_size(model: Path) -> None:
    """Two arrays of one shape at one place, and a gap where the second was: no byte is missing, and still refused."""

    def overlap(header: dict[str, Any]) -> None:
        by_shape: dict[str, str] = {}
        for name in sorted(header):
            other = by_shape.setdefault(json.dumps(header[name]["shape"]), name)
            if other != name:
                header[name]["data_offsets"] = header[other]["data_offsets"]
                return
        raise AssertionError("no two arrays have one shape")

    rewritten(model, overlap)
    with pytest.raises(InputError, match="is not safetensors"):
        load_model(model)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(model: Path, value: float) -> None:
    file = model / "weights.safetensors"
    data = file.read_bytes()
    file.write_bytes(data[:-4] + np.float32(value).tobytes())
    with pytest.raises(InputError, match="holds numbers that are not finite"):
        load_model(model)


def test_other_weights_than_the_configuration_describes(model: Path) -> None:
    file = model / "weights.safetensors"
    data = file.read_bytes()
    file.write_bytes(data[:-4] + np.float32(0.125).tobytes())
    with pytest.raises(InputError, match="is not the file that its configuration describes; get it again"):
        load_model(model)


@pytest.mark.parametrize(
    "changed",
    [
        {"columns": 10**9},
        {"columns": 10**400},
        {"columns": float("inf")},
        {"columns": -1},
        {"corners": 10**12},
        {"columns": None},
        {"options": {"hidden": 10**9}},
        {"options": []},
        {"features": ["/etc/passwd"]},
        {"features": 7},
        {"calibration": {"temperature": float("nan"), "tie_band": 0}},
        {"calibration": {"temperature": 10**400, "tie_band": 0}},
        {"card": "text"},
        {"version": 99},
        {"format": "pickle"},
        {"format": ["tercet-joint"]},
    ],
)
def test_a_configuration_that_lies(model: Path, changed: dict[str, Any]) -> None:
    file = model / "config.json"
    config = json.loads(file.read_text("utf-8"))
    for name, value in changed.items():
        config[name] = config[name] | value if name == "options" and isinstance(value, dict) else value
    file.write_text(json.dumps(config), "utf-8")
    before = peak()
    with pytest.raises(TercetError) as error:
        load_model(model)
    assert str(model) in str(error.value)
    assert "\n" not in str(error.value)
    assert peak() - before < 50


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{", "", '{"a": 1' + "0" * 5000 + "}", "null", "[]", '"tercet-joint"', "\xff"]
)
def test_a_configuration_that_is_none(model: Path, text: str) -> None:
    (model / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError) as error:
        load_model(model)
    assert str(error.value).startswith(f"{model / 'config.json'}: ")


def test_a_configuration_without_end(model: Path) -> None:
    (model / "config.json").write_bytes(b" " * 2**21)
    with pytest.raises(InputError, match="is too large for a model's configuration"):
        load_model(model)


@pytest.mark.parametrize("data", [b"", b"\xff" * 8, b"\x02\0\0\0\0\0\0\0{}", b"\x10\0\0\0\0\0\0\0" + b"[" * 16])
def test_a_checkpoint_that_is_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"is no checkpoint \(.*; train again without --resume"):
        load_checkpoint(path)
