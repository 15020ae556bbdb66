"""The random numbers of cpp/random.hpp and the sums of cpp/resample.cpp, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1


def _scramble(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31


def _rotate(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) & _MASK


def random(seed: int, stream: int) -> Iterator[int]:
    """xoshiro256**, its state filled by splitmix64 from (seed, stream)."""
    mix = _scramble(seed) ^ _scramble((stream + 0x632BE59BD9B4E019) & _MASK)
    state = []
    for _ in range(4):
        mix = (mix + 0x9E3779B97F4A7C15) & _MASK
        state.append(_scramble(mix))
    while True:
        yield _rotate(state[1] * 5 & _MASK, 7) * 9 & _MASK
        shifted = state[1] << 17 & _MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = _rotate(state[3], 45)


def below(draws: Iterator[int], n: int) -> int:
    """A number below n."""
    return (next(draws) >> 32) * n >> 32


def bootstrap_sums(rows: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """As many rows as there are, drawn with replacement."""
    sums = []
    for sample in range(samples):
        draws = random(seed, sample)
        sums.append(sum(rows[below(draws, len(rows))] for _ in rows))
    return np.array(sums)


def coin_sums(rows: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """The rows for which a coin shows heads; 64 coins from each number, the lowest bit first."""
    sums = []
    for sample in range(samples):
        draws = random(seed, sample)
        coins: list[int] = []
        while len(coins) < len(rows):
            bits = next(draws)
            coins += [bits >> i & 1 for i in range(64)]
        sums.append(sum((row for row, coin in zip(rows, coins, strict=False) if coin), np.zeros(rows.shape[1])))
    return np.array(sums)


def mixture_sums(tables: Sequence[NDArray[np.float64]], samples: int, seed: int) -> NDArray[np.float64]:
    """For each segment the row of a system drawn at random."""
    sums = []
    for sample in range(samples):
        draws = random(seed, sample)
        sums.append(sum(tables[below(draws, len(tables))][i] for i in range(len(tables[0]))))
    return np.array(sums)
