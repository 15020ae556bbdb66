"""Guzmán et al. (2014) again: similarity and learning by kind of tree, training across languages, and beyond."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tercet
from tercet.features.base import Array as Floats
from tercet.language.analysis import KINDS, Kind
from tercet.rankers.base import strict_tau
from tercet.rankers.kernel import KernelOptions
from tercet.rankers.kernel_learning import Mapped, Setting, learn_features, settings
from tercet.rankers.tree_pairs import TreeOptions
from tercet.reproduce import guzman2014_published as published
from tercet.reproduce.guzman2014_data import PAIRS, Material, Split
from tercet.tables import Table

Array = NDArray[np.float64]
COLUMNS = published.COLUMNS


@dataclass(frozen=True)
class Row:
    """Strict tau × 100 of each language pair and their mean, the paper's and ours; None: not there, or not possible."""

    name: str
    details: str
    paper: tuple[float, ...] | None
    ours: tuple[float, ...] | None
    chosen: str = ""
    """What cross-validation inside of the training data chose, in each split."""

    def as_json(self) -> dict[str, Any]:
        """As the command line prints it."""
        entry: dict[str, Any] = {"system": self.name, "details": self.details}
        entry["paper"] = None if self.paper is None else dict(zip(COLUMNS, self.paper, strict=True))
        entry["ours"] = None if self.ours is None else dict(zip(COLUMNS, self.ours, strict=True))
        return entry | {"chosen": self.chosen}


@dataclass
class Runner:
    """Rows of the tables under one protocol; what two rows share is trained once."""

    material: Material
    options: KernelOptions = field(default_factory=KernelOptions)
    told: Callable[[str], None] = lambda text: None
    _margins: dict[Any, tuple[Array, str]] = field(default_factory=dict)
    _mapped: dict[tuple[TreeOptions | None, int], Mapped] = field(default_factory=dict)

    def similarity(self, kind: Kind) -> tuple[float, ...]:
        """The kernel of hypothesis and reference as a metric."""
        scores = self.material.similarity(replace(self.options.trees, tree=kind, marked=False))
        found = self._taus(self.material.test.margins(scores))
        self.told(f"similarity, {kind}: {found[-1]:.2f}")
        return found

    def learned(
        self,
        kind: Kind,
        *,
        language: str = "all",
        features: bool = False,
        trees: bool = True,
        own: bool = False,
        **changes: Any,
    ) -> tuple[tuple[float, ...], str]:
        """The margins of all test pairs, each from a training that did not see its segment; and what was chosen.

        `language`: the training pairs of one language pair only. `own`: every test pair from those of its own one.
        `changes` are other tree options.
        """
        if own:
            margins = np.empty(len(self.material.test))
            chosen = []
            for pair in PAIRS:
                found, how = self._trained(kind, pair, features, trees, changes)
                places = self.material.test_language == pair
                margins[places] = found[places]
                chosen.append(f"{pair} {how}")
            how = "; ".join(chosen)
        else:
            margins, how = self._trained(kind, language, features, trees, changes)
        return self._taus(margins), how

    def _trained(
        self, kind: Kind, language: str, features: bool, trees: bool, changes: dict[str, Any]
    ) -> tuple[Array, str]:
        """Margins and settings; kept on disk, so that a run that was interrupted goes on where it was."""
        options = replace(self.options.trees, tree=kind, **changes) if trees else None
        key = (options, language, features)
        if key not in self._margins:
            test, splits, cache = self.material.test, self.material.splits, self.material.cache
            name = f"guzman2014 {tercet.__version__} {self._digest} {key} {self.options}"
            if features:
                name += f" {hashlib.sha256(self.material.items.features.tobytes()).hexdigest()}"
            margins = cache.numbers(f"margins {name}", len(test), 1)
            chosen = cache.numbers(f"settings {name}", len(splits), 2)
            if margins is None or chosen is None:
                margins, chosen = np.empty((len(test), 1), np.float32), np.empty((len(splits), 2), np.float32)
                for number, split in enumerate(splits):
                    found, setting = self._split(split, self._map(options, number), language, features)
                    margins[split.test, 0], chosen[number] = found, (setting.weight, setting.cost)
                cache.keep_numbers(f"margins {name}", margins)
                cache.keep_numbers(f"settings {name}", chosen)
            shown = [
                f"C {cost:g}" + (f" w {weight:g}" if trees and features else "") for weight, cost in chosen.tolist()
            ]
            self._margins[key] = margins[:, 0].astype(np.float64), ", ".join(dict.fromkeys(shown))
            told = [kind if trees else "no trees", *(["scores"] if features else []), *map(str, changes.items())]
            taus = self._taus(self._margins[key][0])
            self.told(f"{' + '.join(told)}, trained on {language}: {taus[-1]:.2f} ({self._margins[key][1]})")
        return self._margins[key]

    @cached_property
    def _digest(self) -> str:
        """Of all that the margins come from but the options."""
        material = self.material
        found = hashlib.sha256(f"{material.name} {self.options.trees.signature}".encode())
        found.update(
            "\n".join([*material.items.hypotheses, *map(repr, material.items.references)]).encode("utf-8", "replace")
        )
        arrays: list[NDArray[Any]] = [material.landmarks, material.test.first, material.test.second]
        for split in material.splits:
            arrays += [split.train.first, split.train.second, split.train.value, split.landmarks, split.test]
        for array in arrays:
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()

    def _map(self, options: TreeOptions | None, number: int) -> Mapped:
        """Nyström's features of a split; kept until other trees are asked for."""
        if (options, number) not in self._mapped:
            if options not in {known for known, _ in self._mapped}:
                self._mapped.clear()
            split = self.material.splits[number]
            kernels: Floats = np.empty((len(self.material.items.hypotheses), 0), np.float32)
            if options is not None:
                kernels = self.material.rows(options)[:, split.landmarks]
            self._mapped[options, number] = Mapped.of(kernels, kernels[self.material.landmarks[split.landmarks]])
        return self._mapped[options, number]

    def _split(self, split: Split, mapped: Mapped, language: str, features: bool) -> tuple[Array, Setting]:
        material, options = self.material, self.options
        trees = mapped.rows.shape[1] > 0
        scores = material.items.features if features else np.empty((len(material.items.hypotheses), 0), np.float32)
        train = split.train if language == "all" else split.train.where(split.train_language == language)
        candidates = settings(options.costs, options.weights, trees=trees, features=features)
        learned = learn_features(mapped, scores, train, candidates, folds=options.folds, seed=options.seed)
        found = learned.scores(mapped.kernels, scores)
        test = material.test.where(split.test)
        return test.margins(found), learned.setting

    def _taus(self, margins: Array) -> tuple[float, ...]:
        test, values = self.material.test, self.material.test.value.astype(np.float64)
        assert len(margins) == len(test)
        taus = []
        for pair in PAIRS:
            places = self.material.test_language == pair
            taus.append(100 * strict_tau(margins[places], values[places]))
        return (*taus, float(np.mean(taus)))


def tables(runner: Runner, wanted: Sequence[int]) -> list[tuple[str, list[Row]]]:
    """The wanted tables of the paper; 3 and 4 go beyond it: scores beside trees, trees without REL."""
    found = []
    if 1 in wanted:
        found.append(("Table 1: similarity and learning, by kind of tree", _table_1(runner)))
    if 2 in wanted:
        found.append(("Table 2: training on other language pairs, DIS+SYN", _table_2(runner)))
    if 3 in wanted:
        found.append(("Beyond the paper", _beyond(runner)))
    if 4 in wanted:
        ours, chosen = runner.learned("DIS+SYN", marked=False)
        found.append(("What REL is worth", [Row("DIS+SYN", "without REL, trained on all pairs", None, ours, chosen)]))
    return found


def _table_1(runner: Runner) -> list[Row]:
    rows = [Row(kind, "similarity", published.SIMILARITY[kind], runner.similarity(kind)) for kind in KINDS]
    several = len(np.unique(runner.material.splits[0].train_language)) > 1
    for kind in KINDS:
        ours, chosen = runner.learned(kind, own=several)
        rows.append(Row(kind, "learned", published.LEARNED[kind], ours, chosen))
    return rows


def _table_2(runner: Runner) -> list[Row]:
    there = set(np.unique(runner.material.splits[0].train_language).tolist())
    rows = []
    for language in (*PAIRS, "all"):
        details = f"trained on {language}"
        if (language == "all" and len(there) > 1) or language in there:
            ours, chosen = runner.learned("DIS+SYN", language=language)
            rows.append(Row("DIS+SYN", details, published.CROSS_LANGUAGE[language], ours, chosen))
        else:
            rows.append(Row("DIS+SYN", details, published.CROSS_LANGUAGE[language], None))
    return rows


def _beyond(runner: Runner) -> list[Row]:
    rows = []
    wanted: list[tuple[str, str, dict[str, Any]]] = [
        *((kind, "trained on all pairs", {"kind": kind}) for kind in KINDS),
        ("4METRICS", "linear SVM, no trees", {"kind": "DIS+SYN", "features": True, "trees": False}),
        ("SYN + 4METRICS", "both kernels", {"kind": "SYN", "features": True}),
        ("DIS+SYN + 4METRICS", "both kernels", {"kind": "DIS+SYN", "features": True}),
    ]
    for name, details, how in wanted:
        if how.get("features") and not runner.material.items.features.shape[1]:
            rows.append(Row(name, f"{details}; run `tercet resources install meteor`", None, None))
            continue
        ours, chosen = runner.learned(**how)
        rows.append(Row(name, details, None, ours, chosen))
    return rows


def as_table(name: str, rows: Sequence[Row], runner: Runner) -> Table:
    """The paper's figure and ours, strict tau × 100."""
    columns = [f"{column} {side}" for column in COLUMNS for side in ("paper", "ours")]
    material = runner.material
    table = Table(["Tree", "details", *columns], title=f"{name} [{material.name}]", text_columns=(0, 1))
    for row in rows:
        cells = []
        for place in range(len(COLUMNS)):
            cells.append("—" if row.paper is None else f"{row.paper[place]:.1f}")
            cells.append("—" if row.ours is None else f"{row.ours[place]:.2f}")
        table.add(row.name, row.details, *cells)
    table.notes.append(
        f"{material.name}: {material.description}; {len(material.splits[0].landmarks)} landmarks, C and weights by "
        f"{runner.options.folds}-fold cross-validation by segment inside of the training data. "
        "`all` is the mean of the four."
    )
    for chosen in dict.fromkeys(f"{row.name}, {row.details}: {row.chosen}" for row in rows if row.chosen):
        table.notes.append(chosen)
    return table
