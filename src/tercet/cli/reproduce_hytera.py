"""`tercet reproduce hytera` and `tercet reproduce melamud2015`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def reproduce_hytera(data: Path, *, tables: Sequence[int] | None, form: str, output: Path | None, quiet: bool) -> None:
    """Tables 1 to 3 on whatever the folder has; 4 is what each part contributes.

    Table 2 with Figure 2 is for those who have the networks of LDC2014T09.
    """
    from tercet.output import write_result
    from tercet.reproduce import hytera as again
    from tercet.reproduce import ldc2014t09
    from tercet.reproduce.hytera_published import QUESTIONS, settings
    from tercet.tables import Table, render_all

    wanted = set(tables or (1, 2, 3, 4))
    if not wanted <= {1, 2, 3, 4}:
        raise OptionError("hytera has tables 1, 2 and 3, and 4 for what each part contributes")
    networks = ldc2014t09.read_networks(data)
    if not networks and wanted == {2}:
        raise OptionError(
            f"{data} has no {ldc2014t09.FOLDER}/{ldc2014t09.PAIRS[0]}; Table 2 is for those who have the networks"
        )
    lists = data / "paraphrases" / "ppdb-xl-lexical.txt"
    shown: list[Table] = []
    entries: list[dict[str, Any]] = []
    measured: dict[str, list[again.Row]] = {}

    def add(name: str, dataset: str, table: Table, rows: list[dict[str, Any]]) -> None:
        shown.append(table)
        entries.append({"name": name, "data": dataset, "rows": rows})

    if networks:
        if 1 in wanted:
            add("table 1", ldc2014t09.FOLDER, *ldc2014t09.table_1(networks))
        if 2 in wanted:
            add("table 2", ldc2014t09.FOLDER, *ldc2014t09.table_2(networks))
            for one in networks:
                add("figure 2", f"{ldc2014t09.FOLDER} {one.pair}", *ldc2014t09.figure_2(one))
    for dataset in again.datasets(data, required=not networks) if wanted != {2} else ():
        if 1 in wanted:
            add("table 1", dataset.name, *again.table_1(dataset))
        if 3 in wanted:
            add("table 3", dataset.name, *again.table_3(dataset))
        if 4 in wanted:
            told = (lambda text: None) if quiet else (lambda text: typer.echo(f"[{text}]", err=True))
            rows = again.contributions(dataset, settings(str(lists) if lists.is_file() else None), told)
            measured[dataset.name] = rows
            add(
                "contributions", dataset.name, again.contributions_table(dataset, rows), [row.as_json() for row in rows]
            )
            shown.append(again.comparisons_table(dataset, rows, QUESTIONS))
    if len(measured) > 1:
        add("chosen elsewhere", " ".join(measured), *again.chosen_elsewhere(measured))
    text = (
        json.dumps({"paper": "hytera", "tables": entries}, indent=2) + "\n"
        if form == "json"
        else render_all(shown, form, color=arguments.colored(output))
    )
    write_result(text, output)


def reproduce_substitution(data: Path, *, vectors: Sequence[str], form: str, output: Path | None) -> None:
    """GAP of AddCos on SemEval-2007, with the vectors that ship and with files."""
    from tercet.lattice.addcos import vectors_named
    from tercet.output import write_result
    from tercet.reproduce.melamud2015 import rows_of, table_of

    chosen = {name: vectors_named(name) for name in ("shipped", *vectors)}
    rows = rows_of(data / "lexsub" if (data / "lexsub").is_dir() else data, chosen)
    text = (
        json.dumps(
            {"paper": "melamud2015", "tables": [{"name": "GAP", "rows": [row.as_json() for row in rows]}]}, indent=2
        )
        + "\n"
        if form == "json"
        else table_of(rows).render(form, color=arguments.colored(output)) + "\n"
    )
    write_result(text, output)
