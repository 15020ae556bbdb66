"""`tercet reproduce guzman2014` on a small world, and the paper's tables as printed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tercet.features.cache import FeatureCache
from tercet.rankers.kernel import KernelOptions
from tercet.reproduce import guzman2014, guzman2014_published
from tercet.reproduce.guzman2014_data import cross_validation, transfer
from tests import world


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    pairs = {"cs-en": "Czech", "de-en": "German", "es-en": "Spanish", "fr-en": "French"}
    world.write_tree(tmp_path / "wmt12", "newstest2012", pairs, segments=25)
    world.write_tree(tmp_path / "wmt13", "newstest2013", {"fr-en": "French"}, segments=30, seed=8)
    return tmp_path


def test_printed_means_are_those_of_the_columns():
    for table in (guzman2014_published.SIMILARITY, guzman2014_published.LEARNED, guzman2014_published.CROSS_LANGUAGE):
        for row in table.values():
            assert abs(np.mean(row[:4]) - row[4]) < 0.21


def test_folds_keep_test_segments_out(data):
    material = cross_validation(data, 30, (), FeatureCache(None))
    tested = np.concatenate([split.test for split in material.splits])
    assert sorted(tested.tolist()) == list(range(len(material.test)))
    for split in material.splits:
        held = np.unique(material.test.groups[split.test])
        assert not np.isin(split.train.groups, held).any()
        texts = {material.items.references[i] for i in material.landmarks[split.landmarks]}
        there = {material.items.references[i] for i in material.test.where(split.test).first}
        assert not texts & there


def test_the_tables_of_a_small_world(data, monkeypatch):
    from tercet.reproduce import guzman2014_data

    monkeypatch.setattr(guzman2014_data, "VALIDATION", 20)
    options = KernelOptions(costs=(0.1, 1.0), weights=(1.0,), folds=2)
    for read in (transfer, cross_validation):
        runner = guzman2014.Runner(read(data, 40, ("chrf",), FeatureCache(None)), options)
        found = dict(guzman2014.tables(runner, (1, 2, 3, 4)))
        one, two, three, four = found.values()
        assert [row.name for row in one] == ["SYN", "DIS", "DIS+POS", "DIS+SYN"] * 2
        assert all(row.ours[-1] > 20 for row in one)
        assert sum(row.ours is not None for row in two) == (1 if read is transfer else 5)
        assert all(row.ours[-1] > 20 for row in three)
        assert four[0].ours[-1] < three[3].ours[-1]
        shown = guzman2014.as_table("Table 2", two, runner).render("markdown")
        assert "cross-validation by segment inside of the training data" in shown
        assert guzman2014.Row.as_json(two[-1])["paper"]["all"] == 23.7
