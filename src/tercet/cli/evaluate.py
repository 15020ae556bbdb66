"""`tercet evaluate`: how far scorers agree with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError

Tau = Literal["wmt11", "wmt12", "wmt13", "wmt14"]
Statistic = Literal["pearson", "spearman", "kendall-b", "kendall-c", "acc-eq", "accuracy"]
Test = Literal["auto", "bootstrap", "williams", "perm-both", "perm-inputs", "perm-pairs", "hybrid", "none"]
Human = Literal["expected_wins", "trueskill", "bradley_terry", "win_ratio", "better_or_equal"]


def evaluate(
    corpus: Annotated[
        Path | None, typer.Option("--corpus", help="A WMT tree, a DA folder or an mt-metrics-eval EvalSet.")
    ] = None,
    judgments: Annotated[
        Path | None, typer.Option("--judgments", help="What people said; a DA folder and an EvalSet bring it along.")
    ] = None,
    challenge: Annotated[
        str | None,
        typer.Option("--challenge", help="Instead of judgments: the challenge set that ships, or that of a file."),
    ] = None,
    failures: Annotated[bool, typer.Option("--failures", help="With --challenge: what each scorer got wrong.")] = False,
    card: Annotated[
        bool, typer.Option("--card", help="With --challenge: also write it into the models' cards.")
    ] = False,
    metrics: arguments.Metrics = [],  # noqa: B006
    models: Annotated[list[str], typer.Option("-M", "--model", help="Models, by folder or shipped name.")] = [],  # noqa: B006
    scores: Annotated[
        list[str],
        typer.Option(
            help="Scores computed elsewhere: SYSTEM<tab>SCORE or JSON lines; PAIR:FILE where there are several."
        ),
    ] = [],  # noqa: B006
    lower_is_better: Annotated[
        list[str], typer.Option(help="A scorer among --scores whose lower scores are better.")
    ] = [],  # noqa: B006
    pairs: Annotated[list[str], typer.Option("--pairs", help="Only these language pairs.")] = [],  # noqa: B006
    level: Annotated[Literal["segment", "system"], typer.Option(help="What is scored.")] = "segment",
    tau: Annotated[
        Tau, typer.Option(help="For comparisons: how metric ties count (wmt12: against the metric).")
    ] = "wmt12",
    statistic: Annotated[Statistic, typer.Option(help="For assessments, and for systems.")] = "pearson",
    average: Annotated[
        Literal["none", "item", "system"], typer.Option(help="One correlation over all, or the mean of many.")
    ] = "none",
    human: Annotated[Human, typer.Option(help="For systems: how comparisons become scores.")] = "expected_wins",
    human_scores: Annotated[str | None, typer.Option(help="Which human scores of an EvalSet that has several.")] = None,
    test: Annotated[Test, typer.Option(help="How scorers are tested against each other.")] = "auto",
    correction: Annotated[
        Literal["none", "holm", "bonferroni"], typer.Option(help="For the number of tests made.")
    ] = "holm",
    rank: Annotated[bool, typer.Option("--rank", help="Also rank the systems as people compared them.")] = False,
    people: Annotated[bool, typer.Option("--people", help="Also how far judges agree with each other.")] = False,
    matrix: Annotated[Path | None, typer.Option(help="An SVG file for the picture of the tests.")] = None,
    on_missing: Annotated[
        Literal["error", "skip"], typer.Option(help="Judgments that have no output: stop, or leave out and count.")
    ] = "error",
    samples: Annotated[int, typer.Option(min=1, help="Samples of the bootstrap and of permutations.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 12345,
    dataset: arguments.Input = None,
    into: arguments.Into = None,
    engine: arguments.Engine = "single",
    scheduler: arguments.Scheduler = None,
    partition: arguments.Partition = None,
    anew: arguments.Anew = False,
    form: arguments.FormatOption = "text",
    decimals: arguments.Decimals = None,
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Measure how far metrics agree with people, or what they can tell.

    tercet evaluate --judgments wmt12.RNK_results.csv --corpus wmt12/ -m bleu chrf meteor

    tercet evaluate --challenge -m bleu chrf -M joint
    """
    if card and challenge is None:
        raise OptionError("--card goes with --challenge")
    if challenge is not None:
        if corpus or dataset or judgments or scores or rank or people or matrix:
            raise OptionError(
                "--challenge brings its own texts; leave out --corpus, --judgments, --scores and the like"
            )
        from tercet.cli.challenge import challenge as show

        arguments.use_threads(threads)
        show(
            *(challenge, metrics, models),
            failures=failures,
            card=card,
            form=form,
            decimals=decimals,
            output=output,
            quiet=quiet,
        )
        return
    if failures:
        raise OptionError("--failures goes with --challenge")
    if corpus is None and dataset is None:
        raise OptionError("which texts? give --corpus DIR or -i DATASET with what people judged, or --challenge")
    if not (metrics or models or scores or rank or people):
        raise OptionError("nothing to evaluate; give metrics with -m, models with -M or scores with --scores")
    if models and dataset is not None:
        raise OptionError("-M scores files; with a dataset give metrics alone")
    arguments.check_dataset(
        dataset,
        into,
        engine,
        {"--scheduler": scheduler, "--partition": partition, "--anew": anew},
        instead_of={"--corpus": corpus, "--human-scores": human_scores},
    )
    arguments.use_threads(threads)
    places = 4 if decimals is None else decimals

    from tercet.agreement import presentation
    from tercet.agreement.evaluation import Plan, evaluate
    from tercet.agreement.people import agreement_of_judges, ranking_of_systems
    from tercet.agreement.scorers import External, score_texts
    from tercet.corpus.judged import read_judged
    from tercet.metrics.registry import metric
    from tercet.output import write_result
    from tercet.rankers.model_metric import models_as_metrics
    from tercet.tables import Table, render_all

    chosen = {**{spec: metric(spec) for spec in metrics}, **models_as_metrics(models)}
    external = [External.parse(text) for text in scores]
    plan = Plan(
        level=level,
        tau=tau,
        statistic=statistic,
        average=average,
        human=human,
        test=test,
        correction=correction,
        samples=samples,
        seed=seed,
    )
    opened = None
    if corpus is not None:
        judged = read_judged(corpus, judgments, pairs=pairs, human=human_scores, level=level, on_missing=on_missing)
    else:
        from tercet.engine import open_dataset
        from tercet.engine.evaluating import judged_dataset

        if judgments is None:
            raise OptionError("a dataset holds no judgments; give them with --judgments FILE")
        opened = open_dataset(str(dataset), size=partition)
        judged = [judged_dataset(opened, judgments, pairs=pairs, on_missing=on_missing)]
    if len(judged) > 1 and any(given.pair is None for given in external):
        raise OptionError(f"scores for which language pair? write --scores {judged[0].pair}:FILE")
    systems = {texts.pair: texts.judgments.systems() for texts in judged}
    found: dict[str, object] = {}
    tables: list[Table] = []
    if opened is not None and (chosen or external):
        assert into is not None
        from tercet.engine import driver
        from tercet.engine.evaluating import score_judged

        with (
            driver(engine, scheduler, threads) as who,
            arguments.progress_bar("scoring", len(opened.partitions), quiet=quiet) as progress,
        ):
            scored = score_judged(
                opened,
                judged[0],
                list(chosen),
                into,
                who,
                external,
                lower_is_better=lower_is_better,
                anew=anew,
                progress=progress,
            )
        measured = [(judged[0], systems[judged[0].pair], scored)]
    elif chosen or external:
        total = len(chosen) * sum(len(systems[texts.pair]) * len(texts.corpus) for texts in judged)
        with arguments.progress_bar("scoring", total, quiet=quiet) as progress:
            measured = [
                (
                    texts,
                    systems[texts.pair],
                    score_texts(
                        texts,
                        systems[texts.pair],
                        chosen,
                        external,
                        lower_is_better=lower_is_better,
                        progress=progress,
                    ),
                )
                for texts in judged
            ]
    if chosen or external:
        evaluation = evaluate(measured, plan)
        found |= evaluation.as_json()
        tables += presentation.tables(evaluation, places)
        if matrix is not None:
            write_result(presentation.picture(evaluation), matrix)
    if rank:
        rankings = {
            texts.pair: ranking_of_systems(texts, systems[texts.pair], method=human, resamples=samples, seed=seed)
            for texts in judged
        }
        found["rankings"] = rankings
        tables += [
            presentation.ranking_table(rows, pair=pair, method=human, decimals=places)
            for pair, rows in rankings.items()
        ]
    if people:
        rows = [agreement_of_judges(texts, systems[texts.pair]) for texts in judged]
        found["people"] = rows
        tables.append(presentation.judges_table(rows, places))

    if form == "json":
        import json

        text = json.dumps(found, indent=2, allow_nan=False) + "\n"
    else:
        text = render_all(tables, form, color=arguments.colored(output))
    write_result(text, output)
