"""The joint-objective metric: how fast it scores, and how long each objective trains on all of WMT13 fr-en."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import tercet
from bench.measure import Figure, wmt13
from tercet.features.cache import FeatureCache
from tercet.metrics.registry import metric
from tercet.rankers.joint import JointOptions, JointRanker
from tercet.rankers.joint_fitting import fit_examples, prepared
from tercet.rankers.judged_data import hold_out, read_judged_folder

OBJECTIVES: tuple[Literal["sentence", "corpus", "joint"], ...] = ("sentence", "corpus", "joint")


def figures(data: Path) -> Iterator[Figure]:
    """Scoring by CPU time; trainings with compiling and validating on a third of WMT12, but without their features."""
    tercet.set_threads(1)
    segments, joint = wmt13(data, systems=1)[0], metric("joint")
    joint.statistics(segments.hypotheses[:1], segments.sets[:1])
    start = time.process_time()
    joint.statistics(segments.hypotheses, segments.sets)
    rate = len(segments.hypotheses) / (time.process_time() - start)
    yield Figure("score -m joint, segments/s of one core", f"{rate:,.0f}", "≥ 20,000")

    sets = JointRanker().feature_sets
    judged = read_judged_folder(data / "wmt13")
    _, validation = hold_out(read_judged_folder(data / "wmt12"), 1 / 3, 1)
    for objective in OBJECTIVES:
        options = JointOptions(objective=objective)
        learned, held = (prepared(part, sets, options, FeatureCache()) for part in (judged, validation))
        start, cpu = time.perf_counter(), time.process_time()
        fit_examples(options, learned, held)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        pairs = len(learned.sentences.better)
        name = f"{objective}, {pairs:,} pairs, {options.epochs} epochs"
        yield Figure(name, f"{wall:.1f} s ({cpu:.1f} s CPU)", "< 60 s")
