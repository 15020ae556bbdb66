"""The examples of how to add a metric, a feature set and a ranker: as installed packages, through the command line."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tercet.compare import choose_judge, compare
from tercet.compare.explanation import Explainer
from tercet.corpus import Corpus
from tercet.errors import InputError, OptionError
from tercet.features import feature_set
from tercet.metrics import metric
from tercet.rankers.base import Ranker, strict_tau
from tests import world
from tests.cli.conftest import files as files
from tests.cli.conftest import tercet as tercet
from tests.docs.documented import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PROJECT = """[tercet.metrics]
wordf = word_f:WordF
[tercet.features]
numbers = number_features:Numbers
[tercet.rankers]
example-logistic = logistic:load
"""


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """The three files as a package that pip has installed: its modules, and its entry points in its metadata."""
    packages = tmp_path / "packages"
    shutil.copytree(EXAMPLES, packages)
    metadata = packages / "examples-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: examples\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(PROJECT)
    monkeypatch.syspath_prepend(packages)
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    yield
    from tercet.features import registry as features
    from tercet.metrics import registry as metrics

    metrics._known.pop("wordf", None)
    features._known.pop("numbers", None)
    for name in ("word_f", "number_features", "logistic"):
        sys.modules.pop(name, None)


def test_a_metric(tercet, files):
    reference, one, two = files(ref="a b c d\nx y\n\n", one="a b e\nx\n\n", two="d c b a\nx y\nz\n")
    run = tercet("score", "-r", reference, "-t", one, two, "-m", "wordf:beta=1", "--segments", "-f", "json")
    found = json.loads(run.out)["metrics"]["wordf:beta=1"]
    assert found["signature"].startswith("wordF1|nrefs:1|case:mixed|version:")
    # F1 = 2 · matches / (words + words), by hand; two empty texts are equal
    assert found["systems"]["one"]["segments"] == pytest.approx([100 * 4 / 7, 100 * 2 / 3, 100])
    assert found["systems"]["two"]["segments"] == pytest.approx([100, 100, 0])
    assert found["systems"]["two"]["score"] == pytest.approx(100 * 12 / 13)
    run = tercet("score", "-r", reference, "-t", one, two, "-m", "wordf", "--paired-bs", "--confidence")
    assert "wordF2: paired bootstrap" in run.out
    assert metric("wordf:lowercase=true").corpus(["A"], [("b", "a")]) == 100
    with pytest.raises(OptionError, match="beta=-1 is not allowed"):
        metric("wordf:beta=-1")
    run = tercet("compare", "-r", reference, "-t", one, two, "-m", "wordf", "--samples", "99")
    assert "metric wordF2" in run.out


def test_a_feature_set():
    numbers = feature_set("numbers")
    texts = ["1,000 in 2020", "no number", "", "7 and 7"]
    references = [("1000 in 2020",), ("12",), ("",), ("7", "7 7")]
    assert numbers.transform(texts, references).tolist() == [[1, 1], [1, 0], [0, 0], [0, 0]]
    assert feature_set("numbers:marks=false").transform(texts[:1], references[:1]).tolist() == [[0, 0]]
    assert numbers.transform([], []).shape == (0, 2)


def test_a_ranker(tercet, files, tmp_path):
    from logistic import LogisticRanker  # type: ignore[import-not-found]

    pairs, tested = world.pairs(60, seed=1), world.pairs(30, seed=2)
    ranker = LogisticRanker(("chrf", "numbers")).fit(pairs)
    assert isinstance(ranker, Ranker)
    references, systems = world.texts(30, seed=2)
    sets = [(text,) for text in references]
    margins = ranker.margin(systems["good"], systems["poor"], sets)
    assert margins == pytest.approx(-ranker.margin(systems["poor"], systems["good"], sets))
    assert strict_tau(ranker._differences(tested) @ ranker.weights_, tested.value.astype(float)) > 0.8
    chances = ranker.probability(systems["good"], systems["poor"], sets)
    assert np.all((chances > 0.5) == (margins > 0))

    ranker.save(tmp_path / "mine")
    judge = choose_judge(str(tmp_path / "mine"))
    assert (judge.name, judge.kind) == ("mine", "model")
    corpus = Corpus(references=sets, systems=systems)
    comparison = compare(corpus, judge, samples=99)
    assert comparison.ranking[0].system == "good"
    found = Explainer(corpus, judge, comparison).explain(1, "good", "poor")
    assert {one.feature for one in found.reasons} == {"chrf", "numbers/missing", "numbers/added"}
    assert sum(one.contribution for one in found.reasons) == pytest.approx(found.margin)

    reference, one, two = files(ref="a b\nc d\n", one="a b\nc d\n", two="a\nd\n")
    run = tercet("compare", "-r", reference, "-t", one, two, "-M", tmp_path / "mine", "--samples", "99")
    assert "model mine" in run.out


@pytest.mark.parametrize(
    ("change", "message"),
    [({"weights": "x"}, "is not a model's configuration"), ({"signatures": ["x"]}, "was trained with other features")],
)
def test_models_of_the_ranker_that_do_not_fit(tmp_path, change, message):
    from logistic import LogisticRanker

    LogisticRanker(("chrf",)).fit(world.pairs(20)).save(tmp_path / "mine")
    file = tmp_path / "mine" / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | change))
    with pytest.raises(InputError, match=message):
        choose_judge(str(tmp_path / "mine"))


def test_what_reads_a_model_as_something_else_is_named(tmp_path, monkeypatch):
    import logistic

    monkeypatch.setattr(logistic, "load", lambda path: "nothing")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text('{"format": "example-logistic"}')
    with pytest.raises(InputError, match=r"is read as a str, which is no tercet\.rankers\.Ranker"):
        choose_judge(str(tmp_path / "mine"))


def test_examples_are_shown_whole():
    """Each example stands in its page by its file's name, so that the page shows what is tested here."""
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "extend").glob("*.md"))
    for file in EXAMPLES.glob("*.py"):
        assert f'--8<-- "{file.relative_to(Path(ROOT)).as_posix()}"' in pages
