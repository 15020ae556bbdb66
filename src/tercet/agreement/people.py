"""People against people, and systems as people rank them, on judged texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet.agreement.annotators import annotator_kappa, judge_tau
from tercet.agreement.comparisons import Comparisons
from tercet.agreement.rankings import rank_systems
from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError, ShapeError


def comparisons_of(texts: JudgedTexts, systems: Sequence[str]) -> Comparisons:
    """The comparisons of a language pair as arrays; those of one ranking are drawn together in a bootstrap."""
    if texts.judgments.kind != "comparison":
        raise OptionError(f"{texts.pair}: these are assessments; this needs comparisons of systems")
    found = texts.judgments.indices(systems)
    item = found.item if (found.item >= 0).all() else None
    return Comparisons(found.system, found.other, found.value.astype(np.int64), item, len(systems))


def ranking_of_systems(
    texts: JudgedTexts, systems: Sequence[str], *, method: str, resamples: int, seed: int
) -> list[dict[str, Any]]:
    """Systems from the best to the worst, with rank ranges and clusters."""
    comparisons = comparisons_of(texts, systems)
    return rank_systems(comparisons, method, resamples=resamples, seed=seed, names=systems).rows(systems)


def agreement_of_judges(texts: JudgedTexts, systems: Sequence[str]) -> dict[str, Any]:
    """κ between judges and of judges with themselves, and the tau of one judgment against another."""
    if texts.judgments.kind != "comparison":
        raise OptionError(f"{texts.pair}: these are assessments; agreement of judges needs comparisons")
    found = texts.judgments.of_segments().indices(systems)
    arrays = (found.judge, found.segment, found.system, found.other, found.value)
    row: dict[str, Any] = {"pair": texts.pair}
    for name, judges in (("inter", "different"), ("intra", "same")):
        try:
            kappa = annotator_kappa(*arrays, judges="same" if judges == "same" else "different")
        except ShapeError:  # nobody judged the same pair twice
            row[f"{name}_kappa"], row[f"{name}_meetings"] = None, 0
        else:
            row[f"{name}_kappa"], row[f"{name}_meetings"] = kappa.kappa, kappa.meetings
    tau = judge_tau(*arrays)
    ranked = tau.concordant + tau.discordant
    return row | {"tau": tau.tau if ranked else None, "tau_meetings": ranked}
