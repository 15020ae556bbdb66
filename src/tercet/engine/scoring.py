"""Metrics over a dataset: the statistics of every segment go to the parts, and everything else comes from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tercet.engine.dataset import Dataset
from tercet.engine.drivers import Driver, Progress
from tercet.engine.resampling import resampled
from tercet.engine.running import Finished, finished
from tercet.engine.texts import Texts
from tercet.engine.work import Work, block_rows, refuse_whole_sets
from tercet.errors import OptionError
from tercet.metrics.base import Metric, batch_sums
from tercet.metrics.registry import metric as metric_of
from tercet.metrics.scoring import MetricScores, Plan, SystemScore, scores_of, system_score
from tercet.metrics.significance import bootstrap_comparisons, check_samples, interval_of, randomization_comparisons

if TYPE_CHECKING:
    import polars as pl

Array = NDArray[np.float64]
SUMS = "sums"


@dataclass(frozen=True)
class Scoring(Work):
    """The statistics and the segment score of some metrics, for every system."""

    metrics: tuple[str, ...]
    on_missing: Literal["error", "skip"] = "error"

    def load(self) -> dict[str, Metric]:
        """The metrics by the names that the user wrote."""
        found = {spec: metric_of(spec, on_missing=self.on_missing) for spec in self.metrics}
        refuse_whole_sets({spec: one.whole_set for spec, one in found.items()})
        return found

    def signatures(self, loaded: dict[str, Metric]) -> list[str]:
        return [str(one) for metric in loaded.values() for one in (metric.signature, metric.for_segments().signature)]

    def part(self, loaded: dict[str, Metric], texts: Texts) -> tuple[pl.DataFrame, dict[str, Any]]:
        columns: dict[str, np.ndarray] = {}
        facts: dict[str, Any] = {}
        for spec, metric in loaded.items():
            found = np.stack([metric.statistics(hypotheses, texts.references) for hypotheses in texts.systems.values()])
            columns[spec] = metric.for_segments().score(found)
            columns |= {name: found[..., k] for k, name in enumerate(statistic_columns(spec, metric))}
            facts[spec] = [batch_sums(rows).tolist() for rows in found]
        return block_rows(texts.ids, [{"system": name} for name in texts.systems], columns), {SUMS: facts}


def statistic_columns(spec: str, metric: Metric) -> list[str]:
    """What the columns of a metric's statistics are called in a part."""
    return [f"{spec}.{name}" for name in metric.statistic_names]


def totals(run: Finished, spec: str) -> dict[str, Array]:
    """The sums of a metric's statistics by system: of batches first, then over all batches in their order."""
    return {
        system: np.concatenate([np.array(receipt.facts[SUMS][spec][k], np.float64) for receipt in run.receipts]).sum(
            axis=0
        )
        for k, system in enumerate(run.dataset.systems)
    }


def score_dataset(
    dataset: Dataset,
    metrics: Sequence[str],
    folder: Path,
    driver: Driver,
    plan: Plan | None = None,
    *,
    on_missing: Literal["error", "skip"] = "error",
    anew: bool = False,
    progress: Progress | None = None,
) -> list[MetricScores]:
    """Every system of a dataset under every metric; the numbers of segments are in the folder's parts."""
    plan = plan or Plan()
    if plan.segments:
        raise OptionError(f"the scores of segments are written to {folder}; leave --segments out")
    if plan.paired and len(dataset.systems) < 2:
        raise OptionError(f"a paired test needs two systems or more; {dataset.name} has one")
    if plan.baseline is not None and plan.baseline not in dataset.systems:
        raise OptionError(f"unknown baseline {plan.baseline!r}; the systems are {', '.join(dataset.systems)}")
    work = Scoring(tuple(dict.fromkeys(metrics)), on_missing)
    with finished(dataset, work, folder, driver, anew=anew, progress=progress) as run:
        ready = work.load()
        sums = {spec: totals(run, spec) for spec in ready}
        drawn = _drawn(run, driver, ready, "bootstrap", plan.confidence, plan.seed) if plan.confidence else {}
        paired: Mapping[str, Mapping[str, Array]] = {}
        if plan.paired:
            check_samples(plan.samples)
            same = plan.paired == "bs" and plan.samples == plan.confidence  # the very same samples
            draws: Literal["bootstrap", "coins"] = "bootstrap" if plan.paired == "bs" else "coins"
            paired = drawn if same else _drawn(run, driver, ready, draws, plan.samples, plan.seed)
    found = []
    for spec, metric in ready.items():
        systems: dict[str, SystemScore] = {
            system: system_score(
                metric, total, plan, interval=interval_of(metric, drawn[spec][system]) if drawn else None
            )
            for system, total in sums[spec].items()
        }
        test = bootstrap_comparisons if plan.paired == "bs" else randomization_comparisons
        compared = test(metric, sums[spec], paired[spec], baseline=plan.baseline) if plan.paired else []
        found.append(scores_of(spec, metric, systems, compared, run.reference_counts, plan))
    return found


def _drawn(
    run: Finished,
    driver: Driver,
    metrics: Mapping[str, Metric],
    draws: Literal["bootstrap", "coins"],
    samples: int,
    seed: int,
) -> dict[str, dict[str, Array]]:
    """The sums of the samples by metric and system: all are of the same draws, so all are made in one walk."""
    columns = {spec: statistic_columns(spec, metric) for spec, metric in metrics.items()}
    every = [name for names in columns.values() for name in names]
    systems = run.dataset.systems
    sums = resampled(run, driver, draws, every, len(systems), samples=samples, seed=seed)
    shaped = sums.reshape(samples, len(systems), len(every))
    found: dict[str, dict[str, Array]] = {}
    start = 0
    for spec, names in columns.items():
        part = shaped[:, :, start : start + len(names)]
        found[spec] = {system: np.ascontiguousarray(part[:, k]) for k, system in enumerate(systems)}
        start += len(names)
    return found
