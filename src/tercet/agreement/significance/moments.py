"""Pearson's r from sums over segments: what makes its bootstrap a product of matrices."""

from __future__ import annotations

import numpy as np

from tercet import _native
from tercet.agreement.scores import Array, Places
from tercet.metrics.base import ratio


def pearson_bootstrap(gold: Array, scorers: Array, *, pooled: bool, samples: int, seed: int) -> Array:
    """r of each scorer in each resample of segments, (samples, scorers), NaN where it is undefined.

    gold is (systems, segments), scorers (scorers, systems, segments). Pooled: one r over all systems' scores;
    otherwise the mean of the systems' own. The drawn segments are those of `_native.bootstrap_sums` with this seed.
    """
    judged = ~np.isnan(gold)
    x, y = _standard(np.where(judged, gold, 0.0), judged), _standard(scorers, judged)
    shared = np.stack([judged, x, x * x])  # (3, systems, segments)
    own = np.stack([y, y * y, x * y])  # (3, scorers, systems, segments)
    if pooled:
        shared, own = shared.sum(axis=1, keepdims=True), own.sum(axis=2, keepdims=True)
    groups, segments = shared.shape[1:]
    table = np.concatenate([shared.reshape(-1, segments), own.reshape(-1, segments)]).T
    sums = _native.bootstrap_sums(np.ascontiguousarray(table), samples, seed)
    n, sx, sxx = (part[:, None] for part in np.split(sums[:, : 3 * groups], 3, axis=1))
    sy, syy, sxy = sums[:, 3 * groups :].reshape(samples, 3, len(scorers), groups).transpose(1, 0, 2, 3)
    count = np.maximum(n, 1)
    vx, vy, vxy = sxx - sx * sx / count, syy - sy * sy / count, sxy - sx * sy / count
    # What is left of a variance that cancels is rounding, not spread: as good as constant, so undefined.
    sound = (vx > 1e-10 * sxx) & (vy > 1e-10 * syy) & (n > 1)
    below = np.sqrt(np.where(sound, vx * vy, 1.0))
    r = np.where(sound, np.clip(vxy / below, -1.0, 1.0), 0.0)
    return ratio(r.sum(axis=2), sound.sum(axis=2), when_empty=np.nan)


def _standard(values: Array, judged: Places) -> Array:
    """Mean 0 and deviation 1 over all systems together: r stays what it is, and its sums lose fewer digits."""
    n = max(int(judged.sum()), 1)
    kept = np.where(judged, values, 0.0)
    mean = kept.sum(axis=(-2, -1), keepdims=True) / n
    centred = np.where(judged, kept - mean, 0.0)
    deviation = np.sqrt((centred * centred).sum(axis=(-2, -1), keepdims=True) / n)
    return ratio(centred, deviation)
