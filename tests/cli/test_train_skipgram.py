"""`tercet train` with a recipe of word vectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gensim", reason="skip-gram vectors are trained by gensim: pip install 'tercet[train]'")
pytest.importorskip("yaml", reason="recipes need PyYAML: pip install 'tercet[train]'")

from tercet.language.skipgram import SkipGram

RECIPE = "vectors: skipgram\ntitle: A toy\ndata: {text: [text]}\nskipgram: {dimension: 8, least: 1, epochs: 3}\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "text").mkdir()
    generator = np.random.default_rng(1)
    lines = [
        f"the {generator.choice(['bright', 'clever'])} {generator.choice(['boy', 'girl'])} walked home ."
        for _ in range(50)
    ]
    (tmp_path / "text" / "a.txt").write_text("\n".join(lines))
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path


def test_vectors_are_trained_and_used(tercet, files, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(data / "cache"))
    out = data / "v.safetensors"
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", out, "-f", "json", "-q")
    assert (run.code, run.err) == (0, "")
    about = json.loads(run.out)
    assert (about["words"], about["words with vectors"], about["dimension"]) == (300, 8, 8)
    vectors = SkipGram.read(out)
    assert vectors.spaces == "word+context"
    assert vectors.tags is not None
    bits = {word: int(vectors.tags[row]) for word, row in vectors.rows.items()}
    assert bits["bright"] & bits["clever"]
    assert not bits["bright"] & bits["walked"]
    again = data / "again.safetensors"
    assert tercet("train", data / "recipe.yaml", "--data", data, "-o", again, "-q").code == 0
    assert again.read_bytes() == out.read_bytes()  # the same text, seed and version

    (data / "table.txt").write_text("bright clever walked\n")
    metric = f"hytera:sources={data / 'table.txt'},content=no,vectors={out},addcos=-1"
    run = tercet("lattice", "the bright boy walked home", "-m", metric, "-f", "json")
    assert json.loads(run.out)["lattices"][0]["paths"] == 2  # walked is no adjective


@pytest.mark.parametrize(
    ("recipe", "problem"),
    [
        (RECIPE.replace("least: 1", "least: 0"), "recipe.yaml:4: skip-gram: least=0 is not allowed"),
        (RECIPE.replace("epochs", "epoch"), "recipe.yaml:4: skipgram has no key 'epoch'"),
        (RECIPE.replace("[text]", "[nowhere]"), "nowhere: no files of text"),
        (RECIPE.replace("[text]", "text"), "recipe.yaml:3: data.text is not a list"),
        (RECIPE.replace("vectors: skipgram", "vectors: glove"), "recipe.yaml:1: there are no vectors 'glove'"),
        (RECIPE.replace("least: 1", "least: 1000"), "no word occurs 1000 times in 300 words"),
    ],
)
def test_mistakes_are_one_line(tercet, data: Path, recipe: str, problem: str) -> None:
    (data / "recipe.yaml").write_text(recipe)
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "v.safetensors", "-q")
    assert run.code == 2
    assert problem in run.err
    assert run.err.count("\n") == 1


def test_vectors_are_a_file(tercet, data: Path) -> None:
    run = tercet("train", data / "recipe.yaml", "--data", data, "-o", data / "folder", "-q")
    assert run.code == 2
    assert "its name ends in .safetensors" in run.err
