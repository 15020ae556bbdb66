"""hTER (Snover et al. 2006): translation edit rate against a post-edit of the very translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tercet.corpus import Corpus
from tercet.errors import OptionError
from tercet.metrics.base import Metric
from tercet.metrics.registry import register
from tercet.metrics.scoring import MetricScores, Plan, Progress, score_corpus
from tercet.metrics.ter import TER


@register("hter")
@dataclass(frozen=True, kw_only=True)
class HTER(TER):
    """TER with the post-edit of each translation as its reference: what a person had to change."""

    @property
    def label(self) -> str:
        return "hTER"


def score_post_edited(
    corpora: Sequence[Corpus], metrics: Mapping[str, Metric], plan: Plan, progress: Progress | None = None
) -> list[MetricScores]:
    """Systems that each have references of their own, in one table; there is nothing to pair in a test."""
    if plan.paired:
        raise OptionError(
            "systems with post-edits of their own have no references in common; leave the paired test out"
        )
    every = [score_corpus(corpus, metrics, plan, progress) for corpus in corpora]
    names = [name for corpus in corpora for name in corpus.systems]
    if len(set(names)) < len(names):
        raise OptionError("two systems have the same name; rename a file of -t")
    return [
        replace(parts[0], systems={name: score for part in parts for name, score in part.systems.items()})
        for parts in zip(*every, strict=True)
    ]
