"""The card of a joint-objective metric: what it is, what it learned from, what it looks at, how far it agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tercet.rankers.card_sections import challenged, opening
from tercet.tables import Cell, Table


def model_card(config: Mapping[str, Any], explained: Sequence[tuple[str, float, float]]) -> str:
    """Markdown for the model's folder, from its configuration and its weights."""
    card, options = config["card"], config["options"]
    objective = options["objective"] + (f" (α = {options['alpha']:g})" if options["objective"] == "joint" else "")
    lines = [
        *opening(
            config,
            title="A joint-objective metric",
            description="Scores a translation against its reference between 0 and 1 (Stanojević & Sima'an 2017); "
            "a corpus has the mean of its segments.",
            command=f"tercet score -r reference.txt -t system.txt -m {card.get('use') or 'joint:model=THIS-FOLDER'}",
        ),
        f"- features: {', '.join(config['features'])} ({config['columns']} columns, scaling {options['scaling']})",
        f"- objective: {objective}; epoch {card.get('best_epoch')} of {card.get('epochs')}"
        + (f"; a hidden layer of {options['hidden']} nodes" if options["hidden"] else "; linear")
        + (" (interrupted)" if card.get("interrupted") else ""),
        f"- probabilities: sigmoid(margin / {config['calibration']['temperature']:.4g})"
        + (f"; direct assessments by a line of {config['corners']} corners" if config["corners"] else ""),
        "",
        "## Data",
        _data(card).render("markdown"),
        "",
    ]
    if card.get("agreement"):
        lines += ["## Agreement with people", card.get("agreement_note", ""), ""]
        lines += [agreement_table(card["agreement"]).render("markdown"), ""]
    if card.get("choices"):
        lines += ["## Settings", "By cross-validation within the training data: agreement, mean of both levels.", ""]
        lines += [_choices(card["choices"]).render("markdown"), ""]
    if card.get("alphas"):
        lines += ["## α on the validation data", _alphas(card["alphas"]).render("markdown"), ""]
    lines += challenged(card)
    lines += [
        "## Weights",
        "What a feature more by one standard deviation of the training data adds before the sigmoid.",
    ]
    return "\n".join([*lines, "", weights_table(explained).render("markdown"), ""])


def weights_table(explained: Sequence[tuple[str, float, float]], most: int | None = None) -> Table:
    """Features by their effect, the most helpful first; with `most`, only so many from either end."""
    table = Table(["feature", "weight", "effect"])
    chosen = list(explained)
    if most is not None and len(chosen) > 2 * most:
        table.notes.append(f"{len(chosen) - 2 * most} features between these are left out")
        chosen = chosen[:most] + chosen[-most:]
    for name, weight, effect in chosen:
        table.add(name, f"{weight:+.4f}", f"{effect:+.4f}")
    return table


def _data(card: Mapping[str, Any]) -> Table:
    columns = ["", "texts", "judgments", "pairs of sentences", "pairs of corpora", "sha256"]
    table = Table(columns, text_columns=(0, 1, 5))
    for name in ("training", "validation", "test"):
        part = card.get(name)
        if part:
            counts = [f"{part[key]:,}" if key in part else "" for key in ("judgments", "pairs", "corpus_pairs")]
            table.add(name, ", ".join(part["texts"]), *counts, part["sha256"][:16])
    return table


def agreement_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """A line for each statistic of each text."""
    table = Table(["data", "pair", "statistic", "joint", "chrF"], text_columns=(0, 1, 2))
    for row in rows:
        table.add(row["data"], row["pair"], row["statistic"], f"{row['value']:.4f}", f"{row['chrf']:.4f}")
    return table


def _choices(scores: Sequence[tuple[str, float]]) -> Table:
    table = Table(["settings", "agreement"])
    best = max(score for _, score in scores)
    for said, score in scores:
        table.add(said, Cell(f"{score:.4f}", score == best))
    return table


def _alphas(points: Sequence[Mapping[str, float]]) -> Table:
    table = Table(["α", "tau of sentences", "Pearson's r of corpora", "mean"])
    for point in points:
        mean = (point["tau"] + point["pearson"]) / 2
        table.add(f"{point['alpha']:g}", f"{point['tau']:.4f}", f"{point['pearson']:.4f}", f"{mean:.4f}")
    return table
