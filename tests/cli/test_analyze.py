"""`tercet analyze` as a user runs it."""

from __future__ import annotations

import json

from tercet.language import analyze, trees

SENTENCE = "The company said that it will close the plant because sales have fallen."


def test_a_drawing_and_a_picture(tercet, tmp_path):
    run = tercet("analyze", SENTENCE, "--draw", tmp_path / "out.svg")
    assert run.code == 0, run.err
    assert run.out.startswith("DIS:ATTRIBUTION\n├─ EDU:SATELLITE\n")
    assert "VBD said" in run.out
    assert (tmp_path / "out.svg").read_text().startswith("<svg")


def test_brackets_of_a_file_have_a_line_for_every_line(tercet, files):
    (file,) = files(a=f"{SENTENCE}\n\nHe left. She stayed.\n")
    run = tercet("analyze", "-t", file, "-f", "brackets", "--tree", "SYN")
    lines = run.out.splitlines()
    assert [trees.read_one(line) for line in lines] == [
        analysis.tree("SYN") for analysis in analyze([SENTENCE, "", "He left. She stayed."])
    ]


def test_json_has_all_layers(tercet):
    run = tercet("analyze", SENTENCE, "a ) \x07 b", "-f", "json", "--tree", "DIS")
    first, second = [json.loads(line) for line in run.out.splitlines()]
    (analysis,) = analyze([SENTENCE])
    assert first["tags"] == list(analysis.tags)
    assert first["chunks"] == list(analysis.chunks)
    assert first["units"] == [0, 3, 9]
    assert first["relations"][0] == {
        "start": 0, "split": 1, "end": 3, "relation": "attribution", "nuclearity": "SN",
    }  # fmt: skip
    assert first["tree"] == str(analysis.tree("DIS"))
    assert [second["text"][a:b] for a, b in zip(second["starts"], second["ends"], strict=True)] == ["a", ")", "b"]


def test_mistakes_are_one_line(tercet, files):
    (file,) = files(a="a\nb\n")
    for arguments, message in (
        (["analyze"], "give sentences"),
        (["analyze", "a", "-t", file], "one of them only"),
        (["analyze", "-t", file, "--draw", "x.svg"], "--draw makes one picture, and there are 2 sentences"),
        (
            ["analyze", "a", "--analyzer", "klingon"],
            "unknown analyzer 'klingon'; choose english, stanford, spacy:MODEL or",
        ),
        (["analyze", "a", "--tree", "XYZ"], "XYZ"),
        (["analyze", "-t", "gone.txt"], "gone.txt"),
    ):
        run = tercet(*arguments)
        assert run.code == 2
        assert message in run.err
        assert len(run.err.splitlines()) == 1
        assert run.out == ""
