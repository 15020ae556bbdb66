"""Features of a dataset: a table of numbers, a row for each translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.engine.dataset import Dataset
from tercet.engine.drivers import Driver, Progress
from tercet.engine.running import Finished, finished
from tercet.engine.texts import Texts
from tercet.engine.work import Work, block_rows, refuse_whole_sets
from tercet.errors import OptionError
from tercet.features.base import FeatureSet
from tercet.features.registry import feature_set

if TYPE_CHECKING:
    import polars as pl

SEGMENTS = 20_000
"""Of a partition, unless told otherwise."""


@dataclass(frozen=True)
class Extraction(Work):
    """The features of some sets, for every system."""

    features: tuple[str, ...]

    def load(self) -> dict[str, FeatureSet]:
        """The sets by the names that the user wrote."""
        found = {spec: feature_set(spec) for spec in self.features}
        refuse_whole_sets({spec: one.whole_set for spec, one in found.items()})
        return found

    def signatures(self, loaded: dict[str, FeatureSet]) -> list[str]:
        return [str(one.signature) for one in loaded.values()]

    def part(self, loaded: dict[str, FeatureSet], texts: Texts) -> tuple[pl.DataFrame, dict[str, Any]]:
        columns: dict[str, np.ndarray] = {}
        for spec, one in loaded.items():
            found = np.stack(
                [one.transform(hypotheses, texts.references, texts.sources) for hypotheses in texts.systems.values()]
            )
            columns |= {name: found[..., k] for k, name in enumerate(feature_columns(spec, one))}
        return block_rows(texts.ids, [{"system": name} for name in texts.systems], columns), {}


def feature_columns(spec: str, features: FeatureSet) -> list[str]:
    """What the columns of a set are called in a part: after the set, unless they are so already."""
    return [name if name == spec or name.startswith(f"{spec}.") else f"{spec}.{name}" for name in features.names]


def extract_features(
    dataset: Dataset,
    features: Sequence[str],
    folder: Path,
    driver: Driver,
    *,
    anew: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """The features of every translation of a dataset, written to the folder's parts."""
    if not features:
        raise OptionError("no features are named; give some with -F")
    work = Extraction(tuple(dict.fromkeys(features)))
    with finished(dataset, work, folder, driver, anew=anew, progress=progress) as run:
        return run
