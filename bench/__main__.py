"""`python -m bench [NAME ...] [--data DIR]`: the table of ratios."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Annotated

import typer

from tercet.tables import Table, render_all

COMPARISONS = [
    *("lexical", "meteor", "bootstrap", "reading", "threads", "scale"),
    *("engine", "cost"),
    *("features", "english", "network", "hyter", "joint", "trees", "kernel_machines", "serve", "models"),
]
DATA = Path(os.environ.get("TERCET_DATA", Path(__file__).parents[2] / "shared" / "data"))


def main(
    names: Annotated[list[str] | None, typer.Argument(help=f"Which: {', '.join(COMPARISONS)}; all by default.")] = None,
    data: Annotated[Path, typer.Option(help="The folder that holds wmt12/ and wmt13/.")] = DATA,
    form: Annotated[str, typer.Option("-f", help="text, tsv, markdown or latex")] = "text",
) -> None:
    """Measure tercet beside its peers, on one machine, in one run: medians of three repetitions."""
    if not (data / "wmt13").is_dir():
        raise SystemExit(f"{data}: no wmt13/ in it; give --data the folder that holds the WMT data")
    table = Table(["work", "peer", "peer, a second", "tercet, a second", "ratio", "wanted"], text_columns=(0, 1))
    alone = Table(["figure", "measured", "wanted"])
    for module in [importlib.import_module(f"bench.{name}") for name in names or COMPARISONS]:
        for figure in module.figures(data) if hasattr(module, "figures") else ():
            alone.add(figure.name, figure.value, figure.wanted)
        for result in module.results(data) if hasattr(module, "results") else ():
            table.add(
                result.work,
                result.peer,
                f"{result.amount / result.peer_seconds:,.1f} {result.unit}",
                f"{result.amount / result.our_seconds:,.1f} {result.unit}",
                f"{result.ratio:,.1f} ×",
                result.wanted,
            )
    print(render_all([shown for shown in (table, alone) if shown.rows], form), end="")


if __name__ == "__main__":
    typer.run(main)
