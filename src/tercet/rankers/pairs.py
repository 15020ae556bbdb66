"""Judged pairs: two translations of one segment and which of them people preferred."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from tercet.corpus import Corpus
from tercet.errors import OptionError, ShapeError

if TYPE_CHECKING:
    from tercet.corpus.judgments import Judgments, OnMissing

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Texts:
    """A corpus under a name, such as `newstest2012 cs-en`; `pair` is the language pair."""

    name: str
    pair: str
    corpus: Corpus


@dataclass(frozen=True, eq=False)
class Pairs:
    """Comparisons as numbers: the texts, the segment, the places of two systems among the texts' systems."""

    texts: tuple[Texts, ...]
    text: Numbers
    segment: Numbers
    first: Numbers
    second: Numbers
    value: Numbers
    """1 where the first is better, -1 where the second is, 0 for a tie."""

    @classmethod
    def from_judgments(
        cls,
        judgments: Judgments,
        corpora: Mapping[tuple[str, str], Corpus],
        *,
        on_missing: OnMissing = "error",
    ) -> Self:
        """Comparisons of segments with the texts they are about, by test set and language pair."""
        if judgments.kind != "comparison":
            raise OptionError("a ranker learns from comparisons, not from assessments of single translations")
        texts: list[Texts] = []
        columns: list[tuple[Numbers, ...]] = []
        for (testset, pair), corpus in corpora.items():
            alone = sum(other == pair for _, other in corpora) == 1
            chosen = judgments.of(pair, None if alone else testset).of_segments()
            kept, _ = chosen.check(corpus.systems, len(corpus), on_missing=on_missing)
            if not len(kept):
                continue
            found = kept.indices(list(corpus.systems))
            columns.append(
                (
                    np.full(len(kept), len(texts)),
                    found.segment,
                    found.system,
                    found.other,
                    found.value.astype(np.int64),
                )
            )
            texts.append(Texts(f"{testset} {pair}", pair, corpus))
        if not columns:
            raise OptionError("none of the judgments is about these texts; do their language pairs agree?")
        return cls(tuple(texts), *(np.concatenate(parts) for parts in zip(*columns, strict=True)))

    @classmethod
    def concat(cls, parts: Sequence[Pairs]) -> Self:
        """All of them, in order."""
        texts = tuple(one for part in parts for one in part.texts)
        offsets = np.cumsum([0, *(len(part.texts) for part in parts)])
        text = [part.text + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
        others = ([getattr(part, name) for part in parts] for name in ("segment", "first", "second", "value"))
        return cls(texts, np.concatenate(text), *(np.concatenate(other) for other in others))

    def __len__(self) -> int:
        return len(self.value)

    def where(self, chosen: NDArray[np.bool_] | Numbers) -> Self:
        """Some of the pairs; the texts stay."""
        names = ("text", "segment", "first", "second", "value")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def untied(self) -> Self:
        """The pairs that somebody won."""
        return self.where(self.value != 0)

    @cached_property
    def groups(self) -> Numbers:
        """A number for each pair: equal for pairs whose segments have the same references, in whichever text."""
        numbers: dict[tuple[str, ...], int] = {}
        by_text = [
            np.array([numbers.setdefault(tuple(references), len(numbers)) for references in one.corpus.references])
            for one in self.texts
        ]
        found = np.empty(len(self), np.int64)
        for number, groups in enumerate(by_text):
            of_text = self.text == number
            found[of_text] = groups[self.segment[of_text]]
        return found

    def turned(self, seed: int) -> Self:
        """The same judgments, in each of which a coin tells who stands first: no place is the winner's."""
        turn = np.random.default_rng(seed).random(len(self)) < 0.5
        return replace(
            self,
            first=np.where(turn, self.second, self.first),
            second=np.where(turn, self.first, self.second),
            value=np.where(turn, -self.value, self.value),
        )

    def hold_out(self, pairs: int, seed: int) -> tuple[Self, Self]:
        """Whole segments, drawn at random, until they hold that many untied pairs; the rest and those."""
        groups = np.random.default_rng(seed).permutation(np.unique(self.groups))
        untied = np.bincount(self.groups[self.value != 0], minlength=self.groups.max(initial=-1) + 1)
        number = int(np.searchsorted(np.cumsum(untied[groups]), pairs)) + 1
        if number >= len(groups):
            raise OptionError(
                f"{pairs} pairs for validation would leave none of {int(untied.sum())} for training; hold out fewer"
            )
        held = np.isin(self.groups, groups[:number])
        return self.where(~held), self.where(held)

    def folds(self, number: int, seed: int) -> Iterator[tuple[Self, Self]]:
        """The rest and the fold, for each of some folds; no reference is on both sides."""
        groups = np.random.default_rng(seed).permutation(np.unique(self.groups))
        if len(groups) < number:
            raise OptionError(f"{number} folds of {len(groups)} segments are not possible; take fewer folds")
        for fold in range(number):
            held = np.isin(self.groups, groups[fold::number])
            yield self.where(~held), self.where(held)

    def by_language_pair(self) -> dict[str, Numbers]:
        """Places of the pairs of each language pair, sorted by its name."""
        of_text = np.array([one.pair for one in self.texts])
        return {str(pair): np.flatnonzero(of_text[self.text] == pair) for pair in np.unique(of_text)}

    def sha256(self) -> str:
        """A digest of the texts that are judged and of the judgments."""
        digest = hashlib.sha256()
        for one in self.texts:
            digest.update(one.name.encode())
            for column in [*one.corpus.systems.values(), ("\x1e".join(texts) for texts in one.corpus.references)]:
                digest.update(hashlib.sha256("\n".join(column).encode("utf-8", "surrogatepass")).digest())
        for numbers in (self.text, self.segment, self.first, self.second, self.value):
            digest.update(np.ascontiguousarray(numbers, "<i8").tobytes())
        return digest.hexdigest()

    def require_untied(self, what: str) -> Self:
        """The untied pairs; an error where there are none."""
        found = self.untied()
        if not len(found):
            raise ShapeError(f"the {what} data hold no pair that anybody won ({len(self)} ties); add judgments")
        return found
