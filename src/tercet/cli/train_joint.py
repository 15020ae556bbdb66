"""`tercet train` for recipes with `ranker: joint`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer

from tercet.cli import arguments


def train_joint(recipe: Path, data: Path, output: Path, *, epochs: int | None, form: str, quiet: bool) -> None:
    """Trains, and shows what the metric looks at and how far it agrees with people."""
    from tercet.output import write_result
    from tercet.rankers.joint_card import agreement_table, weights_table
    from tercet.rankers.joint_recipe import read_joint_recipe
    from tercet.rankers.joint_trainer import Hooks, train
    from tercet.tables import render_all

    found = read_joint_recipe(recipe)
    if epochs:
        choices = tuple(replace(one, options=replace(one.options, epochs=epochs)) for one in found.choices)
        found = replace(found, options=replace(found.options, epochs=epochs), choices=choices)
    hooks = Hooks()
    if form == "json":
        hooks.log = lambda line: print(line, flush=True)
    total = found.total_epochs(len(found.train))
    with arguments.progress_bar(found.options.objective, total, quiet=quiet) as hooks.advance:
        ranker = train(found, data, output, hooks=hooks)
    if form == "text":
        weights = weights_table(ranker.explained(), most=10)
        weights.notes.append(str(ranker.signature))
        tables = [weights]
        if ranker.card_.get("agreement"):
            tables.insert(0, agreement_table(ranker.card_["agreement"]))
        write_result(render_all(tables, "text", color=arguments.colored(None)), None)
    if ranker.card_["interrupted"]:
        typer.echo(f"tercet: interrupted; {output} holds the best epoch so far", err=True)
        raise typer.Exit(130)
