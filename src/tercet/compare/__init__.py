"""Systems against each other. `compare(corpus, judge)` gives verdicts, wins and a ranking."""

from tercet.compare.comparison import Comparison, PairResult, Ranked, compare
from tercet.compare.judges import Judge, KernelJudge, MetricJudge, NetworkJudge

__all__ = ["Comparison", "Judge", "KernelJudge", "MetricJudge", "NetworkJudge", "PairResult", "Ranked", "compare"]
