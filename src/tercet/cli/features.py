"""`tercet features`: the numbers that rankers learn from, of every translation of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def features(
    dataset: Annotated[
        str, typer.Option("-i", "--input", help="A dataset: Parquet or JSON lines, a file, a folder or a pattern.")
    ],
    into: Annotated[Path, typer.Option("--into", help="The folder for the features; a rerun continues in it.")],
    names: Annotated[list[str], typer.Option("-F", "--features", help="Feature sets, metrics, or METRIC.components.")],
    engine: arguments.Engine = "single",
    scheduler: arguments.Scheduler = None,
    partition: arguments.Partition = None,
    systems: arguments.Systems = None,
    anew: arguments.Anew = False,
    form: arguments.FormatOption = "text",
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Write the features of every translation of a dataset, as Parquet.

    tercet features -i corpus.parquet -F beer57 bleu.components --into features --engine dask --scheduler local:4
    """
    if form not in ("text", "json"):
        raise OptionError(f"what was written has no {form} form; choose -f text or json")

    import json

    from tercet.engine import driver, open_dataset
    from tercet.engine.extraction import SEGMENTS, extract_features
    from tercet.output import write_result

    opened = open_dataset(dataset, systems=systems or [], size=partition or SEGMENTS)
    with (
        driver(engine, scheduler, threads) as who,
        arguments.progress_bar("features", len(opened.partitions), quiet=quiet) as progress,
    ):
        run = extract_features(opened, names, into, who, anew=anew, progress=progress)
    rows = sum(receipt.rows for receipt in run.receipts)
    columns = run.store.columns()
    found = {
        "parts": [str(run.store.part(receipt.number)) for receipt in run.receipts],
        "rows": rows,
        "columns": columns,
        "signatures": run.signatures,
    }
    parts = "1 part" if len(run.receipts) == 1 else f"{len(run.receipts):,} parts"
    lines = [f"{rows:,} rows of {len(columns)} columns in {parts}: {into / 'parts'}"]
    text = json.dumps(found, indent=2) if form == "json" else "\n".join([*lines, *run.signatures])
    write_result(text + "\n", output)
