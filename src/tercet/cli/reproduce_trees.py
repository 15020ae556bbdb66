"""`tercet reproduce guzman2014`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from tercet.cli import arguments
from tercet.errors import InputError, OptionError


def reproduce_trees(
    data: Path,
    *,
    protocols: Sequence[str] | None,
    tables: Sequence[int] | None,
    landmarks: int,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Tables 1 and 2; 3 and 4 go beyond. Kernels are kept in the cache, so that a second run goes on from there."""
    from tercet import resources
    from tercet.errors import ResourceError
    from tercet.features.cache import FeatureCache, folder
    from tercet.output import write_result
    from tercet.reproduce import guzman2014 as again
    from tercet.reproduce.guzman2014_data import cross_validation, transfer
    from tercet.tables import Table, render_all

    readers = {"wmt13": transfer, "folds": cross_validation}
    for name in protocols or ():
        if name not in readers:
            raise OptionError(f"there is no protocol {name!r} for guzman2014; there are {', '.join(readers)}")
    wanted = sorted(set(tables or (1, 2, 3, 4)))
    if not set(wanted) <= {1, 2, 3, 4}:
        raise OptionError("guzman2014 has tables 1 and 2; 3 and 4 go beyond")
    if not (data / "wmt12").is_dir():
        raise InputError("has no wmt12/ in it", file=data, remedy="give --data the folder that holds the WMT data")
    chosen = protocols or [name for name in readers if name == "folds" or (data / "wmt13").is_dir()]
    try:
        resources.find("meteor")
        features: tuple[str, ...] = ("4metrics",) if 3 in wanted else ()
    except ResourceError:
        features = ()
    cache = FeatureCache(folder(), limit=8 << 30)  # the kernels of all kinds of trees with all landmarks
    shown: list[Table] = []
    entries: list[dict[str, Any]] = []
    for name in chosen:
        runner = again.Runner(readers[name](data, landmarks, features, cache))
        if not quiet:
            runner.told = runner.material.told = lambda text, name=name: typer.echo(f"[{name}] {text}", err=True)  # type: ignore[misc]
        for title, rows in again.tables(runner, wanted):
            shown.append(again.as_table(title, rows, runner))
            entries.append({"name": title, "protocol": name, "rows": [row.as_json() for row in rows]})
    found = {"paper": "guzman2014", "landmarks": landmarks, "tables": entries}
    text = (
        json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        if form == "json"
        else render_all(shown, form, color=arguments.colored(output))
    )
    write_result(text, output)
