"""The card of a model: what it is, what it learned from, how far it agrees with people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet.rankers.card_sections import certainty, challenged, opening
from tercet.tables import Table

_CROSS_FITTING = (
    "Not of these weights, which have seen the comparisons, but of networks that were trained as they were: on wmt12 "
    "five folds by segment, each decided by networks that saw the other folds and the other training texts; on the "
    "direct assessments by networks that saw all the rest and nothing of that folder."
)


def model_card(config: Mapping[str, Any]) -> str:
    """Markdown for the model's folder, from its configuration."""
    card, features, options = config["card"], config["features"], config["options"]
    kinds = [f"- {kind.replace('_', ' ')}: {', '.join(specs)}" for kind, specs in features.items() if specs]
    lines = [
        *opening(
            config,
            title="A pairwise network",
            description="Tells which of two translations of a segment is better, given the reference "
            "(Guzmán et al. 2015).",
            command="tercet compare -r reference.txt -t a.txt b.txt -M THIS-FOLDER",
        ),
        "",
        "## Features",
        *kinds,
        "",
        "## Network",
        f"{config['members']} member{'s' * (config['members'] != 1)}, {options['form']} form, "
        + (f"groups of {options['hidden']} nodes, " if options["hidden"] else "no hidden layer, ")
        + f"cost {options['cost']}, {card.get('epochs', 0)} epochs of the last cost"
        + (" (interrupted)" if card.get("interrupted") else "")
        + ".",
        certainty(config),
        "",
        *challenged(card),
        *data_and_agreement(card),
        *_measured_apart(card),
    ]
    return "\n".join(lines)


def _measured_apart(card: Mapping[str, Any]) -> list[str]:
    """What was measured with other networks of the same recipe, how to make the model again, and its limits."""
    lines: list[str] = []
    if card.get("figures"):
        lines += ["## Cross-fitting", _CROSS_FITTING, "", str(card["figures"]), ""]
    if card.get("command"):
        lines += ["## How it was made", f"`{card['command']}`", ""]
    if card.get("limits"):
        lines += ["## Limits", *(f"- {limit}" for limit in card["limits"]), ""]
    return lines


def data_and_agreement(card: Mapping[str, Any]) -> list[str]:
    """What a ranker learned from and was measured on, and its agreement with people there: two sections of a card."""
    data = Table(["", "texts", "pairs", "ties", "segments", "sha256"], text_columns=(0, 1, 5))
    agreement = Table(["", "pair", "strict tau × 100"], text_columns=(0, 1))
    for name in ("training", "validation", "test"):
        part = card.get(name)
        if not part:
            continue
        counts = [f"{part[key]:,}" for key in ("pairs", "ties", "segments")]
        data.add(name, ", ".join(part["texts"]), *counts, part["sha256"][:16])
        for pair, tau in part.get("tau", {}).items():
            agreement.add(name, pair, f"{100 * tau:.2f}")
    shown = data.render("markdown"), agreement.render("markdown")
    also = card.get("assessed")
    more = (
        [
            f"Learned from too: {also['translations']:,} assessed translations ({', '.join(also['texts'])}; sha256 "
            f"{also['sha256'][:16]}), in pairs of different segments.",
            "",
        ]
        if also
        else []
    )
    return ["## Data", shown[0], "", *more, "## Agreement with people", shown[1], ""]
