"""Agreement of judges by going through every two judgments of the same pair of translations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

Judgment = tuple[str, int, int, int, int]  # judge, segment, first system, second system, value


def meetings(judgments: Sequence[Judgment], judges: str) -> Counter[tuple[int, int]]:
    """How often two judgments of a pair have two values, the smaller value first."""
    by_pair = defaultdict(list)
    for judge, segment, first, second, value in judgments:
        if first > second:
            first, second, value = second, first, -value
        by_pair[segment, first, second].append((judge, value))
    counts: Counter[tuple[int, int]] = Counter()
    for group in by_pair.values():
        for (judge, value), (other_judge, other_value) in combinations(group, 2):
            if judges == "any" or (judge == other_judge) == (judges == "same"):
                counts[min(value, other_value), max(value, other_value)] += 1
    return counts


def chance(judgments: Sequence[Judgment], judges: str) -> float:
    """P(E) from the share of ties."""
    if judges == "same":
        times = Counter((judge, segment, frozenset((a, b))) for judge, segment, a, b, _ in judgments)
        sittings = {(judge, segment) for (judge, segment, _), n in times.items() if n > 1}
        judgments = [judgment for judgment in judgments if judgment[:2] in sittings]
    tied = sum(judgment[4] == 0 for judgment in judgments) / len(judgments)
    return tied**2 + 2 * ((1 - tied) / 2) ** 2


def kappa(judgments: Sequence[Judgment], judges: str) -> float:
    """(P(A) − P(E)) / (1 − P(E))."""
    counts = meetings(judgments, judges)
    agree = sum(n for (a, b), n in counts.items() if a == b) / counts.total()
    expected = chance(judgments, judges)
    return (agree - expected) / (1 - expected)
