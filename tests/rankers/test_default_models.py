"""The models that ship and decide when nobody names one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tercet.compare import choose_judge
from tercet.corpus import Corpus
from tercet.errors import OptionError, ResourceError
from tercet.features.cache import FeatureCache
from tercet.rankers import loading
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.model_metric import ModelMetric, models_as_metrics
from tercet.rankers.models import load
from tercet.rankers.network import NetworkOptions, NetworkRanker
from tercet.rankers.pairs import Pairs, Texts
from tercet.rankers.recipe import find_recipe, read_recipe
from tercet.rankers.tables import Tables
from tests import world

REFERENCES = [("The minister resigned on Monday.",), ("It was raining all day.", "The whole day it rained."), ("",)]
GOOD = ["The minister resigned Monday.", "It rained all day.", ""]
POOR = ["The ministers is signed again moon.", "Day all raining rain it.", "something"]


@pytest.mark.parametrize("name", ["lite", "base"])
def test_what_ships_is_what_the_recipe_says(name: str) -> None:
    pytest.importorskip("yaml", reason="recipes need PyYAML: pip install 'tercet[train]'")
    folder = loading.find_model(name)
    assert all(file.stat().st_size <= 8 << 20 for file in folder.iterdir())
    config = json.loads((folder / "config.json").read_text())
    recipe = read_recipe(find_recipe(name))
    assert {kind: tuple(specs) for kind, specs in config["features"].items()} == vars(recipe.features)
    assert config["options"] == vars(recipe.options)
    assert config["options"]["form"] == "antisymmetric"
    card = (folder / "README.md").read_text()
    for part in ("licence: trained on WMT", "## Cross-fitting", "## How it was made", "## Limits", "wmt17-da"):
        assert part in card


def test_lite_needs_nothing_and_decides_where_nothing_is_installed() -> None:
    judge = choose_judge()
    assert judge.name == "lite"
    assert "minilm" in judge.notes()[0]
    margins = judge.margins([GOOD, POOR], REFERENCES, None)
    assert np.array_equal(margins, -margins.transpose(1, 0, 2))
    assert (margins[0, 1] > 0).all()
    chance = judge.probability(margins[0, 1])
    assert (chance > 0.5).all()
    assert judge.verdict(judge.margins([GOOD, GOOD], REFERENCES, None)).tolist() == np.zeros((2, 2, 3)).tolist()


def test_base_without_its_encoder_says_what_to_install() -> None:
    with pytest.raises(ResourceError, match="tercet resources install minilm"):
        load(loading.find_model("base"))


def test_a_model_among_metrics() -> None:
    metrics = models_as_metrics(["lite", "joint"])
    assert list(metrics) == ["lite", "joint"]
    lite = metrics["lite"]
    assert (lite.segments(GOOD, REFERENCES) > lite.segments(POOR, REFERENCES)).all()
    assert lite.corpus(GOOD, REFERENCES) == pytest.approx(lite.segments(GOOD, REFERENCES).mean())
    same = lite.segments(["A house."], [("A house.",)])
    assert same.tolist() == [0]  # no better than its reference
    assert str(lite.signature).startswith("network|model:")


def test_a_model_that_only_compares_scores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = ModelMetric(model="joint")
    monkeypatch.setitem(one.__dict__, "ranker", object())
    with pytest.raises(OptionError, match="compares two translations"):
        one.statistics(GOOD, REFERENCES)


def test_features_are_computed_of_what_is_judged() -> None:
    every = world.pairs(8, seed=3)
    pairs = every.where((every.segment < 2) & (every.first == 0) & (every.second == 1))
    inputs = Inputs(FeatureSpecs(("bleu", "nist"), ("syntax25",)), FeatureCache())
    some, all_ = Tables.of(inputs, every.texts, judged=[pairs]), Tables.of(inputs, every.texts)
    assert (some.texts[0].similarity.shape, all_.texts[0].similarity.shape) == ((1, 4, 2), (1, 24, 2))
    # NIST learns from all references, so its numbers must not depend on what is judged
    for number, system in ((0, pairs.first), (1, pairs.second)):
        one, other = (table.texts[0].rows(system, pairs.segment) for table in (some, all_))
        assert np.array_equal(some.texts[0].similarity[0, one], all_.texts[0].similarity[0, other]), number
        assert np.array_equal(some.texts[0].vectors[one], all_.texts[0].vectors[other])


def test_what_is_between_two_translations_keeps_the_sign_exact(tmp_path) -> None:
    pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")
    specs = FeatureSpecs(("chrf", "softmatch"), (), between=("softmatch",))
    options = NetworkOptions(form="antisymmetric", hidden=2, epochs=3, learning_rate=0.1)
    ranker = NetworkRanker(specs, options, FeatureCache())
    pairs = world.pairs(20, seed=1)
    ranker.fit(pairs, world.pairs(10, seed=9))
    assert ranker.architecture_ is not None
    assert (ranker.architecture_.between, ranker.architecture_.nodes) == (2, 2)
    margins = ranker.margin(GOOD, POOR, REFERENCES)
    assert np.array_equal(margins, -ranker.margin(POOR, GOOD, REFERENCES))
    between = ranker.contributions([GOOD, POOR], REFERENCES)(0, 1)
    assert between.values.sum(axis=1) == pytest.approx(margins, abs=1e-9)
    ranker.save(tmp_path / "model")
    again = NetworkRanker.load(tmp_path / "model", cache=FeatureCache())
    assert np.array_equal(again.margin(GOOD, POOR, REFERENCES), margins)
    assert "between:softmatch" in str(again.signature)


def test_a_set_that_knows_nothing_of_two_translations_is_refused() -> None:
    with pytest.raises(OptionError, match="says nothing of two hypotheses together"):
        _ = Inputs(FeatureSpecs(("chrf",), (), between=("chrf",))).sizes


def test_a_pair_that_was_not_announced_is_a_mistake_of_ours() -> None:
    corpus = Corpus(references=[("a",)], systems={"x": ["a"], "y": ["b"], "z": ["c"]})
    numbers = [np.array([value]) for value in (0, 0, 0, 1, 1)]
    pairs = Pairs((Texts("toy xx-en", "xx-en", corpus),), *numbers)
    tables = Tables.of(Inputs(FeatureSpecs(("chrf",), ())), pairs.texts, judged=[pairs])
    with pytest.raises(AssertionError, match="no features"):
        tables.texts[0].rows(np.array([2]), np.array([0]))
