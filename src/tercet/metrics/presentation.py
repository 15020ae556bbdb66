"""Scores as tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tercet.metrics.scoring import MetricScores, SystemScore
from tercet.tables import Cell, Table, best

ALPHA = 0.05


def as_json(results: Sequence[MetricScores]) -> str:
    """The JSON of `tercet score`; numbers in full precision."""
    return json.dumps({"metrics": {scores.spec: scores.as_json() for scores in results}}, indent=2) + "\n"


def bare_scores(results: Sequence[MetricScores], decimals: int | None = None) -> str:
    """Scores alone: a line a system, a tab between metrics."""
    lines = [
        "\t".join(f"{scores.systems[name].score:.{_places(scores, decimals)}f}" for scores in results)
        for name in _systems(results)
    ]
    return "\n".join(lines) + "\n"


def tables(results: Sequence[MetricScores], decimals: int | None = None) -> list[Table]:
    """The systems' table, and those of whatever else was asked for; decimals are each metric's own if not given."""
    found = [_systems_table(results, decimals)]
    if any(system.components is not None for system in results[0].systems.values()):
        found += [_components_table(scores, decimals) for scores in results]
    if any(scores.comparisons for scores in results):
        found += [_comparisons_table(scores, decimals) for scores in results]
    if any(system.segments is not None for system in results[0].systems.values()):
        found.append(_segments_table(results, decimals))
    return found


def p_text(p_value: float) -> str:
    """A p-value as people write it."""
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _systems(results: Sequence[MetricScores]) -> list[str]:
    return list(results[0].systems)


def _systems_table(results: Sequence[MetricScores], decimals: int | None) -> Table:
    names = [scores.metric.label + (" ↓" if not scores.metric.higher_is_better else "") for scores in results]
    table = Table(["System", *names])
    tops = [
        best(
            [system.score for system in scores.systems.values()],
            higher_is_better=scores.metric.higher_is_better,
            decimals=_places(scores, decimals),
        )
        for scores in results
    ]
    for i, name in enumerate(_systems(results)):
        cells = [
            Cell(_score_text(scores.systems[name], _places(scores, decimals)), top[i])
            for scores, top in zip(results, tops, strict=True)
        ]
        table.add(name, *cells)
    table.notes += [str(scores.signature) for scores in results]
    if any(not scores.metric.higher_is_better for scores in results):
        table.notes.insert(0, "↓ lower is better")
    return table


def _score_text(system: SystemScore, decimals: int) -> str:
    text = f"{system.score:.{decimals}f}"
    return text if system.interval is None else f"{text} ± {system.interval.half_width:.{decimals}f}"


def _components_table(scores: MetricScores, decimals: int | None) -> Table:
    table = Table(["Component", *scores.systems], title=f"{scores.metric.label}: what the score is made of")
    parts = [system.components or {} for system in scores.systems.values()]
    for name in parts[0]:
        table.add(name, *(f"{part[name]:.{_places(scores, decimals) + 2}f}".rstrip("0").rstrip(".") for part in parts))
    return table


def _comparisons_table(scores: MetricScores, decimals: int | None) -> Table:
    kind = "paired bootstrap" if "|ar:" not in str(scores.signature) else "approximate randomization"
    table = Table(
        ["System", "against", "difference", "p", "p (Holm)", "verdict"],
        title=f"{scores.metric.label}: {kind}",
        text_columns=(0, 1, 5),
    )
    for comparison in scores.comparisons:
        better = (comparison.difference > 0) == scores.metric.higher_is_better
        verdict = "no difference shown" if comparison.p_holm >= ALPHA else "better" if better else "worse"
        table.add(
            comparison.first,
            comparison.second,
            f"{comparison.difference:+.{_places(scores, decimals)}f}",
            p_text(comparison.p_value),
            p_text(comparison.p_holm),
            Cell(verdict, strong=comparison.p_holm < ALPHA),
        )
    return table


def _segments_table(results: Sequence[MetricScores], decimals: int | None) -> Table:
    table = Table(["System", "segment", *(scores.metric.label for scores in results)])
    places = [_places(scores, decimals) for scores in results]
    for name in _systems(results):
        columns = [scores.systems[name].segments for scores in results]
        for i, values in enumerate(zip(*(column for column in columns if column is not None), strict=True)):
            table.add(name, str(i + 1), *(f"{value:.{n}f}" for value, n in zip(values, places, strict=True)))
    table.notes += [str(scores.segment_signature) for scores in results]
    return table


def _places(scores: MetricScores, decimals: int | None) -> int:
    return scores.metric.decimals if decimals is None else decimals
