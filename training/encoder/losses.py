"""What a training lowers: pairwise logistic, regression on assessments, and the margins of whole systems."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array


def pairwise(scores: Array, votes: Array) -> Array:
    """Logistic loss on margins, the mean over all votes; `votes[i, j]` weighs that i was found better than j.

    Comparisons count 1 each. Of direct assessments of one text every two count by the difference that people saw.
    """
    margins = scores[:, None] - scores[None, :]
    return jnp.sum(votes * jax.nn.softplus(-margins)) / jnp.maximum(votes.sum(), 1e-9)


def regression(scores: Array, line: Array, assessed: Array, known: Array) -> Array:
    """Mean squared error of `line[0] · score + line[1]` for standardised assessments, where they are `known`."""
    wrong = jnp.where(known, line[0] * scores + line[1] - assessed, 0)
    return jnp.sum(jnp.square(wrong)) / jnp.maximum(known.sum(), 1)


def systems(scores: Array, members: Array, margins: Array) -> Array:
    """Stanojević & Sima'an (2017), section 2.2: hinge on the scores of systems, with the margin that people gave.

    The score of a system is the mean of sigmoids over its segments in the batch: `members` (systems, sequences)
    holds 1 / number of them. `margins[a, b]` is by how much people's Expected Wins have a above b; 0
    where they do not. The sigmoids are of scores around the batch's mean, for in the pairwise loss
    only margins mean anything.
    """
    there = members.sum(axis=0) > 0
    centre = jnp.sum(jnp.where(there, scores, 0)) / jnp.maximum(there.sum(), 1)
    of_system = members @ jax.nn.sigmoid(scores - centre)
    short = jnp.maximum(margins - (of_system[:, None] - of_system[None, :]), 0)
    counted = margins > 0
    return jnp.sum(jnp.where(counted, short, 0)) / jnp.maximum(counted.sum(), 1)
