"""A comparison as tables."""

from __future__ import annotations

from tercet.compare.comparison import ALPHA, Comparison
from tercet.metrics.presentation import p_text
from tercet.tables import Cell, Table


def tables(comparison: Comparison, decimals: int, *, segments: bool = False) -> list[Table]:
    """The ranking, the pairs and, if wanted, every segment's verdict."""
    ranking = Table(["rank", "System", "score", "cluster"], text_columns=(1,))
    for ranked in comparison.ranking:
        ranking.add(str(ranked.rank), ranked.system, f"{ranked.score:.{decimals}f}", str(ranked.cluster))
    pairs = Table(
        ["System", "against", "wins", "losses", "ties", "probability", "p", "p (Holm)", "verdict"],
        text_columns=(0, 1, 8),
    )
    for pair in comparison.pairs:
        sure = pair.p_holm < ALPHA
        verdict = "no difference shown" if not sure else "better" if pair.margin > 0 else "worse"
        counts = [str(count) for count in (pair.wins, pair.losses, pair.ties)]
        shown = [f"{pair.probability:.{decimals}f}", p_text(pair.p_value), p_text(pair.p_holm)]
        pairs.add(pair.first, pair.second, *counts, *shown, Cell(verdict, strong=sure))
    pairs.notes += [comparison.signature, *comparison.notes]
    found = [ranking, pairs]
    if segments:
        words = {1: "better", 0: "tie", -1: "worse"}
        table = Table(["segment", "System", "against", "verdict", "probability", "margin"], text_columns=(1, 2, 3))
        for (first, second), margins in comparison.margins.items():
            verdicts, chances = comparison.verdicts[first, second], comparison.probabilities[first, second]
            for number, margin in enumerate(margins):
                verdict, chance = words[int(verdicts[number])], f"{chances[number]:.{decimals}f}"
                table.add(str(number + 1), first, second, verdict, chance, f"{margin:.{decimals + 2}f}")
        found.append(table)
    return found
