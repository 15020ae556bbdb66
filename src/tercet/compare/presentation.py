"""A comparison on one screen, and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from tercet.compare.comparison import Comparison, PairResult
from tercet.compare.names import short_names
from tercet.compare.words import ALPHA, NOT_SHOWN, counted, listed, p_phrase, seen_from_below
from tercet.metrics.presentation import p_text
from tercet.tables import Cell, Table, render_all

MOST_PAIRS = 6
"""As many pairs are listed one a line; more stand in a table of rows against columns."""
_BAR = 20


def screen(comparison: Comparison, decimals: int, *, color: bool = False) -> str:
    """Who is better, by how much, how sure: on one screen for up to ten systems."""
    names = _names(comparison)
    tables = [_ranking(comparison, names, decimals, picture=True)]
    if len(comparison.pairs) > MOST_PAIRS:
        tables.append(_matrix(comparison, names))
    else:
        tables.append(_pairs([comparison.pair(*pair) for pair in _by_rank(comparison)], names, decimals))
    tables[-1].notes += [comparison.signature, *comparison.notes]
    return f"{headline(comparison)}\n{setting(comparison)}\n\n{render_all(tables, 'text', color=color)}"


def tables(comparison: Comparison, decimals: int, *, segments: bool = False, named: bool = False) -> list[Table]:
    """The ranking, all pairs and, if wanted, every segment's verdict.

    `named` puts the judge into a column, for formats without notes.
    """
    names = {name: name for name in comparison.systems}
    pairs = _pairs(comparison.pairs, names, decimals)
    pairs.notes += [setting(comparison), comparison.signature, *comparison.notes]
    ranking = _ranking(comparison, names, decimals)
    if named:
        ranking.columns = [*ranking.columns, comparison.kind]
        ranking.rows = [[*row, Cell(comparison.model)] for row in ranking.rows]
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


def headline(comparison: Comparison) -> str:
    """The result in a sentence."""
    names = _names(comparison)
    leaders = [ranked.system for ranked in comparison.ranking if ranked.cluster == 1]
    others = [ranked.system for ranked in comparison.ranking if ranked.cluster > 1]
    if len(leaders) == 1:
        by_effect: dict[str, list[str]] = {}
        for other in others:
            by_effect.setdefault(comparison.pair(leaders[0], other).effect, []).append(names[other])
        shown = [f"{effect} than {_few(group, most=2)}" for effect, group in by_effect.items()]
        return f"{names[leaders[0]]} is best: {listed(shown)}."
    if not others:
        best = names[comparison.ranking[0].system]
        if len(leaders) == 2:
            return f"No difference is shown between {names[leaders[0]]} and {names[leaders[1]]}."
        return f"No system is shown to be better than all others; {best} has the highest score."
    return f"{listed([names[one] for one in leaders])} share the first place; each is better than all below them."


def setting(comparison: Comparison) -> str:
    """What was compared, and by whom."""
    counts = comparison.references
    references = counted(counts[0], "reference") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} references"
    systems = counted(len(comparison.systems), "system")
    return f"{systems}, {counted(comparison.segments, 'segment')}, {references}; {comparison.kind} {comparison.model}"


def verdict(pair: PairResult) -> str:
    """The verdict over a pair, seen from its first system."""
    return pair.effect if not pair.shown or pair.margin > 0 else seen_from_below(pair.effect)


def _names(comparison: Comparison) -> dict[str, str]:
    return dict(zip(comparison.systems, short_names(comparison.systems), strict=True))


def _few(names: Sequence[str], most: int) -> str:
    return listed(names) if len(names) <= most else f"{len(names)} others"


def _ranking(comparison: Comparison, names: Mapping[str, str], decimals: int, *, picture: bool = False) -> Table:
    columns = ["rank", "System", "score", "95 %", "wins", "strength", "cluster"]
    table = Table([*columns, ""] if picture else columns, text_columns=(1, 3, 7))
    places = 1 if picture else decimals
    low = min(ranked.score_low for ranked in comparison.ranking)
    high = max(ranked.score_high for ranked in comparison.ranking)
    for ranked in comparison.ranking:
        rank = f"{ranked.rank}" if ranked.rank_low == ranked.rank_high else f"{ranked.rank_low}–{ranked.rank_high}"
        cells: list[Cell | str] = [
            rank,
            Cell(names[ranked.system], strong=ranked.cluster == 1),
            f"{ranked.score:.{places}f}",
            f"[{ranked.score_low:.{places}f}, {ranked.score_high:.{places}f}]",
            f"{100 * ranked.win_rate:.0f} %",
            f"{ranked.strength:+.{decimals}f}",
            str(ranked.cluster),
        ]
        if picture:
            cells.append(_whiskers(ranked.score_low, ranked.score, ranked.score_high, low, high))
        table.add(*cells)
    return table


def _whiskers(low: float, score: float, high: float, least: float, most: float) -> str:
    """`├──●──┤` on a scale that all systems share."""

    def place(value: float) -> int:
        return round((value - least) / (most - least) * (_BAR - 1)) if most > least else _BAR // 2

    line = [" "] * _BAR
    for i in range(place(low), place(high) + 1):
        line[i] = "─"
    line[place(low)], line[place(high)], line[place(score)] = "├", "┤", "●"
    return "".join(line)


def _by_rank(comparison: Comparison) -> list[tuple[str, str]]:
    return list(combinations([ranked.system for ranked in comparison.ranking], 2))


def _pairs(pairs: Sequence[PairResult], names: Mapping[str, str], decimals: int) -> Table:
    table = Table(
        ["System", "against", "wins", "losses", "ties", "probability", "p", "p bootstrap", "p (Holm)", "verdict"],
        text_columns=(0, 1, 9),
    )
    for pair in pairs:
        counts = [str(count) for count in (pair.wins, pair.losses, pair.ties)]
        tests = [p_text(p) for p in (pair.p_value, pair.p_bootstrap, pair.p_shown)]
        table.add(
            names[pair.first],
            names[pair.second],
            *counts,
            f"{pair.probability:.{decimals}f}",
            *tests,
            Cell(verdict(pair), strong=pair.shown),
        )
    return table


def _matrix(comparison: Comparison, names: Mapping[str, str]) -> Table:
    """Rows against columns: the share of segments that the row wins, with a star where that is significant."""
    order = [ranked.system for ranked in comparison.ranking]
    table = Table(
        ["wins of the row, %", *(str(number) for number in range(1, len(order) + 1))],
        title="Row against column",
    )
    for number, row in enumerate(order, start=1):
        cells: list[Cell | str] = [f"{number} {names[row]}"]
        for column in order:
            if row == column:
                cells.append("·")
                continue
            pair = comparison.pair(row, column)
            star = "*" if pair.shown else " "
            cells.append(Cell(f"{100 * pair.win_rate:.0f}{star}", strong=pair.better == row))
        table.add(*cells)
    worst = max((pair.p_shown for pair in comparison.pairs if pair.shown), default=None)
    star = f"* both tests, Holm-corrected over {len(comparison.pairs)} pairs, below {ALPHA}"
    table.notes.append(star + (f" (the weakest: {p_phrase(worst)})" if worst is not None else f": {NOT_SHOWN}"))
    return table
