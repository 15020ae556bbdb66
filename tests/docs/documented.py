"""What the documentation shows, run: commands with their output, files that they read, Python sessions.

In a page, a comment before a block between fences says that the block is to be believed:

- `<!-- run -->`: lines after `$ ` are commands, the lines below each are what it prints; or a Python session (`>>>`)
- `<!-- run: RESOURCE … -->`: the same where these resources are installed; `data` stands for the WMT data
- `<!-- file: NAME -->`: the block is a file that later commands read

A line `…` in the output stands for any lines, and `…` inside of a line for any text. Every page starts in a folder of
its own with the demo's texts. `python -m tests.docs` writes what the commands print now into the pages.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"^<!-- (?P<kind>run|file): ?(?P<what>[^\n]*?) -->\n+```(?P<form>\w*)\n(?P<body>.*?)^```$"
    r"|^<!-- run -->\n+```(?P<plain>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
ANY = "…"


@dataclass(frozen=True)
class Block:
    """A block that is to be believed, and where it stands in its page."""

    kind: str
    what: tuple[str, ...]
    """The resources that its commands need, or the file's name."""
    form: str
    body: str
    start: int
    end: int


def blocks(page: str) -> list[Block]:
    """The blocks of a page in their order."""
    found = []
    for match in _BLOCK.finditer(page):
        plain = match["kind"] is None
        group = "text" if plain else "body"
        found.append(
            Block(
                "run" if plain else match["kind"],
                () if plain else tuple(match["what"].split()),
                match["plain" if plain else "form"],
                match[group],
                match.start(group),
                match.end(group),
            )
        )
    if len(found) != len(re.findall(r"^<!-- (?:run|file)\b", page, re.MULTILINE)):
        raise ValueError("a comment `run` or `file` that is not followed by a block")
    return found


@dataclass(frozen=True)
class Step:
    """A command, and what the page says that it prints."""

    command: str
    output: str


def steps(block: Block) -> list[Step]:
    """The commands of a block."""
    command, output, found = "", "", []
    for line in block.body.splitlines(keepends=True):
        if line.startswith("$ ") or command.endswith("\\"):
            if command and not command.endswith("\\"):
                found.append(Step(command, output))
                command, output = "", ""
            command += ("\n" if command else "") + line.removeprefix("$ ").rstrip("\n")
        elif command:
            output += line
        else:
            raise ValueError(f"{line!r} stands before the first command")
    return [*found, Step(command, output)]


def agrees(documented: str, printed: str) -> bool:
    """Whether a command printed what a page says, where `…` is any text."""
    pattern = ""
    for line in documented.splitlines(keepends=True):
        if line.strip() == ANY:
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*".join(map(re.escape, line.split(ANY)))
    return re.fullmatch(pattern, printed) is not None


def executed(command: str) -> tuple[int, str]:
    """Exit code of a command, and what it prints on stdout and stderr.

    `tercet` runs in this process; `cat`, `head -N` and `cd` are understood; anything else is an error, so that no
    command goes unchecked in silence.
    """
    words = shlex.split(command.replace("\\\n", ""), comments=True)
    if words[0] in ("cat", "head"):
        text = Path(words[-1]).read_text("utf-8")
        return 0, text if words[0] == "cat" else "".join(text.splitlines(keepends=True)[: -int(words[1])])
    if words[0] == "cd":
        os.chdir(words[1])
        return 0, ""
    if words[0] != "tercet" or {"|", ">", "&&"} & set(words):
        raise ValueError(f"{command!r} cannot be run here; leave its block without the comment `run`")
    from tercet import cli

    old, sys.argv = sys.argv, words
    printed, code = io.StringIO(), 0
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            cli.main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv = old
    return code, printed.getvalue()


def run(command: str) -> str:
    """What a command prints."""
    return executed(command)[1]


def session(text: str, name: str) -> str:
    """What is wrong with a Python session; nothing if it goes as shown."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text.replace(ANY, "..."), {}, name, None, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=flags).run(test, out=said.append)
    return "".join(said)


@contextlib.contextmanager
def workplace(folder: Path, data: Path) -> Iterator[None]:
    """A folder with the demo's texts and the WMT data, which is the current one as long as this lasts."""
    from importlib.resources import files

    for file in (files("tercet") / "demo").iterdir():
        (folder / file.name).write_text(file.read_text("utf-8"), "utf-8")
    if data.is_dir():
        (folder / "DIR").symlink_to(data)
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def missing(block: Block, data: Path) -> str:
    """Which of the resources that a block needs is not here."""
    from tercet import resources

    for name in block.what if block.kind == "run" else ():
        there = (data / "wmt12").is_dir() if name == "data" else resources.status(name).state == "installed"
        if not there:
            return name
    return ""
