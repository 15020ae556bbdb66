"""Recipes of the encoder's training, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.errors import InputError

pytest.importorskip("jax", reason="needs the extra train")
recipe = pytest.importorskip("training.encoder.recipe", reason="needs the extra train")

SHIPPED = sorted((Path(__file__).parents[3] / "training" / "encoder" / "recipes").glob("*.yaml"))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_recipes_that_ship_can_be_read(file: Path) -> None:
    found = recipe.read_recipe(file)
    assert found.train
    assert found.options.rank > 0


def test_all_that_a_recipe_says(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(
        "start: wmt13.safetensors\n"
        "data: {train: [{folder: wmt12, pairs: [cs-en]}], validation: 0, folds: 3, split_seed: 4}\n"
        "encoder: {rank: 0, rate: 1, steps: 10}\nlosses: {systems: 0.5}\n"
    )
    found = recipe.read_recipe(file)
    assert found.train[0].pairs == ("cs-en",)
    assert (found.start, found.validation, found.folds, found.split_seed) == ("wmt13.safetensors", 0, 3, 4)
    assert (found.options.rank, found.options.rate, found.options.losses.systems) == (0, 1.0, 0.5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("data: {}\n", "data has no key 'train'"),
        ("data: {train: [{folder: a}], folds: 1}\n", "data.folds is 0, or a whole number of 2 or more"),
        ("data: {train: [{folder: a}], validation: 1}\n", "data.validation is a part"),
        ("data: {train: [{folder: a}], split_seed: x}\n", "split_seed"),
        ("data: {train: [{folder: a}]}\nencoder: {ranks: 1}\n", "did you mean 'rank'"),
        ("data: {train: [{folder: a}]}\nencoder: {rank: 1.5}\n", "encoder.rank cannot be 1.5; it is 32 by default"),
        ("data: {train: [{folder: a}]}\nencoder: {precision: int8}\n", "encoder.precision cannot be 'int8'"),
        ("data: {train: [{folder: a}]}\nencoder: {steps: 0}\n", "steps is 0; it is 1 or more"),
        ("data: {train: [{folder: a}]}\nlosses: {systems: yes}\n", "losses.systems cannot be True"),
    ],
)
def test_what_it_may_not_say(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=problem) as caught:
        recipe.read_recipe(file)
    assert str(caught.value).startswith(str(file))
