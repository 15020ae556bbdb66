"""`tercet score` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import sacrebleu

REFERENCE = "the cat sat on the mat .\na dog barked at night\nit rained all day\n"
SYSTEM_A = "the cat sat on a mat .\na dog barked at night\nit rained\n"
SYSTEM_B = "cat the sat mat\nthe dog\nrain , all day long\n"


@pytest.fixture
def corpus(files):
    return files(reference=REFERENCE, a=SYSTEM_A, b=SYSTEM_B)


def test_a_table_of_systems_and_metrics(tercet, corpus):
    reference, a, b = corpus
    run = tercet("score", "-r", reference, "-t", a, b, "-m", "bleu", "ter")
    assert run.code == 0
    assert run.err == ""
    assert run.out.split("\n")[0].split() == ["System", "BLEU", "TER", "↓"]
    expected = sacrebleu.BLEU().corpus_score(SYSTEM_A.splitlines(), [REFERENCE.splitlines()]).score
    assert f"{expected:.2f}" in run.out
    assert "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tercet-" in run.out


def test_json_has_the_shape_that_others_rely_on(tercet, corpus):
    reference, a, b = corpus
    run = tercet(
        "score", "-r", reference, "-t", a, b, "-m", "bleu", "chrf++", "-f", "json", "--segments", "--components"
    )
    found = json.loads(run.out)["metrics"]
    assert list(found) == ["bleu", "chrf++"]
    assert set(found["bleu"]["systems"]) == {"a", "b"}
    system = found["bleu"]["systems"]["a"]
    peer = sacrebleu.BLEU(effective_order=True)
    expected = [
        peer.sentence_score(h, [r]).score for h, r in zip(SYSTEM_A.splitlines(), REFERENCE.splitlines(), strict=True)
    ]
    assert system["segments"] == pytest.approx(expected, abs=1e-9)
    assert len(system["components"]) == 16
    assert "eff:no" in found["bleu"]["signature"]
    assert "eff:yes" in found["bleu"]["segment_signature"]


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex"])
def test_every_format_holds_every_system(tercet, corpus, form):
    reference, a, b = corpus
    run = tercet(
        "score", "-r", reference, "-t", a, b, "-f", form, "--segments", "--paired-ar", "--confidence", "--samples", "50"
    )
    assert run.code == 0
    assert ("a" in run.out and "b" in run.out and "approximate randomization" in run.out) or form == "tsv"


def test_options_of_a_metric_follow_its_name(tercet, corpus):
    reference, a, _ = corpus
    run = tercet("score", "-r", reference, "-t", a, "-m", "ter:normalized=true,case_sensitive=true", "-f", "json")
    assert "norm:yes" in json.loads(run.out)["metrics"]["ter:normalized=true,case_sensitive=true"]["signature"]


def test_bare_scores(tercet, corpus):
    reference, a, b = corpus
    assert tercet("score", "-r", reference, "-t", a, b, "-m", "bleu", "-b", "-w", "4").out.count("\n") == 2


def test_several_references(tercet, files):
    one, other, a = files(one="a b c d\n", other="a b x y\n", a="a b c d e\n")
    found = json.loads(tercet("score", "-r", one, other, "-t", a, "-m", "bleu", "-f", "json").out)["metrics"]["bleu"]
    expected = sacrebleu.BLEU().corpus_score(["a b c d e"], [["a b c d"], ["a b x y"]]).score
    assert found["systems"]["a"]["score"] == pytest.approx(expected)
    assert "nrefs:2" in found["signature"]


def test_a_file_of_records_brings_its_references_along(tercet, tmp_path):
    records = tmp_path / "all.jsonl"
    lines = [
        {"reference": r, "systems": {"a": a}}
        for r, a in zip(REFERENCE.splitlines(), SYSTEM_A.splitlines(), strict=True)
    ]
    records.write_text("".join(json.dumps(line) + "\n" for line in lines))
    expected = sacrebleu.BLEU().corpus_score(SYSTEM_A.splitlines(), [REFERENCE.splitlines()]).score
    assert tercet("score", "-t", records, "-m", "bleu", "-b").out == f"{expected:.2f}\n"


def test_pasted_references(tercet, files):
    references, a = files(references="a b c d\ta b x y\n", a="a b c d e\n")
    run = tercet("score", "-r", references, "--num-refs", "2", "-t", a, "-m", "bleu", "-f", "json")
    assert "nrefs:2" in json.loads(run.out)["metrics"]["bleu"]["signature"]


def test_the_result_goes_to_a_file_whole(tercet, corpus, tmp_path):
    reference, a, _ = corpus
    target = tmp_path / "out.json"
    assert tercet("score", "-r", reference, "-t", a, "-f", "json", "-o", target).out == ""
    assert "metrics" in json.loads(target.read_text())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "{reference}"], "give translations with -t, or a dataset with -i"),
        (["-t", "{a}"], "there are no references; give a file of references"),
        (["-r", "{reference}", "-t", "{short}"], "has 1 segments but the references"),
        (["-r", "{reference}", "-t", "{empty}"], "the file is empty"),
        (["-r", "{reference}", "-t", "{folder}"], "is a directory where a file is meant"),
        (["-r", "{reference}", "-t", "{latin}"], "latin.txt:2: invalid UTF-8 (0xE9 at byte 10 of the file)"),
        (["-r", "{reference}", "-t", "nowhere.txt"], "nowhere.txt: no such file"),
        (["-r", "-", "-t", "-"], "stdin (-) is given twice"),
        (["-r", "{reference}", "-t", "{a}", "-m", "blue"], "unknown metric 'blue'"),
        (["-r", "{reference}", "-t", "{a}", "-m", "bleu:x=1"], "bleu has no option 'x'"),
        (["-r", "{reference}", "-t", "{a}", "--paired-bs"], "a paired test needs two systems"),
        (["-r", "{reference}", "-t", "{a}", "{b}", "--paired-bs", "--paired-ar"], "choose one"),
        (["-r", "{reference}", "-t", "{a}", "--samples", "0"], "'--samples'"),
        (["-r", "{reference}", "-t", "{a}", "-f", "csv"], "'csv' is not one of"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(tercet, files, tmp_path, arguments, message):
    files(reference=REFERENCE, a=SYSTEM_A, b=SYSTEM_B, short="one\n", empty="")
    (tmp_path / "latin.txt").write_bytes(b"abcdefgh\na\xe9b\nc\n")
    places = {name: tmp_path / f"{name}.txt" for name in ("reference", "a", "b", "short", "empty", "latin")}
    target = tmp_path / "result"
    run = tercet("score", *(text.format(**places, folder=tmp_path) for text in arguments), "-o", target)
    assert run.code == 2
    assert message in run.err
    assert run.err.startswith("tercet: ")
    assert run.err.count("\n") == 1
    assert run.out == ""
    assert not target.exists()


def test_stdin_is_a_system(corpus):
    reference, *_ = corpus
    command = [sys.executable, "-c", "from tercet.cli import main; main()", "score", "-r", reference, "-t", "-", "-b"]
    run = subprocess.run([*map(str, command), "-m", "bleu"], input=SYSTEM_A, capture_output=True, text=True, check=True)
    expected = sacrebleu.BLEU().corpus_score(SYSTEM_A.splitlines(), [REFERENCE.splitlines()]).score
    assert run.stdout == f"{expected:.2f}\n"


def test_nothing_heavy_is_imported_for_help():
    code = "import sys, tercet.cli; print(sorted({'numpy', 'scipy', 'polars', 'rich.table', 'jax'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_version(tercet):
    assert tercet("--version").out.startswith("tercet 0.")
