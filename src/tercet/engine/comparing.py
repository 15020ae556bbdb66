"""Systems of a dataset against each other: margins of segments go to the parts, everything else comes from sums."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tercet.compare.comparison import SAMPLES, Comparison, comparison_of
from tercet.compare.judges import JointJudge, Judge, KernelJudge, MetricJudge, NetworkJudge, choose_judge
from tercet.compare.statistics import STRENGTH_SAMPLES
from tercet.compare.tally import Tally, pair_columns
from tercet.engine.dataset import Dataset
from tercet.engine.drivers import Driver, Progress
from tercet.engine.resampling import resampled
from tercet.engine.running import Finished, finished
from tercet.engine.texts import Texts
from tercet.engine.work import Work, block_rows, refuse_whole_sets
from tercet.errors import OptionError
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.metrics.base import batch_sums
from tercet.metrics.significance import SEED, check_samples
from tercet.rankers.inputs import Counts

if TYPE_CHECKING:
    import polars as pl

Array = NDArray[np.float64]
SEGMENTS = 20_000
"""Of a partition, unless told otherwise: a model takes longer over a segment than a metric."""


@dataclass(frozen=True)
class Judging(Work):
    """The margins of every two systems, by a model or a metric."""

    model: str | None
    metric: str | None

    def load(self) -> Judge:
        """The judge, who keeps no features: every text is seen once."""
        judge = _forgetful(choose_judge(self.model, self.metric))
        refuse_whole_sets(_whole_sets(judge))
        return judge

    def signatures(self, loaded: Judge) -> list[str]:
        return [str(loaded.signature)]

    def part(self, loaded: Judge, texts: Texts) -> tuple[pl.DataFrame, dict[str, Any]]:
        counts = _counts(loaded)
        before = vars(counts).copy()
        every = loaded.margins(list(texts.systems.values()), texts.references, texts.sources)
        margins, verdicts, probabilities = pair_columns(loaded, every)
        facts = {
            "margins": batch_sums(margins).tolist(),
            "probabilities": batch_sums(probabilities).tolist(),
            "wins": (verdicts > 0).sum(axis=0).tolist(),
            "losses": (verdicts < 0).sum(axis=0).tolist(),
            "lowest": margins.min(axis=0).tolist(),
            "highest": margins.max(axis=0).tolist(),
            "counts": {name: value - before[name] for name, value in vars(counts).items()},
        }
        names = [{"first": one, "second": other} for one, other in combinations(texts.systems, 2)]
        columns: dict[str, np.ndarray] = {
            "margin": margins.T,
            "verdict": verdicts.T.astype(np.int8),
            "probability": probabilities.T,
        }
        return block_rows(texts.ids, names, columns), facts


def compare_dataset(
    dataset: Dataset,
    folder: Path,
    driver: Driver,
    *,
    model: str | None = None,
    metric: str | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    anew: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Every two systems of a dataset by a model or a metric; the margins of segments are in the folder's parts."""
    if len(dataset.systems) < 2:
        raise OptionError(f"a comparison needs two systems or more; {dataset.name} has one")
    check_samples(samples)
    judge = choose_judge(model, metric)
    name = str(Path(model).absolute()) if model is not None and Path(model).is_dir() else model or judge.name
    work = Judging(name, None) if judge.kind == "model" else Judging(None, metric or "chrf")
    pairs = len(dataset.systems) * (len(dataset.systems) - 1) // 2
    with finished(dataset, work, folder, driver, anew=anew, progress=progress) as run:
        tally = Tally(
            len(dataset),
            _added(run, "margins"),
            _added(run, "probabilities"),
            _counted(run, "wins"),
            _counted(run, "losses"),
            np.asarray(_each(run, "highest").max(axis=0) == _each(run, "lowest").min(axis=0), np.bool_),
            resampled(run, driver, "coins", ["margin"], pairs, samples=samples, seed=seed),
            resampled(run, driver, "bootstrap", ["margin"], pairs, samples=samples, seed=seed),
            resampled(run, driver, "bootstrap", ["probability"], pairs, samples=STRENGTH_SAMPLES, seed=seed),
        )
    judge = _forgetful(judge)
    counts = _counts(judge)
    for name in vars(counts):
        setattr(counts, name, sum(receipt.facts["counts"][name] for receipt in run.receipts))
    return comparison_of(judge, dataset.systems, tally, run.reference_counts, samples=samples, seed=seed)


def _each(run: Finished, fact: str) -> Array:
    return np.array([receipt.facts[fact] for receipt in run.receipts], np.float64)


def _added(run: Finished, fact: str) -> Array:
    sums = np.concatenate([np.array(receipt.facts[fact], np.float64) for receipt in run.receipts])
    return np.asarray(sums.sum(axis=0), np.float64)


def _counted(run: Finished, fact: str) -> NDArray[np.int64]:
    return np.asarray(np.array([receipt.facts[fact] for receipt in run.receipts], np.int64).sum(axis=0), np.int64)


def _counts(judge: Judge) -> Counts:
    """What a judge counts about the texts that it sees; most count nothing."""
    if isinstance(judge, NetworkJudge) and judge.ranker.inputs_ is not None:
        return judge.ranker.inputs_.counts
    return Counts()


def _forgetful(judge: Judge) -> Judge:
    """The same judge without a cache of features, which would keep all of a dataset, and with counts of its own."""
    if isinstance(judge, NetworkJudge) and judge.ranker.inputs_ is not None:
        inputs = copy(judge.ranker.inputs_)
        object.__setattr__(inputs, "counts", Counts())
        object.__setattr__(inputs, "cache", FeatureCache())
        network = copy(judge.ranker)
        network.inputs_ = inputs
        return replace(judge, ranker=network)
    if isinstance(judge, KernelJudge | JointJudge):
        ranker: Any = copy(judge.ranker)
        ranker.cache = FeatureCache()
        return replace(judge, ranker=ranker)
    return judge


def _whole_sets(judge: Judge) -> dict[str, bool]:
    """What of a judge looks at the references of all segments."""
    if isinstance(judge, MetricJudge):
        return {judge.metric.name: judge.metric.whole_set}
    specs: Sequence[str] = ()
    if isinstance(judge, NetworkJudge) and judge.ranker.inputs_ is not None:
        specs = judge.ranker.inputs_.specs.similarity + judge.ranker.inputs_.specs.between
    elif isinstance(judge, JointJudge):
        specs = judge.ranker.features
    elif isinstance(judge, KernelJudge):
        specs = judge.ranker.options.features
    return {f"the model {judge.name} takes {spec}, which": feature_set(spec).whole_set for spec in specs}
