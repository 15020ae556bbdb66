"""Recipes: every key is known or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("yaml", reason="recipes need PyYAML: pip install 'tercet[train]'")

from tercet.errors import InputError
from tercet.rankers.recipe import Folder, find_recipe, read_recipe

GOOD = """\
data:
  train:
    - folder: wmt13
      pairs: [fr-en]
  validation: 100
network:
  hidden: 2
"""


def read(tmp_path: Path, text: str):
    (tmp_path / "recipe.yaml").write_text(text)
    return read_recipe(tmp_path / "recipe.yaml")


def test_a_recipe_with_the_papers_values_where_it_is_silent(tmp_path):
    found = read(tmp_path, GOOD)
    assert found.train == (Folder("wmt13", ("fr-en",)),)
    assert (found.validation, found.test) == (100, ())
    assert (found.options.hidden, found.options.batch, found.options.learning_rate) == (2, 30, 0.01)
    assert found.features.similarity == ("4metrics",)


@pytest.mark.parametrize("name", ["guzman2015", "guzman2015.yaml", "recipes/guzman2015.yaml"])
def test_the_recipe_that_ships_is_found_by_name_and_holds(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = read_recipe(find_recipe(name))
    assert found.options.hidden == 4
    assert found.title
    assert found.licence


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("hidden: 2", "hiden: 2"), r"yaml:7: network has no key 'hiden'; did you mean 'hidden'\?"),
        (("network:", "nettwork:"), r"yaml:6: a recipe has no key 'nettwork'; did you mean 'network'\?"),
        (("hidden: 2", "zzz: 2"), r"network has no key 'zzz'; it takes form, hidden"),
        (("folder: wmt13", "dir: wmt13"), r"data\.train\.0 has no key 'dir'"),
        (("hidden: 2", "hidden: two"), r"yaml:7: .*hidden='two' is not allowed"),
        (("hidden: 2", "cost: hinge"), r"yaml:7: .*cost='hinge' is not allowed"),
        (("hidden: 2", "hidden: 2\n  hidden: 3"), r"yaml:8: 'hidden' stands twice"),
        (("validation: 100", "validation: 0"), r"data\.validation is a number of pairs"),
        (("validation: 100", "validation: yes"), r"data\.validation is a number of pairs"),
        (("validation: 100", "validation: wmt12"), r"data\.validation is not a list of folders"),
        (("pairs: [fr-en]", "pairs: fr-en"), "not a list of names"),
        (("data:", "ranker: kernel\ndata:"), "there is no ranker 'kernel'"),
        (("data:", "features: {similarity: [], vectors: []}\ndata:"), "needs features"),
        (("  hidden: 2", "  hidden: [2"), r"yaml:\d+: "),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, GOOD.replace(*change))


@pytest.mark.parametrize("text", ["", "- a", "just text", "network: {hidden: 2}"])
def test_what_is_no_recipe(tmp_path, text):
    with pytest.raises(InputError, match="needs keys and values"):
        read(tmp_path, text)


def test_no_code_is_run(tmp_path):
    with pytest.raises(InputError, match="could not determine a constructor"):
        read(tmp_path, GOOD + "title: !!python/object/apply:os.getcwd []\n")


def test_an_unknown_recipe():
    with pytest.raises(InputError, match=r"no such recipe; give a file, or one of .*guzman2015"):
        find_recipe("nowhere.yaml")
