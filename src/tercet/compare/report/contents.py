"""What a report holds: the comparison, the texts, and as many explanations in full as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.compare.explanation import Explainer
from tercet.compare.matching import shown, words_of
from tercet.compare.names import short_names
from tercet.compare.presentation import headline, setting
from tercet.compare.report.packing import Payload, marked_text, packed_edits, packed_links
from tercet.compare.words import ALPHA, EFFECTS, LIKELIHOODS, groups_of

Array = NDArray[np.float64]
Progress = Callable[[int], None]

FINE, COARSE = 1000, 250
"""Steps in a standard deviation of the margins: of margins themselves, and of what features add."""


class Contents:
    """Everything but the explanations in full is packed once."""

    def __init__(self, explainer: Explainer, progress: Progress = lambda done: None) -> None:
        self.explainer, self.comparison, self.corpus = explainer, explainer.comparison, explainer.corpus
        self._values: dict[tuple[int, int], NDArray[np.float32]] = {}
        self._measured: dict[int, NDArray[np.float32]] = {}
        self.features = self._contributions(0, 1)
        self.groups, self.which = groups_of(self.features)
        self._every_margin = np.stack(list(self.comparison.margins.values()))
        self.spread = float(self._every_margin.std()) or 1.0
        self._pack_numbers()
        self._pack_texts(progress)

    def payload(self, full: int) -> str:
        """The page's data, with `full` segments explained in full: those in which the systems differ most."""
        found = Payload(dict(self._header), list(self._arrays))
        segments = np.argsort(-np.abs(self._every_margin).max(axis=0), kind="stable")[:full]
        if len(segments):
            self._pack_full(found, sorted(segments.tolist()))
        return found.encoded()

    def _pack_numbers(self) -> None:
        comparison = self.comparison
        systems = list(comparison.systems)
        pairs = list(combinations(range(len(systems)), 2))
        margins = self._every_margin
        additive = _is_additive(margins, pairs, len(systems))
        kept = pairs[: len(systems) - 1] if additive else pairs  # those of the first system tell all others
        packed = Payload()
        packed.numbers("margins", np.stack([margins[pairs.index(pair)] for pair in kept]), self.spread / FINE)
        verdicts = np.stack([comparison.verdicts[systems[i], systems[j]] for i, j in pairs])
        packed.bytes("verdicts", (verdicts + 1).astype(np.uint8).tobytes())
        if len(self.groups) > 1:
            by_group = np.stack([self._grouped(*pair) for pair in kept])[..., :-1]  # the last is what the others leave
            packed.numbers("contributions", by_group, self.spread / COARSE)
        packed.header |= {
            "model": comparison.model,
            "kind": comparison.kind,
            "signature": comparison.signature,
            "notes": list(comparison.notes),
            "headline": headline(comparison),
            "setting": setting(comparison),
            "systems": systems,
            "names": short_names(systems),
            "order": [systems.index(ranked.system) for ranked in comparison.ranking],
            "ranking": [asdict(ranked) for ranked in comparison.ranking],
            "pairs": [asdict(pair) | {"shown": pair.shown, "p": pair.p_shown} for pair in comparison.pairs],
            "segments": comparison.segments,
            "additive": additive,
            "curve": self._probability_curve(),
            "groups": self.groups,
            "features": list(self.features),
            "group_of": self.which,
            "effects": [list(one) for one in EFFECTS],
            "likelihoods": [list(one) for one in LIKELIHOODS],
            "alpha": ALPHA,
        }
        self._header, self._arrays = packed.header, packed._arrays

    def _probability_curve(self) -> list[Any] | None:
        """Probabilities at 513 even steps of the margin; none for a metric, which knows wins and ties only."""
        if self.comparison.kind == "metric":
            return None
        most = float(np.abs(self._every_margin).max()) or 1.0
        chances = self.explainer.judge.probability(np.linspace(-most, most, 513))
        return [most, [round(float(chance), 5) for chance in chances]]

    def _contributions(self, first: int, second: int) -> tuple[str, ...]:
        """Keeps what features add between two systems, and what they are on either side; gives their names."""
        found = self.explainer.contributions(first, second)
        self._values[first, second] = found.values.astype(np.float32)
        for system, measured in ((first, found.first), (second, found.second)):
            self._measured.setdefault(system, measured.astype(np.float32))
        return found.names

    def _between(self, first: int, second: int) -> NDArray[np.float32]:
        """(segments, features)"""
        if (first, second) not in self._values:
            self._contributions(first, second)
        return self._values[first, second]

    def _grouped(self, first: int, second: int) -> Array:
        """(segments, groups)"""
        belongs = np.arange(len(self.groups)) == np.array(self.which)[:, None]
        return np.asarray(self._between(first, second) @ belongs.astype(np.float64), np.float64)

    def _pack_texts(self, progress: Progress) -> None:
        corpus, explainer = self.corpus, self.explainer
        texts, edits, closest = [], [], []
        places, stages = bytearray(), bytearray()
        for segment in range(len(corpus)):
            reference, matchings = explainer.matchings(segment)
            row = [marked_text(line, words_of(line)) for line in map(shown, corpus.references[segment])]
            source = [] if corpus.sources is None else [shown(corpus.sources[segment])]
            for matching, system in zip(matchings, corpus.systems.values(), strict=True):
                row.append(marked_text(shown(system[segment]), matching.hypothesis))
                some_places, some_stages = packed_links(matching)
                places += some_places
                stages += some_stages
            texts.append([*source, *row])
            closest.append(reference)
            found = [explainer.edits(segment, system) for system in corpus.systems]
            edits.append(" ".join(packed_edits(alignment, number) for number, alignment in found))
            progress(1)
        packed = Payload(self._header, self._arrays)
        packed.header |= {
            "texts": texts,
            "has_source": corpus.sources is not None,
            "closest": closest if any(closest) else 0,
            "edits": edits,
        }
        packed.bytes("places", bytes(places))
        packed.bytes("stages", bytes(stages))

    def _pack_full(self, packed: Payload, segments: Sequence[int]) -> None:
        """Every feature, the nearest paraphrase and the trees of some segments."""
        corpus, explainer = self.corpus, self.explainer
        systems = list(corpus.systems)
        detail: dict[str, Any] = {"segments": list(segments)}
        if len(self.features) > len(self.groups):
            pairs = list(combinations(range(len(systems)), 2))
            kept = pairs[: len(systems) - 1] if self._header["additive"] else pairs
            values = np.stack([self._between(*pair)[segments] for pair in kept]).astype(np.float64)
            packed.numbers("every", values, self.spread / FINE)
        for other in range(1, len(systems)):
            self._between(0, other)
        measured = np.stack([self._measured[system][segments] for system in range(len(systems))]).astype(np.float64)
        most = np.nanmax(np.abs(np.where(np.isnan(measured), 0, measured)), axis=(0, 1))
        detail["scales"] = [float(f"{scale / 4000:.6g}") if scale else 1.0 for scale in most]
        detail["unknown"] = np.isnan(measured).all(axis=(0, 1)).tolist()
        packed.numbers("values", np.nan_to_num(measured) / np.array(detail["scales"]), 1)
        if explainer.hytera is not None:
            detail["paths"] = [[_steps(explainer.path(row, system)) for system in systems] for row in segments]
        if explainer.english:
            texts = [
                shown(text)
                for row in segments
                for text in (
                    corpus.references[row][self._header["closest"][row] if self._header["closest"] else 0],
                    *(corpus.systems[system][row] for system in systems),
                )
            ]
            trees = [str(tree) for tree in explainer.trees(texts)]
            width = len(systems) + 1
            detail["trees"] = [trees[start : start + width] for start in range(0, len(trees), width)]
        packed.header["full"] = detail


def _steps(match: Any) -> list[str]:
    """`=word`, `sword>path`, `dword`, `ipath`: what becomes of the hypothesis on its way to the nearest paraphrase."""
    letters = {"match": "=", "substitution": "s", "deletion": "d", "insertion": "i"}
    return [
        letters[step.edit] + "\t".join(word for word in (step.hypothesis, step.path) if word is not None)
        if step.edit != "match"
        else "=" + step.path
        for step in match.steps
    ]


def _is_additive(margins: Array, pairs: Sequence[tuple[int, int]], systems: int) -> bool:
    """Whether margins are differences of scores, so that those of the first system tell all others."""
    if systems < 3:
        return False
    place = {pair: i for i, pair in enumerate(pairs)}
    scale = np.abs(margins).max() or 1.0
    return all(
        np.abs(margins[place[i, j]] - (margins[place[0, j]] - margins[place[0, i]])).max() < 1e-6 * scale
        for i, j in pairs
        if i
    )
