"""The card of a model: what it is, what it learned from, how far it agrees with people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet.rankers.card_sections import certainty, challenged, opening
from tercet.tables import Table


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
    ]
    return "\n".join(lines)


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
    return ["## Data", shown[0], "", "## Agreement with people", shown[1], ""]
