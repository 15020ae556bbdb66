"""The tables of Guzmán et al. (2015): the protocols, and a whole run on a small world."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")

from tercet.errors import InputError
from tercet.features.cache import FeatureCache
from tercet.reproduce import guzman2015
from tercet.reproduce import guzman2015_published as published
from tercet.reproduce.guzman2015_published import Row
from tercet.reproduce.protocols import Folds, Official, Transfer, available
from tests import world

PAIRS = {"cs-en": "Czech", "de-en": "German", "es-en": "Spanish", "fr-en": "French"}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    world.write_tree(tmp_path / "wmt12", "newstest2012", PAIRS, segments=15, seed=12)
    return tmp_path


def test_the_means_that_the_paper_prints_are_those_of_its_columns():
    rows = [*published.TABLE_1, *published.TABLE_2, *published.TABLE_4, *published.TABLE_5]
    for row in rows:
        if row.paper[0] is not None:
            odd = row.details == "Kendall"  # whose mean is 29.67, and was printed as 29.53
            assert np.mean(row.paper[:4]) == pytest.approx(29.665 if odd else row.paper[4], abs=0.06), row
    assert [len(table) for table in (published.TABLE_1, published.TABLE_2, published.TABLE_4, published.TABLE_5)] == [
        15,
        6,
        2,
        3,
    ]
    assert len(published.table_3([])) == 12


def test_a_run_over_folds(small):
    protocol = Folds.read(small)
    vectors = f"vectors:path={world.write_vectors(small / 'glove.txt')}"
    options = protocol.options(epochs=15, learning_rate=0.3)
    runner = guzman2015.Runner(protocol, options, seeds=2, kept=small / "kept", cache=FeatureCache(None))
    row = Row("toy", "NN", (1.0, 2.0, 3.0, 4.0, 2.5), similarity=("bleu",), vectors=(vectors,), hidden=1)
    found = runner.run(row).as_json()
    assert found["seeds"] == 2
    assert found["ours"]["mean"] == pytest.approx(np.mean([found["ours"][pair] for pair in PAIRS]))
    assert found["ours"]["mean"] > 20
    ways = [
        Row("toy", "", (None,) * 5, similarity=("bleu",), vectors=(vectors,), hidden=1, decides=way)
        for way in ("ensemble", "bradley-terry", "lone")
    ]
    trained = len(runner._fitted)
    for other in map(runner.run, ways):
        assert other.as_json()["ours"]["mean"] > 20
    assert len(runner._fitted) == trained == 1, "all seeds and ways of deciding share one training"
    assert not np.array_equal(*runner._margins[guzman2015._key(row)])
    again = guzman2015.Runner(protocol, options, seeds=2, kept=small / "kept", cache=FeatureCache(None))
    assert again.run(row).as_json() == found
    assert not again._fitted, "what is kept is not trained again"
    assert runner.run(Row("BLEU", "", (None,) * 5, metric="bleu")).as_json()["ours"]["mean"] > 20
    missing = runner.run(Row("none", "", (None,) * 5, vectors=("syntax99",)))
    assert missing.taus is None
    assert "syntax99" in missing.why
    shown = guzman2015.as_table("Toy", [runner.run(row), missing], runner).render("text")
    assert "±" in shown
    assert "Not computed: none: unknown feature set 'syntax99'." in shown


def test_no_test_reference_is_in_a_training(small):
    protocol = Folds.read(small)
    answered = np.zeros(len(protocol.test))
    for split in protocol.splits():
        answered[split.places] += 1
        tested = set(protocol.test.groups[split.places])
        assert not tested & set(split.train.groups)
        assert not tested & set(split.validation.groups)
        assert not set(split.train.groups) & set(split.validation.groups)
    assert (answered == 1).all()


def test_the_protocols_that_data_allow(small):
    assert available(small) == ["folds"]
    world.write_tree(small / "wmt13", "newstest2013", {"fr-en": "French"}, segments=10, seed=13)
    assert available(small) == ["wmt13", "folds"]
    world.write_tree(small / "wmt11", "newstest2011", {"cs-en": "Czech"}, segments=10, seed=11)
    assert available(small) == ["official"]
    (split,) = Official.read(small).splits()
    assert [one.name for one in split.train.texts] == ["newstest2011 cs-en"]
    assert [one.name for one in split.validation.texts] == ["newstest2013 fr-en"]
    with pytest.raises(InputError, match="has no wmt12"):
        available(small / "wmt12")


def test_the_command_writes_json(small, capsys, monkeypatch):
    import sys

    from tercet import cli

    arguments = [
        "tercet",
        "reproduce",
        "guzman2015",
        "--data",
        str(small),
        "--table",
        "2",
        "--epochs",
        "1",
        "--seeds",
        "1",
    ]
    monkeypatch.setattr(sys, "argv", [*arguments, "-f", "json", "-q"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["protocol"] == "folds"
    assert table["rows"][0]["paper"]["mean"] == 18.46
    assert set(table["rows"][0]["ours"]) == {*PAIRS, "mean"}
    assert table["rows"][1]["ours"]["mean"] > -100
    assert "glove-6b-50d" in table["rows"][3]["why"]


@pytest.mark.data
def test_metrics_on_wmt12_have_the_reference_figures(data):
    protocol = Transfer.read(data)
    runner = guzman2015.Runner(protocol, protocol.options())
    found = runner.run(Row("BLEU", "", (None,) * 5, metric="bleu:lowercase=true")).as_json()["ours"]
    assert [round(found[pair], 2) for pair in PAIRS] == [16.53, 17.65, 17.23, 15.83]
    (split,) = protocol.splits()
    assert 5000 <= len(split.validation.untied()) < 5100
    assert not set(split.validation.groups) & set(split.train.groups)


def test_another_set_may_stand_for_syntax25(small):
    protocol = Folds.read(small)
    runner = guzman2015.Runner(protocol, protocol.options(epochs=2), seeds=1, cache=FeatureCache(None))
    asked: list[Row] = []
    runner.run = lambda row: asked.append(row) or guzman2015.Result(row, why="not run")
    guzman2015.tables(runner, [1, 6], syntax="stanford25:cap=50")
    specs = {spec for row in asked for spec in row.vectors}
    assert specs == {"stanford25:cap=50", "glove50"}
    assert [row.vectors for row in asked if row.system == "SYNTAX25"] == [("stanford25:cap=50",)]


@pytest.mark.parametrize(
    ("name", "message"),
    [("syntax99", "unknown feature set 'syntax99'"), ("bleu", "sentence vectors are wanted here")],
)
def test_an_unknown_set_for_syntax25_is_an_error_at_once(small, capsys, monkeypatch, name, message):
    from tercet import cli

    monkeypatch.setattr("sys.argv", ["tercet", "reproduce", "guzman2015", "--data", str(small), "--syntax", name])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
