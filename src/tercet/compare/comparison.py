"""Two or more systems: who wins each segment, who wins overall, by how much, and how likely that is chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.compare import statistics
from tercet.compare.judges import Judge
from tercet.compare.names import short_names
from tercet.compare.tally import Tally, pair_columns
from tercet.compare.words import ALPHA, effect
from tercet.corpus import Corpus
from tercet.errors import OptionError
from tercet.metrics.significance import SEED, holm

SAMPLES = 10_000
"""Of both tests: with fewer, no p-value would be small enough to stay so when many pairs are corrected for."""


@dataclass(frozen=True)
class PairResult:
    """How two systems compare over all segments: wins, probability, tests, the size of the difference."""

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
    p_bootstrap: float = float("nan")
    """The same question, answered by a paired bootstrap of the segments."""
    p_bootstrap_holm: float = float("nan")
    margin_low: float = float("nan")
    """Of the 95 % bootstrap interval of the mean margin."""
    margin_high: float = float("nan")
    win_rate: float = float("nan")
    """Share of segments that the first wins, ties by half."""
    effect: str = ""
    """In words, seen from the better system; a difference has a name only if both tests show it."""

    @property
    def shown(self) -> bool:
        """Whether both tests, corrected, show a difference."""
        return not (self.p_holm >= ALPHA or self.p_bootstrap_holm >= ALPHA)

    @property
    def p_shown(self) -> float:
        """The greater of the two corrected p-values: what the verdict rests on."""
        return max(self.p_holm, self.p_bootstrap_holm)

    def turned(self) -> PairResult:
        """The same, seen from the second system."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            wins=self.losses,
            losses=self.wins,
            probability=1 - self.probability,
            margin=-self.margin,
            margin_low=-self.margin_high,
            margin_high=-self.margin_low,
            win_rate=1 - self.win_rate,
        )

    @property
    def better(self) -> str | None:
        """The better system, if a difference is shown."""
        return None if not self.shown else self.first if self.margin > 0 else self.second


@dataclass(frozen=True)
class Ranked:
    """A system's place in the ranking, with its score, strength, range of ranks and cluster."""

    system: str
    score: float
    """The mean probability, in percent, with which its translations beat those of the other systems."""
    rank: int
    cluster: int
    """Every system of a cluster is significantly better than every system of the next."""
    score_low: float = float("nan")
    score_high: float = float("nan")
    strength: float = float("nan")
    """Bradley–Terry: sigmoid of a difference of strengths is how often one is expected to beat the other."""
    strength_low: float = float("nan")
    strength_high: float = float("nan")
    rank_low: int = 0
    """The best rank in its 95 % bootstrap range."""
    rank_high: int = 0
    win_rate: float = float("nan")
    """Share of its comparisons with any other system that it wins, ties by half."""


@dataclass(frozen=True)
class Comparison:
    """What a comparison found: every pair of systems, the ranking, and each segment's margins and verdicts."""

    model: str
    """The judge's name."""
    kind: str
    """`model` or `metric`."""
    signature: str
    systems: tuple[str, ...]
    segments: int
    references: tuple[int, ...]
    """How many a segment has: one number, or several where it varies."""
    pairs: tuple[PairResult, ...]
    ranking: tuple[Ranked, ...]
    margins: Mapping[tuple[str, str], NDArray[np.float64]]
    verdicts: Mapping[tuple[str, str], NDArray[np.int64]]
    probabilities: Mapping[tuple[str, str], NDArray[np.float64]]
    notes: tuple[str, ...]
    tie_band: float = 0.0
    samples: int = SAMPLES

    def pair(self, first: str, second: str) -> PairResult:
        """The result of two systems, seen from the first."""
        for found in self.pairs:
            if (found.first, found.second) == (first, second):
                return found
            if (found.first, found.second) == (second, first):
                return found.turned()
        raise OptionError(f"no systems {first!r} and {second!r} in this comparison; it has {', '.join(self.systems)}")

    def as_json(self) -> dict[str, Any]:
        """The JSON of `tercet compare`."""
        names = {1: "first", -1: "second", 0: "tie"}
        segments = [
            {
                "segment": number + 1,
                "first": first,
                "second": second,
                "verdict": names[verdict],
                "probability": probability,
                "margin": margin,
            }
            for first, second in self.margins
            for number, (verdict, probability, margin) in enumerate(
                zip(
                    self.verdicts[first, second].tolist(),
                    self.probabilities[first, second].tolist(),
                    self.margins[first, second].tolist(),
                    strict=True,
                )
            )
        ]
        return {
            "model": self.model,
            "signature": self.signature,
            "pairs": [asdict(pair) for pair in self.pairs],
            "ranking": [asdict(ranked) for ranked in self.ranking],
            "segments": segments,
            "notes": list(self.notes),
        }


def two_systems(comparison: Comparison, chosen: Sequence[str] | None = None) -> tuple[str, str]:
    """The systems that a user names, in full or without what all names begin with; by default the best two."""
    if not chosen:
        return comparison.ranking[0].system, comparison.ranking[1].system
    if len(chosen) != 2:
        raise OptionError(f"a pair is two systems, not {len(chosen)}; the systems are {', '.join(comparison.systems)}")
    known = dict(zip(short_names(comparison.systems), comparison.systems, strict=True))
    first, second = (known.get(name, name) for name in chosen)
    return first, second


def compare(corpus: Corpus, judge: Judge, *, samples: int = SAMPLES, seed: int = SEED) -> Comparison:
    """Every two systems of a corpus by a judge.

    The tests are a paired permutation of margins and a paired bootstrap, both corrected over all pairs; a difference
    counts as shown where both are below 0.05. Clusters follow from the differences that are shown.
    """
    names = tuple(corpus.systems)
    if len(names) < 2:
        raise OptionError("a comparison needs two systems or more; give -t another file")
    if samples < 1:
        raise OptionError(f"{samples} samples; at least 1 is needed, 10,000 is usual")
    sources = None if corpus.sources is None else list(corpus.sources)
    every = judge.margins([list(corpus.systems[name]) for name in names], list(corpus.references), sources)
    columns, verdicts, probabilities = pair_columns(judge, every)
    tally = Tally.of(columns, verdicts, probabilities, samples, seed)
    keys = list(combinations(names, 2))
    return replace(
        comparison_of(judge, names, tally, corpus.reference_counts, samples=samples, seed=seed),
        margins={key: np.ascontiguousarray(columns[:, c]) for c, key in enumerate(keys)},
        verdicts={key: np.ascontiguousarray(verdicts[:, c]) for c, key in enumerate(keys)},
        probabilities={key: np.ascontiguousarray(probabilities[:, c]) for c, key in enumerate(keys)},
    )


def comparison_of(
    judge: Judge,
    names: Sequence[str],
    tally: Tally,
    references: tuple[int, ...],
    *,
    samples: int,
    seed: int,
) -> Comparison:
    """The comparison that some sums make; it has nothing of single segments."""
    places = list(combinations(range(len(names)), 2))
    pairs = _pairs(names, places, tally)
    return Comparison(
        model=judge.name,
        kind=judge.kind,
        signature=str(judge.signature.also(bs=samples, ar=samples, seed=seed)),
        systems=tuple(names),
        segments=tally.segments,
        references=references,
        pairs=tuple(pairs),
        ranking=tuple(_ranking(names, places, pairs, tally)),
        margins={},
        verdicts={},
        probabilities={},
        notes=tuple(judge.notes()),
        tie_band=judge.tie_band,
        samples=samples,
    )


def _pairs(names: Sequence[str], places: Sequence[tuple[int, int]], tally: Tally) -> list[PairResult]:
    turned = statistics.permutation_p(tally.margins, tally.turned)
    drawn = statistics.bootstrap_p(tally.margins, tally.drawn, tally.segments, tally.constant)
    corrected, drawn_corrected = holm(turned.tolist()), holm(drawn.p_values.tolist())
    found = []
    for c, (i, j) in enumerate(places):
        shown = bool(corrected[c] < ALPHA and drawn_corrected[c] < ALPHA)
        win_rate = float((1 + (tally.wins[c] - tally.losses[c]) / tally.segments) / 2)
        found.append(
            PairResult(
                names[i],
                names[j],
                wins=int(tally.wins[c]),
                losses=int(tally.losses[c]),
                ties=int(tally.ties[c]),
                probability=float(tally.probabilities[c] / tally.segments),
                margin=float(tally.margins[c] / tally.segments),
                p_value=float(turned[c]),
                p_holm=float(corrected[c]),
                p_bootstrap=float(drawn.p_values[c]),
                p_bootstrap_holm=float(drawn_corrected[c]),
                margin_low=float(drawn.low[c]),
                margin_high=float(drawn.high[c]),
                win_rate=win_rate,
                effect=effect(win_rate, shown),
            )
        )
    return found


def _ranking(
    names: Sequence[str], places: Sequence[tuple[int, int]], pairs: Sequence[PairResult], tally: Tally
) -> list[Ranked]:
    strength = statistics.strengths_of(len(names), places, tally.probabilities, tally.preferred, tally.segments)
    scores = strength.score.round(9)  # equal but for rounding is equal
    order = sorted(range(len(names)), key=lambda i: -scores[i])
    number = {name: i for i, name in enumerate(names)}
    better = {
        (number[pair.first], number[pair.second]) if pair.margin > 0 else (number[pair.second], number[pair.first])
        for pair in pairs
        if pair.shown
    }
    won = np.zeros(len(names))
    for pair in pairs:
        won[number[pair.first]] += pair.wins + pair.ties / 2
        won[number[pair.second]] += pair.losses + pair.ties / 2
    compared = tally.segments * (len(names) - 1)
    return [
        Ranked(
            names[i],
            float(strength.score[i]),
            rank=1 + int(np.sum(scores > scores[i])),
            cluster=cluster,
            score_low=float(strength.score_low[i]),
            score_high=float(strength.score_high[i]),
            strength=float(strength.strength[i]),
            strength_low=float(strength.strength_low[i]),
            strength_high=float(strength.strength_high[i]),
            rank_low=int(strength.rank_low[i]),
            rank_high=int(strength.rank_high[i]),
            win_rate=float(won[i] / compared),
        )
        for i, cluster in zip(order, statistics.clusters(order, better), strict=True)
    ]
