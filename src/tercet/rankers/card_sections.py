"""What the cards of all rankers say alike: their opening, how sure they are, what they agree with and can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tercet.agreement.challenge import PARTS, Accuracy
from tercet.tables import Table


def opening(config: Mapping[str, Any], *, title: str, description: str, command: str) -> list[str]:
    """What a card begins with; title and description are those of the recipe, if it has them."""
    card = config["card"]
    return [
        f"# {card.get('title') or title}",
        "",
        card.get("description") or description,
        "",
        "```",
        command,
        "```",
        "",
        f"- signature: `{config['signature']}`",
        f"- licence: {card.get('licence') or 'not stated'}",
        f"- trained: {card.get('date') or 'date not stated'}, tercet {config['tercet']}",
    ]


def certainty(config: Mapping[str, Any]) -> str:
    """How a margin becomes a probability, and which margins are ties."""
    calibration = config["calibration"]
    return (
        f"Probabilities: sigmoid(margin / {calibration['temperature']:.4g}); margins of at most "
        f"{calibration['tie_band']:.4g} are ties."
    )


def taus(card: Mapping[str, Any], parts: Sequence[str]) -> Table:
    """A ranker's agreement on parts of its data, language pair by language pair."""
    table = Table(["data", "pair", "strict tau × 100"], text_columns=(0, 1))
    for name in parts:
        for pair, tau in (card.get(name) or {}).get("tau", {}).items():
            table.add(name, pair, f"{100 * tau:.2f}")
    return table


def challenged(card: Mapping[str, Any]) -> list[str]:
    """Which kinds of mistake the ranker sees, if `tercet evaluate --challenge --card` has asked it: a section."""
    if not card.get("challenge"):
        return []
    found = {kind: Accuracy("", kind, **counts) for kind, counts in card["challenge"]["kinds"].items()}
    table = Table(["kind", "n", "%", "95 %"])
    for kind, accuracy in found.items():
        low, high = accuracy.interval()
        table.add(kind, str(accuracy.n), f"{100 * accuracy.value:.1f}", f"{100 * low:.1f}–{100 * high:.1f}")
    missed = [kind for kind, accuracy in found.items() if accuracy.value < 0.5 and kind not in PARTS]
    return [
        "## What it can tell",
        f"How often it prefers the better translation of the challenge set (sha256 {card['challenge']['sha256'][:16]}; "
        "a coin has 50, a tie counts as wrong).",
        f"Wrong more often than right, so not to be trusted with: {', '.join(missed) or 'none of the kinds'}.",
        "",
        table.render("markdown"),
        "",
    ]
