"""How long and how fast to train the network of Guzmán et al.: `python -m training.guzman2015_epochs --data DIR`.

On WMT13 fr-en alone, as `training.guzman2015_settings` does: a fifth of the segments to learn from, of which 30 % are
held out to stop by, tested on the other four fifths. Five seeds are trained at once, and looked at after more and more
epochs: strict tau × 100 of the best epoch so far on the pairs that were learned from, held out, and tested.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from tercet.features.cache import FeatureCache
from tercet.rankers import training
from tercet.rankers.architecture import Architecture, Floats, Weights, margins
from tercet.rankers.data import read_pairs
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.tables import Tables
from training.guzman2015_settings import SEED, Trial, small

HELD_OUT, TRIALS, SEEDS = 0.3, 2, 5
STOPS = (30, 100, 300, 1000, 3000)
RATES, DECAYS = (0.01, 0.03, 0.1, 0.3), (1e-4, 1e-3, 1e-2)
LAST = {0.01: 1000, 0.1: 1000}
LAST_OF_PAPER = (0.01, 1e-4), 3000
"""The last stop of a learning rate, 300 if it is not there; and of the paper's rate and decay, the slowest."""
CHOSEN_METRICS = "4metrics"


@dataclass(frozen=True)
class Setting:
    """One network and how it is trained."""

    hidden: int
    rate: float
    decay: float
    form: str = "paper"

    def __str__(self) -> str:
        return f"{self.form} hidden={self.hidden} learning_rate={self.rate:g} l2={self.decay:g}"


@dataclass
class Curves:
    """Taus of every setting and trial, kept in a file, a line each, if there is one."""

    inputs: Inputs
    tables: Tables
    trials: list[Trial]
    file: Path | None
    most: int
    """No setting is trained for more epochs."""
    found: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file and self.file.is_file():
            for line in self.file.read_text("utf-8").splitlines():
                self.found |= json.loads(line)

    def show(self, setting: Setting) -> None:
        """Prints the setting's taus after each stop, mean over trials and seeds, and the spread of the seeds."""
        rows = [self._of(setting, number) for number in range(len(self.trials))]
        print(setting, f"({np.mean([row[-1]['seconds'] for row in rows]):.0f} s a trial)")
        for at in zip(*rows, strict=True):
            means = {name: np.mean([one[name] for one in at]) for name in ("train", "held", "test")}
            spread = np.mean([np.std(one["test"], ddof=1) for one in at])
            best = [epoch for one in at for epoch in one["best"]]
            print(
                f"{at[0]['epochs']:6d} epochs: learned {means['train']:.2f}  held out {means['held']:.2f}  "
                f"test {means['test']:.2f} ± {spread:.2f}  best epoch {np.median(best):.0f} ({min(best)}-{max(best)})"
            )
        last = [row[-1] for row in rows]
        if "saturated" in last[0]:
            saturated, straight = (np.mean([one[name] for one in last]) for name in ("saturated", "straight"))
            print(
                f"       {last[0]['weights']} weights; nodes saturated {saturated:.1%}; r with ψ alone {straight:.3f}"
            )
        sys.stdout.flush()

    def _of(self, setting: Setting, number: int) -> list[dict[str, Any]]:
        name = f"{setting} trial={number} {'+'.join(self.inputs.specs.similarity + self.inputs.specs.vectors)}"
        if name not in self.found:
            self.found[name] = list(self._trained(setting, self.trials[number]))
            if self.file:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({name: self.found[name]}) + "\n")
        return self.found[name]

    def _trained(self, setting: Setting, trial: Trial) -> Iterator[dict[str, Any]]:
        vectors, source, similarity = self.inputs.sizes
        architecture = Architecture(
            vectors=vectors,
            source=source,
            similarity=similarity,
            hidden=setting.hidden,
            form=setting.form,  # type: ignore[arg-type]
        )
        paper, longest = LAST_OF_PAPER
        last = longest if (setting.rate, setting.decay) == paper else LAST.get(setting.rate, 300)
        stops = [stop for stop in STOPS if stop <= min(last, self.most)]
        options = training.Hyperparameters(
            epochs=stops[-1],
            batch=30,
            learning_rate=setting.rate,
            l2=setting.decay,
            gamma=100,
            beta=100,
            tie_weight=0.1,
            patience=None,
            both_ways=False,
        )
        bounds = self.tables.bounds(trial[0])
        rows = [self.tables.rows(architecture, bounds, pairs)[0] for pairs in (trial[0].turned(0), *trial[1:])]
        signs = [pairs.value.astype(np.float32) for pairs in (trial[0].turned(0), *trial[1:])]
        learned, held = (training.Data.of(*one) for one in zip(rows[:2], signs[:2], strict=True))
        state = training.initial(architecture, tuple(range(SEED, SEED + SEEDS)), stops[-1])
        began = time.process_time()
        for stop in stops:
            state = training.run(architecture, "logistic", options, state, learned, held, stop)
            best = np.asarray(state.best_epoch).tolist()
            spent = time.process_time() - began
            weights = training.weights_of(architecture, state.best)
            taus = [
                (200 * np.mean(margins(architecture, weights, one) * sign > 0, axis=1) - 100).round(3).tolist()
                for one, sign in zip(rows, signs, strict=True)
            ]
            yield {
                "epochs": stop,
                "best": best,
                "seconds": round(spent, 1),
                **dict(zip(("train", "held", "test"), taus, strict=True)),
                **looked_at(architecture, weights, rows[2]),
            }


def looked_at(architecture: Architecture, weights: Weights, rows: Floats) -> dict[str, float]:
    """What the networks do with some rows: the part of hidden nodes that are saturated (|h| > 0.9), and how far the
    margin goes without its hidden nodes: its correlation with what goes straight to the output; means over seeds."""
    if not architecture.nodes:
        return {"weights": int(architecture.mask.sum()) + 1}
    found = []
    for member in range(len(weights.offset)):
        before = rows @ weights.input[member, :, :-1] + weights.bias[member]
        column = weights.input[member, :, -1]
        straight = (rows - rows[:, architecture.swapped]) @ column / 2
        alone = Weights(*(getattr(weights, one.name)[member : member + 1] for one in fields(Weights)))
        whole = margins(architecture, alone, rows)[0]
        found.append((np.mean(np.abs(np.tanh(before)) > 0.9), np.corrcoef(straight, whole)[0, 1]))
    saturated, straight_part = np.mean(found, axis=0)
    number = int(architecture.mask.sum()) + 2 * architecture.nodes + 1
    return {"weights": number, "saturated": float(saturated), "straight": float(straight_part)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.guzman2015_epochs")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt13/")
    parser.add_argument("--kept", type=Path, help="file of results so far, one a line")
    parser.add_argument("--vectors", nargs="*", default=["syntax25", "glove50"], help="sets of sentence vectors")
    parser.add_argument("--hidden", nargs="+", type=int, default=[4, 0], help="nodes of a group; 0 is flat")
    parser.add_argument("--rates", nargs="+", type=float, default=RATES, help="learning rates")
    parser.add_argument("--decays", nargs="+", type=float, default=DECAYS, help="L2")
    parser.add_argument("--most", type=int, default=STOPS[-1], help="epochs")
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.data / "wmt13", ["fr-en"]).untied()
    inputs = Inputs(FeatureSpecs((CHOSEN_METRICS,), tuple(arguments.vectors)), FeatureCache.default())
    curves = Curves(
        inputs, Tables.of(inputs, pairs.texts), small(pairs, HELD_OUT)[:TRIALS], arguments.kept, arguments.most
    )
    for hidden, rate, decay in product(arguments.hidden, arguments.rates, arguments.decays):
        curves.show(Setting(hidden, rate, decay))


if __name__ == "__main__":
    main()
