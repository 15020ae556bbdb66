"""`python -m training.encoder` with a small encoder: folds, states, and going on from other adapters."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tercet.errors import OptionError
from tercet.language import minilm
from tercet.language.minilm import read_adapters

pytest.importorskip("jax", reason="needs the extra train")
command = pytest.importorskip("training.encoder.__main__", reason="needs the extra train")
bert = pytest.importorskip("training.encoder.bert", reason="needs the extra train")
training = pytest.importorskip("training.encoder.training", reason="needs the extra train")
recipes = pytest.importorskip("training.encoder.recipe", reason="needs the extra train")

from tests.training.encoder.conftest import HEADS, LAYERS  # noqa: E402

OPTIONS = {"rank": 2, "layers": 2, "rate": 0.02, "steps": 4, "tokens": 768, "precision": "float32"}


@pytest.fixture(autouse=True)
def small(weights: Any, tokenizer: Any, compared: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import jax.numpy as jnp

    def published(start: Any) -> Any:
        mix = (3.0, 3.0, 3.0) if start is None else start.mix
        parameters = {name: jnp.asarray(weight) for name, weight in weights.items()}
        return training.Published(parameters, bert.Shape(LAYERS, HEADS, 1e-12), np.array(mix, np.float32))

    monkeypatch.setattr(command, "published", published)
    monkeypatch.setattr(command, "tokenizer", lambda: tokenizer)
    monkeypatch.setattr(command, "read_all", lambda recipe, data: compared)
    monkeypatch.setattr(command, "EVERY", 2)
    monkeypatch.setattr(minilm, "identity", lambda: "f" * 64)


def recipe(**changed: Any) -> Any:
    return recipes.Recipe(train=(), options=training.Options(**OPTIONS), **changed)


def arguments(output: Path, work: Path | None = None) -> Any:
    return SimpleNamespace(output=output, work=work, fold=None, data=Path())


def test_folds_that_are_stopped_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, asked = recipe(folds=2, validation=0.2), arguments(tmp_path / "a.safetensors", tmp_path / "work")
    assert not command.run(plan, asked, monotonic() - 1)  # there is no time for more than a step
    assert not (tmp_path / "a-1.safetensors").exists()
    assert command.run(plan, asked, monotonic() + 600)
    said = capsys.readouterr().err
    assert "a-1: step 1 of 4" in said
    assert "a-2: step 4 of 4: loss" in said
    assert "held-out tau" in said
    one, two = (read_adapters(tmp_path / f"a-{number}.safetensors") for number in (1, 2))
    assert set(one.arrays) == set(two.arrays)
    assert len(one.arrays) == 2 * 2 * 6
    assert not all(np.array_equal(one.arrays[name], two.arrays[name]) for name in one.arrays)

    straight = arguments(tmp_path / "b.safetensors")
    assert command.run(plan, straight, monotonic() + 600)
    again = read_adapters(tmp_path / "b-1.safetensors")
    assert all(np.array_equal(one.arrays[name], again.arrays[name]) for name in one.arrays)

    further = arguments(tmp_path / "c.safetensors")
    assert command.run(recipe(start="a-1.safetensors", validation=0.0), further, monotonic() + 600)
    found = read_adapters(tmp_path / "c.safetensors")
    moved = max(float(np.abs(found.arrays[name] - one.arrays[name]).max()) for name in one.arrays)
    assert 0 < moved < 0.2  # it began where the other ended


def test_adapters_of_another_form_are_no_start(tmp_path: Path) -> None:
    trainer = training.Trainer(command.published(None), training.Options(**{**OPTIONS, "rank": 3}))
    command.write(tmp_path / "other.safetensors", trainer)
    with pytest.raises(OptionError, match="another rank or other layers"):
        command.run(recipe(start="other.safetensors"), arguments(tmp_path / "a.safetensors"), monotonic() + 600)


def test_all_weights_are_written_as_the_nearest_adapters(tmp_path: Path, weights: Any) -> None:
    trainer = training.Trainer(command.published(None), training.Options(**{**OPTIONS, "rank": 0}))
    name = "encoder.layer.2.output.dense"
    changed = trainer.state.trainable["weights"][f"{name}.weight"] + 0.25
    trainer.state.trainable["weights"][f"{name}.weight"] = changed
    command.write(tmp_path / "whole.safetensors", trainer)
    found = read_adapters(tmp_path / "whole.safetensors")
    assert set(found.arrays) == {f"{name}.up", f"{name}.down"}
    merged = minilm.merged(weights, found)
    assert np.allclose(merged[f"{name}.weight"], np.asarray(changed), atol=2e-3)
