"""The card of a kernel ranker's model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet.rankers.card import data_and_agreement


def model_card(config: Mapping[str, Any]) -> str:
    """Markdown for the model's folder, from its configuration."""
    card, options, calibration = config["card"], config["options"], config["calibration"]
    trees = options["trees"]
    lines = [
        f"# {card.get('title') or 'A preference SVM over trees'}",
        "",
        card.get("description")
        or "Tells which of two translations of a segment is better, by the syntax and discourse of both and of the "
        "reference (Guzmán et al. 2014).",
        "",
        "```",
        "tercet compare -r reference.txt -t a.txt b.txt -M THIS-FOLDER",
        "```",
        "",
        f"- signature: `{config['signature']}`",
        f"- licence: {card.get('licence') or 'not stated'}",
        f"- trained: {card.get('date') or 'date not stated'}, tercet {config['tercet']}",
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
        f"Probabilities: sigmoid(margin / {calibration['temperature']:.4g}); margins of at most "
        f"{calibration['tie_band']:.4g} are ties.",
        "",
        *data_and_agreement(card),
    ]
    return "\n".join(lines)
