"""`tercet train` for a kernel ranker, and `tercet compare` with it, with reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install 'tercet[train]'")
pytest.importorskip("yaml", reason="recipes need PyYAML: pip install 'tercet[train]'")

from tests import world

RECIPE = """\
ranker: kernel
title: A toy
licence: CC0
data:
  train: [{folder: old}]
  validation: 30
  test: [{folder: new}]
trees: {tree: SYN}
features: [chrf]
svm: {exact: 0, landmarks: 30, costs: [0.1, 1], weights: 1}
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    world.write_tree(tmp_path / "old", "newstest1", {"cs-en": "Czech"}, segments=40)
    world.write_tree(tmp_path / "new", "newstest2", {"de-en": "German"}, segments=20, seed=8)
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path


def test_a_model_is_trained_and_used(tercet, data, files):
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "model", "-f", "json")
    assert (run.code, run.err) == (0, "")
    log = [json.loads(line) for line in run.out.splitlines()]
    assert ["tried" in entry for entry in log] == [True, True, False]
    assert log[-1]["test"]["tau"]["de-en"] > 0.3
    assert (data / "model" / "training.jsonl").read_text() == run.out
    again = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "again")
    assert "strict tau" in again.out
    assert (data / "again" / "weights.safetensors").read_bytes() == (
        data / "model" / "weights.safetensors"
    ).read_bytes()

    references, systems = world.texts(15, seed=4)
    paths = files(ref="\n".join(references) + "\n", **{k: "\n".join(v) + "\n" for k, v in systems.items()})
    common = ("compare", "-r", paths[0], "-t", *paths[1:], "-M", data / "model")
    run = tercet(*common, "-f", "json")
    assert (run.code, run.err) == (0, "")
    found = json.loads(run.out)
    assert found["ranking"][0]["system"] == "good"
    assert found["signature"].startswith("kernel|")
    assert "|tree:SYN|fragments:partial|decay:0.4|vertical:0.4|rel:yes|" in found["signature"]

    run = tercet(*common, "--explain", "2", "--pair", "good", "--pair", "poor", "--picture", data / "trees.svg")
    assert run.code == 0
    assert "Fragments of the trees, good first, poor second\nmargin " in run.out
    assert "hypothesis" in run.out
    assert (data / "trees.svg").read_text("utf-8").startswith("<svg")
    run = tercet(*common, "--picture", data / "x.svg")
    assert (run.code, "give --explain N too" in run.err) == (2, True)
    run = tercet(*common[:-2], "-m", "chrf", "--explain", "1", "--picture", data / "x.svg")
    assert (run.code, "--picture needs a model over trees" in run.err) == (2, True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tree: SYN", "tree: RST", "recipe.yaml:8: TreeOptions: tree='RST' is not allowed"),
        ("tree: SYN", "kind: SYN", "recipe.yaml:8: trees has no key 'kind'"),
        ("costs: [0.1, 1]", "costs: [0]", "recipe.yaml:10: kernel: costs=(0,) is not allowed"),
        ("exact: 0", "exakt: 0", "did you mean 'exact'?"),
        ("validation: 30", "validation: true", "data.validation is a number of pairs, or folders"),
        ("ranker: kernel", "ranker: tree", "there is no ranker 'tree'; there are network, joint, kernel"),
    ],
)
def test_recipes_with_mistakes(tercet, data, old, new, message):
    (data / "recipe.yaml").write_text(RECIPE.replace(old, new))
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "model")
    assert run.code == 2
    assert message in run.err
    assert not (data / "model").exists()


def test_what_belongs_to_networks(tercet, data):
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "model", "--epochs", "3")
    assert (run.code, "a kernel ranker has no epochs" in run.err) == (2, True)


def test_the_recipe_that_ships_is_sound():
    from tercet.rankers.kernel import KernelOptions
    from tercet.rankers.kernel_recipe import read_kernel_recipe
    from tercet.rankers.recipe import find_recipe

    assert read_kernel_recipe(find_recipe("recipes/guzman2014.yaml")).options == KernelOptions()
