"""`tercet serve`: a local page, and its API."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tercet.cli import arguments
from tercet.errors import ResourceError


def serve(
    port: Annotated[int, typer.Option("-p", "--port", min=0, max=65535, help="0 for any that is free.")] = 8377,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    model: Annotated[
        str | None,
        typer.Option(
            "-M", "--model", help="A trained model: its folder or a shipped one's name. [default: the best usable]"
        ),
    ] = None,
    metric: Annotated[str | None, typer.Option("-m", "--metric", help="Let a metric decide instead.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name by which others reach this server.")
    ] = None,
    max_upload: Annotated[int, typer.Option("--max-upload", min=1, max=2000, help="MB of a comparison's files.")] = 32,
    max_jobs: Annotated[int, typer.Option("--max-jobs", min=1, max=64, help="Comparisons that run at once.")] = 1,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Show a page to compare translations on, for this machine only unless told otherwise.

    tercet serve --port 8377
    """
    try:
        from tercet.serve import Limits
        from tercet.serve.server import is_local, listen
        from tercet.serve.server import serve as answer
    except ModuleNotFoundError as error:
        raise ResourceError(f"the page needs {error.name}; install it with: pip install 'tercet[serve]'") from error
    from tercet.compare import choose_judge
    from tercet.serve.work import warm

    arguments.use_threads(threads)
    judge = choose_judge(model, metric)
    limits = Limits(upload=max_upload * 1_000_000, jobs=max_jobs)
    with listen(host, port) as at:
        warm(judge)
        if not is_local(host):
            print(
                f"tercet: warning: whoever can reach {host} can use this server: it asks for no password; "
                "put a proxy that does before it",
                file=sys.stderr,
            )

        def ready(url: str) -> None:
            if not quiet:
                print(f"tercet: {url} ({judge.kind} {judge.name}); Ctrl+C stops it", file=sys.stderr)
            if open_page:
                import webbrowser

                webbrowser.open(url)

        answer(judge, at, limits=limits, hosts=frozenset([host, *(allow_host or ())]), ready=ready)
