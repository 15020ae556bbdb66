"""Kernels over trees and numbers that compose, with scikit-learn's conventions.

    tree = Normalized(PartialTree(decay=0.4, vertical=0.4))
    both = tree.on("hypothesis") + tree.on("reference")
    gram = Preference(both + 0.5 * Linear("4metrics"))(pairs)

A kernel is called with data, or `fit` to some and `transform`s others to kernels with these. Nothing here needs
scikit-learn; its tools take these kernels as they are.
"""

from tercet.kernels.algebra import Linear, Normalized, Preference
from tercet.kernels.base import Kernel
from tercet.kernels.data import Preferences, Records
from tercet.kernels.gram import gram
from tercet.kernels.marking import REL, marked
from tercet.kernels.nystrom import Nystrom
from tercet.kernels.trees import PartialTree, SmoothedPartialTree, SubsetTree, Subtree

__all__ = [
    "REL",
    "Kernel",
    "Linear",
    "Normalized",
    "Nystrom",
    "PartialTree",
    "Preference",
    "Preferences",
    "Records",
    "SmoothedPartialTree",
    "SubsetTree",
    "Subtree",
    "gram",
    "marked",
]
