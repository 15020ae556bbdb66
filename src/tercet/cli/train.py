"""`tercet train`: a model from a recipe and judged data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.rankers.trainer import Hooks


def train(
    recipe: Annotated[str, typer.Argument(help="A recipe's YAML file, or the name of one that ships with tercet.")],
    data: Annotated[Path, typer.Option("--data", help="The folder that holds the recipe's folders.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model's folder; of word vectors, a file.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the training of this model stopped.")] = False,
    epochs: Annotated[int | None, typer.Option(min=1, help="Instead of the recipe's.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Instead of the recipe's.")] = None,
    form: Annotated[
        Literal["text", "json"], typer.Option("-f", "--format", help="json: the log as JSON lines.")
    ] = "text",
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Learn from people's judgments which of two translations is better; or word vectors from text.

    tercet train recipes/guzman2015.yaml --data DIR -o my-model

    tercet train recipes/skipgram.yaml --data DIR -o vectors.safetensors
    """
    arguments.use_threads(threads)
    from dataclasses import replace

    from tercet.rankers.recipe import find_recipe, ranker_of, read_recipe

    file = find_recipe(recipe)
    kind = ranker_of(file)
    if kind == "skipgram":
        from tercet.cli.train_skipgram import train_skipgram_file

        if resume or seeds:
            raise OptionError("word vectors have no --resume, and one seed: the recipe's")
        train_skipgram_file(file, data, output, epochs=epochs, form=form, quiet=quiet)
        return
    if kind == "joint":
        from tercet.cli.train_joint import train_joint

        if resume or seeds:
            raise OptionError("a joint-objective metric trains in a minute: it has no --resume, and one seed")
        train_joint(file, data, output, epochs=epochs, form=form, quiet=quiet)
        return
    if kind == "kernel":
        from tercet.cli.train_kernel import train_kernel

        if resume or seeds or epochs:
            raise OptionError(
                "a kernel ranker has no epochs and one seed; kernels that are done are kept by themselves"
            )
        train_kernel(file, data, output, form=form, quiet=quiet)
        return
    found = read_recipe(file)
    options = found.options
    options = replace(options, epochs=epochs or options.epochs, seeds=seeds or options.seeds)
    found = replace(found, options=options)

    from tercet.rankers.trainer import train as train_model

    with _shown(found.options.epochs, quiet=quiet) as hooks:
        if form == "json":
            hooks.log = lambda line: print(line, flush=True)
        ranker = train_model(found, data, output, resume=resume, hooks=hooks)

    if form == "text":
        from tercet.output import write_result
        from tercet.rankers.card_sections import taus

        table = taus(ranker.card_, ("validation", "test"))
        table.notes.append(str(ranker.signature))
        write_result(table.render("text", color=arguments.colored(None)) + "\n", None)
    if ranker.card_["interrupted"]:
        typer.echo(f"tercet: interrupted; {output} holds the best epochs so far, and --resume goes on", err=True)
        raise typer.Exit(130)


@contextmanager
def _shown(epochs: int, *, quiet: bool) -> Iterator[Hooks]:
    """Hooks that move a bar on stderr: first of features, then of epochs, with the tau of each."""
    import sys

    from tercet.rankers.trainer import Hooks

    if quiet or not sys.stderr.isatty():
        yield Hooks()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        systems = progress.add_task("features", total=None)
        tasks: dict[str, int] = {}

        def features(done: int, total: int) -> None:
            progress.update(systems, completed=done, total=total)

        def trained(cost: str, done: int, taus: object) -> None:
            import numpy as np

            known = np.asarray(taus)
            if cost not in tasks:
                tasks[cost] = progress.add_task(cost, total=epochs)
            now, best = known[-1].mean(), known.max(axis=0).mean()
            progress.update(
                tasks[cost],  # type: ignore[arg-type]
                completed=done,
                description=f"{cost}: tau {now:.4f}, best {best:.4f}",
            )

        yield Hooks(features=features, epochs=trained)
