"""The models that ship: how many segments a second they judge, without anything kept from before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path

import tercet
from bench.measure import Figure, Segments, wmt13
from tercet.errors import ResourceError
from tercet.features.cache import FeatureCache
from tercet.language.encoder import Encoder
from tercet.rankers.loading import find_model
from tercet.rankers.models import load
from tercet.rankers.network import NetworkRanker

SEGMENTS = 3000
SYSTEMS = {"lite": 10, "base": 3}
SIZES = {"lite": 3000, "base": 750}  # the encoder remembers texts, so each measurement of base has its own
WANTED = {"lite": "≥ 3,000", "base": "≥ 150"}
CORES = 2


def figures(data: Path) -> Iterator[Figure]:
    """By the clock on two cores, and by the processor's time of one thread, which other work disturbs less."""
    for name in ("lite", "base"):
        tercet.set_threads(CORES)  # the encoder is loaded for so many
        try:
            ranker = load(find_model(name), cache=FeatureCache())
        except ResourceError as error:
            yield Figure(f"{name}, segment pairs/s", f"not measured: {error}", WANTED[name])
            continue
        ranker.margins([["A warm word."], ["A word that is warm."]], [("A warm word.",)])
        texts, size = wmt13(data, SYSTEMS[name]), SIZES[name]
        starts = iter(range(0, SEGMENTS, size)) if size < SEGMENTS else repeat(0)
        for systems in (2, SYSTEMS[name]):
            clock, cpu = _both(partial(_judge, ranker, texts[:systems], starts, size))
            pairs = size * systems * (systems - 1) // 2
            shown = f"{pairs / clock:,.0f} ({pairs / cpu:,.0f} a core; {clock:.1f} s)"
            yield Figure(f"{name}, {systems} systems × {size:,}, segment pairs/s of {CORES} cores", shown, WANTED[name])
    sentences = list(dict.fromkeys(text for one in wmt13(data, 2, 1000) for text in one.hypotheses))
    tercet.set_threads(CORES)
    try:
        Encoder().encode(["warm"])
    except ResourceError as error:
        yield Figure("encoder, sentences/s", f"not measured: {error}", "≥ 400")
        return
    clock, cpu = _both(lambda: Encoder().encode(sentences))
    shown = f"{len(sentences) / clock:,.0f} ({len(sentences) / cpu:,.0f} a core)"
    yield Figure(f"encoder, sentences/s of {CORES} cores", shown, "≥ 400")


def _judge(ranker: NetworkRanker, texts: Sequence[Segments], starts: Iterator[int], size: int) -> None:
    start = next(starts)
    part = slice(start, start + size)
    ranker.margins([one.hypotheses[part] for one in texts], texts[0].sets[part])


def _both(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock on all cores, and of the processor on one."""
    tercet.set_threads(CORES)
    start = time.perf_counter()
    work()
    clock = time.perf_counter() - start
    tercet.set_threads(1)
    start = time.process_time()
    work()
    return clock, time.process_time() - start
