"""METEOR 1.5 (Denkowski & Lavie 2014), equal to its original program's for the same options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import numpy as np

from tercet import _native, resources
from tercet.errors import OptionError, ResourceError, TercetWarning
from tercet.language import stems
from tercet.language.meteor_tables import MeteorTables
from tercet.metrics.base import Array, Metric
from tercet.metrics.meteor_parameters import LANGUAGES, MODULES, STYLES, language_code, parameters_for, task_for
from tercet.metrics.registry import register
from tercet.signature import Signature

Task = Literal["default", "rank", "adq", "hter", "util", "li", "tune", "universal"]


@register("meteor")
@dataclass(frozen=True, kw_only=True)
class METEOR(Metric):
    """Weighted F-mean of matched words, less a penalty for each break in their order, for the best reference.

    Words match if they are equal, have the same stem, share a synonym set or belong to paraphrases. English has all of
    these once `tercet resources install meteor` has fetched the tables; other languages have exact and stem.
    """

    decimals = 4

    language: str = "en"
    task: Task = "default"
    """Whose parameters: rank where METEOR was tuned for the language, else li, unless told otherwise."""
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    modules: str | None = None
    """Some of `exact stem synonym paraphrase`, in this order; all that there are for the language by default."""
    weights: str | None = None
    """A number for each module; by default the first ones of the task, as METEOR does."""
    normalize: bool = True
    """METEOR's own tokenization (its -norm); without it, words are what spaces separate."""
    lowercase: bool = True
    punctuation: bool = True
    """False leaves punctuation out (METEOR's -noPunct)."""
    characters: bool = False
    """Count characters of matched words, not words (METEOR's -ch)."""
    beam: int = 40
    function_words: str = "en"
    """The language whose function words weigh less. METEOR's program reads the English list for every language."""
    tables: str = "installed"
    """`installed`, `none`, or the path of a file of tables."""
    _tables: MeteorTables | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("language", "function_words"):
            object.__setattr__(self, name, language_code(getattr(self, name)))
        object.__setattr__(self, "_tables", _open(self.tables))
        parameters_for(self._task, self.language)
        self._check_modules()
        if len(self._weights) != len(self._modules):
            raise OptionError(f"meteor: weights={self.weights!r} must give {len(self._modules)} numbers, one a module")
        if not self.normalize and not self.punctuation:
            raise OptionError("meteor: punctuation=false needs normalize=true")
        if self.beam < 1:
            raise OptionError(f"meteor: beam={self.beam} is not allowed; it takes 1 or more")

    @property
    def signature(self) -> Signature:
        stemmer = f"{stems.algorithm(LANGUAGES[self.language])}-PyStemmer-{version('PyStemmer')}"
        return Signature.of(
            self.label,
            lang=self.language,
            task=self._task,
            params="_".join(f"{value:g}" for value in self._parameters),
            modules="_".join(f"{m}={w:g}" for m, w in zip(self._modules, self._weights, strict=True)),
            norm=self.normalize,
            case="lc" if self.lowercase else "mixed",
            punct=None if self.punctuation else False,
            unit="char" if self.characters else None,
            beam=None if self.beam == 40 else self.beam,
            stem=stemmer if "stem" in self._modules else None,
            function=self.function_words if self._tables else "none",
            tables=self._tables.digest[:12] if self._tables else "none",
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        sides = ("hypothesis", "reference")
        names = [*self._modules, *(f"unused{n}" for n in range(len(self._modules), 4))]
        return (
            *(f"{side}_length" for side in sides),
            *(f"{side}_function_words" for side in sides),
            *(f"{name}_{kind}_{side}" for name in names for kind in ("content", "function") for side in sides),
            "chunks",
            *(f"{side}_matched_words" for side in sides),
        )

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        language = LANGUAGES[self.language]
        abbreviations = self._tables.abbreviations.get(language, {}) if self._tables else {}
        text = _native.MeteorText(
            list(hypotheses),
            list(references),
            style=STYLES.get(self.language, "any_script") if self.normalize else None,
            punctuation=self.punctuation,
            abbreviations=dict(abbreviations),
        )
        words = text.words()
        lowered = [word.lower() for word in words]
        forms = lowered if self.lowercase else words
        listed = self._tables.function_words.get(LANGUAGES[self.function_words], ()) if self._tables else ()
        rows = text.statistics(
            forms,
            stems.stem(forms, language) if "stem" in self._modules else forms,
            [word in listed for word in lowered],
            tables=self._tables.native if self._tables else None,
            modules=list(self._modules),
            beam=self.beam,
            characters=self.characters,
        )
        return self._best(rows, [len(texts) for texts in references])

    def score(self, statistics: Array) -> Array:
        return self._parts(statistics)["score"]

    def components(self, statistics: Array) -> Mapping[str, Array]:
        """Precision, recall, their mean, the penalty, and the statistics themselves."""
        parts = {name: part for name, part in self._parts(statistics).items() if name != "score"}
        return {**parts, **super().components(statistics)}

    def _parts(self, statistics: Array) -> dict[str, Array]:
        alpha, beta, gamma, delta = self._parameters
        weights = np.array([*self._weights, *(0.0 for _ in range(4 - len(self._weights)))])
        matches = statistics[..., 4:20].reshape(*statistics.shape[:-1], 4, 2, 2)  # module, content or function, side
        content, function = (np.einsum("m,...ms->...s", weights, matches[..., kind, :]) for kind in range(2))
        lengths, function_words = statistics[..., 0:2], statistics[..., 2:4]
        with np.errstate(divide="ignore", invalid="ignore"):  # a side without words or without matches: the score is 0
            rates = (delta * content + (1 - delta) * function) / (
                delta * (lengths - function_words) + (1 - delta) * function_words
            )
            precision, recall = rates[..., 0], rates[..., 1]
            mean = 1 / ((1 - alpha) / precision + alpha / recall)
            penalty = gamma * (statistics[..., 20] / (statistics[..., 21:23].sum(axis=-1) / 2)) ** beta
            score = np.maximum(mean * (1 - penalty), 0)
        named = {"precision": precision, "recall": recall, "f_mean": mean, "penalty": penalty, "score": score}
        return {name: np.nan_to_num(part, nan=0.0, posinf=0.0) for name, part in named.items()}

    def _best(self, rows: Array, references: Sequence[int]) -> Array:
        """Of the rows of a segment, one for each reference, the first of those with the best score."""
        if max(references, default=1) == 1:
            return rows
        scores = self.score(rows)
        start = np.cumsum([0, *references[:-1]])
        best = np.repeat(np.maximum.reduceat(scores, start), references)
        segment = np.repeat(np.arange(len(references)), references)
        candidates = np.flatnonzero(scores == best)
        return rows[candidates[np.unique(segment[candidates], return_index=True)[1]]]

    @property
    def _task(self) -> str:
        return task_for(self.task, self.language)

    @property
    def _parameters(self) -> tuple[float, float, float, float]:
        tuned = parameters_for(self._task, self.language)
        return (
            tuned.alpha if self.alpha is None else self.alpha,
            tuned.beta if self.beta is None else self.beta,
            tuned.gamma if self.gamma is None else self.gamma,
            tuned.delta if self.delta is None else self.delta,
        )

    @property
    def _modules(self) -> tuple[str, ...]:
        if self.modules is not None:
            return tuple(self.modules.split())
        there = self._available
        return tuple(m for m in there if m in ("exact", "paraphrase")) if self._task == "universal" else there

    @property
    def _available(self) -> tuple[str, ...]:
        stem = ("stem",) if stems.algorithm(LANGUAGES[self.language]) else ()
        return ("exact", *stem, *(("synonym", "paraphrase") if self._tables and self.language == "en" else ()))

    @property
    def _weights(self) -> tuple[float, ...]:
        if self.weights is None:
            tuned = parameters_for(self._task, self.language).weights
            return (*tuned, 0.0, 0.0, 0.0)[: len(self._modules)]
        try:
            return tuple(map(float, self.weights.split()))
        except ValueError:
            raise OptionError(f"meteor: weights={self.weights!r} are not numbers; write them as 1 0.6") from None

    def _check_modules(self) -> None:
        chosen = self._modules
        if not chosen or chosen != tuple(module for module in MODULES if module in chosen):
            raise OptionError(
                f"meteor: modules={self.modules!r} is not allowed; it takes some of {' '.join(MODULES)}, in this order"
            )
        for module in chosen:
            if module not in self._available:
                if self.language == "en":
                    raise ResourceError(
                        f"meteor: modules={self.modules} needs METEOR's tables; {resources.remedy('meteor')}"
                    )
                raise OptionError(
                    f"meteor: language={self.language} has no module {module}; it has {' '.join(self._available)}"
                )


def _open(tables: str) -> MeteorTables | None:
    if tables == "none":
        return None
    if tables != "installed":
        return MeteorTables.open(Path(tables))
    if resources.status("meteor").state == "missing":
        warnings.warn(
            "METEOR's tables are not installed: no synonyms, paraphrases, function words and abbreviations; "
            f"{resources.remedy('meteor')}",
            TercetWarning,
            stacklevel=4,
        )
        return None
    return MeteorTables.open(resources.find("meteor", "meteor.tables"))
