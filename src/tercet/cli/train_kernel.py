"""`tercet train` for recipes with `ranker: kernel`."""

from __future__ import annotations

from pathlib import Path

from tercet.cli import arguments


def train_kernel(recipe: Path, data: Path, output: Path, *, form: str, quiet: bool) -> None:
    """Trains, and shows how far the ranker agrees with people."""
    from tercet.output import write_result
    from tercet.rankers.card_sections import taus
    from tercet.rankers.kernel_recipe import read_kernel_recipe
    from tercet.rankers.kernel_trainer import Hooks, train

    found = read_kernel_recipe(recipe)
    hooks = Hooks()
    if form == "json":
        hooks.log = lambda line: print(line, flush=True)
    with arguments.progress_bar("kernels", 1000, quiet=quiet) as progress:
        shown = 0

        def advance(done: int, total: int) -> None:
            nonlocal shown
            now = 1000 * done // max(total, 1)
            progress(now - shown)
            shown = now

        hooks.kernels = advance
        ranker = train(found, data, output, hooks=hooks)
    if form == "text":
        table = taus(ranker.card_, ("validation", "test"))
        table.notes.append(
            f"{ranker.card_['machine']}; {ranker.card_['support']} support pairs, C {ranker.card_['cost']:g}"
        )
        table.notes.append(str(ranker.signature))
        write_result(table.render("text", color=arguments.colored(None)) + "\n", None)
