"""`tercet demo`: the same as `tercet compare` on the files that ship."""

from __future__ import annotations

import json
import shlex

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))


def test_the_demo_is_the_command_that_it_names(tercet, tmp_path, monkeypatch):
    run = tercet("demo")
    assert run.code == 0
    told, command, empty, *rest = run.out.splitlines(keepends=True)
    assert told == "Twenty segments, one reference, three systems. The same as:\n"
    assert empty == "\n"
    assert tercet("demo", "--texts", tmp_path / "demo").code == 0
    monkeypatch.chdir(tmp_path / "demo")
    assert tercet(*shlex.split(command)[1:]).out == "".join(rest)
    assert rest[0].startswith("careful is best")


def test_other_forms_and_the_report(tercet, tmp_path):
    run = tercet("demo", "-f", "json", "--html", tmp_path / "report.html")
    assert json.loads(run.out)["ranking"][0]["system"] == "careful"
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_files_that_are_there_stay(tercet, tmp_path):
    (tmp_path / "literal.txt").write_text("mine")
    run = tercet("demo", "--texts", tmp_path)
    assert run.code == 2
    assert run.err == f"tercet: {tmp_path / 'literal.txt'}: is there already; name another folder\n"
    assert [one.name for one in tmp_path.iterdir()] == ["literal.txt"]
    run = tercet("demo", "--texts", tmp_path / "literal.txt" / "below")
    assert run.code == 2
    assert "cannot be made" in run.err
