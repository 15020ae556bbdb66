"""Tables 1–5 of Guzmán et al. (2015): what was run, and the strict taus × 100 that were printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tercet.rankers.architecture import Form
from tercet.rankers.network import Cost

NOT_GIVEN = "not given: "  # stands where a row of Table 3 needs vectors that the user has to name
SYNTAX = "syntax25"  # the feature set for SYNTAX25, unless the user names another
PAIRS = ("cs-en", "de-en", "es-en", "fr-en")


@dataclass(frozen=True)
class Row:
    """One line of a table. A metric is a row without learning; figures of other people's systems have neither."""

    system: str
    details: str
    paper: tuple[float | None, ...]
    """Czech, German, Spanish, French and their mean; where only the mean is printed, the others are None."""
    metric: str | None = None
    similarity: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    source_vectors: tuple[str, ...] = ()
    hidden: int = 4
    cost: Cost = "logistic"
    tie_weight: float | None = None
    """Of the Kendall cost; None for tercet's."""
    form: Form = "paper"
    decides: Literal["margin", "ensemble", "bradley-terry", "lone"] = "margin"
    """How a pair is decided: each seed by itself, by all seeds together, by scores of single translations."""

    @property
    def learns(self) -> bool:
        """Whether there is a network to train."""
        return bool(self.similarity or self.vectors)


def _mean(value: float) -> tuple[float | None, ...]:
    return (None, None, None, None, value)


_NN, _LR, _NONE = "multi-layer NN", "logistic regression", "no learning"
_4, _BC, _BLEU = ("4metrics",), ("bleucomp",), ("bleu",)
_SYN, _SEM = (SYNTAX,), ("glove50",)
_BOTH = _SYN + _SEM
_BLEU_ROW = Row("BLEU", _NONE, (15.88, 18.56, 18.57, 20.83, 18.46), metric="bleu")
_FULL = (26.30, 33.19, 30.38, 28.92, 29.70)
_FULL_NAME = "4METRICS+SYNTAX25+WIKI-GW25"

TABLE_1 = (
    _BLEU_ROW,
    Row("NIST", _NONE, (19.66, 23.09, 20.41, 22.21, 21.34), metric="nist"),
    Row("TER", _NONE, (17.80, 25.31, 22.86, 21.05, 21.75), metric="ter"),
    Row("METEOR", _NONE, (20.82, 26.79, 23.81, 22.93, 23.59), metric="meteor"),
    Row("SYNTAX25", _NN, (8.00, 13.03, 12.11, 7.42, 10.14), vectors=_SYN),
    Row("WIKI-GW25", _NN, (14.31, 11.49, 9.24, 4.99, 10.01), vectors=_SEM),
    Row("4METRICS", _LR, (23.46, 29.95, 27.49, 27.36, 27.06), similarity=_4, hidden=0),
    Row("4METRICS+SYNTAX25", _NN, (26.09, 30.58, 29.30, 28.07, 28.51), similarity=_4, vectors=_SYN),
    Row("4METRICS+WIKI-GW25", _NN, (25.67, 32.50, 29.21, 28.92, 29.07), similarity=_4, vectors=_SEM),
    Row(_FULL_NAME, _NN, _FULL, similarity=_4, vectors=_BOTH),
    Row("DiscoTK", "Joty et al. 2014", _mean(30.5)),
    Row("SPEDE07PP", "first at WMT12", (21.2, 27.8, 26.5, 26.0, 25.4)),
    Row("METEOR*", "second at WMT12", (21.2, 27.5, 24.9, 25.1, 24.7)),
    Row("Guzmán et al. 2014", "preference kernel", (23.1, 25.8, 22.6, 23.2, 23.7)),
    Row("AMBER", "third at WMT12", (19.1, 24.8, 23.1, 24.5, 22.9)),
)
TABLE_2 = (
    _BLEU_ROW,
    Row("BLEUCOMP", _LR, (18.18, 21.13, 19.79, 19.91, 19.75), similarity=_BC, hidden=0),
    Row("BLEUCOMP+SYNTAX25", _NN, (20.75, 25.32, 24.85, 23.88, 23.70), similarity=_BC, vectors=_SYN),
    Row("BLEUCOMP+WIKI-GW25", _NN, (22.96, 26.63, 25.99, 24.10, 24.92), similarity=_BC, vectors=_SEM),
    Row("BLEUCOMP+SYNTAX25+WIKI-GW25", _NN, (22.84, 28.92, 27.95, 24.90, 26.15), similarity=_BC, vectors=_BOTH),
    Row("BLEU+SYNTAX25+WIKI-GW25", _NN, (20.03, 25.95, 27.07, 23.16, 24.05), similarity=_BLEU, vectors=_BOTH),
)
TABLE_3 = {  # alone, and with 4METRICS+SYNTAX25
    "WIKI-GW25": (10.01, 29.70),
    "WIKI-GW300": (9.66, 29.90),
    "CC-300-42B": (12.16, 29.68),
    "CC-300-840B": (11.41, 29.88),
    "WORD2VEC300": (7.72, 29.13),
    "COMPOSES400": (12.35, 28.54),
}
TABLE_4 = (
    Row(_FULL_NAME, "single-layer", (25.86, 32.06, 30.03, 28.45, 29.10), similarity=_4, vectors=_BOTH, hidden=0),
    Row(_FULL_NAME, "multi-layer", _FULL, similarity=_4, vectors=_BOTH),
)
TABLE_5 = (
    Row(_FULL_NAME, "Logistic", _FULL, similarity=_4, vectors=_BOTH),
    Row(_FULL_NAME, "Kendall", (27.04, 33.60, 29.48, 28.54, 29.53), similarity=_4, vectors=_BOTH, cost="kendall"),
    Row(
        _FULL_NAME,
        "Log.+Ken.",
        (26.90, 33.17, 30.40, 29.21, 29.92),
        similarity=_4,
        vectors=_BOTH,
        cost="logistic+kendall",
    ),
)


def table_3(files: Sequence[tuple[str, str]]) -> tuple[Row, ...]:
    """Table 3, with the features of the vectors that the user has."""
    specs = {"WIKI-GW25": "glove50", **dict(files)}
    rows = []
    for name, (alone, combined) in TABLE_3.items():
        vectors = (specs.get(name, NOT_GIVEN + name),)
        rows.append(Row(name, "alone", _mean(alone), vectors=vectors))
        rows.append(Row(name, "with 4METRICS+SYNTAX25", _mean(combined), similarity=_4, vectors=_SYN + vectors))
    return tuple(rows)


def _beyond(details: str, **changed: Any) -> Row:
    row = Row(_FULL_NAME, details, (None,) * 5, similarity=_4, vectors=_BOTH)
    return replace(row, **changed)


def _lexical(system: str, details: str, *metrics: str) -> Row:
    return Row(system, details, (None,) * 5, similarity=metrics, hidden=0)


BEYOND = (
    _beyond("as in the paper"),
    _beyond("seeds as one ensemble", decides="ensemble"),
    _beyond("ensemble, scores by Bradley–Terry", decides="bradley-terry"),
    _beyond("ensemble, lone scores", decides="lone"),
    _beyond("antisymmetric", form="antisymmetric"),
    _beyond("antisymmetric ensemble", form="antisymmetric", decides="ensemble"),
    _beyond("Log.+Ken., ties at full weight", cost="logistic+kendall", tie_weight=1.0),
    _beyond("with glove50 on source words", source_vectors=_SEM),
    _lexical("BLEU+NIST+TER+METEOR", "logistic regression, options of `tercet score`", "bleu", "nist", "ter", "meteor"),
    _lexical("BLEU+CHRF+TER+METEOR", "logistic regression, options of `tercet score`", "bleu", "chrf", "ter", "meteor"),
    _beyond("single-layer, without SYNTAX25", system="4METRICS+WIKI-GW25", vectors=_SEM, hidden=0),
    _beyond("single-layer, without WIKI-GW25", system="4METRICS+SYNTAX25", vectors=_SYN, hidden=0),
)
"""What the paper does not have, on its best features."""
