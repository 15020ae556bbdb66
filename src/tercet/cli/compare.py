"""`tercet compare`: two or more systems against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tercet.cli import arguments
from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.compare import Judge


def compare(
    references: arguments.References,
    translations: arguments.Translations,
    source: arguments.Source = None,
    model: Annotated[Path | None, typer.Option("-M", "--model", help="A trained model's folder.")] = None,
    metric: Annotated[
        str | None, typer.Option("-m", "--metric", help="Let a metric decide instead. [default: chrf, if no -M]")
    ] = None,
    segments: Annotated[bool, typer.Option("--segments", help="The verdict of every segment.")] = False,
    explain: Annotated[
        int | None,
        typer.Option(min=1, help="Why the first two systems' translations of this segment rank so; kernel models."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="With --explain: the trees, shaded by what they added, as SVG.")
    ] = None,
    samples: Annotated[int, typer.Option(min=1, help="Samples of the permutation test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 12345,
    form: arguments.FormatOption = "text",
    decimals: arguments.Decimals = None,
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Tell which of two or more systems is better, segment by segment and overall.

    tercet compare -r ref.txt -t a.txt b.txt -M my-model
    """
    if model is not None and metric is not None:
        raise OptionError("-M and -m are two judges; choose one")
    arguments.use_threads(threads)

    import json

    from tercet import output as out
    from tercet.compare.comparison import compare as compare_systems
    from tercet.compare.presentation import tables
    from tercet.corpus import read
    from tercet.tables import render_all

    judge = _judge(model, metric)
    corpus = read(references=references, translations=translations, source=source)
    if explain is not None or picture is not None:
        from tercet.cli.explain import explain_segment

        explain_segment(judge, corpus, explain, picture, output)
        return
    comparison = compare_systems(corpus, judge, samples=samples, seed=seed)
    if form == "json":
        text = json.dumps(comparison.as_json(), indent=2) + "\n"
    else:
        found = tables(comparison, 2 if decimals is None else decimals, segments=segments)
        text = render_all(found, form, color=arguments.colored(output))
    out.write_result(text, output)


def _judge(model: Path | None, metric: str | None) -> Judge:
    from tercet.compare import KernelJudge, MetricJudge, NetworkJudge

    if model is None:
        from tercet.metrics.registry import metric as metric_of

        return MetricJudge(metric_of(metric or "chrf"))
    from tercet.rankers.kernel import KernelRanker
    from tercet.rankers.loading import load_ranker

    ranker = load_ranker(model)
    return KernelJudge(ranker) if isinstance(ranker, KernelRanker) else NetworkJudge(ranker)
