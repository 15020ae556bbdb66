"""Two or more systems: who wins each segment, who wins overall, and how likely that is chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.compare.judges import Judge
from tercet.corpus import Corpus
from tercet.errors import OptionError
from tercet.metrics.significance import SEED, holm

ALPHA = 0.05
SAMPLES = 10_000


@dataclass(frozen=True)
class PairResult:
    """Two systems over all segments."""

    first: str
    second: str
    wins: int
    """Segments in which the first is better."""
    losses: int
    ties: int
    probability: float
    """The mean over segments of how likely people prefer the first system's translation."""
    margin: float
    """The mean over segments."""
    p_value: float
    """How likely a mean margin as far from 0 is if either system might as well have made either translation."""
    p_holm: float = float("nan")
    """Corrected for the number of pairs (Holm 1979)."""


@dataclass(frozen=True)
class Ranked:
    """A system's place."""

    system: str
    score: float
    """The mean probability, in percent, with which its translations beat those of the other systems."""
    rank: int
    cluster: int
    """Every system of a cluster is significantly better than every system of the next."""


@dataclass(frozen=True)
class Comparison:
    """All of it."""

    signature: str
    systems: tuple[str, ...]
    pairs: tuple[PairResult, ...]
    ranking: tuple[Ranked, ...]
    margins: Mapping[tuple[str, str], NDArray[np.float64]]
    verdicts: Mapping[tuple[str, str], NDArray[np.int64]]
    probabilities: Mapping[tuple[str, str], NDArray[np.float64]]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The JSON of `tercet compare`."""
        names = {1: "first", -1: "second", 0: "tie"}
        segments = [
            {
                "segment": number + 1,
                "first": first,
                "second": second,
                "verdict": names[int(self.verdicts[first, second][number])],
                "probability": float(self.probabilities[first, second][number]),
                "margin": float(margin),
            }
            for (first, second), margins in self.margins.items()
            for number, margin in enumerate(margins)
        ]
        return {
            "signature": self.signature,
            "pairs": [asdict(pair) for pair in self.pairs],
            "ranking": [asdict(ranked) for ranked in self.ranking],
            "segments": segments,
            "notes": list(self.notes),
        }


def compare(corpus: Corpus, judge: Judge, *, samples: int = SAMPLES, seed: int = SEED) -> Comparison:
    """Every two systems of a corpus by a judge; the test is a paired permutation of margins (Fisher 1935)."""
    names = tuple(corpus.systems)
    if len(names) < 2:
        raise OptionError("a comparison needs two systems or more; give -t another file")
    sources = None if corpus.sources is None else list(corpus.sources)
    every = judge.margins([list(corpus.systems[name]) for name in names], list(corpus.references), sources)
    margins, verdicts, probabilities, pairs = {}, {}, {}, []
    for (i, first), (j, second) in combinations(enumerate(names), 2):
        margin = np.ascontiguousarray(every[i, j])
        verdict, probability = judge.verdict(margin), judge.probability(margin)
        margins[first, second], verdicts[first, second], probabilities[first, second] = margin, verdict, probability
        pairs.append(
            PairResult(
                first,
                second,
                wins=int(np.sum(verdict > 0)),
                losses=int(np.sum(verdict < 0)),
                ties=int(np.sum(verdict == 0)),
                probability=float(probability.mean()),
                margin=float(margin.mean()),
                p_value=_permutation(margin, samples, seed),
            )
        )
    corrected = holm([pair.p_value for pair in pairs])
    pairs = [replace(pair, p_holm=float(p)) for pair, p in zip(pairs, corrected, strict=True)]
    return Comparison(
        str(judge.signature.also(ar=samples, seed=seed)),
        names,
        tuple(pairs),
        tuple(_ranking(names, pairs)),
        margins,
        verdicts,
        probabilities,
        tuple(judge.notes()),
    )


def _permutation(margins: NDArray[np.float64], samples: int, seed: int) -> float:
    """Two-sided p of the mean: to exchange two translations is to turn the sign of their margin."""
    total = margins.sum()
    turned = _native.coin_sums(margins[:, None], samples, seed)[:, 0]
    farther = np.abs(total - 2 * turned) >= np.abs(total) * (1 - 1e-9)
    return (int(farther.sum()) + 1) / (samples + 1)


def _ranking(names: Sequence[str], pairs: Sequence[PairResult]) -> list[Ranked]:
    wins = dict.fromkeys(names, 0.0)
    for pair in pairs:
        wins[pair.first] += pair.probability
        wins[pair.second] += 1 - pair.probability
    scores = {name: 100 * total / (len(names) - 1) for name, total in wins.items()}
    order = sorted(names, key=lambda name: -scores[name])
    better = {(pair.first, pair.second) for pair in pairs if pair.p_holm < ALPHA and pair.margin > 0}
    better |= {(pair.second, pair.first) for pair in pairs if pair.p_holm < ALPHA and pair.margin < 0}
    found, cluster, rank = [], 1, 1
    for place, name in enumerate(order):
        if place and all((above, below) in better for above in order[:place] for below in order[place:]):
            cluster += 1
        if place and scores[name] < scores[order[place - 1]]:
            rank = place + 1
        found.append(Ranked(name, scores[name], rank, cluster))
    return found
