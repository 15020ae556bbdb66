"""Every translation that pairs are about, once: its text, its references, its scores by other feature sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet.features.base import Array as Floats
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.rankers.pairs import Numbers, Pairs

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Items:
    """Translations in the order of their segments, so that neighbours share a reference."""

    hypotheses: list[str]
    references: list[tuple[str, ...]]
    features: Floats
    """(items, columns); no columns without feature sets"""
    starts: tuple[int, ...] = (0,)
    """Where the items of each set of texts begin."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Pairs as numbers of items."""

    first: Numbers
    second: Numbers
    value: Numbers
    groups: Numbers

    def __len__(self) -> int:
        return len(self.value)

    def where(self, chosen: NDArray[np.bool_] | Numbers) -> Compared:
        """Some of the pairs."""
        return Compared(self.first[chosen], self.second[chosen], self.value[chosen], self.groups[chosen])

    def margins(self, scores: Array) -> Array:
        """The first item's score less the second's."""
        return scores[self.first] - scores[self.second]


def items_of(
    several: Sequence[Pairs], specs: Sequence[str] = (), cache: FeatureCache | None = None
) -> tuple[Items, list[Compared]]:
    """The items of some sets of pairs, those that share texts together, and each set by their numbers."""
    keys: dict[tuple[int, int, int, int], int] = {}  # texts, segment, text, system
    texts = list({id(pairs.texts): pairs.texts for pairs in several}.values())
    number_of = {id(found): number for number, found in enumerate(texts)}
    for pairs in several:
        of = number_of[id(pairs.texts)]
        for systems in (pairs.first, pairs.second):
            for key in zip(pairs.segment.tolist(), pairs.text.tolist(), systems.tolist(), strict=True):
                keys[of, *key] = 0
    ordered = sorted(keys)
    keys = {key: number for number, key in enumerate(ordered)}
    hypotheses, references = [], []
    known: dict[tuple[int, int, int], list[str]] = {}
    for of, segment, text, system in ordered:
        corpus = texts[of][text].corpus
        if (of, text, system) not in known:
            known[of, text, system] = list(list(corpus.systems.values())[system])
        hypotheses.append(known[of, text, system][segment])
        references.append(tuple(corpus.references[segment]))
    features = _features(texts, ordered, specs, cache or FeatureCache())
    found = []
    for pairs in several:
        of = number_of[id(pairs.texts)]
        columns = (pairs.segment.tolist(), pairs.text.tolist())
        first = [keys[of, *key] for key in zip(*columns, pairs.first.tolist(), strict=True)]
        second = [keys[of, *key] for key in zip(*columns, pairs.second.tolist(), strict=True)]
        found.append(Compared(np.array(first, np.int64), np.array(second, np.int64), pairs.value, pairs.groups))
    first = [next((n for n, key in enumerate(ordered) if key[0] == of), 0) for of in range(len(texts))]
    return Items(hypotheses, references, features, tuple(first)), found


def _features(
    texts: Sequence[tuple[object, ...]],
    ordered: Sequence[tuple[int, int, int, int]],
    specs: Sequence[str],
    cache: FeatureCache,
) -> Floats:
    """Features of whole systems, for some know the references of the whole test set, and then of the items."""
    if not specs:
        return np.empty((len(ordered), 0), np.float32)
    sets = [feature_set(spec) for spec in specs]
    tables: dict[tuple[int, int, int], Floats] = {}
    rows = []
    for of, segment, text, system in ordered:
        key = of, text, system
        if key not in tables:
            corpus = texts[of][text].corpus  # type: ignore[attr-defined]
            hypotheses = list(list(corpus.systems.values())[system])
            sources = None if corpus.sources is None else list(corpus.sources)
            sides = [tuple(one) for one in corpus.references]
            tables[key] = np.concatenate([cache.transform(one, hypotheses, sides, sources) for one in sets], axis=1)
        rows.append(tables[key][segment])
    return np.stack(rows)
