"""What the trainings of Guzmán et al. (2014) are made on here: items, pairs, and kernels with landmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet.features.base import Array as Floats
from tercet.features.cache import FeatureCache
from tercet.language.analysis import Analysis
from tercet.rankers.data import read_pairs
from tercet.rankers.pairs import Numbers, Pairs
from tercet.rankers.tree_items import Compared, Items, items_of
from tercet.rankers.tree_pairs import Grove, TreeKernels, TreeOptions
from tercet.reproduce.protocols import SPLIT_SEED, VALIDATION

Told = Callable[[str], None]
PAIRS = ("cs-en", "de-en", "es-en", "fr-en")


@dataclass(frozen=True)
class Split:
    """One training: the pairs to learn from, the landmarks it may use, and the pairs it answers for."""

    train: Compared
    landmarks: Numbers
    """Places in the landmarks of all splits; none is of a segment that the split is tested on."""
    test: Numbers
    """Places in the test pairs."""
    train_language: NDArray[np.str_]
    """Of each training pair."""


@dataclass
class Material:
    """The items of a protocol, its splits, and kernels that are computed once for all of them."""

    name: str
    description: str
    items: Items
    test: Compared
    test_language: NDArray[np.str_]
    landmarks: Numbers
    """Items."""
    splits: list[Split]
    cache: FeatureCache = field(default_factory=FeatureCache.default)
    told: Told = lambda text: None
    _known: dict[str, Analysis] = field(default_factory=dict)
    _rows: dict[TreeOptions, Floats] = field(default_factory=dict)

    def similarity(self, options: TreeOptions) -> NDArray[np.float64]:
        """The kernel of each test translation with its reference, the best of several: what `-m treekernel` scores."""
        tested = np.unique(np.concatenate([self.test.first, self.test.second]))
        counts = np.array([len(self.items.references[i]) for i in tested])
        rows = [self.items.hypotheses[i] for i in np.repeat(tested, counts)]
        records = Grove(options, self._known).records(rows, [one for i in tested for one in self.items.references[i]])
        found = options.kernel().pairs(records["hypothesis"], records["reference"])
        scores = np.full(len(self.items.hypotheses), np.nan)
        scores[tested] = np.maximum.reduceat(found, np.concatenate([[0], np.cumsum(counts)[:-1]]))
        return scores

    def rows(self, options: TreeOptions) -> Floats:
        """Kernels of all items with all landmarks, (items, landmarks)."""
        if options not in self._rows:
            grove = Grove(options, self._known)
            landmarks = grove.records(
                [self.items.hypotheses[i] for i in self.landmarks],
                [self.items.references[i][0] for i in self.landmarks],
            )
            kernels = TreeKernels(
                options, tuple(landmarks["hypothesis"]), tuple(landmarks["reference"]), grove, keep_analyses=True
            )
            done, total = 0, len(self.items.hypotheses)

            def advance(number: int) -> None:
                nonlocal done
                done += number
                self.told(f"{options.tree}: kernels of {done} of {total} translations with {len(self.landmarks)}")

            self._rows[options] = kernels.rows(
                self.items.hypotheses,
                self.items.references,
                cache=self.cache,
                starts=self.items.starts,
                progress=advance,
            )
        return self._rows[options]


def _languages(pairs: Pairs) -> NDArray[np.str_]:
    return np.array([one.pair for one in pairs.texts])[pairs.text]


def _drawn(items: Numbers, number: int) -> Numbers:
    return np.sort(np.random.default_rng(SPLIT_SEED).permutation(np.unique(items))[:number])


def transfer(data: Path, landmarks: int, features: tuple[str, ...], cache: FeatureCache) -> Material:
    """Train on WMT13 fr-en, test on WMT12; the pairs that the network is validated on are left out."""
    judged, test = read_pairs(data / "wmt13", ["fr-en"]), read_pairs(data / "wmt12").untied()
    train, validation = judged.hold_out(VALIDATION, SPLIT_SEED)
    train = train.untied()
    # the validation pairs are not used; with them the kernels are those of `tercet train recipes/guzman2014.yaml`
    items, (learned, _, tested) = items_of([train, validation, test], features, cache)
    chosen = _drawn(np.concatenate([learned.first, learned.second]), landmarks)
    split = Split(learned, np.arange(len(chosen)), np.arange(len(tested)), _languages(train))
    description = "train on WMT13 fr-en without 5,000 pairs, test on WMT12"
    return Material("wmt13", description, items, tested, _languages(test), chosen, [split], cache)


def cross_validation(
    data: Path, landmarks: int, features: tuple[str, ...], cache: FeatureCache, number: int = 5
) -> Material:
    """Folds by segment over WMT12; a landmark serves the folds that its segment is not tested in."""
    judged = read_pairs(data / "wmt12").untied()
    items, (pairs,) = items_of([judged], features, cache)
    languages = _languages(judged)
    chosen = _drawn(np.concatenate([pairs.first, pairs.second]), landmarks * number // (number - 1))
    group_of = np.empty(len(items.hypotheses), np.int64)
    group_of[pairs.first] = group_of[pairs.second] = pairs.groups

    def splits() -> Iterator[Split]:
        for _, fold in judged.folds(number, SPLIT_SEED):
            held = np.isin(pairs.groups, np.unique(fold.groups))
            free = np.flatnonzero(~np.isin(group_of[chosen], np.unique(fold.groups)))
            yield Split(pairs.where(~held), free, np.flatnonzero(held), languages[~held])

    description = f"{number}-fold cross-validation by segment over WMT12"
    return Material("folds", description, items, pairs, languages, chosen, list(splits()), cache)
