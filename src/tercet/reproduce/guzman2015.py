"""Guzmán et al. (2015) again: every row of Tables 1–5 under a protocol, the mean and spread of its seeds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.metrics.registry import metric as metric_of
from tercet.rankers.absolute import bradley_terry
from tercet.rankers.base import strict_tau
from tercet.rankers.fitting import Fitted, fit_tables, test_margins
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions, NetworkRanker
from tercet.rankers.pairs import Pairs, Texts
from tercet.rankers.tables import Tables
from tercet.reproduce import guzman2015_published as published
from tercet.reproduce.guzman2015_published import PAIRS, Row
from tercet.reproduce.protocols import Protocol, Split
from tercet.tables import Table

Margins = NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """Strict tau of each language pair and their mean, for each seed; `why` says why there is none."""

    row: Row
    taus: Margins | None = None
    """(seeds, pairs + 1)"""
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """Taus × 100: the paper's, and the mean and standard deviation of ours."""
        names = (*PAIRS, "mean")
        entry: dict[str, Any] = {"system": self.row.system, "details": self.row.details}
        entry["paper"] = {name: value for name, value in zip(names, self.row.paper, strict=True) if value is not None}
        if self.taus is None:
            return entry | {"ours": None, "why": self.why}
        ours = 100 * self.taus
        spread = ours.std(axis=0, ddof=1) if len(ours) > 1 else np.zeros(len(names))
        entry["ours"] = {name: float(value) for name, value in zip(names, ours.mean(axis=0), strict=True)}
        entry["spread"] = {name: float(value) for name, value in zip(names, spread, strict=True)}
        entry["seeds"] = len(ours)
        return entry


@dataclass
class Runner:
    """Rows under one protocol; networks that two rows share are trained once.

    The seeds of a row are trained at once: each has initial weights of its own, all have one order of the examples.
    """

    protocol: Protocol
    options: NetworkOptions
    """What a row does not say itself."""
    seeds: int = 5
    kept: Path | None = None
    """Folder for what trained networks decided: a run that was broken off goes on from there."""
    cache: FeatureCache = field(default_factory=FeatureCache.default)
    told: Callable[[str], None] = lambda text: None
    _fitted: dict[Any, list[Fitted]] = field(default_factory=dict)
    _known_tables: dict[Any, Tables] = field(default_factory=dict)
    _margins: dict[Any, Margins] = field(default_factory=dict)

    def run(self, row: Row) -> Result:
        """One row, or why it cannot be computed."""
        if not row.learns and row.metric is None:
            return Result(row, why="another system's figure")
        for spec in row.vectors:
            if spec.startswith(published.NOT_GIVEN):
                name = spec.removeprefix(published.NOT_GIVEN)
                return Result(row, why=f"give its vectors with --vectors {name}=FILE")
        try:
            return Result(row, self._taus(row))
        except TercetError as error:
            return Result(row, why=str(error).split("; there are")[0])

    def _taus(self, row: Row) -> Margins:
        test = self.protocol.test
        found = self._of_metric(row.metric)[None] if row.metric is not None else self._decided(row)
        values = test.value.astype(np.float64)
        places = test.by_language_pair()
        taus = [[strict_tau(one[places[pair]], values[places[pair]]) for pair in PAIRS] for one in found]
        for number, one in enumerate(taus):
            self.told(f"{row.system}, {row.details}: seed {number + 1}, mean tau {100 * np.mean(one):.2f}")
        return np.array([[*one, np.mean(one)] for one in taus])

    def _of_metric(self, spec: str) -> Margins:
        sign = 1 if metric_of(spec).higher_is_better else -1
        scores, texts = feature_set(spec), self.protocol.test.texts
        tables = [
            np.stack([sign * self.cache.transform(scores, list(system), references)[:, 0] for system in _systems(one)])
            for one in texts
            for references in [list(one.corpus.references)]
        ]
        return _differences(self.protocol.test, tables)

    def _decided(self, row: Row) -> Margins:
        if row.decides == "margin":
            return self._trained(row)
        if row.decides == "ensemble":
            return np.asarray(self._trained(row).mean(axis=0, keepdims=True), np.float64)
        test, found = self.protocol.test, np.empty(len(self.protocol.test))
        for split, fitted in zip(self._splits, self._train(row), strict=True):
            scores = [_absolute(self._ranker(row, fitted), one, row.decides) for one in test.texts]
            found[split.places] = _differences(test.where(split.places), scores)
        return found[None]

    def _trained(self, row: Row) -> Margins:
        """The margins of all test pairs, (seeds, pairs), each from the training that did not see its segment."""
        key = _key(row)
        if key not in self._margins:
            known = self._known(row)
            if known is None:
                known = self._decide(row, self._train(row))
                self._keep(row, known)
            self._margins[key] = known
        return self._margins[key]

    def _train(self, row: Row) -> list[Fitted]:
        """The networks of all seeds, which are trained at once, for each split."""
        key = _key(row)
        if key not in self._fitted:
            inputs, options = Inputs(self._specs(row), self.cache), self._options(row)
            self._fitted[key] = [
                fit_tables(
                    inputs,
                    options,
                    self._tables(row, split.train),
                    split.train,
                    self._tables(row, split.validation),
                    split.validation,
                )
                for split in self._splits
            ]
            epochs = [[member["best_epoch"] for member in fitted.card["members"]] for fitted in self._fitted[key]]
            self.told(f"{row.system}, {row.details}: trained, best epochs {epochs}")
        return self._fitted[key]

    def _decide(self, row: Row, trained: Sequence[Fitted]) -> Margins:
        test = self.protocol.test
        found = np.full((self.seeds, len(test)), np.nan)
        for split, fitted in zip(self._splits, trained, strict=True):
            found[:, split.places] = test_margins(fitted, self._tables(row, test), test.where(split.places))
        assert not np.isnan(found).any(), "every test pair belongs to one training"
        return found

    def _tables(self, row: Row, pairs: Pairs) -> Tables:
        specs = self._specs(row)
        key = specs, tuple(one.name for one in pairs.texts)
        if key not in self._known_tables:
            if any(known[0] != specs for known in self._known_tables):
                self._known_tables.clear()  # those of one row at a time
            self._known_tables[key] = Tables.of(Inputs(specs, self.cache), pairs.texts)
        return self._known_tables[key]

    @cached_property
    def _splits(self) -> list[Split]:
        return list(self.protocol.splits())

    @cached_property
    def _digest(self) -> str:
        return self.protocol.test.sha256()

    def _known(self, row: Row) -> Margins | None:
        file = self._file(row)
        return np.load(file, allow_pickle=False) if file is not None and file.is_file() else None

    def _keep(self, row: Row, margins: Margins) -> None:
        file = self._file(row)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.save(file, margins, allow_pickle=False)

    def _file(self, row: Row) -> Path | None:
        if self.kept is None:
            return None
        signatures = Inputs(self._specs(row), self.cache).signatures()
        said = [self.protocol.description, self._digest, signatures, asdict(self._options(row))]
        name = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
        return self.kept / f"{name[:32]}.npy"

    def _ranker(self, row: Row, fitted: Fitted) -> NetworkRanker:
        ranker = NetworkRanker(self._specs(row), self._options(row), self.cache)
        ranker.adopt(fitted)
        return ranker

    def _specs(self, row: Row) -> FeatureSpecs:
        return FeatureSpecs(row.similarity, row.vectors, row.source_vectors)

    def _options(self, row: Row) -> NetworkOptions:
        weight = self.options.tie_weight if row.tie_weight is None else row.tie_weight
        return replace(
            self.options,
            form=row.form,
            hidden=row.hidden,
            cost=row.cost,
            tie_weight=weight,
            seeds=self.seeds,
        )


def tables(
    runner: Runner, wanted: Sequence[int], files: Sequence[tuple[str, str]] = (), syntax: str = published.SYNTAX
) -> list[tuple[str, list[Result]]]:
    """The wanted tables of the paper; 6 is what goes beyond it. `syntax` is the feature set for SYNTAX25."""
    rows: dict[int, tuple[str, Sequence[Row]]] = {
        1: ("Table 1: metrics, vectors, and both", published.TABLE_1),
        2: ("Table 2: the components of BLEU", published.TABLE_2),
        3: ("Table 3: larger vectors", published.table_3(files)),
        4: ("Table 4: deep and flat", published.TABLE_4),
        5: ("Table 5: cost functions", published.TABLE_5),
        6: ("Beyond the paper", published.BEYOND),
    }
    return [(rows[number][0], [runner.run(_with_syntax(row, syntax)) for row in rows[number][1]]) for number in wanted]


def as_table(name: str, results: Sequence[Result], runner: Runner) -> Table:
    """The paper's figure and ours, strict tau × 100, with the standard deviation over seeds behind ±."""
    protocol = runner.protocol
    columns = [f"{pair} {side}" for pair in (*PAIRS, "mean") for side in ("paper", "ours")]
    table = Table(["System", "details", *columns], title=f"{name} [{protocol.name}]", text_columns=(0, 1))
    for result in results:
        entry = result.as_json()
        cells = []
        for pair in (*PAIRS, "mean"):
            cells.append(f"{entry['paper'][pair]:.2f}" if pair in entry["paper"] else "—")
            if entry["ours"] is None:
                cells.append("—")
            else:
                spread = f" ± {entry['spread'][pair]:.2f}" if pair == "mean" and entry["seeds"] > 1 else ""
                cells.append(f"{entry['ours'][pair]:.2f}{spread}")
        table.add(result.row.system, result.row.details, *cells)
    patience = runner.options.patience
    stopped = "" if patience is None else f" but no more than {patience} without a better one"
    table.notes.append(
        f"{protocol.name}: {protocol.description}; {runner.seeds} seeds of initial weights, "
        f"up to {runner.options.epochs} epochs{stopped}, learning rate {runner.options.learning_rate:g}, "
        f"L2 {runner.options.l2:g}."
    )
    for why in dict.fromkeys(result.why for result in results if result.why and result.row.learns):
        systems = dict.fromkeys(result.row.system for result in results if result.why == why)
        table.notes.append(f"Not computed: {', '.join(systems)}: {why}.")
    return table


def _with_syntax(row: Row, syntax: str) -> Row:
    return replace(row, vectors=tuple(syntax if spec == published.SYNTAX else spec for spec in row.vectors))


def _key(row: Row) -> tuple[Any, ...]:
    return row.similarity, row.vectors, row.hidden, row.cost, row.form, row.source_vectors, row.tie_weight


def _systems(texts: Texts) -> list[Sequence[str]]:
    return list(texts.corpus.systems.values())


def _differences(pairs: Pairs, scores: Sequence[NDArray[np.floating]]) -> Margins:
    """Scores of the first translations less those of the second; `scores` is (systems, segments) for each text."""
    found = np.empty(len(pairs))
    for number, table in enumerate(scores):
        chosen = pairs.text == number
        segment = pairs.segment[chosen]
        found[chosen] = table[pairs.first[chosen], segment] - table[pairs.second[chosen], segment]
    return found


def _absolute(ranker: NetworkRanker, texts: Texts, how: str) -> Margins:
    """A score of every translation, (systems, segments)."""
    systems = [list(one) for one in _systems(texts)]
    references = list(texts.corpus.references)
    sources = None if texts.corpus.sources is None else list(texts.corpus.sources)
    if how == "lone":
        return np.stack([ranker.lone(one, references, sources) for one in systems])
    every = ranker.calibration_.probability(ranker.margins(systems, references, sources))
    return bradley_terry(every.transpose(2, 0, 1)).T
