"""What four metrics can do at most: `python -m training.guzman2015_regression --data DIR`.

A logistic regression on the differences of scores, trained to its end, over the folds of WMT12 that `tercet reproduce
guzman2015` has; without scaling, decay or early stopping. It tells how much of a row's figure is due to training.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet.features.cache import FeatureCache
from tercet.rankers.data import read_pairs
from tercet.rankers.fitting import taus_by_pair
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.pairs import Pairs
from tercet.rankers.tables import Tables
from tercet.reproduce.protocols import SPLIT_SEED, Folds
from training.guzman2015_settings import regression

SETS = {
    "4METRICS": ("4metrics",),
    "BLEU+NIST+TER+METEOR, options of `tercet score`": ("bleu", "nist", "ter", "meteor"),
    "BLEU+CHRF+TER+METEOR, options of `tercet score`": ("bleu", "chrf", "ter", "meteor"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.guzman2015_regression")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt12/")
    pairs = read_pairs(parser.parse_args().data / "wmt12").untied()
    values = pairs.value.astype(np.float64)
    for name, specs in SETS.items():
        inputs = _differences(pairs, specs)
        margins = np.empty(len(pairs))
        for _, fold in pairs.folds(Folds.number, SPLIT_SEED):
            held = np.isin(pairs.groups, fold.groups)
            margins[held] = inputs[held] @ regression(inputs[~held], values[~held])
        print(f"{100 * taus_by_pair(margins, pairs)['mean']:6.2f}  {name}", flush=True)


def _differences(pairs: Pairs, specs: tuple[str, ...]) -> NDArray[np.float64]:
    tables = Tables.of(Inputs(FeatureSpecs(specs, ()), FeatureCache.default()), pairs.texts).texts
    found = np.empty((len(pairs), tables[0].similarity.shape[-1]))
    for number, table in enumerate(tables):
        chosen = pairs.text == number
        segment = pairs.segment[chosen]
        first, second = (table.similarity[0, side[chosen], segment] for side in (pairs.first, pairs.second))
        found[chosen] = first.astype(np.float64) - second
    return found


if __name__ == "__main__":
    main()
