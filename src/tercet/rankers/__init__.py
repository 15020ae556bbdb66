"""Two translations give which is better. `NetworkRanker.load(folder).margin(first, second, references)`."""

from tercet.rankers.base import Ranker, strict_tau
from tercet.rankers.kernel import KernelOptions, KernelRanker
from tercet.rankers.network import NetworkOptions, NetworkRanker
from tercet.rankers.pairs import Pairs

__all__ = ["KernelOptions", "KernelRanker", "NetworkOptions", "NetworkRanker", "Pairs", "Ranker", "strict_tau"]
