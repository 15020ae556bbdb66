"""`tercet score`: metrics for one or more systems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.metrics.scoring import MetricScores, Plan


def score(
    translations: arguments.Translations = [],  # noqa: B006
    references: arguments.References = [],  # noqa: B006
    metrics: arguments.Metrics = ["bleu", "chrf", "ter"],  # noqa: B006
    models: Annotated[
        list[str], typer.Option("-M", "--model", help="Trained models too, by folder or shipped name.")
    ] = [],  # noqa: B006
    post_edits: Annotated[
        list[str] | None,
        typer.Option("--post-edit", help="For hter: the post-edits of each -t, one file a system, instead of -r."),
    ] = None,
    segments: Annotated[bool, typer.Option("--segments", help="The score of every segment.")] = False,
    components: Annotated[bool, typer.Option("--components", help="The numbers behind each score.")] = False,
    confidence: Annotated[bool, typer.Option("--confidence", help="95 % intervals by bootstrap.")] = False,
    paired_bs: Annotated[bool, typer.Option("--paired-bs", help="Paired bootstrap test between systems.")] = False,
    paired_ar: Annotated[bool, typer.Option("--paired-ar", help="Approximate randomization between systems.")] = False,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Test every pair of systems, not only against the first.")
    ] = False,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples of the tests: 1000 unless given, 10000 for --paired-ar.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 12345,
    input_format: Annotated[
        arguments.InputFormat | None, typer.Option(help="What the files are, if it cannot be told from them.")
    ] = None,
    num_refs: Annotated[int | None, typer.Option(min=1, help="Columns between tabs in a file of references.")] = None,
    num_systems: Annotated[int | None, typer.Option(min=1, help="Columns between tabs in a file of systems.")] = None,
    empty_references: Annotated[
        Literal["text", "missing"],
        typer.Option(help="What an empty line of a second reference is: an empty text, or no reference."),
    ] = "text",
    translators: Annotated[
        list[str] | None, typer.Option(help="Only the references by these translators of a WMT XML file.")
    ] = None,
    dataset: arguments.Input = None,
    into: arguments.Into = None,
    engine: arguments.Engine = "single",
    scheduler: arguments.Scheduler = None,
    partition: arguments.Partition = None,
    systems: arguments.Systems = None,
    anew: arguments.Anew = False,
    on_missing: arguments.OnMissing = "error",
    score_only: Annotated[bool, typer.Option("-b", "--score-only", help="Bare scores, a line a system.")] = False,
    form: arguments.FormatOption = "text",
    decimals: arguments.Decimals = None,
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Score one or more systems against their references.

    tercet score -r ref.txt -t a.txt b.txt -m bleu chrf++ --paired-bs

    tercet score -i corpus.parquet --into scores --engine dask --scheduler local:4
    """
    if paired_bs and paired_ar:
        raise OptionError("--paired-bs and --paired-ar are two tests; choose one")
    arguments.check_dataset(
        dataset,
        into,
        engine,
        {"--scheduler": scheduler, "--partition": partition, "--systems": systems, "--anew": anew},
        instead_of={
            "-t": translations,
            "-r": references,
            "--post-edit": post_edits,
            "--input-format": input_format,
            "--num-refs": num_refs,
            "--num-systems": num_systems,
            "--translators": translators,
        },
    )

    from tercet.metrics.scoring import Plan

    plan = Plan(
        segments=segments,
        components=components,
        confidence=(samples or 1000) if confidence else 0,
        paired="bs" if paired_bs else "ar" if paired_ar else None,
        samples=samples or (10_000 if paired_ar else 1000),
        seed=seed,
    )
    if dataset is not None:
        assert into is not None
        if models:
            raise OptionError("-M scores files; with a dataset give metrics alone")
        from tercet.engine import driver, open_dataset, score_dataset

        opened = open_dataset(dataset, systems=systems or [], size=partition)
        plan = replace(plan, baseline=None if all_pairs else opened.systems[0])
        with (
            driver(engine, scheduler, threads) as who,
            arguments.progress_bar("scoring", len(opened.partitions), quiet=quiet) as progress,
        ):
            results = score_dataset(
                opened, metrics, into, who, plan, on_missing=on_missing, anew=anew, progress=progress
            )
    else:
        results = _score_files(
            translations,
            references,
            post_edits,
            metrics,
            models,
            plan,
            all_pairs=all_pairs,
            on_missing=on_missing,
            threads=threads,
            quiet=quiet,
            format=input_format,
            num_refs=num_refs,
            num_systems=num_systems,
            empty_references=empty_references,
            translators=translators,
        )

    from tercet import output as out
    from tercet.metrics.presentation import as_json, bare_scores, tables
    from tercet.tables import render_all

    if score_only:
        text = bare_scores(results, decimals)
    elif form == "json":
        text = as_json(results)
    else:
        text = render_all(tables(results, decimals), form, color=arguments.colored(output))
    out.write_result(text, output)


def _score_files(
    translations: list[str],
    references: list[str],
    post_edits: list[str] | None,
    metrics: list[str],
    models: list[str],
    plan: Plan,
    *,
    all_pairs: bool,
    on_missing: Literal["error", "skip"],
    threads: int,
    quiet: bool,
    **reading: Any,
) -> list[MetricScores]:
    """The systems of files, all read at once."""
    arguments.use_threads(threads)

    from tercet.corpus import read
    from tercet.metrics.registry import metric
    from tercet.metrics.scoring import score_corpus

    if not translations:
        raise OptionError("nothing to score; give translations with -t, or a dataset with -i")
    chosen = {spec: metric(spec, on_missing=on_missing) for spec in metrics}
    if models:
        from tercet.rankers.model_metric import models_as_metrics

        chosen |= models_as_metrics(models)
    if post_edits and (references or len(post_edits) != len(translations)):
        raise OptionError("--post-edit takes one file for each file of -t, and no -r beside it")
    corpus = read(translations, references or (post_edits or [])[:1], **reading)
    if plan.paired and len(corpus.systems) < 2:
        raise OptionError("a paired test needs two systems or more; give -t another file")
    plan = replace(plan, baseline=None if all_pairs else next(iter(corpus.systems)))
    total = len(chosen) * len(corpus.systems) * len(corpus)
    with arguments.progress_bar("scoring", total, quiet=quiet) as progress:
        if not post_edits:
            return score_corpus(corpus, chosen, plan, progress)

        from tercet.metrics.hter import score_post_edited

        pairs = zip(translations, post_edits, strict=True)
        corpora = [read([system], [edited], format=reading["format"]) for system, edited in pairs]
        return score_post_edited(corpora, chosen, plan, progress)
