"""The command line: one file a verb, no logic of its own."""

from __future__ import annotations

import os
import sys
import warnings

import typer

from tercet.cli.analyze import analyze
from tercet.cli.arguments import repeat_flags
from tercet.cli.compare import compare
from tercet.cli.demo import demo
from tercet.cli.evaluate import evaluate
from tercet.cli.features import features
from tercet.cli.lattice import lattice
from tercet.cli.reproduce import reproduce
from tercet.cli.rerank import rerank
from tercet.cli.resources import app as resources
from tercet.cli.score import score
from tercet.cli.serve import serve
from tercet.cli.train import train
from tercet.errors import TercetError, visible

# typer brings a click of its own or uses the installed one, depending on its version: its classes are found through it
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="tercet",
    help="Which of two translations is better, how sure, and why. `tercet demo` shows it at work.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command()(score)
app.command()(compare)
app.command()(evaluate)
app.command()(features)
app.command()(train)
app.command()(rerank)
app.command()(serve)
app.command()(lattice)
app.command()(analyze)
app.command()(reproduce)
app.add_typer(resources, name="resources")
app.command()(demo)


def _version(value: bool) -> None:
    if value:
        import tercet

        typer.echo(f"tercet {tercet.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def main() -> None:
    """The `tercet` command. A user's mistake is one line on stderr and exit code 2."""
    warnings.showwarning = _warn  # one line here too
    try:
        sys.exit(app(args=repeat_flags(sys.argv[1:]), standalone_mode=False))
    except TercetError as error:
        _fail(str(error))
    except _UsageError as error:
        message = error.format_message()  # type: ignore[attr-defined]
        _fail(f"{message.rstrip('.')}; see tercet {_verb()}--help") if message else sys.exit(2)  # help was shown
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    print(f"tercet: {visible(str(message))}", file=sys.stderr)


def _verb() -> str:
    verbs = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    verbs += [str(group.name) for group in app.registered_groups]
    return f"{sys.argv[1]} " if len(sys.argv) > 1 and sys.argv[1] in verbs else ""


def _fail(message: str) -> None:
    print(f"tercet: {visible(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(2)
