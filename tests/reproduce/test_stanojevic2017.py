"""The tables of Stanojević & Sima'an (2017): their shape, their marks, and what they are measured on."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.errors import InputError
from tercet.features.cache import FeatureCache
from tercet.rankers.joint import JointOptions
from tercet.rankers.judged_data import hold_out
from tercet.reproduce.stanojevic2017 import LEVELS, Protocol, Runner, as_json, as_table, read_protocol
from tercet.reproduce.stanojevic2017_published import PUBLISHED
from tests.rankers.judged_world import texts


def test_published_averages_are_those_of_the_printed_figures():
    for level, rows in PUBLISHED.items():
        for name, row in rows.items():
            values = [value for pair, value in row.items() if pair != "mean"]
            assert len(values) == 7
            assert np.mean(values) == pytest.approx(row["mean"], abs=0.0011 if level.startswith("RR") else 0.0002), (
                level,
                name,
            )


def test_tables_have_every_objective_and_the_paper_beside():
    test, validation = hold_out([texts(60)], 0.4, 1)
    protocol = Protocol(
        "toy", "", [texts(seed=2)], validation, {"rr": test}, {"da": [texts(kind="assessment", seed=3, systems=5)]}
    )
    runner = Runner(protocol, JointOptions(epochs=4, batch=64, learning_rate=0.05), cache=FeatureCache())
    models = runner.models(beyond=False)
    measured = runner.measure(models)
    assert [one.level for one in measured] == list(LEVELS)
    for one in measured:
        shown = as_table(one, list(models))
        assert [row[0].text for row in shown.rows] == ["sentence", "corpus", "joint", "chrf", "bleu"]
        assert shown.rows[2][-1].text == f"{PUBLISHED[one.level]['joint']['mean']:.4f}"
        entry = as_json(one, list(models))
        assert entry["rows"][0]["ours"]["average"] == pytest.approx(one.average("sentence"))
        for scorer in models:
            for place, (test_name, pair) in enumerate(one.columns(), 1):
                marks = one.beaten(scorer, test_name, pair, list(models))
                cell = next(row for row in shown.rows if row[0].text == scorer)[place]
                assert cell.strong == (len(marks) == 2)
                assert scorer not in marks


@pytest.mark.data
def test_what_is_validated_on_is_not_tested_on(data):
    protocol = read_protocol(data)
    sides = [
        {one for part in side for one in part.corpus.references}
        for side in (protocol.train, protocol.validation, protocol.compared["wmt12"])
    ]
    assert not sides[1] & sides[2]
    assert not sides[0] & sides[2]
    assert sum(len(part.judgments.untied()) for part in protocol.train) == 82_296


def test_a_folder_without_data_is_an_error(tmp_path):
    with pytest.raises(InputError, match="wmt13"):
        read_protocol(tmp_path)
