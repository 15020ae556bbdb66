"""How far scorers agree with people on judged texts: values, intervals, and tests of scorer against scorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tercet.agreement.annotators import JudgeTau, judge_tau
from tercet.agreement.people import comparisons_of
from tercet.agreement.rankings import system_score
from tercet.agreement.scorers import Scored
from tercet.agreement.scores import Averaging
from tercet.agreement.significance.bootstrap import (
    Bootstrap,
    bootstrap_agreement,
    bootstrap_systems,
    bootstrap_taus,
)
from tercet.agreement.significance.dependent import williams_matrix
from tercet.agreement.significance.matrix import Correction, Matrix
from tercet.agreement.significance.permutation import pair_permutation_matrix, permutation_matrix
from tercet.agreement.significance.supersampling import supersample
from tercet.agreement.taus import count_by_segment, form
from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError, ShapeError
from tercet.metrics.base import Array
from tercet.metrics.significance import SEED

Level = Literal["segment", "system"]
Test = Literal["auto", "bootstrap", "williams", "perm-both", "perm-inputs", "perm-pairs", "hybrid", "none"]

MEAN = "mean"
CEILING = "one judge against another"


@dataclass(frozen=True)
class Plan:
    """What is measured, and how it is tested."""

    level: Level = "segment"
    tau: str = "wmt12"
    """The form of tau, for comparisons of segments."""
    statistic: str = "pearson"
    """The correlation, for assessments and for systems."""
    average: Averaging = "none"
    human: str = "expected_wins"
    """How comparisons become scores of systems, at the level of systems."""
    test: Test = "auto"
    correction: Correction = "holm"
    samples: int = 1000
    seed: int = SEED


@dataclass(frozen=True)
class Result:
    """One scorer's agreement with people on one language pair, or its mean over all."""

    scorer: str
    statistic: str
    pair: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """How far each scorer agrees with people, and which scorer is better than which."""

    results: list[Result]
    tests: dict[str, Matrix]
    """By language pair and `mean`."""
    signatures: dict[str, str]
    notes: list[str] = field(default_factory=list)
    plan: Plan = field(default_factory=Plan)

    def as_json(self) -> dict[str, Any]:
        """The JSON of `tercet evaluate`."""
        return {
            "results": [vars(result) for result in self.results],
            "tests": [test for pair, matrix in self.tests.items() for test in _tests(pair, matrix)],
            "signatures": self.signatures,
            "notes": self.notes,
        }


@dataclass(frozen=True)
class _Part:
    """One language pair measured."""

    pair: str
    n: int
    bootstrap: Bootstrap
    matrix: Matrix | None
    ceiling: JudgeTau | None = None


def evaluate(judged: Sequence[tuple[JudgedTexts, Sequence[str], Mapping[str, Scored]]], plan: Plan) -> Evaluation:
    """Agreement on each language pair and in the mean; each comes with its systems and what scorers say of them."""
    if not judged:
        raise ShapeError("no judged texts to measure agreement on")
    parts = []
    for number, (texts, systems, scorers) in enumerate(judged):
        # Language pairs are resampled independently of each other: a seed for each.
        measure = _systems if plan.level == "system" else _comparisons if _compares(texts) else _assessments
        parts.append(measure(texts, systems, scorers, plan, plan.seed + number))
    whole = [*parts, _mean(parts, plan)] if len(parts) > 1 else parts
    results = []
    for part in whole:
        low, high = part.bootstrap.interval()
        for i, name in enumerate(part.bootstrap.names):
            statistic, value = part.bootstrap.statistic, float(part.bootstrap.values[i])
            results.append(Result(name, statistic, part.pair, value, part.n, float(low[i]), float(high[i])))
        if part.ceiling is not None and part.ceiling.concordant + part.ceiling.discordant:
            meetings = part.ceiling.concordant + part.ceiling.discordant
            results.append(Result(CEILING, part.bootstrap.statistic, part.pair, part.ceiling.tau, meetings))
    notes = [f"{texts.pair}: {message}" for texts, _, _ in judged for message in texts.skipped.messages()]
    undefined = sum(part.bootstrap.undefined for part in parts)
    if undefined:
        notes.append(f"{undefined} bootstrap samples left out: a scorer's value was undefined in them")
    return Evaluation(
        results,
        {part.pair: part.matrix for part in whole if part.matrix is not None},
        {
            name: scored.signature if plan.level == "system" else scored.segment_signature
            for name, scored in judged[0][2].items()
        },
        notes,
        plan,
    )


def _compares(texts: JudgedTexts) -> bool:
    return texts.judgments.kind == "comparison"


def _comparisons(
    texts: JudgedTexts, systems: Sequence[str], scorers: Mapping[str, Scored], plan: Plan, seed: int
) -> _Part:
    if plan.test not in ("auto", "bootstrap", "none"):
        raise OptionError(f"--test {plan.test} is for correlations; taus of comparisons are tested by bootstrap")
    all_of = texts.judgments.of_segments().indices(systems)
    untied = texts.judgments.of_segments().untied().indices(systems)
    if not len(untied.value):
        raise ShapeError(f"{texts.pair}: no comparison of segments that is not a tie")
    counts = {}
    for name, scored in scorers.items():
        matrix = _segments(scored)
        first, second = matrix[untied.system, untied.segment], matrix[untied.other, untied.segment]
        counts[name] = count_by_segment(untied.value, first, second, untied.segment, size=len(texts.corpus))
    bootstrap = bootstrap_taus(counts, name=form(plan.tau).name, samples=plan.samples, seed=seed)
    ceiling = judge_tau(all_of.judge, all_of.segment, all_of.system, all_of.other, all_of.value)
    return _Part(texts.pair, len(untied.value), bootstrap, _tested(bootstrap, plan), ceiling)


def _assessments(
    texts: JudgedTexts, systems: Sequence[str], scorers: Mapping[str, Scored], plan: Plan, seed: int
) -> _Part:
    if plan.statistic == "accuracy":
        raise OptionError("pairwise accuracy is of systems; use --level system, or --statistic acc-eq for segments")
    gold = _gold(texts, systems)
    scores = {name: _segments(scored) for name, scored in scorers.items()}
    bootstrap = bootstrap_agreement(plan.statistic, gold, scores, average=plan.average, samples=plan.samples, seed=seed)
    test = plan.test
    if test == "auto":
        test = "williams" if plan.statistic == "pearson" and plan.average == "none" else "bootstrap"
        test = "perm-pairs" if plan.statistic == "acc-eq" else test
    matrix = None
    if len(scores) > 1 and test != "none":
        if test == "bootstrap":
            matrix = bootstrap.matrix()
        elif test == "williams":
            if plan.statistic != "pearson" or plan.average != "none":
                raise OptionError("Williams' test is of Pearson's r over all scores; use another --test")
            matrix = williams_matrix(gold, scores)
        elif test == "perm-pairs":
            if plan.statistic != "acc-eq":
                raise OptionError("perm-pairs is a test of acc-eq; use another --test")
            matrix = pair_permutation_matrix(gold, scores, average=plan.average, samples=plan.samples, seed=seed)
        elif test in ("perm-both", "perm-inputs"):
            exchange: Literal["both", "inputs"] = "both" if test == "perm-both" else "inputs"
            matrix = permutation_matrix(
                plan.statistic,
                gold,
                scores,
                exchange=exchange,
                average=plan.average,
                samples=plan.samples,
                seed=seed,
            )
        else:
            raise OptionError(f"--test {test} is for the level of systems")
        matrix = matrix.corrected(plan.correction)
    return _Part(texts.pair, int((~np.isnan(gold)).sum()), bootstrap, matrix)


def _systems(texts: JudgedTexts, systems: Sequence[str], scorers: Mapping[str, Scored], plan: Plan, seed: int) -> _Part:
    if plan.statistic == "acc-eq":
        raise OptionError("acc-eq is of segments; for systems use --statistic accuracy")
    if plan.average != "none":
        raise OptionError(f"the level of systems has nothing to average by {plan.average}")
    gold = _system_gold(texts, systems, plan)
    scores = {name: scored.systems for name, scored in scorers.items()}
    # A scorer of whole systems has nothing to resample: its one row counts in every draw.
    statistics, score = {}, {}
    segments = len(texts.corpus)
    for name, scored in scorers.items():
        if scored.statistics is not None and scored.corpus_score is not None:
            statistics[name], score[name] = scored.statistics, scored.corpus_score
        else:
            statistics[name] = np.repeat(scored.systems[:, None, None], segments, axis=1)
            score[name] = lambda sums: np.asarray(sums[..., 0])
    bootstrap = bootstrap_systems(plan.statistic, gold, statistics, score, samples=plan.samples, seed=seed)
    test = ("williams" if plan.statistic == "pearson" else "bootstrap") if plan.test == "auto" else plan.test
    matrix = None
    if len(scorers) > 1 and test != "none":
        if test == "bootstrap":
            matrix = bootstrap.matrix()
        elif test == "williams":
            matrix = williams_matrix(gold, scores) if len(gold) > 3 else None
        elif test == "hybrid":
            people = _gold(texts, systems)
            judged = ~np.isnan(people).all(axis=0)  # segments that nobody judged would only blur the scorers
            tables = {name: table[:, judged] for name, table in statistics.items()}
            matrix = supersample(people[:, judged], tables, score, samples=10_000, seed=seed).williams()
        else:
            raise OptionError(f"--test {test} is for the level of segments")
        matrix = matrix.corrected(plan.correction) if matrix is not None else None
    return _Part(texts.pair, len(gold), bootstrap, matrix)


def _mean(parts: Sequence[_Part], plan: Plan) -> _Part:
    common = [name for name in parts[0].bootstrap.names if all(name in part.bootstrap.names for part in parts)]
    if not common:
        raise ShapeError("no scorer has scores for every language pair; there is no mean")
    # Accuracies are pooled: every pair of systems counts the same, whichever its language pair (Kocmi et al. 2021).
    weights = [part.n * (part.n - 1) / 2 for part in parts] if plan.statistic == "accuracy" else None
    bootstrap = Bootstrap.mean([_only(part.bootstrap, common) for part in parts], weights)
    ceilings = [part.ceiling for part in parts if part.ceiling is not None]
    return _Part(
        MEAN,
        sum(part.n for part in parts),
        bootstrap,
        _tested(bootstrap, plan),
        sum(ceilings, start=JudgeTau(0, 0, 0)) if ceilings else None,
    )


def _only(bootstrap: Bootstrap, names: Sequence[str]) -> Bootstrap:
    columns = [bootstrap.names.index(name) for name in names]
    return Bootstrap(
        bootstrap.statistic,
        tuple(names),
        bootstrap.values[columns],
        bootstrap.sampled[:, columns],
        bootstrap.seed,
        bootstrap.undefined,
    )


def _tested(bootstrap: Bootstrap, plan: Plan) -> Matrix | None:
    if len(bootstrap.names) < 2 or plan.test == "none":
        return None
    return bootstrap.matrix().corrected(plan.correction)


def _segments(scored: Scored) -> Array:
    if scored.segments is None:
        raise ShapeError(f"{scored.name} has scores of whole systems only; use --level system")
    return scored.segments


def _gold(texts: JudgedTexts, systems: Sequence[str]) -> Array:
    """Mean assessments (systems, segments), NaN where nobody judged."""
    if _compares(texts):
        raise OptionError(f"{texts.pair}: comparisons give no score to a segment; this needs direct assessments")
    found = texts.judgments.of_segments().averaged().indices(systems)
    if not len(found.value):
        raise ShapeError(f"{texts.pair}: the judgments are of whole systems; use --level system")
    gold = np.full((len(systems), len(texts.corpus)), np.nan)
    gold[found.system, found.segment] = found.value
    return gold


def _system_gold(texts: JudgedTexts, systems: Sequence[str], plan: Plan) -> Array:
    """People's score of each system: as given, the mean of its segments, or from comparisons."""
    if _compares(texts):
        return system_score(plan.human).scores(comparisons_of(texts, systems))
    whole = texts.judgments.of_systems()
    if not len(whole):
        gold = _gold(texts, systems)
        return np.asarray(np.nanmean(gold, axis=1))
    found = whole.averaged().indices(systems)
    if len(set(found.system.tolist())) < len(systems):
        raise ShapeError(f"{texts.pair}: not every system was judged")
    return np.asarray(found.value[np.argsort(found.system)])


def _tests(pair: str, matrix: Matrix) -> list[dict[str, Any]]:
    """One entry for each two scorers: the better one first."""
    order = np.argsort(-matrix.values, kind="stable")
    return [
        {
            "pair": pair,
            "test": matrix.test,
            "correction": matrix.correction,
            "first": matrix.names[i],
            "second": matrix.names[j],
            "difference": float(matrix.values[i] - matrix.values[j]),
            "p_value": float(matrix.p_values[i, j]),
        }
        for place, i in enumerate(order)
        for j in order[place + 1 :]
    ]
