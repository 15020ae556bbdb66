"""Agreement as the tables that a shared-task paper prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tercet.agreement.evaluation import CEILING, MEAN, Evaluation, Result
from tercet.agreement.matrix import significance_matrix
from tercet.agreement.significance.matrix import Matrix
from tercet.errors import OptionError
from tercet.tables import Cell, Table, best


def tables(evaluation: Evaluation, decimals: int) -> list[Table]:
    """The scorers' table, and which of them is significantly better than which."""
    return [agreement_table(evaluation, decimals), *significance_tables(evaluation, decimals)]


def agreement_table(evaluation: Evaluation, decimals: int) -> Table:
    """Scorers by language pairs, the best mean first."""
    results = evaluation.results
    pairs = list(dict.fromkeys(result.pair for result in results))
    value = {(result.scorer, result.pair): result for result in results}
    last = pairs[-1]
    scorers = [name for name in dict.fromkeys(result.scorer for result in results) if name != CEILING]
    scorers.sort(key=lambda name: -value[name, last].value if (name, last) in value else math.inf)

    table = Table(["Scorer", *pairs, "95 %"], title=results[0].statistic)
    tops = {pair: _best(scorers, value, pair, decimals) for pair in pairs}
    for name in scorers:
        cells = [Cell(_number(value.get((name, pair)), decimals), tops[pair].get(name, False)) for pair in pairs]
        table.add(name, *cells, _interval(value.get((name, last)), decimals))
    if any(result.scorer == CEILING for result in results):
        table.add(CEILING, *(_number(value.get((CEILING, pair)), decimals) for pair in pairs), "")
    judged = {result.pair: result.n for result in results if result.scorer != CEILING}
    counted = "systems" if evaluation.plan.level == "system" else "judgments"
    table.add(counted, *(f"{judged[pair]:,}" for pair in pairs), "")
    table.notes += [f"95 %: bootstrap interval of the {'mean' if last == MEAN else 'value'}"]
    table.notes += evaluation.notes
    table.notes += list(evaluation.signatures.values())
    return table


def significance_tables(evaluation: Evaluation, decimals: int) -> list[Table]:
    """P-values of every two scorers: in the mean, and on each language pair where a test was asked for by name."""
    tests = evaluation.tests
    shown = list(tests) if evaluation.plan.test != "auto" or MEAN not in tests else [MEAN]
    return [matrix_table(tests[pair], decimals, of=pair) for pair in shown]


def matrix_table(matrix: Matrix, decimals: int, *, of: str) -> Table:
    """Row against column: the p-value of the better against the worse, strong where it is significant."""
    order = sorted(range(len(matrix.names)), key=lambda i: -matrix.values[i])
    numbers = [str(place + 1) for place in range(len(order))]
    correction = "" if matrix.correction == "none" else f", {matrix.correction.capitalize()}-corrected"
    title = f"Is the row better than the column? ({of}: {matrix.test}{correction})"
    table = Table(["Scorer", "value", *numbers[1:]], title=title)
    significant = matrix.significant()
    for place, i in enumerate(order):
        cells = [
            Cell(_p(matrix.p_values[i, j]), bool(significant[i, j])) if other > place else Cell("")
            for other, j in list(enumerate(order))[1:]
        ]
        table.add(f"{numbers[place]} {matrix.names[i]}", f"{matrix.values[i]:.{decimals}f}", *cells)
    table.notes.append("* significant at 0.05")
    for row in table.rows:  # a mark that survives where bold does not
        row[2:] = [Cell(f"{cell.text} *", True) if cell.strong else cell for cell in row[2:]]
    return table


def ranking_table(rows: Sequence[dict[str, Any]], *, pair: str, method: str, decimals: int) -> Table:
    """Systems as people rank them, with rank ranges; a line of the table for each, clusters numbered."""
    table = Table(["System", "score", "rank", "range", "cluster"], title=f"{pair}: systems by {method}")
    for row in rows:
        table.add(
            row["system"],
            f"{row['score']:.{decimals}f}",
            str(row["rank"]),
            f"{row['low']}-{row['high']}",
            str(row["cluster"]),
        )
    return table


def judges_table(rows: Sequence[dict[str, Any]], decimals: int) -> Table:
    """How far judges agree with each other and with themselves, for each language pair."""
    table = Table(["Pair", "κ between judges", "n", "κ within a judge", "n", "tau", "n"], title="People against people")
    for row in rows:
        cells = [(row["inter_kappa"], row["inter_meetings"]), (row["intra_kappa"], row["intra_meetings"])]
        cells.append((row["tau"], row["tau_meetings"]))
        shown = [text for value, n in cells for text in (_value(value, decimals), f"{n:,}")]
        table.add(row["pair"], *shown)
    table.notes.append("n: two judgments of the same pair of translations; tau leaves out ties")
    return table


def picture(evaluation: Evaluation) -> str:
    """The tests as an SVG picture."""
    if not evaluation.tests:
        raise OptionError("there are no tests to draw; give two scorers or more")
    pair = MEAN if MEAN in evaluation.tests else next(iter(evaluation.tests))
    tested = evaluation.tests[pair]
    test = f"{tested.test}, {tested.correction} correction" if tested.correction != "none" else tested.test
    statistic = f"{evaluation.results[0].statistic}, {pair}"
    return significance_matrix(tested.names, tested.values, tested.p_values, statistic=statistic, test=test).to_svg()


def _best(scorers: Sequence[str], value: dict[tuple[str, str], Result], pair: str, decimals: int) -> dict[str, bool]:
    there = [name for name in scorers if (name, pair) in value]
    values = [value[name, pair].value for name in there]
    return dict(zip(there, best(values, higher_is_better=True, decimals=decimals), strict=True))


def _number(result: Result | None, decimals: int) -> str:
    return _value(None if result is None else result.value, decimals)


def _value(value: float | None, decimals: int) -> str:
    return "–" if value is None else f"{value:.{decimals}f}"


def _interval(result: Result | None, decimals: int) -> str:
    if result is None or result.low is None or result.high is None:
        return ""
    return f"[{result.low:.{decimals}f}, {result.high:.{decimals}f}]"


def _p(p_value: float) -> str:
    if math.isnan(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"
