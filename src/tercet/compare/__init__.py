"""Systems against each other. `compare(corpus, judge)` gives verdicts, wins, tests and a ranking."""

from tercet.compare.comparison import Comparison, PairResult, Ranked, compare
from tercet.compare.judges import (
    JointJudge,
    Judge,
    KernelJudge,
    MetricJudge,
    NetworkJudge,
    RankerJudge,
    choose_judge,
    judge_of,
)

__all__ = [
    "Comparison",
    "JointJudge",
    "Judge",
    "KernelJudge",
    "MetricJudge",
    "NetworkJudge",
    "PairResult",
    "Ranked",
    "RankerJudge",
    "choose_judge",
    "compare",
    "judge_of",
]
