"""The tables of Stanojević & Sima'an (2017): their shape, their marks, and what they are measured on."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from tercet.cli import app
from tercet.errors import InputError
from tercet.features.cache import FeatureCache
from tercet.rankers.joint import JointOptions
from tercet.rankers.judged_data import hold_out
from tercet.reproduce.stanojevic2017 import LEVELS, Measured, Runner
from tercet.reproduce.stanojevic2017_protocols import Protocol, read_protocol
from tercet.reproduce.stanojevic2017_published import PUBLISHED
from tercet.reproduce.stanojevic2017_tables import as_json, as_table, claim_table
from tests.rankers.judged_world import texts, write_tree


def test_published_averages_are_those_of_the_printed_figures():
    for level, rows in PUBLISHED.items():
        for name, row in rows.items():
            values = [value for pair, value in row.items() if pair != "mean"]
            assert len(values) == 7
            assert np.mean(values) == pytest.approx(row["mean"], abs=0.0011 if level.startswith("RR") else 0.0002), (
                level,
                name,
            )


OBJECTIVES = ("sentence", "corpus", "joint")


@pytest.fixture(scope="module")
def measured() -> list[Measured]:
    test, validation = hold_out([texts(60)], 0.4, 1)
    assessed = [texts(kind="assessment", seed=3, systems=5)]
    protocol = Protocol("toy", "", [texts(seed=2)], validation, {"rr": test}, {"da": assessed})
    runner = Runner(protocol, JointOptions(epochs=4, batch=64, learning_rate=0.05), cache=FeatureCache())
    return runner.measure(runner.models(beyond=False))


def test_tables_have_every_objective_and_the_paper_beside(measured):
    assert [one.level for one in measured] == list(LEVELS)
    for one in measured:
        shown = as_table(one, list(OBJECTIVES))
        assert [row[0].text for row in shown.rows] == ["sentence", "corpus", "joint", "chrf", "bleu"]
        assert shown.rows[2][-1].text == f"{PUBLISHED[one.level]['joint']['mean']:.4f}"
        entry = as_json(one, list(OBJECTIVES))
        assert entry["rows"][0]["ours"]["average"] == pytest.approx(one.average("sentence"))
        for scorer in OBJECTIVES:
            for place, (test_name, pair) in enumerate(one.columns(), 1):
                marks = one.beaten(scorer, test_name, pair, list(OBJECTIVES))
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


def test_the_paper_s_own_years_give_its_own_columns(tmp_path):
    for year, seed in (("wmt13", 1), ("wmt14", 2)):
        write_tree(tmp_path / year, [texts(30, seed=seed)])
    write_tree(tmp_path / "wmt16", [texts(30, seed=3, pair=pair) for pair in ("cs-en", "de-en", "en-cs")])
    write_tree(tmp_path / "wmt16-da", [texts(30, seed=3, kind="assessment")])
    assert read_protocol(tmp_path).name == "official"
    arguments = ["reproduce", "stanojevic2017", "--data", str(tmp_path), "--epochs", "2", "-q", "-f"]
    done = CliRunner().invoke(app, [*arguments, "json", "--table", "1", "--seeds", "2"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["protocol"] == "official"
    joint = next(row for row in found["tables"][0]["rows"] if row["system"] == "joint")
    assert joint["paper"]["X-en"] == 0.963
    ours = joint["ours"]
    assert ours["wmt16 X-en"] == pytest.approx((ours["wmt16 cs-en"] + ours["wmt16 de-en"]) / 2)
    assert ours["average"] == pytest.approx((ours["wmt16 X-en"] + ours["wmt16 en-cs"]) / 2)
    assert [len(row["averages"]) for row in found["tables"][-1]["rows"]] == [2] * 6

    done = CliRunner().invoke(app, [*arguments, "tsv", "--table", "2"])
    assert done.exit_code == 0, done.output
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0] == ["scorer", "wmt16-da cs-en", "average", "paper's average"]
    assert ["joint, in the paper", "0.9844", "0.9138", ""] in rows


def test_tables_say_whether_the_joint_objective_holds_what_the_paper_finds(measured):
    shown = claim_table(measured)
    assert [row[0].text for row in shown.rows] == list(LEVELS)
    for one, row in zip(measured, shown.rows, strict=True):
        test, evaluation = next(iter(one.tests.items()))
        pair = evaluation.results[0].pair
        values = [one.value(name, test, pair) for name in ("sentence", "corpus", "joint")]
        assert [cell.text for cell in row[2:5]] == [f"{value:.4f}" for value in values]
        assert row[5].text == ("yes" if values[2] == max(values) else "no")


def test_marks_of_artificial_corpora_belong_to_the_values_shown(measured):
    artificial = next(one for one in measured if one.level == "DA, artificial corpora")
    matrix = artificial.tests["da"].tests["cs-en"]
    for scorer in matrix.names:
        assert artificial.value(scorer, "da", "cs-en") == matrix.values[matrix.names.index(scorer)]
        for other in artificial.beaten(scorer, "da", "cs-en", matrix.names):
            assert artificial.value(scorer, "da", "cs-en") > artificial.value(other, "da", "cs-en")
