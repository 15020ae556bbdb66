"""Commands in the documentation print what the documentation says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.docs import documented
from tests.docs.documented import PAGES, ROOT, Block, agrees, blocks, executed, missing, run, session, steps, workplace


def _believed() -> list[object]:
    """Each page's blocks, those that need the same resources together: one missing resource skips no others."""
    found = []
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        every = blocks(page.read_text("utf-8"))
        needs = dict.fromkeys(" ".join(one.what) for one in every if one.kind == "run")
        found += [pytest.param(page, need, id=f"{name}:{need}" if need else name) for need in needs]
    return found


@pytest.mark.parametrize(("page", "need"), _believed())
def test_pages_tell_the_truth(page: Path, need: str, tmp_path, monkeypatch):
    chosen = [one for one in blocks(page.read_text("utf-8")) if one.kind == "file" or " ".join(one.what) == need]
    for block in chosen:
        if lacking := missing(block, DATA):
            pytest.skip(f"{page.name} shows what needs {lacking}, which is not here")
    if not need:  # as after a fresh installation
        monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
    folder = tmp_path / "folder"
    folder.mkdir()
    with workplace(folder, DATA):
        for block in chosen:
            if block.kind == "file":
                Path(block.what[0]).write_text(block.body, "utf-8")
            elif block.form == "pycon":
                assert session(block.body, page.name) == ""
            else:
                for step in steps(block):
                    printed = run(step.command)
                    assert agrees(step.output, printed), f"{step.command}\nprinted\n{printed}\nnot\n{step.output}"


def test_commands_of_the_first_page_run_as_they_stand(tmp_path, monkeypatch):
    """Those that README shows without output, in the demo's folder, after a fresh installation."""
    page = (ROOT / "README.md").read_text("utf-8")
    shown = [line for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) for line in block.splitlines()]
    commands = [line for line in shown if line.startswith("tercet ")]
    assert len(commands) > 5
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    with workplace(tmp_path, DATA):
        for command in commands:
            code, printed = executed(command)
            assert code == 0, f"{command}\n{printed}"
        assert Path("report.html").is_file()
        assert Path("scores.tsv").is_file()


def test_enough_is_believed():
    """Every verb of the command line is run by some page."""
    from tercet.cli import app

    verbs = {command.callback.__name__ for command in app.registered_commands} | {"resources"}
    shown = {
        step.command.split()[1]
        for page in PAGES
        for block in blocks(page.read_text("utf-8"))
        if block.kind == "run" and block.form != "pycon"
        for step in steps(block)
        if step.command.startswith("tercet ")
    }
    assert verbs - shown == {"serve"}  # its page is tested with a browser
    assert shown <= verbs | {"--version"}


def test_what_agrees():
    assert agrees("a\nb\n", "a\nb\n")
    assert not agrees("a\n", "a\nb\n")
    assert agrees("a\n…\nd\n", "a\nb\nc\nd\n")
    assert agrees("a\n…\n", "a\n")
    assert not agrees("…\nb\n", "a\nb\nc\n")
    assert agrees("time … s\n", "time 0.5 s\n")
    assert not agrees("time … s.\n", "time 0.5 sx\n")
    assert not agrees("a…b\n", "a\nb\n")


def test_blocks_are_found_and_none_is_lost(tmp_path):
    page = "text\n\n<!-- run: meteor glove -->\n```console\n$ a \\\n  b\nout\n$ c\n```\n\n"
    page += "<!-- run -->\n```pycon\n>>> 1\n1\n```\n"
    first, second = blocks(page)
    assert first == Block("run", ("meteor", "glove"), "console", "$ a \\\n  b\nout\n$ c\n", 44, 62)
    assert page[first.start : first.end] == first.body
    assert [(one.command, one.output) for one in steps(first)] == [("a \\\n  b", "out\n"), ("c", "")]
    assert session(second.body, "page") == ""
    assert "Expected" in session(">>> 1\n2\n", "page")
    with pytest.raises(ValueError, match="not followed by a block"):
        blocks("<!-- run -->\ntext\n")
    with pytest.raises(ValueError, match="cannot be run here"):
        documented.run("curl -s somewhere")
    with pytest.raises(ValueError, match="cannot be run here"):
        documented.run("tercet demo | cat")
