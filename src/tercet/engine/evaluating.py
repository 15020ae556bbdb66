"""Agreement with people on a dataset: scores come from the parts of a run, judgments from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.agreement.scorers import External, Scored, score_texts, scored_by
from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.corpus.judgment_formats import read_judgments
from tercet.corpus.lines import Lines
from tercet.corpus.references import ParallelReferences
from tercet.engine.dataset import Dataset
from tercet.engine.drivers import Driver, Progress
from tercet.engine.resampling import rows
from tercet.engine.running import Finished, finished
from tercet.engine.scoring import Scoring, statistic_columns, totals
from tercet.errors import InputError
from tercet.metrics.base import Metric

Array = NDArray[np.float64]


def judged_dataset(
    dataset: Dataset, judgments: Path, *, pairs: Sequence[str] = (), on_missing: Literal["error", "skip"] = "error"
) -> JudgedTexts:
    """What people said of a dataset, which is of one language pair; its n-th segment is their segment n."""
    table = read_judgments(judgments)
    if len(pairs) > 1:
        raise InputError(
            f"is of one language pair, not {len(pairs)}", file=dataset.name, remedy="give one with --pairs"
        )
    there = [pair for pair in table.pairs() if not pairs or pair in pairs]
    if len(there) != 1:
        has = ", ".join(table.pairs())
        raise InputError(
            f"has judgments of {has}" if has else "has no judgments",
            file=judgments,
            remedy="name the pair of the dataset with --pairs",
        )
    of_pair = table.of(there[0])
    testsets = of_pair.testsets()
    if len(testsets) > 1:
        raise InputError(
            f"has judgments of {' and '.join(testsets)}", file=judgments, remedy="a dataset is one test set"
        )
    places = np.arange(len(dataset) + 1)
    empty = Lines(np.full(len(dataset), ord("\n"), np.uint8), places, dataset.name)  # texts stay where they are
    corpus = Corpus(ParallelReferences([empty]), dict.fromkeys(dataset.systems, empty))
    texts = JudgedTexts(testsets[0] if testsets else "", there[0], corpus, of_pair)
    return texts.checked(on_missing)


def score_judged(
    dataset: Dataset,
    texts: JudgedTexts,
    metrics: Sequence[str],
    folder: Path,
    driver: Driver,
    external: Sequence[External] = (),
    *,
    lower_is_better: Sequence[str] = (),
    anew: bool = False,
    progress: Progress | None = None,
) -> dict[str, Scored]:
    """Every scorer's numbers for the systems that people judged, by its name."""
    systems = texts.judgments.systems()
    found: dict[str, Scored] = {}
    if metrics:
        work = Scoring(tuple(dict.fromkeys(metrics)))
        with finished(dataset, work, folder, driver, anew=anew, progress=progress) as run:
            found = {spec: _scored(run, systems, spec, metric) for spec, metric in work.load().items()}
    return score_texts(texts, systems, {}, external, lower_is_better=lower_is_better, computed=found)


def _scored(run: Finished, systems: Sequence[str], spec: str, metric: Metric) -> Scored:
    columns, every = statistic_columns(spec, metric), run.dataset.systems
    parts = [rows(run.store, receipt.number, columns, len(every)) for receipt in run.receipts]
    table = np.concatenate(parts).reshape(len(run.dataset), len(every), len(columns))
    places = [every.index(system) for system in systems]
    statistics = np.ascontiguousarray(table[:, places].transpose(1, 0, 2))
    sums = totals(run, spec)
    return scored_by(spec, metric, statistics, np.stack([sums[system] for system in systems]))
