"""`tercet compare`: two or more systems against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def compare(
    references: arguments.References = [],  # noqa: B006
    translations: arguments.Translations = [],  # noqa: B006
    source: arguments.Source = None,
    model: Annotated[
        str | None,
        typer.Option(
            "-M", "--model", help="A trained model: its folder or a shipped one's name; by default the best usable one."
        ),
    ] = None,
    metric: Annotated[str | None, typer.Option("-m", "--metric", help="Let a metric decide instead.")] = None,
    segments: Annotated[bool, typer.Option("--segments", help="The verdict of every segment.")] = False,
    explain: Annotated[
        int | None, typer.Option("--explain", min=1, help="Why: the reasons for the verdict on this segment.")
    ] = None,
    pair: Annotated[
        list[str] | None, typer.Option("--pair", help="Two systems to explain; by default the best two.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="With --explain and a model over trees: its trees, shaded by what they added, as SVG."),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report: one file to open or send.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="Samples of each test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 12345,
    dataset: arguments.Input = None,
    into: arguments.Into = None,
    engine: arguments.Engine = "single",
    scheduler: arguments.Scheduler = None,
    partition: arguments.Partition = None,
    systems: arguments.Systems = None,
    anew: arguments.Anew = False,
    form: arguments.FormatOption = "text",
    decimals: arguments.Decimals = None,
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Tell which of two or more systems is better, segment by segment and overall, how sure that is, and why.

    tercet compare -r ref.txt -t a.txt b.txt c.txt --html report.html

    tercet compare -i corpus.parquet --into margins --engine dask --scheduler local:4
    """
    if pair and explain is None:
        raise OptionError("--pair says what to explain; give --explain N too")
    if picture is not None and explain is None:
        raise OptionError("--picture shows what is explained; give --explain N too")
    if explain is not None and form not in ("text", "json"):
        raise OptionError(f"an explanation has no {form} form; choose -f text or json")
    arguments.check_dataset(
        dataset,
        into,
        engine,
        {"--scheduler": scheduler, "--partition": partition, "--systems": systems, "--anew": anew},
        instead_of={
            "-r": references,
            "-t": translations,
            "-s": source,
            "--segments": segments,
            "--explain": explain,
            "--html": html,
        },
    )

    import json

    from tercet import output as out
    from tercet.compare import choose_judge
    from tercet.compare.comparison import compare as compare_systems
    from tercet.compare.comparison import two_systems
    from tercet.compare.presentation import screen, tables
    from tercet.corpus import read
    from tercet.tables import render_all

    places = 2 if decimals is None else decimals
    if dataset is not None:
        assert into is not None
        from tercet.engine.comparing import SEGMENTS, compare_dataset
        from tercet.engine.dataset import open_dataset
        from tercet.engine.drivers import driver

        opened = open_dataset(dataset, systems=systems or [], size=partition or SEGMENTS)
        with (
            driver(engine, scheduler, threads) as who,
            arguments.progress_bar("comparing", len(opened.partitions), quiet=quiet) as progress,
        ):
            comparison = compare_dataset(
                opened, into, who, model=model, metric=metric, samples=samples, seed=seed, anew=anew, progress=progress
            )
    else:
        if not references or not translations:
            raise OptionError(
                "nothing to compare; give references with -r and translations with -t, or a dataset with -i"
            )
        arguments.use_threads(threads)
        judge = choose_judge(model, metric)
        corpus = read(references=references, translations=translations, source=source)
        comparison = compare_systems(corpus, judge, samples=samples, seed=seed)
    if explain is not None:
        from tercet.compare.explanation import Explainer
        from tercet.compare.explanation_text import text as explained

        first, second = two_systems(comparison, pair)
        why = Explainer(corpus, judge, comparison).explain(explain, first, second)
        as_json = json.dumps(why.as_json(), indent=2, ensure_ascii=False) + "\n"
        text = as_json if form == "json" else explained(why, color=arguments.colored(output))
        from tercet.cli.explain import explain_trees

        fragments = explain_trees(judge, corpus, explain, first, second, picture)
        text += fragments if form == "text" else ""
    elif form == "json":
        text = json.dumps(comparison.as_json(), indent=2) + "\n"
    elif form == "text" and not segments:
        text = screen(comparison, places, color=arguments.colored(output))
    else:
        found = tables(comparison, places, segments=segments, named=form == "tsv")
        text = render_all(found, form, color=arguments.colored(output))
    if html is not None:
        from tercet.compare.report import write_report

        with arguments.progress_bar("report", len(corpus), quiet=quiet) as done:
            write_report(html, corpus, judge, comparison, progress=done)
    out.write_result(text, output)
