"""LDC2014T09, the hand-made HyTER networks: Table 2 and Figure 2 of Apidianaki et al. (2018).

The release is laid out as a folder a language pair:

    LDC2014T09/ar-en/networks/        one automaton a sentence: OpenFst text or JSON, in the order of their names
                                      (or networks.jsonl, a line a sentence)
                     references/      a file a reference
                     systems/         a file a system
                     post-edits/      a file of the same name for each system

Texts may be plain lines or mteval's SGML or XML.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tercet.agreement.correlation import spearman
from tercet.corpus import Corpus, read
from tercet.errors import InputError, ShapeError
from tercet.lattice.automaton import Lattice
from tercet.lattice.files import read_lattices
from tercet.metrics.base import Array, Metric
from tercet.metrics.hter import HTER
from tercet.metrics.hyter import HyTER, LatticeMetric
from tercet.metrics.registry import metric as metric_of
from tercet.reproduce import hytera_published as published
from tercet.tables import Table

FOLDER = "LDC2014T09"
PAIRS = ("ar-en", "zh-en")
SETTINGS: Mapping[str, str | None] = {
    "HyTER": None,  # with the networks
    "HyTERA(allPars)": "hytera-all:multiword=no",
    "HyTERA(allParsFiltered)": "hytera:multiword=no",
    "BLEU": "sbleu-hytera",
}
_LATTICES = {"manual": "HyTER", "allPars": "HyTERA(allPars)", "allParsFiltered": "HyTERA(allParsFiltered)"}


@dataclass(frozen=True, eq=False)
class Networks:
    """A language pair: its texts, what people made of every translation, and what they hold for right."""

    pair: str
    corpus: Corpus
    post_edits: Mapping[str, Sequence[tuple[str, ...]]]
    """Of every system, the post-edit of each sentence."""
    lattices: Sequence[Lattice]
    path: Path

    @classmethod
    def read(cls, folder: Path) -> Networks:
        """A folder as this module describes it; what does not fit together is an error."""
        references, systems, edits = (_files(folder / name) for name in ("references", "systems", "post-edits"))
        corpus = read(systems, list(references.values()))
        if set(systems) != set(edits):
            odd = sorted(set(systems) ^ set(edits))[0]
            raise InputError(
                f"system {odd!r} has no file in both systems and post-edits", file=folder, remedy="names agree"
            )
        edited = {}
        for system, file in edits.items():
            own = read({system: systems[system]}, [file])
            if len(own) != len(corpus) or own.ids != corpus.ids:
                raise ShapeError(f"{file}: not the sentences of {folder / 'references'}, or in another order")
            edited[system] = [tuple(texts) for texts in own.references]
        listed = folder / "networks.jsonl"
        path = listed if listed.is_file() else folder / "networks"
        lattices = read_lattices(path)
        if len(lattices) != len(corpus):
            raise ShapeError(f"{path}: {len(lattices)} networks for {len(corpus)} sentences")
        return cls(folder.name, corpus, edited, lattices, path)

    def metric(self, name: str) -> Metric:
        """A row of Table 2."""
        spec = SETTINGS[name]
        return HyTER(lattices=str(self.path)) if spec is None else metric_of(spec)

    def segments(self, metric: Metric, system: str) -> Array:
        """The score of every sentence of a system."""
        return metric.segments(list(self.corpus.systems[system]), [tuple(texts) for texts in self.corpus.references])

    def hter(self, system: str) -> Array:
        """TER of every sentence against its own post-edit."""
        return HTER().segments(list(self.corpus.systems[system]), self.post_edits[system])


def read_networks(data: Path) -> list[Networks]:
    """Those of the pairs that the data folder has; none where it has no such folder."""
    return [Networks.read(data / FOLDER / pair) for pair in PAIRS if (data / FOLDER / pair).is_dir()]


def table_1(found: Sequence[Networks]) -> tuple[Table, list[dict[str, Any]]]:
    """The median number of sentences of a reference's lattice, beside the paper's."""
    pairs = [one.pair for one in found]
    table = Table(
        ["Lattices", "", *pairs], title=f"Table 1: median number of references [{FOLDER}]", text_columns=(0, 1)
    )
    entries = []
    for name, of in _LATTICES.items():
        ours = {}
        for one in found:
            metric = one.metric(of)
            assert isinstance(metric, LatticeMetric)
            lattices = (
                one.lattices if of == "HyTER" else [metric.lattice(tuple(texts)) for texts in one.corpus.references]
            )
            ours[one.pair] = float(statistics.median(lattice.paths for lattice in lattices))
        paper = published.MEDIAN_PATHS[name]
        table.add(name, "paper", *(f"{paper[pair]:.3g}" for pair in pairs))
        table.add(name, "ours", *(f"{ours[pair]:.3g}" for pair in pairs))
        entries.append({"system": name, "paper": paper, "ours": ours})
    return table, entries


def table_2(found: Sequence[Networks]) -> tuple[Table, list[dict[str, Any]]]:
    """Spearman's rho of every metric with hTER, over the sentences of all systems."""
    pairs = [one.pair for one in found]
    table = Table(["System", "", *pairs], title=f"Table 2: Spearman's rho with hTER [{FOLDER}]", text_columns=(0, 1))
    entries = []
    for name in SETTINGS:
        ours = {}
        for one in found:
            metric = one.metric(name)
            scores = np.concatenate([one.segments(metric, system) for system in one.corpus.systems])
            effort = np.concatenate([one.hter(system) for system in one.corpus.systems])
            ours[one.pair] = spearman(effort, scores).value
        paper = published.TABLE_2[name]
        table.add(name, "paper", *(f"{paper[pair]:.3f}" for pair in pairs))
        table.add(name, "ours", *(f"{ours[pair]:.3f}" for pair in pairs))
        entries.append({"system": name, "paper": paper, "ours": ours})
    table.notes.append("hTER is TER against the post-edit of each translation; the paper has TERp's.")
    return table, entries


def figure_2(one: Networks) -> tuple[Table, list[dict[str, Any]]]:
    """The systems as each metric scores them."""
    systems = list(one.corpus.systems)
    table = Table(["Metric", *systems], title=f"Figure 2: scores of systems [{FOLDER} {one.pair}]")
    entries = []
    rows: dict[str, dict[str, float]] = {"hTER": {}}
    for system in systems:
        rows["hTER"][system] = float(HTER().corpus(list(one.corpus.systems[system]), one.post_edits[system]))
    references = [tuple(texts) for texts in one.corpus.references]
    for name in SETTINGS:
        metric = one.metric(name)
        rows[name] = {system: float(metric.corpus(list(one.corpus.systems[system]), references)) for system in systems}
    for name, scores in rows.items():
        table.add(name, *(f"{scores[system]:.1f}" for system in systems))
        entries.append({"system": name, "paper": {}, "ours": scores})
    return table, entries


def _files(folder: Path) -> dict[str, Path]:
    """The files of a folder by their names without the last ending, in order."""
    found = sorted(path for path in folder.glob("*") if path.is_file()) if folder.is_dir() else []
    if not found:
        raise InputError("no files", file=folder, remedy="see docs/papers/hytera.md for the layout")
    return {path.stem: path for path in found}
