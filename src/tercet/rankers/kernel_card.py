"""The card of a kernel ranker's model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet.rankers.card import data_and_agreement
from tercet.rankers.card_sections import certainty, challenged, opening


def model_card(config: Mapping[str, Any]) -> str:
    """Markdown for the model's folder, from its configuration."""
    card, options = config["card"], config["options"]
    trees = options["trees"]
    lines = [
        *opening(
            config,
            title="A preference SVM over trees",
            description="Tells which of two translations of a segment is better, by the syntax and discourse of both "
            "and of the reference (Guzmán et al. 2014).",
            command="tercet compare -r reference.txt -t a.txt b.txt -M THIS-FOLDER",
        ),
        "",
        "## Trees and machine",
        f"{trees['tree']} trees, {trees['fragments']} fragments, λ {trees['decay']:g}, μ {trees['vertical']:g}, "
        + ("REL on both sides" if trees["marked"] else "without REL")
        + (f"; beside them {', '.join(options['features'])}" if options["features"] else "")
        + ".",
        f"Machine: {card.get('machine') or 'not stated'}; {config['support']} support pairs of trees"
        + (
            f"; C {card['cost']:g} and weight of scores {card['weight']:g}, by cross-validation"
            if "cost" in card
            else ""
        )
        + ".",
        certainty(config),
        "",
        *challenged(card),
        *data_and_agreement(card),
    ]
    return "\n".join(lines)
