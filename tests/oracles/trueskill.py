"""TrueSkill for two players from its model alone: moments of a truncated normal, and the choice of whom to compare."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from scipy.stats import truncnorm

Match = tuple[int, int, int]
Skill = tuple[float, float]  # mean, deviation unless said otherwise


def rate(one: Skill, other: Skill, value: int, *, beta: float, tau: float, margin: float) -> tuple[Skill, Skill]:
    """Both skills after a comparison: the difference of performances is cut to what was seen, and the skills follow.

    With d = skill1 + noise1 − skill2 − noise2 normal, E[skill | d] is linear in d; so the skill's new mean and variance
    come from those of the truncated d.
    """
    (m1, s1), (m2, s2) = one, other
    v1, v2 = s1**2 + tau**2, s2**2 + tau**2
    mean, deviation = m1 - m2, math.sqrt(v1 + v2 + 2 * beta**2)
    low, high = {1: (margin, math.inf), 0: (-margin, margin), -1: (-math.inf, -margin)}[value]
    cut = truncnorm((low - mean) / deviation, (high - mean) / deviation)
    seen, spread = deviation * cut.mean(), deviation**2 * cut.var()  # the mean of d lies this far above its old mean

    def moved(m: float, v: float, sign: int) -> Skill:
        gain = sign * v / deviation**2
        return m + gain * seen, math.sqrt(v - v**2 / deviation**2 + gain**2 * spread)

    return moved(m1, v1, 1), moved(m2, v2, -1)


def trueskill(
    matches: Sequence[Match],
    systems: int,
    *,
    mu: float,
    sigma: float,
    beta: float,
    tau: float,
    margin: float,
) -> list[Skill]:
    """Skills after the matches, one after the other."""
    skills = [(mu, sigma)] * systems
    for first, second, value in matches:
        skills[first], skills[second] = rate(skills[first], skills[second], value, beta=beta, tau=tau, margin=margin)
    return skills


def closed_form(one: Skill, other: Skill, value: int, *, beta: float, tau: float, margin: float) -> tuple[Skill, Skill]:
    """The same by the v and w of Herbrich et al. (2006); skills are mean and *variance* here.

    Step for step the arithmetic of the kernel, so that two equal variances are equal here when they are there.
    """
    if value < 0:
        return closed_form(other, one, 1, beta=beta, tau=tau, margin=margin)[::-1]
    (m1, v1), (m2, v2) = one, other
    v1, v2 = v1 + tau * tau, v2 + tau * tau
    squared = 2 * beta * beta + (v1 + v2)
    c = math.sqrt(squared)
    t, e = (m1 - m2) / c, margin / c
    if value > 0:
        v = density(t - e) / below(t - e)
        w = v * (v + (t - e))
    else:
        upper, lower = e - abs(t), -e - abs(t)
        within = below(upper) - below(lower)
        v = (density(lower) - density(upper)) / within
        w = v * v + (upper * density(upper) - lower * density(lower)) / within
        v = -v if t < 0 else v
    return (m1 + v1 / c * v, v1 * (1 - v1 / squared * w)), (m2 - v2 / c * v, v2 * (1 - v2 / squared * w))


def density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def below(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def matched(
    matches: Sequence[Match],
    systems: int,
    steps: int,
    seed: int,
    *,
    mu: float,
    sigma: float,
    beta: float,
    tau: float,
    margin: float,
) -> list[Skill]:
    """Skills after runs that let the least certain system meet one near its skill."""
    meetings: dict[frozenset[int], list[Match]] = defaultdict(list)
    for match in matches:
        meetings[frozenset(match[:2])].append(match)
    opponents = [[b for b in range(systems) if frozenset((a, b)) in meetings and a != b] for a in range(systems)]
    skills, chance = [(mu, sigma * sigma)] * systems, uniforms(seed)
    for _ in range(steps):
        one, equals, greatest = 0, 0, -1.0
        for system in range(systems):
            variance = skills[system][1]
            if not opponents[system] or variance < greatest:
                continue
            equals = 1 if variance > greatest else equals + 1
            greatest = variance
            if equals == 1 or int(next(chance) * equals) == 0:
                one = system
        near = [math.exp(-abs(skills[one][0] - skills[b][0])) for b in opponents[one]]
        mark, other = next(chance) * sum(near), opponents[one][-1]
        for b, weight in zip(opponents[one], near, strict=True):
            if mark < weight:
                other = b
                break
            mark -= weight
        pool = meetings[frozenset((one, other))]
        first, second, value = pool[int(next(chance) * len(pool))]
        skills[first], skills[second] = closed_form(
            skills[first], skills[second], value, beta=beta, tau=tau, margin=margin
        )
    return [(mean, math.sqrt(variance)) for mean, variance in skills]


def uniforms(seed: int) -> Iterator[float]:
    """Numbers in [0, 1) by splitmix64."""
    mask = 2**64 - 1
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield ((z ^ (z >> 31)) >> 11) / 2**53
