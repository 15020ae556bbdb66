"""Agreement with people, pair by pair and straight from the definitions: slow, and meant to be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

Row = Sequence[float]


def case(human: int, metric: int) -> str:
    """What becomes of a pair: both arguments are -1, 0 or 1."""
    if human == 0:
        return "both" if metric == 0 else "human"
    if metric == 0:
        return "metric"
    return "same" if human == metric else "opposite"


def tau(form: str, verdicts: Sequence[int], first: Row, second: Row) -> float:
    """WMT's taus by the book: (concordant - discordant [- ties]) / (concordant + discordant [+ ties])."""
    found = [case(h, sign(a - b)) for h, a, b in zip(verdicts, first, second, strict=True)]
    same, opposite, ties = found.count("same"), found.count("opposite"), found.count("metric")
    if form in ("wmt11", "wmt12"):
        return (same - opposite - ties) / (same + opposite + ties)
    if form == "wmt13":
        return (same - opposite) / (same + opposite)
    if form == "wmt14":
        return (same - opposite) / (same + opposite + ties)
    right = same + found.count("both")
    return right / len(found) if form == "acc-eq" else (right - (len(found) - right)) / len(found)


def pair_counts(human: Row, metric: Row, epsilon: float) -> list[int]:
    """Same order, opposite orders, tied by the metric only, by people only, by both."""
    names = ["same", "opposite", "metric", "human", "both"]
    counts = dict.fromkeys(names, 0)
    judged = [(h, m) for h, m in zip(human, metric, strict=True) if not math.isnan(h)]
    for (h1, m1), (h2, m2) in combinations(judged, 2):
        verdict = 0 if abs(m1 - m2) <= epsilon else sign(m1 - m2)
        counts[case(sign(h1 - h2), verdict)] += 1
    return [counts[name] for name in names]


def accuracy(humans: Sequence[Row], metrics: Sequence[Row], epsilon: float) -> Fraction:
    """The mean over rows with a pair of the share of pairs that are right, exactly."""
    shares = []
    for human, metric in zip(humans, metrics, strict=True):
        counts = pair_counts(human, metric, epsilon)
        if sum(counts):
            shares.append(Fraction(counts[0] + counts[4], sum(counts)))
    return sum(shares, Fraction(0)) / len(shares)


def best_epsilon(humans: Sequence[Row], metrics: Sequence[Row]) -> float:
    """Tries every difference between two scores of a row, from the smallest; the first best one wins."""
    candidates = {0.0}
    for human, metric in zip(humans, metrics, strict=True):
        judged = [m for h, m in zip(human, metric, strict=True) if not math.isnan(h)]
        candidates |= {abs(a - b) for a, b in combinations(judged, 2)}
    return max(sorted(candidates), key=lambda epsilon: accuracy(humans, metrics, epsilon))


def best_epsilon_by_sorting(human: np.ndarray, metric: np.ndarray) -> float:
    """The same for complete rows, quickly: all differences sorted, wins and losses summed along them."""
    i, j = np.triu_indices(human.shape[1], 1)
    order = np.sign(human[:, i] - human[:, j]).ravel()
    difference = (metric[:, i] - metric[:, j]).ravel()
    change = np.where(order == 0, 1, np.where(order == np.sign(difference), -1, 0))
    distances, where = np.unique(np.append(np.abs(difference), 0.0), return_inverse=True)
    steps = np.bincount(where, weights=np.append(change, 0))
    return float(distances[np.argmax(np.cumsum(steps))])


def pearson(x: Row, y: Row) -> float:
    """Covariance by the product of deviations, in exact fractions up to the square root."""
    xs, ys = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mx, my = sum(xs, Fraction(0)) / len(xs), sum(ys, Fraction(0)) / len(ys)
    xx, yy = sum(((v - mx) ** 2 for v in xs), Fraction(0)), sum(((v - my) ** 2 for v in ys), Fraction(0))
    if xx == 0 or yy == 0:
        return math.nan
    xy = sum(((a - mx) * (b - my) for a, b in zip(xs, ys, strict=True)), Fraction(0))
    return math.copysign(math.sqrt(xy * xy / (xx * yy)), xy)


def ranks(values: Row) -> list[float]:
    """1 + how many are smaller + half of how many others are equal."""
    return [1 + sum(v < w for v in values) + (sum(v == w for v in values) - 1) / 2 for w in values]


def kendall_b(human: Row, metric: Row) -> float:
    same, opposite, metric_ties, human_ties, _ = pair_counts(human, metric, 0.0)
    below = (same + opposite + metric_ties) * (same + opposite + human_ties)
    return (same - opposite) / math.sqrt(below) if below else math.nan


def kendall_c(human: Row, metric: Row) -> float:
    same, opposite, *_ = pair_counts(human, metric, 0.0)
    judged = [(h, m) for h, m in zip(human, metric, strict=True) if not math.isnan(h)]
    levels = min(len({h for h, _ in judged}), len({m for _, m in judged}))
    return (same - opposite) / (len(judged) ** 2 * (levels - 1) / (2 * levels)) if levels > 1 else math.nan


def statistic(name: str, human: Row, metric: Row) -> float:
    """Any correlation of one row, NaN where it is undefined."""
    if name == "accuracy":
        counts = pair_counts(human, metric, 0.0)
        return (counts[0] + counts[4]) / sum(counts) if sum(counts) else math.nan
    judged = [(h, m) for h, m in zip(human, metric, strict=True) if not math.isnan(h)]
    if len(judged) < 2:
        return math.nan
    h, m = [a for a, _ in judged], [b for _, b in judged]
    if name == "pearson":
        return pearson(h, m)
    if name == "spearman":
        return pearson(ranks(h), ranks(m))
    return kendall_b(h, m) if name == "kendall-b" else kendall_c(h, m)


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """The t of Williams' test with the determinant written out as a 3 x 3 matrix's."""
    matrix = [[1.0, r12, r13], [r12, 1.0, r23], [r13, r23, 1.0]]
    a, b, c = matrix
    determinant = (
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
    variance = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    return (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / variance)


def holm(p_values: Sequence[float]) -> list[float]:
    """Step down: the k-th smallest of n is multiplied by n - k, and none falls below the one before."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for k, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - k)))
        corrected[i] = highest
    return corrected


def sign(x: float) -> int:
    return int(x > 0) - int(x < 0)
