"""Stanojević & Sima'an (2017) again: Tables 1 and 2, the three objectives side by side, with tests between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tercet.agreement.evaluation import MEAN, Evaluation, Plan, evaluate
from tercet.agreement.scorers import Scored, score_texts
from tercet.corpus.judged import JudgedTexts
from tercet.errors import InputError
from tercet.features.cache import FeatureCache
from tercet.metrics.registry import metric as metric_of
from tercet.rankers.joint import JointOptions, JointRanker
from tercet.rankers.joint_data import Examples
from tercet.rankers.joint_fitting import AlphaPoint, alpha_curve, fit_examples, prepared
from tercet.rankers.judged_data import hold_out, read_judged_folder
from tercet.reproduce.stanojevic2017_published import OBJECTIVES, PUBLISHED
from tercet.tables import Cell, Table

ALPHAS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
LEVELS = ("RR, corpora", "RR, sentences", "DA, corpora", "DA, sentences")
SIGNIFICANT = 0.05
_BASELINES = ("chrf", "bleu")


@dataclass(frozen=True)
class Protocol:
    """What is learned from, validated and tested on; the language pairs of each test stand for themselves."""

    name: str
    description: str
    train: list[JudgedTexts]
    validation: list[JudgedTexts]
    compared: dict[str, list[JudgedTexts]]
    """Tests by comparisons (RR), by name."""
    assessed: dict[str, list[JudgedTexts]]
    """Tests by direct assessment (DA)."""


def read_protocol(data: Path) -> Protocol:
    """The paper's own protocol where WMT14 and WMT16 are there; else the years that are."""
    has = {year: (data / year).is_dir() for year in ("wmt12", "wmt13", "wmt14", "wmt16", "wmt16-da")}
    if not has["wmt13"]:
        raise InputError("has no wmt13/ in it", file=data, remedy="give --data the folder that holds the WMT data")
    train = read_judged_folder(data / "wmt13")
    if has["wmt14"] and (has["wmt16"] or has["wmt16-da"]):
        return Protocol(
            "official",
            "train on WMT13, validate on WMT14, test on WMT16: the paper's protocol",
            train,
            read_judged_folder(data / "wmt14"),
            {"wmt16": read_judged_folder(data / "wmt16")} if has["wmt16"] else {},
            {"wmt16-da": read_judged_folder(data / "wmt16-da")} if has["wmt16-da"] else {},
        )
    if not has["wmt12"]:
        raise InputError("has no wmt12/ to validate on", file=data, remedy="add wmt12/, or wmt14/ and wmt16/")
    test, validation = hold_out(read_judged_folder(data / "wmt12"), 1 / 3, 1)
    assessed = {name: read_judged_folder(data / name) for name in ("wmt15-da", "wmt17-da") if (data / name).is_dir()}
    return Protocol(
        "here",
        "train on WMT13 fr-en, validate on a third of WMT12 by segment, test on its rest and on WMT15 and WMT17 DA",
        train,
        validation,
        {"wmt12": test},
        assessed,
    )


@dataclass
class Measured:
    """One table: what every scorer reaches on every test."""

    level: str
    tests: dict[str, Evaluation] = field(default_factory=dict)

    def value(self, scorer: str, test: str, pair: str) -> float | None:
        """Its agreement; None where that was not measured."""
        for result in self.tests[test].results:
            if (result.scorer, result.pair) == (scorer, pair):
                return result.value
        return None

    def columns(self) -> list[tuple[str, str]]:
        """Tests and their language pairs, each test's mean last."""
        found = [(test, result.pair) for test, one in self.tests.items() for result in one.results]
        return list(dict.fromkeys(found))

    def average(self, scorer: str) -> float:
        """Over all language pairs of all tests."""
        values = [self.value(scorer, test, pair) for test, pair in self.columns() if pair != MEAN]
        return float(np.mean([value for value in values if value is not None]))

    def beaten(self, scorer: str, test: str, pair: str, others: Sequence[str]) -> list[str]:
        """Those of the others that it outperforms with significance."""
        matrix = self.tests[test].tests.get(pair)
        if matrix is None or scorer not in matrix.names:
            return []
        here = matrix.names.index(scorer)
        return [
            other
            for other in others
            if other in matrix.names
            and other != scorer
            and matrix.p_values[here, matrix.names.index(other)] < SIGNIFICANT
        ]


@dataclass
class Runner:
    """Trains every model once and measures all of them on every test."""

    protocol: Protocol
    options: JointOptions = field(default_factory=JointOptions)
    features: tuple[str, ...] = ("beer57",)
    cache: FeatureCache = field(default_factory=FeatureCache.default)
    told: Callable[[str], None] = lambda text: None
    points: list[AlphaPoint] = field(default_factory=list)
    """The curve of α on the validation data, once it is known."""

    def prepare(self) -> tuple[Examples, Examples]:
        """The examples to learn from and to validate on."""
        sets = JointRanker(self.features).feature_sets
        parts = [
            prepared(part, sets, self.options, self.cache) for part in (self.protocol.train, self.protocol.validation)
        ]
        return parts[0], parts[1]

    def models(self, *, beyond: bool) -> dict[str, JointRanker]:
        """The three objectives; beyond the paper, also on standardized features, with α by validation, and deeper."""
        learned, held = self.prepare()
        plain = {
            "sentence": replace(self.options, objective="sentence"),
            "corpus": replace(self.options, objective="corpus"),
            "joint": replace(self.options, objective="joint"),
        }
        found = {name: self._fitted(options, learned, held) for name, options in plain.items()}
        if beyond:
            curve = alpha_curve(self.options, learned, held, ALPHAS)
            self.points = [point for point, _ in curve]
            best, fitted = max(curve, key=lambda one: one[0].score)
            found[f"joint, α = {best.alpha:g}"] = self._adopted(replace(self.options, alpha=best.alpha), fitted)
            for name, options in plain.items():
                found[f"{name}, standardized"] = self._fitted(replace(options, scaling="standard"), learned, held)
            deep = replace(self.options, hidden=8, scaling="standard")
            found["joint, 8 hidden nodes"] = self._fitted(deep, learned, held)
        return found

    def measure(self, models: Mapping[str, JointRanker], levels: Sequence[str] = LEVELS) -> list[Measured]:
        """Every level of every kind of judgment."""
        metrics = {name: metric_of(name) for name in _BASELINES}
        found = []
        for level in levels:
            kind, of = level.split(", ")
            tests = self.protocol.compared if kind == "RR" else self.protocol.assessed
            measured = Measured(level)
            for name, judged in tests.items():
                parts = []
                for texts in judged:
                    systems = texts.judgments.systems()
                    if of == "corpora" and len(systems) < 4:
                        continue
                    scorers = {model: _scored(model, ranker, texts, systems) for model, ranker in models.items()}
                    parts.append((texts, systems, scorers | score_texts(texts, systems, metrics)))
                if parts:
                    self.told(f"{level}: {name}")
                    measured.tests[name] = evaluate(parts, _plan(kind, of))
            if measured.tests:
                found.append(measured)
        return found

    def _fitted(self, options: JointOptions, learned: Examples, held: Examples) -> JointRanker:
        fitted = fit_examples(options, learned, held)
        self.told(f"{options.objective}: trained, best epoch {fitted.card['best_epoch']}")
        return self._adopted(options, fitted)

    def _adopted(self, options: JointOptions, fitted: Any) -> JointRanker:
        ranker = JointRanker(self.features, options, self.cache)
        ranker.adopt(fitted)
        return ranker


def as_table(measured: Measured, models: Sequence[str]) -> Table:
    """A row for each model and metric; letters name the objectives that a model outperforms with p < 0.05."""
    columns = measured.columns()
    heads = [f"{test} {pair}" for test, pair in columns]
    table = Table(["scorer", *heads, "average", "paper's average"], title=_TITLES[measured.level])
    for scorer in [*models, *_BASELINES]:
        cells: list[Cell | str] = []
        for test, pair in columns:
            value = measured.value(scorer, test, pair)
            beaten = measured.beaten(scorer, test, pair, list(OBJECTIVES)) if scorer in models else []
            marks = "".join(name[0].upper() for name in beaten)
            others = len(OBJECTIVES) - (scorer in OBJECTIVES)
            shown = "—" if value is None else f"{value:.4f}{' ' + marks if marks else ''}"
            cells.append(Cell(shown, strong=len(beaten) == others))
        paper = PUBLISHED[measured.level].get(scorer, {}).get(MEAN)
        table.add(scorer, *cells, f"{measured.average(scorer):.4f}", "" if paper is None else f"{paper:.4f}")
    table.notes.append(_NOTES[measured.level])
    return table


def as_json(measured: Measured, models: Sequence[str]) -> dict[str, Any]:
    """The table for programs."""
    rows = []
    for scorer in [*models, *_BASELINES]:
        ours: dict[str, Any] = {
            f"{test} {pair}": measured.value(scorer, test, pair) for test, pair in measured.columns()
        }
        beats = {
            f"{test} {pair}": measured.beaten(scorer, test, pair, [*OBJECTIVES, *_BASELINES])
            for test, pair in measured.columns()
        }
        rows.append(
            {
                "system": scorer,
                "paper": PUBLISHED[measured.level].get(scorer, {}),
                "ours": ours | {"average": measured.average(scorer)},
                "outperforms": beats,
            }
        )
    return {"name": _TITLES[measured.level], "rows": rows}


_TITLES = {
    "RR, corpora": "Table 1a: relative ranking, corpora, Pearson's r with Expected Wins",
    "RR, sentences": "Table 1b: relative ranking, sentences, Kendall's τ (WMT14)",
    "DA, corpora": "Table 2a: direct assessment, corpora, Pearson's r",
    "DA, sentences": "Table 2b: direct assessment, sentences, Pearson's r",
}
_MARKS = "S, C, J: outperforms the sentence, corpus or joint objective with p < 0.05 by "
_NOTES = {
    "RR, corpora": _MARKS + "Williams' test over systems; the mean by bootstrap over segments.",
    "RR, sentences": _MARKS + "bootstrap over segments.",
    "DA, corpora": _MARKS + "Williams' test over 10,000 artificial systems (hybrid super-sampling).",
    "DA, sentences": _MARKS + "Williams' test; the mean by bootstrap over segments.",
}


def _plan(kind: str, of: str) -> Plan:
    if kind == "RR":
        level = Plan(level="system", test="williams") if of == "corpora" else Plan(tau="wmt14", test="bootstrap")
    else:
        level = Plan(level="system", test="hybrid") if of == "corpora" else Plan(test="williams")
    return replace(level, correction="none")


def _scored(name: str, ranker: JointRanker, texts: JudgedTexts, systems: Sequence[str]) -> Scored:
    references = list(texts.corpus.references)
    scores = np.stack([ranker.score(list(texts.corpus.systems[system]), references) for system in systems])
    return Scored(
        name,
        str(ranker.signature),
        str(ranker.signature),
        scores,
        scores.mean(axis=1),
        np.stack([scores, np.ones_like(scores)], axis=2),
        lambda sums: np.asarray(sums[..., 0] / sums[..., 1]),
    )
