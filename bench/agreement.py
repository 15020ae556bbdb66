"""How long taus, tie calibration, bootstraps and super-sampling take, and how that grows: `python -m bench.agreement`.

Data are made up, in the shapes of the shared tasks: 44,000 judged pairs over 3,000 segments; 15 systems x 3,000
segments with direct assessments; statistics of ten columns, as BLEU's.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

import tercet
from tercet.agreement import correlation, taus
from tercet.agreement.significance import bootstrap_agreement, bootstrap_taus, permutation_matrix, supersample
from tercet.metrics import BLEU

SEGMENTS = 3000


def main() -> None:
    """Prints a table for each kind of work, the plain size first and then one size doubled at a time."""
    tercet.set_threads(os.cpu_count() or 1)
    print(f"{tercet.threads()} threads; the best of three; CPU seconds are of all threads together, growth is theirs\n")
    table(
        "bootstrap of taus: counting pairs by segment, then all resamples",
        tau_bootstrap,
        {"pairs": 44_000, "scorers": 10, "resamples": 1000},
    )
    table(
        "bootstrap of Pearson's r, 15 systems",
        pearson_bootstrap,
        {"segments": SEGMENTS, "scorers": 10, "resamples": 1000},
    )
    table(
        "hybrid super-sampling with Williams' test, statistics of 10 columns",
        supersampling,
        {"systems": 15, "segments": SEGMENTS, "scorers": 5, "samples": 10_000},
    )
    table(
        "acc_eq by item with tie calibration over all pairs, one scorer",
        calibration,
        {"systems": 20, "segments": SEGMENTS},
    )
    table(
        "PERM-BOTH on Pearson's r by item, two scorers",
        permutation,
        {"systems": 15, "segments": SEGMENTS, "resamples": 1000},
        repeats=1,
    )


def table(title: str, work: Callable[..., Callable[[], object]], sizes: dict[str, int], *, repeats: int = 3) -> None:
    """The time of the work at these sizes, and at each of them doubled alone."""
    print(title)
    print("  " + "".join(f"{name:>11}" for name in sizes) + "    seconds        CPU  growth")
    base = 0.0
    for doubled in (None, *sizes):
        now = {name: size * (2 if name == doubled else 1) for name, size in sizes.items()}
        wall, cpu = seconds(work(**now), repeats)
        base = base or cpu
        growth = f"{cpu / base:8.2f}" if doubled else ""
        print("  " + "".join(f"{size:>11,}" for size in now.values()) + f"{wall:11.3f}{cpu:11.3f}{growth}")
    print(flush=True)


def seconds(run: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The shortest times of several runs: on the clock, and of the processor."""
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return min(wall for wall, _ in times), min(cpu for _, cpu in times)


def tau_bootstrap(pairs: int, scorers: int, resamples: int) -> Callable[[], object]:
    random = np.random.default_rng(1)
    gold, segments = random.choice([-1, 1], size=pairs), random.integers(SEGMENTS, size=pairs)
    scores = {str(k): np.round(random.normal(size=(2, pairs)), 1) for k in range(scorers)}

    def run() -> object:
        counts = {name: taus.count_by_segment(gold, *pair, segments, size=SEGMENTS) for name, pair in scores.items()}
        found = bootstrap_taus(counts, name="wmt12", samples=resamples)
        return found.interval(), found.matrix()

    return run


def pearson_bootstrap(segments: int, scorers: int, resamples: int) -> Callable[[], object]:
    gold, scores = assessed(15, segments, scorers)
    return lambda: bootstrap_agreement("pearson", gold, scores, samples=resamples).matrix()


def supersampling(systems: int, segments: int, scorers: int, samples: int) -> Callable[[], object]:
    gold, scores = assessed(systems, segments, scorers)
    bleu = BLEU()
    statistics = {name: bleu_like(each) for name, each in scores.items()}
    score = dict.fromkeys(scores, bleu.score)
    return lambda: supersample(gold, statistics, score, samples=samples).williams()


def calibration(systems: int, segments: int) -> Callable[[], object]:
    gold, scores = assessed(systems, segments, 1)
    mqm = -np.maximum(0, np.round(-5 * gold))  # many segments without an error, as in MQM
    return lambda: correlation.accuracy_with_ties(mqm, scores["0"], average="item")


def permutation(systems: int, segments: int, resamples: int) -> Callable[[], object]:
    gold, scores = assessed(systems, segments, 2)
    return lambda: permutation_matrix("pearson", gold, scores, average="item", samples=resamples)


def assessed(systems: int, segments: int, scorers: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    random = np.random.default_rng(2)
    gold = random.normal(size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    return gold, {str(k): gold + random.normal(size=gold.shape) for k in range(scorers)}


def bleu_like(quality: np.ndarray) -> np.ndarray:
    """Lengths, matches and n-grams of sentences of twenty words."""
    share = np.clip(0.6 + 0.1 * quality, 0, 1)[..., None] ** np.arange(1, 5)
    totals = np.broadcast_to(np.array([20.0, 19, 18, 17]), (*quality.shape, 4))
    lengths = np.full((*quality.shape, 2), 20.0)
    return np.concatenate([lengths, np.round(share * totals), totals], axis=2)


if __name__ == "__main__":
    main()
