"""A hypothesis against its references gives a number. `tercet.metrics.BLEU().corpus(hypotheses, references)`."""

from tercet.metrics.base import Metric
from tercet.metrics.bleu import BLEU
from tercet.metrics.chrf import ChrF
from tercet.metrics.meteor import METEOR
from tercet.metrics.nist import NIST
from tercet.metrics.registry import metric, names, register
from tercet.metrics.ter import TER
from tercet.metrics.wer import WER

__all__ = ["BLEU", "METEOR", "NIST", "TER", "WER", "ChrF", "Metric", "metric", "names", "register"]
