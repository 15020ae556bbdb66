"""TER (Snover et al. 2006), equal to sacreBLEU's for the same options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tercet import _native
from tercet.language import tercom
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

Edit = Literal["match", "substitution", "insertion", "deletion"]
_EDITS: dict[str, Edit] = {"=": "match", "s": "substitution", "i": "insertion", "d": "deletion"}


@dataclass(frozen=True)
class Shift:
    """A block of words that moved: where it began and where it begins now, as the words stood just then."""

    words: tuple[str, ...]
    start: int
    target: int


@dataclass(frozen=True)
class Operation:
    """What becomes of a word of the hypothesis, or which word of the reference it lacks; places are those given."""

    edit: Edit
    hypothesis: str | None
    reference: str | None
    hypothesis_place: int | None
    reference_place: int | None


@dataclass(frozen=True)
class Alignment:
    """How a hypothesis becomes its reference: the shifts, in turn, then the edits from left to right."""

    shifts: tuple[Shift, ...]
    operations: tuple[Operation, ...]

    @property
    def edits(self) -> int:
        """All that TER counts."""
        return len(self.shifts) + sum(operation.edit != "match" for operation in self.operations)


@register("ter")
@dataclass(frozen=True, kw_only=True)
class TER(Metric):
    """Edits and block shifts that turn a hypothesis into its nearest reference, by the references' mean length."""

    case_sensitive: bool = False
    normalized: bool = False
    """Split off punctuation and resolve entities, as Tercom does."""
    no_punct: bool = False
    asian_support: bool = False
    """With `normalized`, Chinese characters are words; with `no_punct`, Asian punctuation goes too."""

    higher_is_better = False

    @property
    def signature(self) -> Signature:
        return Signature.of(
            self.label,
            case="mixed" if self.case_sensitive else "lc",
            tok="tercom",
            norm=self.normalized,
            punct=not self.no_punct,
            asian=self.asian_support,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        if self.normalized or self.no_punct:
            texts = [self._hypothesis(text) for text in hypotheses]
            return _native.ter(texts, [tuple(map(self._reference, texts)) for texts in references])
        return _native.ter(list(hypotheses), list(references), lowercase=not self.case_sensitive)

    def score(self, statistics: Array) -> Array:
        edits, length = statistics[..., 0], statistics[..., 1]
        return 100 * ratio(edits, length, when_empty=edits > 0)

    def alignment(self, hypothesis: str, reference: str) -> Alignment:
        """The shifts and edits that `score` counts, word by word."""
        hypothesis, reference = self._hypothesis(hypothesis), self._reference(reference)
        shifts, order, edits = _native.ter_alignment(hypothesis, reference)
        words, there = hypothesis.split(), reference.split()

        standing, moves = list(words), []
        for start, length, target in shifts:
            block = standing[start : start + length]
            del standing[start : start + length]
            standing[target:target] = block
            moves.append(Shift(tuple(block), start, target))

        operations, places, goals = [], iter(order), iter(range(len(there)))
        for letter in edits:
            place = None if letter == "i" else next(places)
            goal = None if letter == "d" else next(goals)
            word, wanted = None if place is None else words[place], None if goal is None else there[goal]
            operations.append(Operation(_EDITS[letter], word, wanted, place, goal))
        return Alignment(tuple(moves), tuple(operations))

    def _hypothesis(self, text: str) -> str:
        return tercom.normalize(
            text,
            lowercase=not self.case_sensitive,
            normalized=self.normalized,
            punctuation=not self.no_punct,
            asian=self.asian_support,
        )

    def _reference(self, text: str) -> str:
        # sacreBLEU normalizes references twice, which tells where one pass leaves something for the next to do
        # (&amp;amp; or 3..); equal scores need the same.
        return self._hypothesis(" ".join(self._hypothesis(text).split()))
