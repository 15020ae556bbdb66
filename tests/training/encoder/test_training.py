"""Units, batches, and a training of a small encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tercet.errors import InputError, OptionError

pytest.importorskip("jax", reason="needs the extra train")
data = pytest.importorskip("training.encoder.data", reason="needs the extra train")
training = pytest.importorskip("training.encoder.training", reason="needs the extra train")
agreement = pytest.importorskip("training.encoder.agreement", reason="needs the extra train")
bert = pytest.importorskip("training.encoder.bert", reason="needs the extra train")

from tests.training.encoder.conftest import HEADS, LAYERS  # noqa: E402


@pytest.fixture(scope="module")
def units(compared: Any, assessed: Any, tokenizer: Any) -> Any:
    return data.judged_units(compared + assessed, tokenizer, assessments=0.5)


def trainer(weights: dict[str, np.ndarray], **options: Any) -> Any:
    import jax.numpy as jnp

    parameters = {name: jnp.asarray(weight) for name, weight in weights.items()}
    published = training.Published(parameters, bert.Shape(LAYERS, HEADS, 1e-12), np.array([3, 3, 3], np.float32))
    settings: dict[str, Any] = {
        "rank": 2,
        "layers": 2,
        "rate": 0.02,
        "steps": 12,
        "tokens": 768,
        "precision": "float32",
    }
    return training.Trainer(published, training.Options(**{**settings, **options}))


class TestBatches:
    @pytest.mark.parametrize("tokens", [64, 512, 4096])
    def test_every_unit_is_in_one_batch(self, units: Any, tokens: int) -> None:
        found = [number for _, numbers in data.batches(units, tokens, np.random.default_rng(0)) for number in numbers]
        assert sorted(found) == list(range(60))

    def test_a_batch_says_what_people_said(self, units: Any) -> None:
        both = [0, 45, 46]  # a unit of comparisons and two of assessments
        batch = data.batch_of(units, both, 512)
        compared, one, two = (units.units[i] for i in both)
        for (first, second), weight in compared.votes.items():
            assert batch.votes[first, second] == weight
        at = len(compared.sequences)
        assert batch.reference[: at + 4].tolist() == [0] * at + [at, at] + [at + 2] * 2
        assert batch.known.nonzero()[0].tolist() == [at + 1, at + 3]
        apart = one.assessed[1, 1] - two.assessed[1, 1]
        assert batch.votes[at + 1, at + 3] == pytest.approx(0.5 * max(apart, 0))
        assert batch.votes[at + 3, at + 1] == pytest.approx(0.5 * max(-apart, 0))
        assert batch.votes.sum() == pytest.approx(sum(compared.votes.values()) + 0.5 * abs(apart), rel=1e-5)
        assert (batch.lengths[at + 4 :] == 0).all()

    def test_systems_are_compared_by_expected_wins(self, units: Any) -> None:
        batch = data.batch_of(units, range(20), 4096)
        assert batch.members.sum(axis=1)[:3] == pytest.approx([1, 1, 1])
        assert not batch.members[3:].any()  # assessed systems are not
        good, middling, bad = units.wins[:3]  # in the order of the judgments' systems
        assert batch.margins.max() == pytest.approx(max(good, middling, bad) - min(good, middling, bad))


class TestTraining:
    @pytest.mark.parametrize("rank", [0, 2])
    def test_it_learns(self, weights: dict[str, np.ndarray], units: Any, rank: int) -> None:
        losses = training.Losses(regression=0.1, systems=0.5)
        one = trainer(weights, rank=rank, losses=losses)
        before = agreement.tau(units, one.scores(units))
        history = [loss for _, loss in one.run(units)]
        assert np.mean(history[-3:]) < np.mean(history[:3])
        assert agreement.tau(units, one.scores(units)) > before
        merged = one.merged()
        same = "encoder.layer.0.output.dense.weight"
        assert np.array_equal(merged[same], weights[same])  # of the layers that are not trained
        assert not np.array_equal(
            merged["encoder.layer.2.output.dense.weight"], weights["encoder.layer.2.output.dense.weight"]
        )

    def test_stopped_and_gone_on_is_as_never_stopped(
        self, weights: dict[str, np.ndarray], units: Any, tmp_path: Path
    ) -> None:
        through = trainer(weights)
        list(through.run(units))
        stopped = trainer(weights)
        list(stopped.run(units, until=5))
        stopped.save(tmp_path / "state.safetensors", "key")
        again = trainer(weights)
        assert again.resume(tmp_path / "state.safetensors", "key")
        assert [step for step, _ in again.run(units)] == list(range(6, 13))
        for name, array in through.state.trainable["weights"].items():
            assert np.array_equal(array, again.state.trainable["weights"][name])

    def test_the_state_of_another_training(self, weights: dict[str, np.ndarray], tmp_path: Path) -> None:
        one = trainer(weights)
        assert not one.resume(tmp_path / "state.safetensors", "key")
        one.save(tmp_path / "state.safetensors", "key")
        with pytest.raises(InputError, match="another training"):
            one.resume(tmp_path / "state.safetensors", "other")

    def test_accumulated_batches_are_one_step(self, weights: dict[str, np.ndarray], units: Any) -> None:
        one = trainer(weights, accumulation=2, steps=2)
        assert len(list(one.run(units))) == 2

    def test_options_that_are_not_allowed(self, weights: dict[str, np.ndarray]) -> None:
        with pytest.raises(OptionError, match="layers is 4; the encoder has 3"):
            trainer(weights, layers=4)
        with pytest.raises(OptionError, match="steps is 0"):
            trainer(weights, steps=0)


def test_the_mix_is_fitted(units: Any) -> None:
    random = np.random.default_rng(0)
    rows = []
    for unit in units.units:
        table = random.standard_normal((len(unit.sequences) - 1, 3)).astype(np.float32)
        for (first, second), weight in unit.votes.items():
            table[first - 1, 1] += weight / 3
            table[second - 1, 1] -= weight / 3
        rows.append(table)
    mix = agreement.fitted_mix(units, rows)
    assert mix[1] > 3 * max(abs(mix[0]), abs(mix[2]))


def test_pearson_is_of_assessments(units: Any) -> None:
    perfect = [
        np.array([unit.assessed.get((i, 1), 0.0) for i in range(1, len(unit.sequences))]) for unit in units.units
    ]
    assert agreement.pearson(units, perfect) == pytest.approx(1)
