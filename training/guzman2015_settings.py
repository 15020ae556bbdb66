"""What Guzmán et al. (2015) leave open, chosen on WMT13 fr-en: `python -m training.guzman2015_settings --data DIR`.

Nothing of WMT12, on which the tables are reported, is read. Every candidate is judged by strict tau × 100 on segments
that its training did not see. With `--kept FILE` a run that was broken off goes on where it was. How long to train is
another question: `training.guzman2015_epochs`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.features.cache import FeatureCache
from tercet.rankers.base import strict_tau
from tercet.rankers.data import read_pairs
from tercet.rankers.fitting import fit_tables, test_margins
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions
from tercet.rankers.pairs import Pairs
from tercet.rankers.tables import Tables

FOLDS, SEED = 5, 1

METRICS = (
    ("bleu", "bleu:lowercase=true", "bleu:smooth=add-k", "bleu:lowercase=true,smooth=add-k"),
    ("nist", "nist:lowercase=false"),
    ("ter", "ter:case_sensitive=true", "ter:normalized=true", "ter:normalized=true,case_sensitive=true"),
    ("meteor", "meteor:task=adq", "meteor:task=hter", "meteor:task=li"),
)
DESCENT: Mapping[str, tuple[Any, ...]] = {
    "both_ways": (False, True),
    "learning_rate": (0.01, 0.03, 0.1),
    "l2": (1e-4, 1e-3, 1e-2, 1e-1),
}
"""One after the other, each with the best of those before it; the paper's values come first."""
SHARE, SHARES = 0.2, (0.1, 0.2, 0.3)
KENDALL: Mapping[str, tuple[Any, ...]] = {
    "near_zero": (False, True),
    "tie_weight": (1.0, 0.1, 0.01, 0.0),
    "gamma": (100.0, 10.0),
}
EPOCHS, EPOCHS_OF_LARGE = 100, 40
SOME, FEW = 3, 2  # trials, of five that there are: all would take longer and say little more

Trial = tuple[Pairs, Pairs, Pairs]
"""Training, validation and test pairs."""


@dataclass
class Results:
    """Taus by the name of what was tried; kept in a file, a line each, if there is one."""

    file: Path | None
    found: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file and self.file.is_file():
            for line in self.file.read_text("utf-8").splitlines():
                self.found |= json.loads(line)

    def of(self, name: str, taus: Callable[[], list[float]]) -> float:
        """The mean tau × 100 of what `name` says, computed if it is not known yet."""
        if name not in self.found:
            self.found[name] = [round(100 * tau, 3) for tau in taus()]
            if self.file:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({name: self.found[name]}) + "\n")
        mean = float(np.mean(self.found[name]))
        print(f"{mean:6.2f} ± {np.std(self.found[name]):.2f}  {name}", flush=True)
        return mean


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.guzman2015_settings")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt13/")
    parser.add_argument("--kept", type=Path, help="file of results so far, one a line")
    parser.add_argument("--vectors", nargs="+", default=["glove50"], help="sets of sentence vectors (glove50)")
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.data / "wmt13", ["fr-en"]).untied()
    results = Results(arguments.kept)
    metrics = choose_metrics(pairs, results)
    Networks(pairs, results, metrics, ()).choose_without_vectors()
    networks = Networks(pairs, results, metrics, tuple(arguments.vectors))
    networks.choose_descent()
    networks.choose_rate_of_large()
    networks.choose_share()
    networks.choose_kendall()


def choose_metrics(pairs: Pairs, results: Results) -> tuple[str, ...]:
    """The options of 4METRICS: a logistic regression that has converged, on the differences of scores."""
    column = cache(partial(_differences, pairs))
    folds = [np.isin(pairs.groups, fold.groups) for _, fold in pairs.folds(FOLDS, SEED)]
    values = pairs.value.astype(np.float64)

    def taus(specs: tuple[str, ...]) -> list[float]:
        inputs = np.stack([column(spec) for spec in specs], axis=1)
        return [strict_tau(inputs[held] @ regression(inputs[~held], values[~held]), values[held]) for held in folds]

    tried = {
        specs: results.of(f"4metrics {' '.join(specs)}", lambda specs=specs: taus(specs))  # type: ignore[misc]
        for specs in product(*METRICS)
    }
    best = max(tried, key=lambda specs: tried[specs])
    print(f"best 4METRICS: {' '.join(best)}; {min(tried.values()):.2f} to {tried[best]:.2f}\n", flush=True)
    return best


def regression(inputs: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the logistic regression without a constant: Newton's method to its end."""
    scale = inputs.std(axis=0)
    inputs = inputs / scale
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        wrong = 1 / (1 + np.exp(np.clip(values * (inputs @ weights), -500, 500)))
        slope = inputs.T @ (values * wrong)
        bend = (inputs * (wrong * (1 - wrong))[:, None]).T @ inputs
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(weights)), slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            return np.asarray(weights / scale, np.float64)
    raise ArithmeticError("the logistic regression did not converge")


@dataclass
class Networks:
    """Networks on WMT13."""

    pairs: Pairs
    results: Results
    metrics: tuple[str, ...]
    vectors: tuple[str, ...]
    cache: FeatureCache = field(default_factory=FeatureCache.default)
    descent: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inputs = Inputs(FeatureSpecs(self.metrics, self.vectors), self.cache)
        self.tables = Tables.of(self.inputs, self.pairs.texts)

    def choose_without_vectors(self) -> None:
        """Learning rate and decay of a logistic regression on metrics alone."""
        grid = {name: values for name, values in DESCENT.items() if name != "both_ways"}
        self._choose({"hidden": 0}, {**grid, "l2": (*grid["l2"], 1e-5)}, small(self.pairs, SHARE)[:SOME])

    def choose_descent(self) -> None:
        """Learning rate, decay and order of the hypotheses, for the deep network and for the flat one."""
        trials = small(self.pairs, SHARE)[:SOME]
        found = [self._choose({"hidden": hidden}, DESCENT, trials) for hidden in (4, 0)]
        self.descent = {name: found[0][name] for name in DESCENT}  # what is chosen later is chosen with these

    def choose_rate_of_large(self) -> None:
        """The learning rate where there are five times as many pairs, with as many steps."""
        trials = large(self.pairs)[:FEW]
        for hidden in (4, 0):
            fixed = {**self.descent, "hidden": hidden, "epochs": EPOCHS_OF_LARGE}
            self._choose(fixed, {"learning_rate": DESCENT["learning_rate"]}, trials, "large")

    def choose_share(self) -> None:
        """How much of a small training part is held out to stop by."""
        tried = {
            f"{share:.0%}": self._tau(f"small {share:.0%}", self.descent, small(self.pairs, share)[:SOME])
            for share in SHARES
        }
        best = max(tried, key=lambda share: tried[share])
        print(f"best part held out: {best}\n", flush=True)

    def choose_kendall(self) -> None:
        """The Kendall cost: where it starts, the weight of its term against ties, γ."""
        trials = small(self.pairs, SHARE)[:FEW]
        self._choose({**self.descent, "cost": "kendall"}, KENDALL, trials)
        later = {name: values for name, values in KENDALL.items() if name != "near_zero"}
        self._choose({**self.descent, "cost": "logistic+kendall"}, later, trials)

    def _choose(
        self,
        fixed: Mapping[str, Any],
        grid: Mapping[str, tuple[Any, ...]],
        trials: list[Trial],
        size: str = "small",
    ) -> dict[str, Any]:
        chosen = {**fixed, **{name: values[0] for name, values in grid.items()}}
        for name, values in grid.items():
            tried = {value: self._tau(size, {**chosen, name: value}, trials) for value in values}
            chosen[name] = max(tried, key=lambda value: tried[value])
        best = " ".join(f"{name}={value}" for name, value in chosen.items())
        print(f"best, {size}: {best}\n", flush=True)
        return chosen

    def _tau(self, size: str, changed: Mapping[str, Any], trials: list[Trial]) -> float:
        every = {"epochs": EPOCHS, **changed}
        options = NetworkOptions(**every)
        said = " ".join(f"{name}={value}" for name, value in every.items())

        def taus() -> list[float]:
            found = []
            for train, validation, test in trials:
                fitted = fit_tables(self.inputs, options, self.tables, train, self.tables, validation)
                margins = test_margins(fitted, self.tables, test)[0]
                found.append(strict_tau(margins, test.value.astype(np.float64)))
            return found

        return self.results.of(f"{size} ({len(trials)}) {'+'.join(self.inputs.specs.vectors)} {said}", taus)


def small(pairs: Pairs, share: float) -> list[Trial]:
    """As much training data as a fold of WMT12 has: a fifth of the segments to learn from, the others to test on."""
    parts = list(pairs.folds(FOLDS, SEED))
    return [(*fold.hold_out(int(share * len(fold)), SEED), rest) for rest, fold in parts]


def large(pairs: Pairs) -> list[Trial]:
    """Four fifths to learn from, one to test on; as many pairs to stop by as in the paper."""
    return [(*rest.hold_out(5000, SEED), fold) for rest, fold in pairs.folds(FOLDS, SEED)]


def _differences(pairs: Pairs, spec: str) -> NDArray[np.float64]:
    table = Tables.of(Inputs(FeatureSpecs((spec,), ()), FeatureCache.default()), pairs.texts).texts[0]
    scores = table.similarity[0, :, :, 0].astype(np.float64)
    return np.asarray(scores[pairs.first, pairs.segment] - scores[pairs.second, pairs.segment], np.float64)


if __name__ == "__main__":
    main()
