"""Writes what commands print now into the pages that show it: `python -m tests.docs [PAGE …]`.

Output that a page cuts short with `…` is left as it is where it still agrees; where it does not, it is written whole.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.conftest import DATA
from tests.docs.documented import PAGES, agrees, blocks, missing, run, steps, workplace


def rewritten(page: str) -> str:
    """The page with the output of today."""
    installed = os.environ.get("TERCET_CACHE")
    found, at = "", 0
    with tempfile.TemporaryDirectory() as name, workplace(Path(name), DATA):
        for block in blocks(page):
            found += page[at : block.start]
            at = block.end
            if block.kind == "file":
                Path(block.what[0]).write_text(block.body, "utf-8")
            if block.kind == "file" or block.form == "pycon" or missing(block, DATA):
                found += block.body
                continue
            if not block.what:
                os.environ["TERCET_CACHE"] = f"{name}/cache"
            for step in steps(block):
                printed = run(step.command)
                found += f"$ {step.command}\n" + (step.output if agrees(step.output, printed) else printed)
            os.environ.pop("TERCET_CACHE", None)
            if installed is not None:
                os.environ["TERCET_CACHE"] = installed
    return found + page[at:]


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else PAGES:
        path = path.absolute()
        before = path.read_text("utf-8")
        after = rewritten(before)
        if after != before:
            path.write_text(after, "utf-8")
            print(path)
