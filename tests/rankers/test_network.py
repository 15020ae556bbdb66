"""The network as a ranker: what it learns and how it is used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tercet.errors import OptionError, ShapeError
from tercet.features import registry
from tercet.features.base import Array, SentenceVectors
from tercet.features.cache import FeatureCache
from tercet.rankers.base import Ranker, strict_tau
from tercet.rankers.inputs import FeatureSpecs
from tercet.rankers.network import NetworkOptions, NetworkRanker
from tercet.signature import Signature
from tests import world


@pytest.fixture(scope="session")
def texts() -> tuple[list[tuple[str, ...]], dict[str, list[str]]]:
    references, systems = world.texts(25, seed=99)
    return [(text,) for text in references], systems


def test_it_learns_what_people_saw(trained):
    test = world.pairs(40, seed=123)
    corpus = test.texts[0].corpus
    names = list(corpus.systems)
    margins = trained.margins([list(corpus.systems[name]) for name in names], list(corpus.references))
    found = margins[test.first, test.second, test.segment]
    assert strict_tau(found, test.value.astype(float)) > 0.6
    assert isinstance(trained, Ranker)
    assert trained.card_["validation"]["tau"]["mean"] > 0.6
    assert trained.card_["training"]["pairs"] == len(world.pairs(60, seed=1).untied())
    assert 0 < trained.calibration_.log_loss < 0.6


def test_margins_are_antisymmetric_and_probabilities_add_up(trained, texts):
    references, systems = texts
    one = trained.margin(systems["good"], systems["poor"], references)
    other = trained.margin(systems["poor"], systems["good"], references)
    assert np.array_equal(one, -other)
    chances = [trained.probability(systems[a], systems[b], references) for a, b in (("good", "poor"), ("poor", "good"))]
    assert chances[0] + chances[1] == pytest.approx(1)
    assert np.mean(one > 0) > 0.7
    assert trained.margin(systems["good"], systems["good"], references).tolist() == [0] * 25


def test_scores_of_single_translations_agree_with_comparisons(trained, texts):
    references, systems = texts
    every = list(systems.values())
    strengths = trained.strengths(every, references)
    assert strengths.shape == (3, 25)
    assert strengths.mean(axis=1).argsort().tolist() == [2, 1, 0]
    margins = trained.margins(every, references)
    assert np.mean((strengths[0] > strengths[2]) == (margins[0, 2] > 0)) > 0.9
    lone = np.stack([trained.lone(one, references) for one in every])
    assert lone.mean(axis=1).argsort().tolist() == [2, 1, 0]
    assert lone.max() <= trained.lone([texts[0] for texts in references], references).max()


def test_the_best_of_several_references_is_the_one_that_is_nearest(trained, texts):
    references, systems = texts
    other = [f"{world.WORDS[0]} {world.WORDS[5]}"] * len(references)
    both = [(far, near[0]) for far, near in zip(other, references, strict=True)]
    best = trained.margin(systems["good"], systems["poor"], both)
    assert best == pytest.approx(trained.margin(systems["good"], systems["poor"], references), abs=1e-6)
    mean = NetworkRanker(trained.features, replace(trained.options, references="mean"), FeatureCache(None))
    mean.set_learned(trained.architecture_, trained.weights_, trained.inputs_.bounds, trained.calibration_)
    apart = [[(one,) for one in refs] for refs in zip(*both, strict=True)]
    singles = [mean.margin(systems["good"], systems["poor"], refs) for refs in apart]
    assert mean.margin(systems["good"], systems["poor"], both) == pytest.approx(np.mean(singles, axis=0))
    varying = [both[0], *references[1:]]
    assert mean.margin(systems["good"], systems["poor"], varying)[1:] == pytest.approx(singles[1][1:])


def test_empty_and_unknown_sentences_have_a_margin_and_are_counted(trained):
    before = replace(trained.inputs_.counts)
    margins = trained.margin(["", "zzz"], [world.WORDS[0], ""], [(world.WORDS[0],), ("",)])
    assert np.isfinite(margins).all()
    assert trained.inputs_.counts.without_vector - before.without_vector == 4
    assert trained.inputs_.counts.clipped == before.clipped
    trained.margin([" ".join(world.WORDS * 3)], [""], [(world.WORDS[0],)])
    assert trained.inputs_.counts.clipped == before.clipped + 1  # a TER far above that of any training pair


def test_several_references_and_sources_can_be_learned_from(glove):
    pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")
    vectors = f"vectors:path={glove}"
    specs = FeatureSpecs(("bleu",), (vectors,), (vectors,))
    options = NetworkOptions(epochs=3, form="antisymmetric", cost="logistic+kendall", hidden=1)
    ranker = NetworkRanker(specs, options, FeatureCache(None)).fit(world.pairs(20, references=2))
    assert ranker.architecture_.source == 6
    references, systems = world.texts(4, seed=5)
    with pytest.raises(OptionError, match="takes sources; give the source file with -s"):
        ranker.margin(systems["good"], systems["poor"], references)
    sources = [text.upper() for text in references]
    assert ranker.margin(systems["good"], systems["poor"], references, sources).shape == (4,)
    assert [member["cost"] for member in ranker.card_["members"]] == ["kendall"]


def test_vectors_of_another_room_take_part(glove, monkeypatch):
    """A double of `syntax25`: any set of sentence vectors under that name."""
    pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")

    @dataclass(frozen=True, kw_only=True)
    class Double(SentenceVectors):
        name = "syntax25"
        names = tuple(f"syntax25.{i}" for i in range(25))
        signature = Signature.of("syntax25", double=True)

        def encode(self, texts: Sequence[str]) -> Array:
            return np.array([[len(text) % (i + 2) for i in range(25)] for text in texts], np.float32)

    monkeypatch.setitem(registry._known, "syntax25", Double)
    specs = FeatureSpecs(("bleu",), ("syntax25", f"vectors:path={glove}"))
    ranker = NetworkRanker(specs, NetworkOptions(epochs=1, hidden=1), FeatureCache(None)).fit(world.pairs(12))
    assert ranker.architecture_.vectors == 31
    assert "syntax25|double:yes" in ranker.inputs_.signatures()["vectors"][0]


def test_what_cannot_be_compared(trained):
    with pytest.raises(ShapeError):
        trained.margin(["a"], ["b", "c"], [("a",)])
    with pytest.raises(OptionError, match="has learned nothing"):
        NetworkRanker(trained.features).margin(["a"], ["b"], [("a",)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": -1}, "hidden=-1"),
        ({"epochs": 0}, "epochs=0"),
        ({"learning_rate": 0.0}, "learning_rate=0.0"),
        ({"l2": -1.0}, "l2=-1.0"),
        ({"cost": "hinge"}, "logistic, kendall"),
        ({"patience": 0}, "patience=0"),
    ],
)
def test_options_are_checked(change, message):
    with pytest.raises(OptionError, match=message):
        NetworkOptions(**change)


def test_features_are_checked():
    with pytest.raises(OptionError, match="needs features"):
        FeatureSpecs((), ())
    with pytest.raises(OptionError, match="name some under vectors too"):
        FeatureSpecs(("bleu",), (), ("glove50",))


def test_applying_a_model_needs_no_jax(trained, tmp_path):
    trained.save(tmp_path / "model")
    code = (
        "import sys; from pathlib import Path; from tercet.rankers import NetworkRanker;"
        f"ranker = NetworkRanker.load(Path({str(tmp_path / 'model')!r}));"
        "print(ranker.margin(['kaban lodet'], ['lodet'], ['kaban lodet'])[0]);"
        "print([name for name in ('jax', 'optax', 'sklearn', 'yaml') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    margin, modules = run.stdout.split("\n")[:2]
    assert modules == "[]"
    assert float(margin) == pytest.approx(trained.margin(["kaban lodet"], ["lodet"], ["kaban lodet"])[0])
