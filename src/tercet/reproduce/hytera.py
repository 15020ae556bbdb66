"""HyTERA (Apidianaki et al. 2018): Table 3 and its like on other years, Table 1, and what each part contributes."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tercet.agreement.correlation import pearson
from tercet.agreement.significance.dependent import williams_matrix
from tercet.corpus.judged import read_judged
from tercet.errors import InputError
from tercet.lattice.search import Normalizer
from tercet.metrics.base import Array, Metric
from tercet.metrics.hyter import LatticeMetric
from tercet.metrics.registry import metric as metric_of
from tercet.reproduce import hytera_published as published
from tercet.reproduce.hytera_published import Setting
from tercet.tables import Cell, Table, best

NORMALIZERS: tuple[Normalizer, ...] = ("reference", "sum", "longer")
DATASETS = ("wmt16-da", "wmt15-da", "wmt17-da")
SIGNIFICANT = 0.05


@dataclass(frozen=True, eq=False)
class Judged:
    """The judged translations of one language pair."""

    pair: str
    hypotheses: list[str]
    references: list[tuple[str, ...]]
    human: Array


@dataclass(frozen=True, eq=False)
class Dataset:
    """All pairs into English of one year."""

    name: str
    parts: list[Judged]

    @classmethod
    def read(cls, folder: Path) -> Dataset:
        """A folder of parallel lines, or a WMT tree with `DA-seglevel.csv`."""
        table = folder / "DA-seglevel.csv"
        parts = []
        for texts in read_judged(folder, table if table.is_file() else None):
            if not texts.pair.endswith("-en"):
                continue
            systems = texts.judgments.systems()
            found = texts.judgments.of_segments().averaged().indices(systems)
            places = list(zip(found.system.tolist(), found.segment.tolist(), strict=True))
            hypotheses = [texts.corpus.systems[systems[system]][segment] for system, segment in places]
            references = [tuple(texts.corpus.references[segment]) for _, segment in places]
            parts.append(Judged(texts.pair, hypotheses, references, np.asarray(found.value)))
        if not parts:
            raise InputError("no judgments of translations into English", file=folder)
        return cls(folder.name, parts)


@dataclass(frozen=True, eq=False)
class Row:
    """One setting under one normaliser: its correlation on every pair, and where it beats the baseline."""

    name: str
    normalize: str
    values: Mapping[str, float]
    over: Mapping[str, Mapping[str, float]]
    """Williams' test of "correlates more than another setting by the same normaliser": setting, pair, p-value."""
    baseline: str
    """The setting that all are held against: plain word error rate."""
    signature: str

    @property
    def p_values(self) -> Mapping[str, float]:
        """Of the test against the baseline, by pair; none for the baseline itself."""
        return self.over.get(self.baseline, {})

    @cached_property
    def mean(self) -> float:
        """Over language pairs."""
        return statistics.mean(self.values.values())

    def as_json(self) -> dict[str, Any]:
        """For the JSON output."""
        return {
            "system": self.name,
            "normalize": self.normalize,
            "paper": {},
            "ours": {**self.values, "mean": self.mean},
            "p_values": dict(self.p_values),
            "signature": self.signature,
        }


def datasets(data: Path, *, required: bool = True) -> list[Dataset]:
    """Those of the years that a folder has; if `required`, having none is an error."""
    found = [Dataset.read(data / name) for name in DATASETS if (data / name).is_dir()]
    if not found and required:
        raise InputError(
            f"has none of {', '.join(DATASETS)}", file=data, remedy="give --data the folder that holds them"
        )
    return found


def table_3(dataset: Dataset) -> tuple[Table, list[dict[str, Any]]]:
    """The paper's metric beside sentence BLEU, with the paper's figures where the data are the paper's."""
    specs = {
        "HyTERA, single words": "hytera:multiword=no",
        "HyTERA": "hytera",
        "SENTBLEU": published.SENTBLEU_SPEC,
        "SBLEU": "sbleu-hytera",
    }
    paper = {"HyTERA, single words": published.HYTERA, "SENTBLEU": published.SENTBLEU}
    of_paper = dataset.name == "wmt16-da"
    pairs = [part.pair for part in dataset.parts]
    columns = [*pairs, "mean"]
    table = Table(
        ["System", "", *columns], title=f"Table 3: segment-level Pearson's r [{dataset.name}]", text_columns=(0, 1)
    )
    entries = []
    for name, spec in specs.items():
        metric = metric_of(spec)
        values = {part.pair: _correlation(part, _scores(part, metric)) for part in dataset.parts}
        values["mean"] = statistics.mean(values.values())
        if of_paper and name in paper:
            figures = {**paper[name], "mean": statistics.mean(paper[name].values())}
            table.add(name, "paper", *(_number(figures.get(column)) for column in columns))
        table.add(name, "ours", *(_number(values[column]) for column in columns))
        table.notes.append(str(metric.for_segments().signature))
        entries.append({"system": name, "paper": paper.get(name, {}) if of_paper else {}, "ours": values})
    return table, entries


def table_1(dataset: Dataset) -> tuple[Table, list[dict[str, Any]]]:
    """The median number of paths of a reference's lattice."""
    specs = {"allPars": "hytera-all:multiword=no", "allParsFiltered": "hytera:multiword=no"}
    pairs = [part.pair for part in dataset.parts]
    table = Table(["Lattices", *pairs], title=f"Table 1: median number of paths [{dataset.name}]")
    entries = []
    for name, spec in specs.items():
        metric = metric_of(spec)
        assert isinstance(metric, LatticeMetric)
        medians = {
            part.pair: float(statistics.median(metric.lattice(texts).paths for texts in part.references))
            for part in dataset.parts
        }
        table.add(name, *(f"{medians[pair]:.3g}" for pair in pairs))
        entries.append({"system": name, "paper": published.MEDIAN_PATHS[name], "ours": medians})
    table.notes.append("The paper's are of four united references from NIST 2010: allPars 1.8e27 and 8.5e27.")
    return table, entries


def contributions(
    dataset: Dataset, settings: Sequence[Setting], told: Callable[[str], None] = lambda text: None
) -> list[Row]:
    """Every setting under every normaliser, against word error rate; the first setting is that baseline."""
    scores: dict[str, dict[str, dict[str, Array]]] = {
        normalize: {part.pair: {} for part in dataset.parts} for normalize in NORMALIZERS
    }
    signatures: dict[tuple[str, str], str] = {}
    for setting in settings:
        metric = metric_of(setting.spec)
        assert isinstance(metric, LatticeMetric)
        for normalize in NORMALIZERS:
            here = metric.by(normalize)
            signatures[setting.name, normalize] = str(here.signature)
            for part in dataset.parts:
                scores[normalize][part.pair][setting.name] = _scores(part, here)
        told(f"{dataset.name}: {setting.name}")
    rows = []
    for normalize in NORMALIZERS:
        tests = {part.pair: williams_matrix(part.human, scores[normalize][part.pair]) for part in dataset.parts}
        for place, setting in enumerate(settings):
            rows.append(
                Row(
                    setting.name,
                    normalize,
                    {pair: float(test.values[place]) for pair, test in tests.items()},
                    {
                        other.name: {pair: float(test.p_values[place, i]) for pair, test in tests.items()}
                        for i, other in enumerate(settings)
                        if i != place
                    },
                    settings[0].name,
                    signatures[setting.name, normalize],
                )
            )
    return rows


def contributions_table(dataset: Dataset, rows: Sequence[Row]) -> Table:
    """The means, a column a normaliser, and on how many pairs a setting beats the baseline."""
    names = list(dict.fromkeys(row.name for row in rows))
    by = {(row.name, row.normalize): row for row in rows}
    columns = [f"by {normalize}" for normalize in NORMALIZERS]
    table = Table(["Setting", *columns], title=f"Mean segment-level Pearson's r, pairs into English [{dataset.name}]")
    strong = {n: best([by[name, n].mean for name in names], higher_is_better=True, decimals=3) for n in NORMALIZERS}
    pairs = len(dataset.parts)
    for i, name in enumerate(names):
        cells = []
        for normalize in NORMALIZERS:
            row = by[name, normalize]
            wins = sum(p < SIGNIFICANT for p in row.p_values.values())
            shown = f"{row.mean:.3f}" + (f" ({wins}/{pairs})" if row.p_values else "")
            cells.append(Cell(shown, strong[normalize][i]))
        table.add(name, *cells)
    table.notes.append(
        f"In brackets: on how many of the {pairs} pairs it beats {names[0]} by the same normaliser; Williams, p < .05."
    )
    return table


def comparisons_table(dataset: Dataset, rows: Sequence[Row], questions: Sequence[tuple[str, str]]) -> Table:
    """Two settings beside each other: how far their means are apart, and on how many pairs either is better."""
    by = {(row.name, row.normalize): row for row in rows}
    table = Table(
        ["Setting", "against", *(f"by {normalize}" for normalize in NORMALIZERS)],
        title=f"Differences of mean r; on how many pairs better and worse [{dataset.name}]",
        text_columns=(0, 1),
    )
    for first, second in questions:
        if any((name, NORMALIZERS[0]) not in by for name in (first, second)):
            continue
        cells = []
        for normalize in NORMALIZERS:
            one, other = by[first, normalize], by[second, normalize]
            better, worse = (
                sum(p < SIGNIFICANT for p in a.over[b.name].values()) for a, b in ((one, other), (other, one))
            )
            cells.append(f"{one.mean - other.mean:+.3f} ({better}, {worse})")
        table.add(first, second, *cells)
    table.notes.append(f"Of {len(dataset.parts)} pairs; Williams, p < .05.")
    return table


def chosen_elsewhere(found: Mapping[str, Sequence[Row]]) -> tuple[Table, list[dict[str, Any]]]:
    """For every year, the setting and normaliser that is best on another year: nothing was chosen on what is shown."""
    table = Table(
        ["Reported on", "chosen on", "Setting", "by", "mean r", "WER by reference"],
        title="The best setting of another year",
        text_columns=(0, 1, 2, 3),
    )
    entries = []
    for reported, rows in found.items():
        by = {(row.name, row.normalize): row for row in rows}
        for chosen, others in found.items():
            if chosen == reported:
                continue
            top = max(others, key=lambda row: row.mean)  # of equals the first
            here = by[top.name, top.normalize]
            table.add(reported, chosen, top.name, top.normalize, f"{here.mean:.3f}", f"{rows[0].mean:.3f}")
            entries.append({**here.as_json(), "data": reported, "chosen_on": chosen})
    return table, entries


def _scores(part: Judged, metric: Metric) -> Array:
    """Of segments, higher for better ones."""
    scores: Array = metric.segments(part.hypotheses, part.references)
    return scores if metric.higher_is_better else -scores


def _correlation(part: Judged, scores: Array) -> float:
    return pearson(part.human, scores).value


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"
