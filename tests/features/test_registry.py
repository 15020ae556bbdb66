"""Feature sets by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tercet.errors import OptionError, ResourceError, ShapeError
from tercet.features import feature_set, names, sentence_vectors
from tercet.features.base import checked
from tercet.metrics import BLEU, TER, ChrF

HYPOTHESES = ["the cat sat on the mat", "", "a dog"]
REFERENCES = [("the cat sat down on a mat",), ("nothing",), ("a dog", "one dog")]


def test_the_sets_that_have_names():
    assert {"4metrics", "bleucomp", "glove50", "vectors"} <= set(names())


def test_any_metric_is_a_feature_set():
    found = feature_set("ter:normalized=true").transform(HYPOTHESES, REFERENCES)
    assert found.dtype == np.float32
    assert found[:, 0] == pytest.approx(TER(normalized=True).segments(HYPOTHESES, REFERENCES))


def test_bleucomp_is_the_sixteen_numbers_of_the_paper():
    bleucomp = feature_set("bleucomp")
    metric = BLEU()
    parts = metric.components(metric.statistics(HYPOTHESES, REFERENCES))
    assert len(bleucomp.names) == 16
    assert bleucomp.names[:4] == ("precision1", "precision2", "precision3", "precision4")
    assert bleucomp.transform(HYPOTHESES, REFERENCES) == pytest.approx(np.stack(list(parts.values()), axis=1))


def test_components_of_any_metric_take_its_options():
    found = feature_set("chrf.components:char_order=2")
    assert len(found.names) == 6
    metric = ChrF(char_order=2)
    assert found.transform(HYPOTHESES, REFERENCES) == pytest.approx(metric.statistics(HYPOTHESES, REFERENCES))


def test_a_signature_has_what_changes_the_numbers():
    assert str(feature_set("bleu")) != str(feature_set("bleu:lowercase=true"))
    assert feature_set("bleu").signature != feature_set("bleu:lowercase=true").signature
    assert "smooth=exp" in str(feature_set("bleucomp").signature)


def test_an_unknown_set_is_named_with_those_there_are():
    with pytest.raises(OptionError, match=r"unknown feature set 'syntacks'; there are 4metrics, .*bleucomp, .*METRIC"):
        feature_set("syntacks")
    with pytest.raises(OptionError, match="bleucomp has no option 'case'"):
        feature_set("bleucomp:case=lc")


def test_a_missing_resource_is_named_with_the_command_that_installs_it():
    with pytest.raises(ResourceError, match="tercet resources install glove-6b-50d"):
        sentence_vectors("glove50").encode(["a"])
    with pytest.raises(ResourceError, match="tercet resources install meteor"):
        feature_set("4metrics").transform(["a"], [("a",)])


def test_metrics_are_no_sentence_vectors():
    with pytest.raises(OptionError, match="sentence vectors are wanted"):
        sentence_vectors("bleu")


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(ShapeError, match="not finite for segment 2"):
        checked(np.array([[1.0], [np.nan]]), 2, 1, "odd")
    with pytest.raises(ShapeError, match="shape"):
        checked(np.zeros((2, 1)), 2, 2, "odd")


def test_no_module_hides_a_function_of_the_package():
    """A module that is imported becomes an attribute of its package: one named like a function would take its place."""
    import tercet.features
    from tercet.features import registry

    registry.names()  # imports every module
    assert tercet.features.sentence_vectors is registry.sentence_vectors
    modules = {path.stem for path in Path(tercet.features.__file__).parent.glob("*.py")}
    assert modules.isdisjoint(tercet.features.__all__)
