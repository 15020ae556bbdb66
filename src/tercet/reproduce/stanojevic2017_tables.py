"""What was measured of Stanojević & Sima'an (2017), for people and for programs, the paper's figures beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tercet.agreement.evaluation import MEAN
from tercet.rankers.joint import JointRanker
from tercet.rankers.joint_fitting import AlphaPoint
from tercet.reproduce.stanojevic2017 import BASELINES, Measured
from tercet.reproduce.stanojevic2017_published import OBJECTIVES, PUBLISHED
from tercet.tables import Cell, Table

_LETTERS = {name: name[0].upper() for name in OBJECTIVES} | {"chrf": "f", "bleu": "b"}

_TITLES = {
    "RR, corpora": "Table 1a: relative ranking, corpora, Pearson's r with Expected Wins",
    "RR, sentences": "Table 1b: relative ranking, sentences, Kendall's τ (WMT14)",
    "DA, corpora": "Table 2a: direct assessment, corpora, Pearson's r",
    "DA, artificial corpora": "Table 2a, hybrid super-sampling: Pearson's r over 10,000 artificial corpora",
    "DA, sentences": "Table 2b: direct assessment, sentences, Pearson's r",
}
_MARKS = "S, C, J, f, b: outperforms the sentence, corpus or joint objective, chrF or BLEU with p < 0.05 by "
_NOTES = {
    "RR, corpora": _MARKS + "Williams' test over systems; the mean by bootstrap over segments.",
    "RR, sentences": _MARKS + "bootstrap over segments.",
    "DA, corpora": _MARKS + "Williams' test over systems; the mean by bootstrap over segments.",
    "DA, artificial corpora": _MARKS + "Williams' test over the artificial corpora; the mean is not tested.",
    "DA, sentences": _MARKS + "Williams' test; the mean by bootstrap over segments.",
}


def as_table(measured: Measured, models: Sequence[str]) -> Table:
    """A row for each model and metric, marked with what it outperforms; the paper's own where it has the same tests."""
    columns = measured.columns()
    heads = [f"{test} {pair}" for test, pair in columns]
    table = Table(["scorer", *heads, "average", "paper's average"], title=_TITLES[measured.level])
    for scorer in [*models, *BASELINES]:
        cells: list[Cell | str] = []
        for test, pair in columns:
            value = measured.value(scorer, test, pair)
            beaten = measured.beaten(scorer, test, pair, list(_LETTERS))
            marks = "".join(_LETTERS[name] for name in beaten)
            shown = "—" if value is None else f"{value:.4f}{' ' + marks if marks else ''}"
            cells.append(Cell(shown, strong=set(OBJECTIVES) - {scorer} <= set(beaten)))
        paper = PUBLISHED[measured.level].get(scorer, {})
        average = f"{paper[MEAN]:.4f}" if paper else ""
        table.add(scorer, *cells, f"{measured.average(scorer):.4f}", average)
        if any(test.startswith("wmt16") for test, _ in columns) and paper:
            printed = [f"{paper[pair]:.4f}" if pair in paper and pair != MEAN else "" for _, pair in columns]
            table.add(f"{scorer}, in the paper", *printed, average, "")
    table.notes.append(_NOTES[measured.level])
    return table


def as_json(measured: Measured, models: Sequence[str]) -> dict[str, Any]:
    """The table for programs."""
    rows = []
    for scorer in [*models, *BASELINES]:
        columns = measured.columns()
        ours: dict[str, Any] = {f"{test} {pair}": measured.value(scorer, test, pair) for test, pair in columns}
        beats = {f"{test} {pair}": measured.beaten(scorer, test, pair, list(_LETTERS)) for test, pair in columns}
        rows.append(
            {
                "system": scorer,
                "paper": PUBLISHED[measured.level].get(scorer, {}),
                "ours": ours | {"average": measured.average(scorer)},
                "outperforms": beats,
            }
        )
    return {"name": _TITLES[measured.level], "rows": rows}


def claim_table(measured: Sequence[Measured]) -> Table:
    """Level by level: is the joint objective at or above both others, as the paper finds in the mean?"""
    columns = ["level", "test", *OBJECTIVES, "joint at or above both", "p, over sentence", "p, over corpus"]
    table = Table(columns, title="The joint objective and the single ones, mean of language pairs", text_columns=(0, 1))
    for one in measured:
        for test, evaluation in one.tests.items():
            pairs = {result.pair for result in evaluation.results}
            pair = MEAN if MEAN in pairs else next(iter(pairs))
            values = {name: one.value(name, test, pair) for name in OBJECTIVES}
            shown = [f"{value:.4f}" if value is not None else "—" for value in values.values()]
            joint = values["joint"]
            holds = joint is not None and all(value is None or joint >= value for value in values.values())
            ps = [one.p_value("joint", other, test, pair) for other in ("sentence", "corpus")]
            table.add(
                one.level, test, *shown, "yes" if holds else "no", *("—" if p is None else f"{p:.3f}" for p in ps)
            )
    table.notes.append("p: one-sided, of the claim that joint agrees better; near 1 the other one does.")
    return table


def validation_table(models: Mapping[str, JointRanker]) -> Table:
    """What a choice among the models can go by without looking at a test."""
    table = Table(["scorer", "best epoch", "τ of sentences", "r of corpora", "mean"], title="On the validation data")
    found = {name: ranker.card_["validation"] for name, ranker in models.items()}
    points = {name: AlphaPoint(0, one["tau"], one["pearson"]) for name, one in found.items() if one["pearson"]}
    best = max((point.score for point in points.values()), default=None)
    for name, ranker in models.items():
        point, epoch = points.get(name), str(ranker.card_["best_epoch"])
        if point is None:  # too few corpora to correlate
            table.add(name, epoch, f"{found[name]['tau']:.4f}", "—", "—")
        else:
            mean = Cell(f"{point.score:.4f}", point.score == best)
            table.add(name, epoch, f"{point.tau:.4f}", f"{point.pearson:.4f}", mean)
    return table


def alpha_table(points: Sequence[AlphaPoint]) -> Table:
    """The curve of α in figures."""
    table = Table(["α", "τ of sentences", "r of corpora", "mean"], title="α on the validation data")
    best = max(point.score for point in points)
    for point in points:
        mean = Cell(f"{point.score:.4f}", point.score == best)
        table.add(f"{point.alpha:g}", f"{point.tau:.4f}", f"{point.pearson:.4f}", mean)
    return table
