"""Settings and α chosen within the training data, and agreement measured on what took no part in the choice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tercet.errors import InputError
from tercet.rankers import joint_choice, joint_trainer
from tercet.rankers.joint import JointOptions, JointRanker
from tercet.rankers.joint_agreement import both_levels, mean_over_parts
from tercet.rankers.joint_choice import Chosen, choose
from tercet.rankers.joint_recipe import Choice, read_joint_recipe
from tercet.rankers.joint_trainer import Hooks, train
from tercet.rankers.judged_data import leave_out
from tests.rankers.judged_world import texts, write_tree

FAST = JointOptions(epochs=8, batch=64, learning_rate=0.05)
RECIPE = """
ranker: joint
data: {train: [{folder: one}, {folder: two}], validation: 0.3}
joint: {learning_rate: 0.05, batch: 64, epochs: 3}
choices:
  - {}
  - {hidden: 2, features: [beer57, chrf]}
choice_folds: 2
folds: folders
use: mine
"""


def recipe(tmp_path, text=RECIPE):
    file = tmp_path / "recipe.yaml"
    file.write_text(text, "utf-8")
    return read_joint_recipe(file)


def row(value: float, statistic: str = "strict tau, segments") -> dict[str, object]:
    return {"data": "news", "pair": "cs-en", "statistic": statistic, "value": value, "chrf": 0.0}


def test_the_first_of_the_best_choices_wins(monkeypatch):
    choices = [Choice(("beer57",), replace(FAST, l2=l2), said) for l2, said in ((0.1, "a"), (0.2, "b"), (0.2, "c"))]
    monkeypatch.setattr(joint_choice, "agreement", lambda ranker, judged, **options: [row(ranker.options.l2)])
    told = []
    chosen = choose(
        choices,
        [texts(60)],
        number=2,
        validation=0.3,
        seed=1,
        told=lambda *found: told.append(found),
    )
    assert chosen.best.said == "b"
    assert (
        told == list(chosen.scores) == [("a", pytest.approx(0.1)), ("b", pytest.approx(0.2)), ("c", pytest.approx(0.2))]
    )


def test_a_choice_never_sees_what_it_is_measured_on(monkeypatch):
    seen = []

    def watched(ranker, judged, **options):
        seen.append({one for part in judged for one in part.corpus.references})
        return [row(0.0)]

    trained = []
    real = joint_choice.prepared
    monkeypatch.setattr(joint_choice, "agreement", watched)
    monkeypatch.setattr(
        joint_choice,
        "prepared",
        lambda part, *rest: (
            trained.append({one for texts in part for one in texts.corpus.references}) or real(part, *rest)
        ),
    )
    choose([Choice(("beer57",), FAST)], [texts()], number=2, validation=0.3, seed=1)
    assert len(seen) == 2
    assert len(trained) == 4
    for fold, (learned, held) in zip(seen, (trained[:2], trained[2:]), strict=True):
        assert not fold & (learned | held)
        assert not learned & held


def test_sentences_and_corpora_count_alike():
    rows = [row(0.2), row(0.6, "Pearson's r, segments"), row(0.9, "Pearson's r, systems")]
    assert both_levels(rows) == pytest.approx((0.4 + 0.9) / 2)
    assert both_levels(rows[:1]) == pytest.approx(0.2)


def test_parts_of_a_text_make_one_row():
    assert mean_over_parts([[row(0.2)], [row(0.4)]]) == [row(pytest.approx(0.3))]


def test_what_shares_a_reference_with_a_folder_is_left_out_with_it():
    one, two = [texts(20)], [texts(20, kind="assessment"), texts(20, pair="de-en")]  # the first of both: the same news
    (rest, part), (other, _) = leave_out([one, two])
    assert part is one
    assert [texts.pair for texts in rest] == ["de-en"]
    assert rest[0] is two[1]
    assert other == []


@pytest.fixture
def two_folders(tmp_path, monkeypatch):
    """Data for the recipe; its second choice is taken without a trial, and what each choice could see is noted."""
    write_tree(tmp_path / "one", [texts(30)])
    write_tree(tmp_path / "two", [texts(30, seed=2, pair="de-en")])
    seen = []

    def chosen(choices, judged, *, told, **options):
        seen.append([texts.pair for texts in judged])
        told(choices[1].said, 0.5)
        return Chosen(choices[1], tuple((choice.said, 0.5) for choice in choices))

    monkeypatch.setattr(joint_trainer, "choose", chosen)
    return seen


def test_folders_are_measured_by_metrics_that_did_not_see_them(tmp_path, two_folders):
    hooks, epochs = Hooks(), []
    hooks.advance = epochs.append
    found = recipe(tmp_path)
    ranker = train(found, tmp_path, tmp_path / "model", hooks=hooks)
    assert two_folders == [["cs-en", "de-en"], ["de-en"], ["cs-en"]]  # for the model, and again without each folder
    assert sum(epochs) == 3 * 3
    assert found.total_epochs(2) == 3 * (2 * 2 + 1) * 3
    lines = [json.loads(line) for line in hooks.lines]
    assert sum("choice" in line for line in lines) == 3
    assert [line["fold"] for line in lines if "fold" in line] == [1, 2]
    assert {row["pair"] for row in ranker.card_["agreement"]} == {"cs-en", "de-en"}
    assert [said for said, _ in ranker.card_["choices"]] == ["as it stands", "hidden=2, features=['beer57', 'chrf']"]
    assert (ranker.options.hidden, ranker.features) == (2, ("beer57", "chrf"))
    pair = ["the old house", "blah house"], [("the old house",)] * 2
    assert (JointRanker.load(tmp_path / "model").score(*pair) == ranker.score(*pair)).all()
    text = (tmp_path / "model" / "README.md").read_text("utf-8")
    assert "-m mine" in text
    assert "## Settings" in text


@pytest.mark.usefixtures("two_folders")
def test_an_interrupted_measurement_keeps_the_model(tmp_path, monkeypatch):
    real, calls = joint_trainer.learn, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(joint_trainer, "learn", interrupted)
    ranker = train(recipe(tmp_path), tmp_path, tmp_path / "model")
    assert ranker.card_["interrupted"]
    assert ranker.card_["agreement"] == []
    assert (tmp_path / "model" / "weights.safetensors").is_file()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("hidden: 2", "hiden: 2", "recipe.yaml:7.*hidden"),
        ("hidden: 2", "hidden: -2", "recipe.yaml:7.*hidden=-2"),
        ("[beer57, chrf]", "[]", "names none"),
        ("choice_folds: 2", "choice_folds: 1", "recipe.yaml:8.*choice_folds"),
        ("folds: folders", "folds: years", "recipe.yaml:9.*folders"),
        ("use: mine", "alphas: [0.5]\nuse: 3", "use is not text"),
        ("{hidden: 2, features: [beer57, chrf]}", "{objective: corpus}\nalphas: [0.5]", "corpus has no α"),
    ],
)
def test_wrong_choices_name_the_line(tmp_path, old, new, problem):
    assert old in RECIPE
    with pytest.raises(InputError, match=problem):
        recipe(tmp_path, RECIPE.replace(old, new))
