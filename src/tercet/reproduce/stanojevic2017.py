"""Stanojević & Sima'an (2017) again: every objective trained once, and measured at every level with tests between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tercet.agreement.evaluation import MEAN, Evaluation, Plan, evaluate
from tercet.agreement.scorers import Scored, score_texts
from tercet.corpus.judged import JudgedTexts
from tercet.features.cache import FeatureCache
from tercet.metrics.registry import metric as metric_of
from tercet.rankers.joint import JointOptions, JointRanker
from tercet.rankers.joint_data import Examples
from tercet.rankers.joint_fitting import AlphaPoint, Fitted, alpha_curve, fit_examples, prepared
from tercet.reproduce.stanojevic2017_protocols import Protocol
from tercet.reproduce.stanojevic2017_published import INTO_ENGLISH

ALPHAS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
WIDER = ("beer57", "chrf", "chrf:word_order=2", "bleu.components", "ter")
"""Beyond the paper's features: what needs nothing but the two strings either."""
BASELINES = ("chrf", "bleu")
SIGNIFICANT = 0.05

PLANS = {
    "RR, corpora": Plan(level="system", test="williams", correction="none"),
    "RR, sentences": Plan(tau="wmt14", test="bootstrap", correction="none"),
    "DA, corpora": Plan(level="system", test="williams", correction="none"),
    "DA, artificial corpora": Plan(level="system", test="hybrid", correction="none"),
    "DA, sentences": Plan(test="williams", correction="none"),
}
LEVELS = tuple(PLANS)
ARTIFICIAL = "DA, artificial corpora"

_Part = tuple[JudgedTexts, list[str], dict[str, Scored]]


@dataclass
class Measured:
    """One table: what every scorer reaches on every test."""

    level: str
    tests: dict[str, Evaluation] = field(default_factory=dict)

    def columns(self) -> list[tuple[str, str]]:
        """Tests and their language pairs, each test's means last; RR has one of those into English, as the paper."""
        found = []
        for test, evaluation in self.tests.items():
            pairs = list(dict.fromkeys(result.pair for result in evaluation.results))
            into = [pair for pair in pairs if pair.endswith("-en")]
            both = self.level.startswith("RR") and 0 < len(into) < len(set(pairs) - {MEAN})
            found += [(test, pair) for pair in ([*pairs, INTO_ENGLISH] if both else pairs)]
        return found

    def value(self, scorer: str, test: str, pair: str) -> float | None:
        """Its agreement; None where that was not measured."""
        if pair == INTO_ENGLISH:
            return self._mean(scorer, test, "-en")
        if self.level == ARTIFICIAL and pair == MEAN:
            return self._mean(scorer, test)
        if self.level == ARTIFICIAL:
            matrix = self.tests[test].tests[pair]
            return float(matrix.values[matrix.names.index(scorer)])
        for result in self.tests[test].results:
            if (result.scorer, result.pair) == (scorer, pair):
                return result.value
        return None

    def average(self, scorer: str) -> float:
        """Over all language pairs of all tests; those into English count as one where they have a column."""
        columns = self.columns()
        grouped = {test for test, pair in columns if pair == INTO_ENGLISH}
        counted = [
            (test, pair)
            for test, pair in columns
            if pair == INTO_ENGLISH or (pair != MEAN and not (test in grouped and pair.endswith("-en")))
        ]
        values = [self.value(scorer, test, pair) for test, pair in counted]
        return float(np.mean([value for value in values if value is not None]))

    def _mean(self, scorer: str, test: str, ending: str = "") -> float:
        pairs = {result.pair for result in self.tests[test].results} - {MEAN}
        values = [self.value(scorer, test, pair) for pair in sorted(pairs) if pair.endswith(ending)]
        return float(np.mean([value for value in values if value is not None]))

    def p_value(self, scorer: str, other: str, test: str, pair: str) -> float | None:
        """Of the claim that a scorer agrees better than another; None where nothing was tested."""
        if self.level == ARTIFICIAL and pair == MEAN:  # the mean's own test is of real systems
            return None
        matrix = self.tests[test].tests.get(pair)
        if matrix is None or scorer == other or not {scorer, other} <= set(matrix.names):
            return None
        return float(matrix.p_values[matrix.names.index(scorer), matrix.names.index(other)])

    def beaten(self, scorer: str, test: str, pair: str, others: Sequence[str]) -> list[str]:
        """Those of the others that it outperforms with significance."""
        found = {other: self.p_value(scorer, other, test, pair) for other in others}
        return [other for other, p in found.items() if p is not None and p < SIGNIFICANT]


@dataclass
class Runner:
    """Trains every model once and measures all of them on every test."""

    protocol: Protocol
    options: JointOptions = field(default_factory=JointOptions)
    cache: FeatureCache = field(default_factory=FeatureCache.default)
    told: Callable[[str], None] = lambda text: None
    points: list[AlphaPoint] = field(default_factory=list)
    """The curve of α on the validation data, once it is known."""

    def models(self, *, beyond: bool) -> dict[str, JointRanker]:
        """The three objectives; beyond the paper, also α by validation, other scales, a hidden layer, more features."""
        learned, held = self._prepare(("beer57",))
        objectives = [replace(self.options, objective=one) for one in ("sentence", "corpus", "joint")]
        found: dict[str, JointRanker] = {}
        for one in objectives:
            found[one.objective] = self._fitted(one.objective, one, learned, held)
        if not beyond:
            return found
        curve = alpha_curve(self.options, learned, held, ALPHAS)
        self.points = [point for point, _ in curve]
        best, fitted = max(curve, key=lambda one: one[0].score)
        found[f"joint, α = {best.alpha:g}"] = self._adopted(replace(self.options, alpha=best.alpha), fitted)
        centred = replace(objectives[0], center=True)
        found["sentence, centred"] = self._fitted("sentence, centred", centred, learned, held)
        scaled = [replace(one, scaling="standard") for one in objectives]
        for one in scaled:
            name = f"{one.objective}, standardized"
            found[name] = self._fitted(name, one, learned, held)
        found["joint, 8 hidden nodes"] = self._fitted("8 hidden nodes", replace(scaled[2], hidden=8), learned, held)
        wide = self._prepare(WIDER)
        found["joint, more features"] = self._fitted("more features", scaled[2], *wide, features=WIDER)
        return found

    def measure(self, models: Mapping[str, JointRanker], levels: Sequence[str] = LEVELS) -> list[Measured]:
        """Every level of every kind of judgment; a level without texts that it can be measured on is left out."""
        found = {level: Measured(level) for level in levels}
        for kind, tests in (("RR", self.protocol.compared), ("DA", self.protocol.assessed)):
            wanted = [level for level in levels if level.startswith(kind)]
            for name, judged in tests.items() if wanted else ():
                parts = [self._scored(texts, models) for texts in judged]
                for level in wanted:
                    chosen = [part for part in parts if _measurable(level, *part[:2])]
                    if chosen:
                        self.told(f"{level}: {name}")
                        found[level].tests[name] = evaluate(chosen, PLANS[level])
        return [measured for measured in found.values() if measured.tests]

    def _prepare(self, features: tuple[str, ...]) -> tuple[Examples, Examples]:
        sets = JointRanker(features).feature_sets
        sides = self.protocol.train, self.protocol.validation
        learned, held = (prepared(part, sets, self.options, self.cache) for part in sides)
        return learned, held

    def _scored(self, texts: JudgedTexts, models: Mapping[str, JointRanker]) -> _Part:
        systems = texts.judgments.systems()
        ours = {name: _scored(name, ranker, texts, systems) for name, ranker in models.items()}
        return texts, systems, ours | score_texts(texts, systems, {name: metric_of(name) for name in BASELINES})

    def _fitted(
        self,
        name: str,
        options: JointOptions,
        learned: Examples,
        held: Examples,
        features: tuple[str, ...] = ("beer57",),
    ) -> JointRanker:
        fitted = fit_examples(options, learned, held)
        self.told(f"{name}: trained, best epoch {fitted.card['best_epoch']}")
        return self._adopted(options, fitted, features)

    def _adopted(self, options: JointOptions, fitted: Fitted, features: tuple[str, ...] = ("beer57",)) -> JointRanker:
        ranker = JointRanker(features, options, self.cache)
        ranker.adopt(fitted)
        return ranker


def _measurable(level: str, texts: JudgedTexts, systems: Sequence[str]) -> bool:
    """Correlations of corpora want four systems to be told apart; all but those of whole systems want segments."""
    if level.endswith("corpora") and len(systems) < 4:
        return False
    return level == "DA, corpora" or len(texts.judgments.of_segments()) > 0


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
