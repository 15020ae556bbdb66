"""`tercet evaluate --challenge`: what metrics and models can tell, kind of mistake by kind of mistake."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tercet.cli import arguments
from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.agreement.challenge import Array
    from tercet.compare.judges import Judge
    from tercet.rankers.base import Ranker


def challenge(
    file: str,
    metrics: Sequence[str],
    models: Sequence[str],
    *,
    failures: bool,
    card: bool,
    form: str,
    decimals: int | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Scores the triples of a file, or of the set that ships, and prints the accuracies."""
    if not (metrics or models):
        raise OptionError("nobody to challenge; give metrics with -m or models with -M")
    if card and (not models or file != arguments.SHIPPED):
        raise OptionError(
            "--card writes what models make of the set that ships; give -M, and --challenge without a file"
        )

    import json

    from tercet.agreement.challenge import SHIPPED, read_challenge
    from tercet.agreement.challenge_tables import ChallengeResults
    from tercet.compare.judges import MetricJudge, judge_of
    from tercet.metrics.registry import metric
    from tercet.output import write_result
    from tercet.rankers.loading import find_model, load_model, model_name
    from tercet.tables import render_all

    triples = read_challenge(SHIPPED if file == arguments.SHIPPED else file)
    judges: dict[str, Judge] = {spec: MetricJudge(metric(spec)) for spec in metrics}
    loaded: dict[str, tuple[Path, Ranker]] = {}
    for model in models:
        name = model_name(model)
        if name in judges:  # `joint` is a metric and a model; two folders may have one name
            name = f"model {name}" if name in metrics else str(model)
        loaded[name] = find_model(model), load_model(model)
        judges[name] = judge_of(loaded[name][1], name)
    margins, signatures = {}, {}
    with arguments.progress_bar("scoring", len(judges) * len(triples), quiet=quiet) as progress:
        for name, judge in judges.items():
            margins[name] = triples.margins(partial(_margin, judge))
            signatures[name] = str(judge.signature)
            progress(len(triples))
    results = ChallengeResults(triples, margins, signatures)
    if form == "json":
        text = json.dumps(results.as_json(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        tables = results.tables(1 if decimals is None else decimals, failures=failures)
        text = render_all(tables, form, color=arguments.colored(output))
    if card:
        from tercet.rankers.challenged import write_into_card

        for name, (folder, ranker) in loaded.items():
            own = [row for row in results.accuracies if row.scorer == name]
            write_into_card(folder, ranker, triples.sha256, own)
    write_result(text, output)


def _margin(
    judge: Judge,
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[tuple[str, ...]],
    sources: Sequence[str] | None,
) -> Array:
    found: Array = judge.margins((first, second), references, sources)[0, 1]
    return found
