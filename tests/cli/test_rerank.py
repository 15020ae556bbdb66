"""`tercet rerank`."""

from __future__ import annotations

import json

import pytest

MOSES = "0 ||| the cat sat down ||| x ||| 1\n0 ||| a dog\n0 ||| the cat sat\n1 ||| one\n1 ||| two words\n"


def test_by_minimum_bayes_risk(tercet, files):
    (nbest,) = files(nbest=MOSES)
    run = tercet("rerank", "-t", nbest, "-m", "chrf")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[0] == "the cat sat down"


def test_against_references(tercet, files):
    nbest, reference = files(nbest=MOSES, reference="a dog !\ntwo words\n")
    run = tercet("rerank", "-t", nbest, "-r", reference, "-m", "ter")
    assert run.out == "a dog\ntwo words\n"


def test_by_a_model_of_the_package(tercet, files):
    nbest, reference = files(nbest=MOSES, reference="the cat sat down\ntwo words\n")
    run = tercet("rerank", "-t", nbest, "-r", reference, "-M", "joint", "-f", "json")
    found = json.loads(run.out)
    assert found["segments"][0]["ranking"][0]["hypothesis"] == "the cat sat down"
    assert "by:wins" in found["signature"]


def test_the_best_two_as_a_list_again(tercet, files):
    (nbest,) = files(nbest="a b\na c\nd\n")
    run = tercet("rerank", "-t", nbest, "-n", "3", "--keep", "2", "-m", "bleu:max_order=1")
    lines = [line.split(" ||| ") for line in run.out.splitlines()]
    assert [line[:2] for line in lines] == [["0", "a b"], ["0", "a c"]]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-M", "joint"], "a model compares translations with a reference; give -r, or rerank by -m METRIC"),
        (["-M", "joint", "-m", "bleu"], "-M and -m are two judges; choose one"),
        (["-s", "x.txt"], "sources are read by models, which need references"),
        (["-m", "klingon"], "unknown metric 'klingon'"),
        (["-n", "2", "--input-format", "moses"], "the number of translations is for plain files"),
    ],
)
def test_mistakes(tercet, files, options, problem):
    (nbest,) = files(nbest=MOSES)
    run = tercet("rerank", "-t", nbest, *options)
    assert (run.code, run.out) == (2, "")
    assert problem in run.err
    assert run.err.count("\n") == 1


def test_references_of_another_test_set(tercet, files):
    nbest, reference = files(nbest=MOSES, reference="one\n")
    run = tercet("rerank", "-t", nbest, "-r", reference)
    assert run.code == 2
    assert "has lists of 2 segments, and the references have 1" in run.err
