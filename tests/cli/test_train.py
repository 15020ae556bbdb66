"""`tercet train` and `tercet compare` with what it made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")
pytest.importorskip("yaml", reason="recipes need PyYAML: pip install 'tercet[train]'")

from tercet.rankers import training
from tests import world


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data with a recipe in it."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    world.write_tree(tmp_path / "old", "newstest1", {"cs-en": "Czech"}, segments=40)
    world.write_tree(tmp_path / "new", "newstest2", {"de-en": "German"}, segments=20, seed=8)
    vectors = world.write_vectors(tmp_path / "glove.txt")
    (tmp_path / "recipe.yaml").write_text(
        f"""\
title: A toy
licence: CC0
data:
  train: [{{folder: old}}]
  validation: 30
  test: [{{folder: new}}]
features:
  similarity: [bleu]
  vectors: ["vectors:path={vectors}"]
network: {{epochs: 6, hidden: 1, seeds: 2, learning_rate: 0.1}}
"""
    )
    return tmp_path


def weights(model: Path) -> bytes:
    return (model / "weights.safetensors").read_bytes()


def test_a_model_is_trained_and_used(tercet, data, files):
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "model", "-f", "json")
    assert (run.code, run.err) == (0, "")
    log = [json.loads(line) for line in run.out.splitlines()]
    assert [entry["epoch"] for entry in log[:-1]] == [1, 2, 3, 4, 5, 6]
    assert all(len(entry["tau"]) == 2 for entry in log[:-1])
    assert log[-1]["test"]["tau"]["de-en"] > 0.3
    assert (data / "model" / "training.jsonl").read_text() == run.out
    assert not (data / "model.checkpoint").exists()

    references, systems = world.texts(15, seed=4)
    paths = files(ref="\n".join(references) + "\n", **{k: "\n".join(v) + "\n" for k, v in systems.items()})
    run = tercet("compare", "-r", paths[0], "-t", *paths[1:], "-M", data / "model", "-f", "json")
    assert (run.code, run.err) == (0, "")
    found = json.loads(run.out)
    assert found["ranking"][0]["system"] == "good"
    assert found["signature"].startswith("network|")
    assert len(found["segments"]) == 45
    shown = tercet("compare", "-r", paths[0], "-t", *paths[1:], "-M", data / "model", "--segments")
    assert "good" in shown.out
    assert shown.out.count("\n") > 45


def test_training_is_deterministic_and_resumes_as_if_it_had_not_stopped(tercet, data, monkeypatch):
    common = ("--data", data, "-q")
    whole = tercet("train", data / "recipe.yaml", *common, "-o", data / "whole")
    assert whole.code == 0
    monkeypatch.setattr(training, "RUN_SECONDS", 1e-9)  # one epoch a run: other pieces, the same result
    tercet("train", data / "recipe.yaml", *common, "-o", data / "again")
    assert weights(data / "again") == weights(data / "whole")

    tercet("train", data / "recipe.yaml", *common, "-o", data / "half", "--epochs", "2")
    assert weights(data / "half") != weights(data / "whole")
    run = tercet("train", data / "recipe.yaml", *common, "-o", data / "half", "--resume")
    assert run.code == 0
    assert weights(data / "half") == weights(data / "whole")
    other = tercet("train", data / "recipe.yaml", *common, "-o", data / "half", "--resume", "--seeds", "3")
    assert other.code == 2
    assert "had other data, features or options; train again without --resume" in other.err
    assert weights(data / "half") == weights(data / "whole")


def test_an_interruption_leaves_a_model_to_use_and_to_resume(tercet, data, monkeypatch):
    whole = tercet("train", data / "recipe.yaml", "--data", data, "-q", "-o", data / "whole")
    assert whole.code == 0
    monkeypatch.setattr(training, "RUN_SECONDS", 1e-9)
    run_epochs = training._run

    def interrupted(*args):
        if int(args[4].epoch) == 2:
            raise KeyboardInterrupt
        return run_epochs(*args)

    with monkeypatch.context() as patch:
        patch.setattr(training, "_run", interrupted)
        run = tercet("train", data / "recipe.yaml", "--data", data, "-q", "-o", data / "model")
    assert run.code == 130
    assert "holds the best epochs so far, and --resume goes on" in run.err
    assert json.loads((data / "model" / "config.json").read_text())["card"]["epochs"] == 2
    run = tercet("train", data / "recipe.yaml", "--data", data, "-q", "-o", data / "model", "--resume")
    assert run.code == 0
    assert weights(data / "model") == weights(data / "whole")


def test_mistakes_are_one_line_and_leave_nothing(tercet, data):
    recipe = data / "recipe.yaml"
    before = sorted(path.name for path in data.iterdir())

    def refused(message: str, *arguments: object) -> None:
        run = tercet("train", *arguments, "--data", data, "-o", data / "model")
        assert run.code == 2
        assert run.out == ""
        assert message in run.err
        assert run.err.count("\n") == 1
        assert sorted(path.name for path in data.iterdir() if path.name != "cache") == before

    refused("there is no training to resume", recipe, "--resume")
    text = recipe.read_text()
    recipe.write_text(text.replace("folder: old", "folder: nowhere"))
    refused("nowhere: no such folder", recipe)
    recipe.write_text(text.replace("similarity: [bleu]", "similarity: [blue]"))
    refused("unknown feature set 'blue'", recipe)
    recipe.write_text(text.replace("hidden: 1", "hiden: 1"))
    refused("did you mean 'hidden'?", recipe)
    recipe.write_text(text.replace("similarity: [bleu]", "similarity: [4metrics]"))
    refused("tercet resources install meteor", recipe)
    recipe.write_text(text)
    (data / "old" / "judgments.csv").write_text(
        "\n".join(
            line[: line.index(",judge,") + 7] + "-1,good,-1,fair,-1,poor,-1,blank,-1,blank,1,1,1,-1,-1"
            if number
            else line
            for number, line in enumerate((data / "old" / "judgments.csv").read_text().splitlines())
        )
        + "\n"
    )
    refused("the training data hold no pair that anybody won (120 ties)", recipe)


def test_a_model_is_not_written_over_something_else(tercet, data):
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "old")
    assert run.code == 2
    assert "exists and is no model" in run.err


def test_compare_by_a_metric_and_its_mistakes(tercet, files):
    reference, a, b = files(reference="a b c d\ne f g h\n", a="a b c d\ne f g x\n", b="a b x y\ne f z w\n")
    run = tercet("compare", "-r", reference, "-t", a, b, "-m", "bleu", "-f", "json")
    assert json.loads(run.out)["pairs"][0]["wins"] == 2
    for message, arguments in [
        ("-M and -m are two judges", ("-M", "model", "-m", "bleu")),
        ("no such model", ("-M", "nowhere")),
        ("unknown metric 'blue'", ("-m", "blue")),
    ]:
        run = tercet("compare", "-r", reference, "-t", a, b, *arguments)
        assert run.code == 2
        assert message in run.err
    run = tercet("compare", "-r", reference, "-t", a)
    assert "two systems or more" in run.err
