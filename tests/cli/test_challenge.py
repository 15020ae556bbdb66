"""`tercet evaluate --challenge` as a user runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tercet.agreement.challenge import read_challenge
from tercet.rankers.loading import find_model, load_model

OWN = "kind\treference\tbetter\tworse\tnote\n" + "\n".join(
    (
        "order\tthe dog bit the man\tthe dog has bitten the man\tman the bit dog the\tscrambled",
        "order\tthe cat saw the bird\tthe cat noticed the bird\tthe bird saw the cat\twho saw whom",
        "number\tthere were two of us\twe were two\tthere were ten of us\ttwo became ten",
    )
)


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "own.tsv"
    file.write_text(OWN + "\n")
    return file


def test_the_set_that_ships(tercet):
    run = tercet("evaluate", "--challenge", "-m", "chrf", "wer", "-M", "joint", "-q", "-f", "tsv")
    assert run.code == 0
    lines = run.out.split("\n")
    assert lines[0] == "Kind\tn\tchrf\twer\tjoint"
    assert [line.split("\t")[0] for line in lines[1:14]][-3:] == ["all", "all, worse nearer", "all, worse not nearer"]
    assert len(lines[1].split("\t")) == 5


def test_the_table_of_the_documentation_is_what_is_printed(tercet):
    scorers = ["bleu", "nist", "chrf", "chrf++", "ter", "wer", "treekernel"]  # what needs no resources
    run = tercet("evaluate", "--challenge", "-m", *scorers, "-M", "joint", "-q", "-f", "tsv")
    printed = [line.split("\t") for line in run.out.split("\n")[:14]]
    page = (Path(__file__).parents[2] / "docs" / "challenge.md").read_text("utf-8")
    start = page.index("| Kind | n | bleu |")
    shown = [
        [cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in page[start:].split("\n")[:15]
        if "---" not in line
    ]
    places = [shown[0].index(name) for name in printed[0]]
    assert [[row[place] for place in places] for row in shown] == printed


def test_an_own_set_with_failures(tercet, own):
    run = tercet("evaluate", "--challenge", own, "-m", "chrf", "wer", "--failures", "-q")
    assert run.code == 0
    assert "3 triples" in run.out
    assert "number 1" in run.out
    assert "two became ten" in run.out


def test_json_has_margins_and_accuracies(tercet, own):
    run = tercet("evaluate", "-m", "wer", "-f", "json", "-q", "--challenge", own)
    found = json.loads(run.out)
    rows = {row["kind"]: row for row in found["results"]}
    assert set(rows["order"]) == {"scorer", "kind", "statistic", "value", "n", "low", "high", "right", "ties"}
    assert (rows["order"]["right"], rows["order"]["n"]) == (2, 2)
    assert rows["number"]["right"] == 0
    wer = {triple["name"]: triple["margins"]["wer"] for triple in found["challenge"]["triples"]}
    assert wer["order 1"] == pytest.approx(100 * (4 - 2) / 5)  # four words wrong, two words wrong
    assert found["signatures"]["wer"].startswith("WER|")


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_tables_in_every_form(tercet, own, form):
    run = tercet("evaluate", "--challenge", own, "-m", "chrf", "-M", "joint", "-q", "-f", form, "-w", "0")
    assert run.code == 0
    assert "order" in run.out
    assert "joint|model:" in run.out


def test_a_metric_and_a_model_of_one_name_are_told_apart(tercet, own):
    run = tercet("evaluate", "--challenge", own, "-m", "joint", "-M", "joint", "-q", "-f", "tsv")
    assert run.out.startswith("Kind\tn\tjoint\tmodel joint\n")


def test_what_a_model_can_tell_is_written_into_its_card(tercet, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(find_model("joint"), folder)
    weights = (folder / "weights.safetensors").read_bytes()
    run = tercet("evaluate", "--challenge", "-M", folder, "--card", "-q", "-f", "json")
    assert run.code == 0
    counts = {row["kind"]: row["right"] for row in json.loads(run.out)["results"]}
    card = json.loads((folder / "config.json").read_text("utf-8"))["card"]["challenge"]
    assert {kind: row["right"] for kind, row in card["kinds"].items()} == counts
    assert card["sha256"] == read_challenge().sha256
    text = (folder / "README.md").read_text("utf-8")
    assert "## What it can tell" in text
    assert f"| negation | 29 | {100 * counts['negation'] / 29:.1f} |" in text
    assert "not to be trusted with: negation, numbers" in text
    assert (folder / "weights.safetensors").read_bytes() == weights
    assert load_model(folder).signature == load_model("joint").signature


def test_the_card_of_the_model_that_ships_says_what_the_set_that_ships_says(tercet):
    run = tercet("evaluate", "--challenge", "-M", "joint", "-q", "-f", "json")
    found = {
        row["kind"]: {name: row[name] for name in ("right", "ties", "n")} for row in json.loads(run.out)["results"]
    }
    assert load_model("joint").card_["challenge"] == {"sha256": read_challenge().sha256, "kinds": found}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--challenge"], "nobody to challenge"),
        (["--challenge", "gone.tsv", "-m", "chrf"], "gone.tsv: no such file"),
        (["--challenge", "-m", "chrf", "--corpus", "x"], "--challenge brings its own texts"),
        (["--challenge", "-M", "gone"], "gone: no such model"),
        (["--challenge", "-m", "gone"], "unknown metric 'gone'"),
        (["--failures", "-m", "chrf", "--corpus", "x"], "--failures goes with --challenge"),
        (["--card", "-m", "chrf", "--corpus", "x"], "--card goes with --challenge"),
        (["--challenge", "-m", "chrf", "--card"], "--card writes what models make of the set that ships"),
        (["-m", "chrf"], "give --corpus DIR or -i DATASET with what people judged, or --challenge"),
    ],
)
def test_mistakes_are_one_line(tercet, arguments, message):
    run = tercet("evaluate", *arguments)
    assert run.code == 2
    assert message in run.err
    assert run.err.count("\n") == 1
