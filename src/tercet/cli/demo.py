"""`tercet demo`: the main job on data that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tercet.cli import arguments

REFERENCE, SYSTEMS = "reference.txt", ("careful.txt", "literal.txt", "hasty.txt")


def demo(
    texts: Annotated[
        Path | None,
        typer.Option("--texts", help="Write the demo's files into this folder instead, to try other commands on."),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report: one file to open or send.")] = None,
    form: arguments.FormatOption = "text",
    quiet: arguments.Quiet = False,
) -> None:
    """Compare three small systems that come with tercet.

    tercet demo --html report.html
    """
    from importlib.resources import as_file, files

    from tercet.cli.compare import compare

    with as_file(files("tercet") / "demo") as folder:
        if texts is not None:
            _copy(folder, texts)
            return
        if not quiet and form == "text":
            command = f"tercet compare -r {REFERENCE} -t {' '.join(SYSTEMS)}" + (f" --html {html}" if html else "")
            print(f"Twenty segments, one reference, three systems. The same as:\n  {command}\n")
        compare(
            references=[str(folder / REFERENCE)],
            translations=[str(folder / name) for name in SYSTEMS],
            html=html,
            form=form,
            quiet=quiet,
        )


def _copy(folder: Path, target: Path) -> None:
    """The files of the demo as a user's own; what has their names already stays."""
    from tercet.errors import InputError
    from tercet.output import whole_file

    names = (REFERENCE, *SYSTEMS)
    for name in names:
        if (target / name).exists():
            raise InputError("is there already", file=target / name, remedy="name another folder")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made ({error.strerror})", file=target, remedy="name another folder") from error
    for name in names:
        with whole_file(target / name) as file:
            file.write((folder / name).read_text("utf-8"))
    print(f"{target}: {', '.join(names)}")
