"""The shipped metric `joint` and metrics trained by recipe, as a user meets them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from tercet.cli import app
from tercet.errors import InputError, OptionError
from tercet.metrics.registry import metric, names
from tercet.rankers.joint_curve import alpha_svg
from tercet.rankers.joint_fitting import AlphaPoint
from tercet.rankers.joint_recipe import read_joint_recipe
from tercet.rankers.recipe import find_recipe, ranker_of
from tests.rankers.judged_world import texts, write_tree

HYPOTHESES = ["The cat sat on the mat .", "A dog .", "", "Das ist gut ."]
REFERENCES = [("The cat sat on a mat .",), ("The dog is outside .",), ("Nothing .",), ("Das ist gut .",)]


def test_joint_is_a_metric():
    assert "joint" in names()
    joint = metric("joint")
    scores = joint.segments(HYPOTHESES, REFERENCES)
    assert ((scores > 0) & (scores < 1)).all()
    assert scores[3] > scores[0] > scores[1] > scores[2]
    assert joint.corpus(HYPOTHESES, REFERENCES) == pytest.approx(scores.mean())


def test_statistics_add_up():
    joint = metric("joint")
    rows = joint.statistics(HYPOTHESES, REFERENCES)
    assert rows[:, 1].tolist() == [1.0] * 4
    weights = np.array([[2, 0, 1, 1], [1, 1, 1, 1]])
    expected = (weights * rows[:, 0]).sum(axis=1) / 4
    np.testing.assert_allclose(joint.score(weights @ rows), expected)


def test_the_signature_names_model_and_features():
    text = str(metric("joint").signature)
    assert text.startswith("joint|model:")
    assert "features:beer57,case=mixed,tok=13a,space=no" in text
    assert text != str(metric("joint:scale=da").signature)


def test_expected_assessments_rise_with_the_score():
    scores = metric("joint").segments(HYPOTHESES, REFERENCES)
    expected = metric("joint:scale=da").segments(HYPOTHESES, REFERENCES)
    order = np.argsort(scores)
    assert (np.diff(expected[order]) >= 0).all()
    assert expected.max() > expected.min()


def test_of_several_references_the_nearest_counts():
    joint = metric("joint")
    one = joint.segments(["The cat sat ."], [("The cat sat .",)])
    several = joint.segments(["The cat sat ."], [("Something else .", "The cat sat .")])
    assert one == several


def test_wrong_models_and_scales_are_refused():
    with pytest.raises(InputError, match="no such model"):
        metric("joint:model=nowhere").segments(["a"], [("a",)])
    with pytest.raises(OptionError, match="score or da"):
        metric("joint:scale=z")


def test_scored_from_the_command_line(tmp_path):
    reference, system = tmp_path / "ref.txt", tmp_path / "a.txt"
    reference.write_text("".join(f"{one[0]}\n" for one in REFERENCES), "utf-8")
    system.write_text("".join(f"{one}\n" for one in HYPOTHESES), "utf-8")
    done = CliRunner().invoke(app, ["score", "-r", str(reference), "-t", str(system), "-m", "joint", "-f", "json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["metrics"]["joint"]["systems"]["a"]["score"]
    assert found == pytest.approx(metric("joint").corpus(HYPOTHESES, REFERENCES))


@pytest.mark.parametrize("name", ["joint", "stanojevic2017"])
def test_shipped_recipes_are_sound(name):
    file = find_recipe(name)
    assert ranker_of(file) == "joint"
    assert read_joint_recipe(file).features == ("beer57",)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("joint: {alfa: 1}", "alpha"),
        ("joint: {alpha: 3}", "alpha=3"),
        ("alphas: [2]", "alphas"),
        ("folds: 1", "folds"),
        ("features: []", "features"),
        ("data: {validation: 3}", "validation|train"),
        ("ranker: jont", "jont"),
    ],
)
def test_wrong_recipes_name_the_line(tmp_path, line, problem):
    base = {"ranker": "ranker: joint", "data": "data: {train: [{folder: x}]}"}
    base[line.partition(":")[0]] = line
    file = tmp_path / "recipe.yaml"
    file.write_text("\n".join(base.values()) + "\n", "utf-8")
    read = ranker_of if line.startswith("ranker") else read_joint_recipe
    with pytest.raises(InputError, match=problem):
        read(file)


def test_trained_from_the_command_line(tmp_path):
    write_tree(tmp_path / "data" / "world", [texts(30)])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "ranker: joint\ndata: {train: [{folder: world}], validation: 0.3}\n"
        "joint: {learning_rate: 0.05, batch: 64}\nalphas: [0.2, 0.8]\nfolds: 2\n",
        "utf-8",
    )
    output = tmp_path / "model"
    arguments = ["train", str(recipe), "--data", str(tmp_path / "data"), "-o", str(output), "--epochs", "5"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "effect" in done.stdout
    assert (output / "alpha.svg").read_text("utf-8").startswith("<svg")
    config = json.loads((output / "config.json").read_text("utf-8"))
    assert config["options"]["alpha"] in (0.2, 0.8)
    assert [point["alpha"] for point in config["card"]["alphas"]] == [0.2, 0.8]
    assert {row["statistic"] for row in config["card"]["agreement"]} == {"strict tau, segments", "Pearson's r, systems"}
    good, bad = metric(f"joint:model={output}").segments(["the old house", "blah"], [("the old house",)] * 2)
    assert good > bad


def test_the_curve_marks_the_chosen_alpha():
    points = [AlphaPoint(0.1, 0.2, 0.8), AlphaPoint(0.5, 0.25, 0.9), AlphaPoint(0.9, 0.3, 0.7)]
    picture = alpha_svg(points, 0.5)
    assert picture.count("<polyline") == 3
    assert picture.count("<circle") == 9
    assert "chosen 0.5" in picture
