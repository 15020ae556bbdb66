"""The preference SVM over trees: both machines, its file, what it explains, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install 'tercet[train]'")

from tercet.agreement.challenge import Accuracy
from tercet.errors import InputError, OptionError, ShapeError
from tercet.features.cache import FeatureCache
from tercet.kernels import Preference, Preferences, Records
from tercet.rankers import KernelOptions, KernelRanker, Ranker, strict_tau, svm
from tercet.rankers.challenged import write_into_card
from tercet.rankers.loading import load_model
from tercet.rankers.tree_items import Compared, items_of
from tercet.rankers.tree_pairs import Grove, TreeKernels, TreeOptions
from tests import world

TREES = TreeOptions(tree="SYN")
EXACT = KernelOptions(trees=TREES, costs=(0.1, 1.0))
NYSTROM = KernelOptions(trees=TREES, exact=0, landmarks=40, costs=(0.1, 1.0))


@pytest.fixture(scope="module")
def data():
    return world.pairs(40, seed=1), world.pairs(25, seed=50)


@pytest.fixture(scope="module")
def exact(data) -> KernelRanker:
    return KernelRanker(EXACT, FeatureCache(None)).fit(*data)


@pytest.fixture(scope="module")
def nystrom(data) -> KernelRanker:
    return KernelRanker(NYSTROM, FeatureCache(None)).fit(*data)


@pytest.mark.parametrize("name", ["exact", "nystrom"])
def test_it_learns(name, request, data):
    ranker: KernelRanker = request.getfixturevalue(name)
    assert isinstance(ranker, Ranker)
    references, systems = world.texts(30, seed=9)
    sets = [(text,) for text in references]
    margin = ranker.margin(systems["good"], systems["poor"], sets)
    assert (margin > 0).mean() > 0.8
    assert (margin == -ranker.margin(systems["poor"], systems["good"], sets)).all()
    probability = ranker.probability(systems["good"], systems["poor"], sets)
    assert ((probability > 0.5) == (margin > 0)).all()
    assert ranker.card_["validation"]["tau"]
    assert ("exact" in ranker.card_["machine"]) == (name == "exact")


def test_the_machines_agree(data):
    """With every item a landmark the features have the very kernel, and the machines differ by their loss only."""
    pairs = data[0].untied()
    exact = KernelRanker(replace(EXACT, costs=(1.0,)), FeatureCache(None)).fit(*data)
    primal = KernelRanker(replace(NYSTROM, costs=(1.0,), landmarks=10_000), FeatureCache(None)).fit(*data)
    items, (compared,) = items_of([pairs])
    one, two = (compared.margins(ranker.scores(items.hypotheses, items.references)) for ranker in (exact, primal))
    assert np.corrcoef(one, two)[0, 1] > 0.97
    assert (np.sign(one) == np.sign(two)).mean() > 0.95


def test_the_exact_machine_is_one_over_the_preference_kernel(data):
    from sklearn.svm import SVC

    items, (pairs,) = items_of([data[0].untied()])
    records = Grove(TREES).records(items.hypotheses, [sets[0] for sets in items.references])
    kernel = Preference(TREES.both_sides())
    gram = kernel(Preferences(records, pairs.first, pairs.second))
    machine = SVC(C=1.0, kernel="precomputed").fit(gram, pairs.value)
    expected = machine.decision_function(gram) - machine.intercept_
    weights = svm.exact(TREES.both_sides()(records), pairs, 1.0)
    scores = TREES.both_sides()(records) @ weights
    np.testing.assert_allclose(pairs.margins(scores), expected, atol=1e-6)


def test_the_primal_machine_is_scikit_learns():
    from sklearn.svm import LinearSVC

    generator = np.random.default_rng(3)
    features = generator.normal(size=(80, 6))
    first, second = generator.integers(0, 80, (2, 200))
    value = np.where(generator.random(200) < 0.5, 1, -1)
    pairs = Compared(first, second, value, first)
    theirs = LinearSVC(C=0.3, loss="squared_hinge", dual=False, fit_intercept=False, tol=1e-8)
    theirs.fit(features[first] - features[second], value)
    np.testing.assert_allclose(svm.primal(features, pairs, 0.3), theirs.coef_[0], atol=1e-4)


def test_pairs_that_all_have_the_first_as_winner(data):
    pairs = data[0].untied()
    turned = replace(
        pairs,
        first=np.where(pairs.value > 0, pairs.first, pairs.second),
        second=np.where(pairs.value > 0, pairs.second, pairs.first),
        value=np.ones_like(pairs.value),
    )
    ranker = KernelRanker(replace(EXACT, costs=(1.0,)), FeatureCache(None)).fit(turned, data[1])
    items, (compared,) = items_of([turned])
    assert strict_tau(compared.margins(ranker.scores(items.hypotheses, items.references)), compared.value) > 0.5


def test_several_references_count_with_their_mean(exact):
    references, systems = world.texts(4, seed=3)
    other = references[::-1]
    one, two = (exact.scores(systems["good"], [(text,) for text in texts]) for texts in (references, other))
    both = exact.scores(systems["good"], list(zip(references, other, strict=True)))
    np.testing.assert_allclose(both, (one + two) / 2, atol=1e-6)


def test_scores_beside_trees(data):
    options = replace(NYSTROM, features=("chrf",), weights=(1.0,))
    ranker = KernelRanker(options, FeatureCache(None)).fit(*data)
    assert ranker.feature_weights_.shape == (1,)
    assert ranker.feature_weights_[0] > 0
    exact = KernelRanker(replace(EXACT, features=("chrf",), weights=(1.0,)), FeatureCache(None)).fit(*data)
    assert exact.feature_weights_[0] > 0


def test_empty_translations_have_scores(exact):
    margin = exact.margin(["", "a b"], ["a b", ""], [("a b",), ("",)])
    assert np.isfinite(margin).all()


def test_there_and_back(exact, tmp_path):
    exact.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert isinstance(loaded, KernelRanker)
    assert str(loaded.signature) == str(exact.signature)
    assert (loaded.hypotheses_, loaded.references_) == (exact.hypotheses_, exact.references_)
    references, systems = world.texts(10, seed=2)
    sets = [(text,) for text in references]
    assert (
        loaded.margin(systems["good"], systems["poor"], sets) == exact.margin(systems["good"], systems["poor"], sets)
    ).all()
    assert "Guzmán et al. 2014" in (tmp_path / "model" / "README.md").read_text("utf-8")
    assert not list((tmp_path / "model").glob("*.pkl"))
    write_into_card(tmp_path / "model", loaded, "0" * 64, [Accuracy("", "word order", 1, 0, 4)])
    assert "not to be trusted with: word order." in (tmp_path / "model" / "README.md").read_text("utf-8")
    assert load_model(tmp_path / "model").signature == exact.signature


def _edit(path: Path, **changes) -> None:
    config = json.loads((path / "config.json").read_text("utf-8"))
    (path / "config.json").write_text(json.dumps(config | changes), "utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tree_signature": "trees|tree:DIS|version:tercet-0"}, "was trained with other trees"),
        ({"version": 99}, "has version 99 of the format"),
        ({"support": 10**9}, "has an absurd size"),
        ({"sha256": "0"}, "is not the file that its configuration describes"),
        ({"options": {"trees": {"tree": "X"}}}, "is not a model's configuration"),
        ({"feature_signatures": ["chrf|a:b"]}, "was trained with chrf"),
    ],
)
def test_models_that_do_not_fit(exact, tmp_path, change, message):
    exact.save(tmp_path / "model")
    _edit(tmp_path / "model", **change)
    with pytest.raises(InputError, match=message):
        KernelRanker.load(tmp_path / "model")


def test_trees_that_are_none_in_a_model(exact, tmp_path):
    exact.save(tmp_path / "model")
    file = tmp_path / "model" / "weights.safetensors"
    arrays = load_file(file)
    arrays["hypothesis.counts"][0] += 1
    save_file(arrays, file)
    with pytest.raises(InputError, match=r"tree \d+ is none"):
        KernelRanker.load(tmp_path / "model")
    arrays["hypothesis.counts"][0] -= 1
    arrays["reference.labels"][0] = 10**6
    save_file(arrays, file)
    with pytest.raises(InputError, match="a label that is not in the list of labels"):
        KernelRanker.load(tmp_path / "model")


def test_a_decision_taken_apart(exact):
    references, systems = world.texts(5, seed=12)
    found = exact.explain(systems["good"][0], systems["poor"][0], references[:1], most=200)
    margin = exact.margin(systems["good"][:1], systems["poor"][:1], [(references[0],)])[0]
    assert found.margin == pytest.approx(margin)
    assert found.of_trees == pytest.approx(margin, rel=1e-4)
    assert found.of_features == 0
    assert found.fragments
    sizes = [abs(one.margin) for one in found.fragments]
    assert sizes == sorted(sizes, reverse=True)
    assert f"margin {margin:+.4f}" in str(found)
    root = ElementTree.fromstring(found.svg())
    labels = [element for element in root.iter() if element.tag.endswith("text")]
    assert len(labels) == 4 + sum(len(side.nodes) for side in found.sides)
    assert [side.name.split()[0] for side in found.sides] == ["first", "first", "second", "second"]


def test_a_fragments_part_of_the_margin_is_exact():
    """On trees so small that every fragment is looked at, the parts of all fragments are the margin."""
    grove = Grove(TREES)
    records = grove.records(["a cat sat", "the dog"], ["a cat sat", "a dog sat"])
    ranker = KernelRanker(EXACT, FeatureCache(None))
    from tercet.rankers.calibration import Calibration

    ranker.set_learned(records["hypothesis"], records["reference"], np.array([1.0, -0.5]), np.zeros(0), Calibration())
    from tercet.rankers import tree_explanation

    before = tree_explanation.NODES
    try:
        tree_explanation._fragments.__defaults__ = (100,)
        found = ranker.explain("a cat", "dog", ["a cat"], most=10**6)
    finally:
        tree_explanation._fragments.__defaults__ = (before,)
    assert sum(one.margin for one in found.fragments) == pytest.approx(found.margin, rel=1e-4)


@pytest.mark.parametrize("marks", [True, False])
def test_contributions_of_trees_and_features_sum_to_the_margin(data, marks):
    options = replace(NYSTROM, trees=replace(TREES, marked=marks), features=("chrf",), weights=(0.1,), costs=(0.1,))
    ranker = KernelRanker(options, FeatureCache(None)).fit(*data)
    references, systems = world.texts(8, seed=12)
    sets = [(text, references[i - 1]) if i % 2 else (text,) for i, text in enumerate(references)]
    every = list(systems.values())
    between = ranker.contributions(every, sets)
    for i, j in ((0, 2), (2, 0)):
        found = between(i, j)
        margin = ranker.margin(every[i], every[j], sets)
        assert found.values.sum(axis=1) == pytest.approx(margin, rel=1e-4, abs=1e-5)
    assert found.names[-1] == "chrf"
    assert ("trees/translation.words.shared" in found.names) == marks
    # a translation's own words are those that no mark is on: in the toy world the wrong ones
    if marks:
        column = found.names.index("trees/translation.words.own")
        texts, one = (every[2][0], every[0][0]), sets[0][0].split()
        assert found.first[0, column] == sum(word not in one for word in texts[0].split())
        assert found.second[0, column] == sum(word not in one for word in texts[1].split())
    with pytest.raises(OptionError, match="has learned nothing"):
        KernelRanker(EXACT).contributions(every, sets)


def test_fragments_in_plain_words():
    from tercet.language.trees import read_one
    from tercet.rankers.tree_explanation import Fragment, in_words

    tree = read_one("(REL-NP (REL-DT the) (NN))")
    assert in_words(tree) == "a noun phrase with a DT with “the” and the NN"
    said = Fragment(tree, "hypothesis", 0.1, 1.0).words
    assert said == f"in the translation {in_words(tree)}, all of it found in the reference"
    assert in_words(read_one("(DIS:CAUSAL (EDU:NUCLEUS))")) == "a relation of causal with a main clause"
    said = Fragment(read_one("(VP)"), "reference", 0.1, 1.0).words
    assert said == "in the reference a verb phrase, not all of it found in the translation"


def test_what_it_refuses(exact, data):
    with pytest.raises(OptionError, match="has learned nothing"):
        KernelRanker(EXACT).margin(["a"], ["b"], [("c",)])
    with pytest.raises(OptionError, match="has learned nothing"):
        KernelRanker(EXACT).save(Path("nowhere"))
    with pytest.raises(ShapeError, match="systems of 1, 2 segments"):
        exact.margin(["a"], ["b", "c"], [("c",)])
    with pytest.raises(OptionError, match="2 references; an explanation is against one"):
        exact.explain("a", "b", ["c", "d"])
    with pytest.raises(OptionError, match="costs="):
        KernelOptions(costs=())
    with pytest.raises(OptionError, match="decay=3"):
        TreeOptions(decay=3)
    with pytest.raises(OptionError, match="tree='RST'"):
        TreeOptions(tree="RST")
    with pytest.raises(ShapeError, match="hold no pair that anybody won"):
        KernelRanker(EXACT).fit(data[0].where(data[0].value == 0), data[1])
    with pytest.raises(OptionError, match="landmarks are pairs of trees"):
        TreeKernels(TREES, (), (), Grove(TREES))
    assert isinstance(Records(a=[1]), Records)
