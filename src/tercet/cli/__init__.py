"""The command line: one file a verb, no logic of its own."""

from __future__ import annotations

import os
import sys

import click
import typer

from tercet.cli.arguments import repeat_flags
from tercet.cli.demo import demo
from tercet.cli.resources import app as resources
from tercet.cli.score import score
from tercet.errors import TercetError

app = typer.Typer(
    name="tercet",
    help="Which of two translations is better, how sure, and why.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command()(score)
app.add_typer(resources, name="resources")
app.command()(demo)


def _version(value: bool) -> None:
    if value:
        import tercet

        typer.echo(f"tercet {tercet.__version__}")
        raise typer.Exit


@app.callback()
def _main(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print it.")) -> None:
    pass


def main() -> None:
    """The `tercet` command. A user's mistake is one line on stderr and exit code 2."""
    try:
        sys.exit(app(args=repeat_flags(sys.argv[1:]), standalone_mode=False))
    except TercetError as error:
        _fail(str(error))
    except click.UsageError as error:
        _fail(f"{error.format_message()} (see tercet {_verb()}--help)")
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _verb() -> str:
    return f"{sys.argv[1]} " if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ""


def _fail(message: str) -> None:
    print(f"tercet: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
