"""Whether one scorer agrees with people better than another: tests, intervals, and their correction.

All tests give a `Matrix` of scorers against scorers; all are the same for a seed whatever the number of threads.
"""

from tercet.agreement.significance.bootstrap import Bootstrap, bootstrap_agreement, bootstrap_taus
from tercet.agreement.significance.dependent import (
    compare_dependent,
    steiger_z,
    williams_matrix,
    williams_t,
    zou_interval,
)
from tercet.agreement.significance.matrix import Matrix
from tercet.agreement.significance.permutation import pair_permutation_matrix, permutation_matrix
from tercet.agreement.significance.supersampling import Supersamples, supersample

__all__ = [
    "Bootstrap",
    "Matrix",
    "Supersamples",
    "bootstrap_agreement",
    "bootstrap_taus",
    "compare_dependent",
    "pair_permutation_matrix",
    "permutation_matrix",
    "steiger_z",
    "supersample",
    "williams_matrix",
    "williams_t",
    "zou_interval",
]
