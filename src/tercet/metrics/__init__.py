"""A hypothesis against its references gives a number. `tercet.metrics.BLEU().corpus(hypotheses, references)`."""

from tercet.metrics.base import Metric
from tercet.metrics.bleu import BLEU
from tercet.metrics.chrf import ChrF
from tercet.metrics.meteor import METEOR
from tercet.metrics.nist import NIST
from tercet.metrics.registry import metric, names, register

__all__ = ["BLEU", "METEOR", "NIST", "ChrF", "Metric", "metric", "names", "register"]
