"""`tercet rerank`: the best of several translations of each segment."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError, ShapeError


def rerank(
    translations: Annotated[
        str, typer.Option("-t", "--translations", help="Lists of translations: plain, Moses or JSON lines; - is stdin.")
    ],
    number: Annotated[
        int | None, typer.Option("-n", "--number", min=1, help="A plain file has so many lines for each segment.")
    ] = None,
    references: arguments.References = [],  # noqa: B006
    source: arguments.Source = None,
    metric: Annotated[
        str | None,
        typer.Option("-m", "--metric", help="Decide by a metric; chrf if there are no references."),
    ] = None,
    model: Annotated[
        str | None, typer.Option("-M", "--model", help="Decide by a model's pairwise wins; needs references.")
    ] = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="So many of the best, as Moses lines if above 1.")] = 1,
    input_format: Annotated[
        Literal["plain", "moses", "jsonl"] | None, typer.Option(help="What the lists are, if it cannot be told.")
    ] = None,
    form: Annotated[Literal["text", "json"], typer.Option("-f", "--format", help="Texts, or all scores.")] = "text",
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
    quiet: arguments.Quiet = False,
) -> None:
    """Pick the best of several translations of each segment.

    Without references every translation of a list is a reference for the others (minimum Bayes risk).

    tercet rerank -t nbest.txt -n 100 -m chrf
    """
    if metric is not None and model is not None:
        raise OptionError("-M and -m are two judges; choose one")
    if model is not None and not references:
        raise OptionError("a model compares translations with a reference; give -r, or rerank by -m METRIC")
    if source is not None and not references:
        raise OptionError("sources are read by models, which need references; give -r too, or leave out -s")
    arguments.use_threads(threads)

    import json

    from tercet.compare import reranking
    from tercet.compare.judges import choose_judge
    from tercet.corpus.nbest import read_nbest
    from tercet.corpus.reading import read_references
    from tercet.metrics.registry import metric as metric_of
    from tercet.output import progress_bar, write_result

    lists = read_nbest(translations, form=input_format, number=number)
    sets, sources = read_references(references, source) if references else ([], None)
    for texts, what in ((sets, "references"), (sources, "sources")):
        if texts and len(texts) != len(lists):
            raise ShapeError(f"{lists.file} has lists of {len(lists)} segments, and the {what} have {len(texts)}")
    with progress_bar("segments", len(lists), quiet=quiet) as progress:
        if not sets:
            found = reranking.minimum_bayes_risk(lists.segments, metric_of(metric or "chrf"), progress)
        elif metric is not None:
            found = reranking.against_references(lists.segments, sets, metric_of(metric), progress)
        else:
            judge = choose_judge(model, None)
            found = reranking.pairwise_wins(lists.segments, sets, judge, judge.signature, sources, progress)
    if form == "json":
        text = json.dumps(found.as_json(), indent=2, ensure_ascii=False) + "\n"
    elif keep == 1:
        text = "".join(f"{best}\n" for best in found.best())
    else:
        text = "".join(
            f"{segment} ||| {texts[place]} ||| ||| {found.scores[segment][place]:.4f}\n"
            for segment, texts in enumerate(lists.segments)
            for place in found.order(segment)[:keep]
        )
    write_result(text, output)
