"""Metrics by name, also those of other packages."""

from __future__ import annotations

import sys

import pytest

from tercet import metrics
from tercet.errors import OptionError
from tercet.metrics import registry

MODULE = '''
from dataclasses import dataclass
import numpy as np
from tercet.metrics import Metric
from tercet.signature import Signature

@dataclass(frozen=True, kw_only=True)
class Brevity(Metric):
    """How much shorter than its reference a hypothesis is."""
    characters: bool = False
    higher_is_better = False
    @property
    def signature(self):
        return Signature.of(self.label, characters=self.characters)
    @property
    def statistic_names(self):
        return ("missing", "reference")
    def statistics(self, hypotheses, references):
        count = len if self.characters else (lambda text: len(text.split()))
        rows = [(max(0, count(r[0]) - count(h)), count(r[0])) for h, r in zip(hypotheses, references)]
        return np.array(rows, float)
    def score(self, statistics):
        return 100 * statistics[..., 0] / np.maximum(statistics[..., 1], 1)

not_a_metric = 3
'''


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """An installed package that brings a metric, and something that is none."""
    (tmp_path / "brevity_metric.py").write_text(MODULE)
    info = tmp_path / "brevity_metric-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brevity-metric\nVersion: 1.0\n")
    points = "[tercet.metrics]\nbrevity = brevity_metric:Brevity\nbroken = brevity_metric:not_a_metric\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    registry._known.pop("brevity", None)
    sys.modules.pop("brevity_metric", None)


def test_a_metric_of_another_package_is_known_by_its_name(other_package):
    assert "brevity" in metrics.names()
    metric = metrics.metric("brevity:characters=true")
    assert metric.label == "BREVITY"
    assert metric.corpus(["abc", "abcd"], ["abcd", "abcd"]) == pytest.approx(100 / 8)
    assert "characters:yes" in str(metric.signature)


def test_a_broken_entry_is_named(other_package):
    with pytest.raises(OptionError, match="'broken' is not a tercet"):
        metrics.metric("broken")


def test_every_metric_has_a_value_for_empty_texts():
    for name in metrics.names():
        if name in ("bleu", "chrf", "chrf++", "meteor", "nist", "ter", "wer"):
            metric = metrics.metric("meteor:tables=none" if name == "meteor" else name)
            for hypothesis, reference in (("", ""), ("", "a b"), ("a b", "")):
                value = metric.segments([hypothesis], [reference])[0]
                assert value == value, f"{name} of {hypothesis!r} against {reference!r}"
