"""The command line as a user runs it, in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tercet import cli


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


@pytest.fixture
def tercet(capsys, monkeypatch):
    """Runs `tercet ARGUMENTS`; gives exit code, stdout and stderr."""

    def run(*arguments: str | Path) -> Run:
        monkeypatch.setattr(sys, "argv", ["tercet", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        captured = capsys.readouterr()
        return Run(int(end.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def files(tmp_path):
    """Writes files into a folder: `files(a="text", b="text")` gives their paths."""

    def write(**contents: str) -> list[Path]:
        paths = []
        for name, content in contents.items():
            path = tmp_path / f"{name}.txt"
            path.write_text(content, encoding="utf-8")
            paths.append(path)
        return paths

    return write
