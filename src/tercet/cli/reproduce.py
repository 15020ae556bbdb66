"""`tercet reproduce`: the tables of a paper, the paper's figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def reproduce(
    paper: Annotated[
        Literal["guzman2014", "guzman2015", "hytera", "melamud2015", "stanojevic2017"],
        typer.Argument(help="Which paper."),
    ],
    data: Annotated[
        Path, typer.Option("--data", help="The folder that holds wmt12/, wmt13/ and whatever other years you have.")
    ],
    protocols: Annotated[
        list[str] | None,
        typer.Option("--protocol", help="official, wmt13 or folds; by default those that the data allow."),
    ] = None,
    tables: Annotated[
        list[int] | None, typer.Option("--table", min=1, max=6, help="1–5; 6 is what goes beyond.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Of each training; by protocol, or 200.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Trainings of each row; 5 or 1, by paper.")] = None,
    learning_rate: Annotated[float | None, typer.Option(min=1e-6, help="Of Adagrad; the paper has 0.01.")] = None,
    l2: Annotated[float | None, typer.Option(min=0, help="Decay of weights; the paper has 1e-4.")] = None,
    kept: Annotated[Path | None, typer.Option(help="Folder of what is trained already, to go on from.")] = None,
    patience: Annotated[int | None, typer.Option(min=1, help="Epochs without a better one.")] = None,
    vectors: Annotated[
        list[str] | None, typer.Option("--vectors", help="For Table 3: WIKI-GW300=FILE, WORD2VEC300=FILE, …")
    ] = None,
    landmarks: Annotated[int, typer.Option(min=1, help="Of the kernel machines of guzman2014.")] = 1000,
    syntax: Annotated[
        str, typer.Option(help="The feature set for SYNTAX25: syntax25, or stanford25, the paper's own.")
    ] = "syntax25",
    form: arguments.FormatOption = "text",
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Compute the tables of a paper again.

    tercet reproduce guzman2014 --data DIR

    tercet reproduce guzman2015 --data DIR

    tercet reproduce stanojevic2017 --data DIR

    tercet reproduce hytera --data DIR
    """
    arguments.use_threads(threads)
    if paper == "guzman2014":
        from tercet.cli.reproduce_trees import reproduce_trees

        if epochs or seeds or patience or vectors:
            raise OptionError("--epochs, --seeds, --patience and --vectors are of other papers; leave them out")
        reproduce_trees(
            data, protocols=protocols, tables=tables, landmarks=landmarks, form=form, output=output, quiet=quiet
        )
        return
    if paper in ("hytera", "melamud2015"):
        from tercet.cli.reproduce_hytera import reproduce_hytera, reproduce_substitution

        if protocols or patience or epochs or seeds or (vectors and paper == "hytera"):
            raise OptionError(
                f"--protocol, --patience, --epochs, --seeds and --vectors are not of {paper}; leave them out"
            )
        if paper == "hytera":
            reproduce_hytera(data, tables=tables, form=form, output=output, quiet=quiet)
        else:
            reproduce_substitution(data, vectors=vectors or (), form=form, output=output)
        return
    if paper == "stanojevic2017":
        from tercet.cli.reproduce_joint import reproduce_joint

        if protocols or patience or vectors or kept or learning_rate or l2 or syntax != "syntax25":
            raise OptionError(
                "--protocol, --patience, --vectors, --syntax, --kept, --learning-rate and --l2 are of guzman2015; "
                "leave them out"
            )
        reproduce_joint(
            data, tables=tables, epochs=epochs or 200, seeds=seeds or 1, form=form, output=output, quiet=quiet
        )
        return
    seeds = seeds or 5
    import json
    from dataclasses import asdict

    from tercet.output import write_result
    from tercet.reproduce import guzman2015
    from tercet.reproduce.guzman2015_published import TABLE_3
    from tercet.reproduce.protocols import READERS, available
    from tercet.tables import render_all

    for name in protocols or ():
        if name not in READERS:
            raise OptionError(f"there is no protocol {name!r}; there are {', '.join(READERS)}")
    files = []
    for item in vectors or ():
        name, equals, file = item.partition("=")
        if name not in TABLE_3 or not equals:
            raise OptionError(f"--vectors {item!r} is not NAME=FILE with a NAME of {', '.join(TABLE_3)}")
        files.append((name, file if file.startswith("vectors:") else f"vectors:path={file}"))

    if syntax != "syntax25":
        from tercet.features.registry import sentence_vectors

        sentence_vectors(syntax)  # an unknown name or option is an error before hours of work

    found: list[Any] = []
    entries: list[dict[str, Any]] = []
    for name in protocols or available(data):
        protocol = READERS[name](data)
        asked = {"epochs": epochs, "learning_rate": learning_rate, "l2": l2, "patience": patience}
        options = protocol.options(**{name: value for name, value in asked.items() if value is not None})
        runner = guzman2015.Runner(protocol, options, seeds, kept)
        if not quiet:
            runner.told = lambda text, name=name: typer.echo(f"[{name}] {text}", err=True)  # type: ignore[misc]
        for title, results in guzman2015.tables(runner, sorted(set(tables or range(1, 7))), files, syntax):
            found.append(guzman2015.as_table(title, results, runner))
            rows = [result.as_json() for result in results]
            entries.append({"name": title, "protocol": name, "options": asdict(options), "rows": rows})
    text = (
        json.dumps({"paper": paper, "seeds": seeds, "tables": entries}, indent=2) + "\n"
        if form == "json"
        else render_all(found, form, color=arguments.colored(output))
    )
    write_result(text, output)
