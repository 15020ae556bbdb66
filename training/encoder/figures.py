"""`python -m training.encoder.figures --data DIR`: how far encoders agree with people, by the features that ship.

    --encoder NAME …      `published`, `tuned` or files of adapters, each on all of the folders
    --folds RECIPE FILE   files that `python -m training.encoder RECIPE -o FILE` wrote, each on the part it did not see

A score is the encoder's own mix of greedy-matching precision, recall and the cosine of sentences; the published encoder
has the mix that fits WMT13 best. Comparisons are measured by strict tau × 100, assessments by Pearson × 100, the mean
over language pairs; intervals are of 95 %, from 1,000 samples of references.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.features.base import FeatureSet
from tercet.features.cache import FeatureCache
from tercet.features.context import Context
from tercet.language.minilm import PUBLISHED, adapters_file, read_adapters
from tercet.rankers.judged_data import read_judged_folder
from training.encoder.agreement import best_mix
from training.encoder.recipe import read_recipe

COLUMNS = (0, 1, 6)  # of `context`: precision, recall and the cosine
SAMPLES = 1000
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scored:
    """What people said and what an encoder says of the same, for one language pair, with the reference of each row.

    Of comparisons, `human` is 1 or -1 and `ours` a margin; of assessments both are scores.
    """

    pair: str
    kind: str
    reference: NDArray[np.int64]
    human: Array
    ours: Array
    words: NDArray[np.int64]
    """Of the reference."""
    quality: Array
    """Of comparisons, the mean of what the published encoder gives both; of assessments, what people gave."""

    def statistic(self, weights: Array | None = None, chosen: NDArray[np.bool_] | None = None) -> float:
        """Strict tau or Pearson × 100, with a weight for each row."""
        weight = np.ones(len(self.human)) if weights is None else weights
        if chosen is not None:
            weight = weight * chosen
        if self.kind == "comparison":
            return float(100 * (2 * np.sum(weight * (self.human * self.ours > 0)) / weight.sum() - 1))
        ours = self.ours - np.average(self.ours, weights=weight)
        human = self.human - np.average(self.human, weights=weight)
        together = np.sum(weight * ours * human)
        return float(100 * together / np.sqrt(np.sum(weight * ours**2) * np.sum(weight * human**2)))


def features(texts: JudgedTexts, encoder: str, precision: str) -> dict[tuple[str, int], Array]:
    """Precision, recall and cosine of every judged output, by system and segment."""
    context = Context(encoder=encoder, precision=precision)  # type: ignore[arg-type]
    return {key: row[list(COLUMNS)] for key, row in rows_of(texts, context).items()}


def rows_of(texts: JudgedTexts, features: FeatureSet) -> dict[tuple[str, int], Array]:
    """A feature set's row of every judged output, by system and segment."""
    frame = texts.judgments.of_segments().frame
    found = set(zip(frame["system"].to_list(), frame["segment"].to_list(), strict=True))
    if texts.judgments.kind == "comparison":
        found |= set(zip(frame["other"].to_list(), frame["segment"].to_list(), strict=True))
    keys = sorted(found, key=lambda key: (key[1], key[0]))
    lines = {name: list(texts.corpus.systems[name]) for name in {name for name, _ in keys}}
    references = list(texts.corpus.references)
    rows = FeatureCache.default().transform(
        features, [lines[name][segment] for name, segment in keys], [tuple(references[s]) for _, s in keys]
    )
    return dict(zip(keys, rows.astype(np.float64), strict=True))


@cache
def number_of(folder: str, reference: tuple[str, ...]) -> int:
    """Equal references of a folder have equal numbers, whichever encoder they are scored by."""
    return next(_COUNTERS.setdefault(folder, count()))


_COUNTERS: dict[str, Iterator[int]] = {}


def scored(folder: str, texts: JudgedTexts, encoder: str, precision: str, mix: Array) -> Scored:
    """One language pair of a folder, or a part of it."""
    rows = features(texts, encoder, precision)
    plain = features(texts, PUBLISHED, precision)
    references = list(texts.corpus.references)
    judgments = texts.judgments.of_segments()
    kind = judgments.kind
    frame = (judgments.untied() if kind == "comparison" else judgments.averaged()).frame
    segments = frame["segment"].to_numpy().astype(np.int64)
    systems, value = frame["system"].to_list(), frame["value"].to_numpy().astype(np.float64)
    first = np.array([rows[key] @ mix for key in zip(systems, segments, strict=True)])
    quality = value
    if kind == "comparison":
        others = frame["other"].to_list()
        first = first - np.array([rows[key] @ mix for key in zip(others, segments, strict=True)])
        both = zip(systems, others, segments, strict=True)
        quality = np.array([(plain[one, s] + plain[other, s])[:2].mean() / 2 for one, other, s in both])
        value = np.sign(value)
    return Scored(
        texts.pair,
        kind,
        np.array([number_of(folder, tuple(references[s])) for s in segments]),
        value,
        first,
        np.array([len(references[s][0].split()) for s in segments]),
        quality,
    )


def joined(parts: Sequence[Scored]) -> list[Scored]:
    """Parts of the same language pairs, put together."""
    found = []
    for pair in dict.fromkeys(one.pair for one in parts):
        of_pair = [one for one in parts if one.pair == pair]
        columns = {
            name: np.concatenate([getattr(one, name) for one in of_pair])
            for name in ("reference", "human", "ours", "words", "quality")
        }
        found.append(Scored(pair=pair, kind=of_pair[0].kind, **columns))
    return found


def mean(table: Sequence[Scored], weights: Array | None = None) -> float:
    """Over language pairs; `weights` are of references."""
    return float(np.mean([one.statistic(None if weights is None else weights[one.reference]) for one in table]))


def interval(table: Sequence[Scored], other: Sequence[Scored]) -> tuple[float, float]:
    """Of the difference between two encoders, over samples of references."""
    random = np.random.default_rng(1)
    size = 1 + max(int(one.reference.max()) for one in table)
    found = []
    for _ in range(SAMPLES):
        weights = np.bincount(random.integers(0, size, size), minlength=size).astype(np.float64)
        found.append(mean(table, weights) - mean(other, weights))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


@cache
def mix_of(encoder: str, data: Path) -> Array:
    """What the adapters' training found; for the published encoder, what fits WMT13 best, in 8 bits."""
    file = adapters_file(encoder)
    if file is not None:
        return np.array(read_adapters(file).mix)
    apart = []
    for texts in read_judged_folder(data / "wmt13"):
        rows = features(texts, encoder, "int8")
        frame = texts.judgments.of_segments().untied().frame
        columns = (frame[name].to_list() for name in ("segment", "system", "other", "value"))
        for segment, system, other, value in zip(*columns, strict=True):
            apart.append(np.sign(value) * (rows[system, segment] - rows[other, segment]))
    return np.asarray(best_mix(np.array(apart), np.ones(len(apart))), np.float64)


def of_folds(recipe_file: Path, file: Path, data: Path, precision: str) -> dict[str, list[Scored]]:
    """By folder, every part scored by the encoder that did not see it."""
    from training.encoder.__main__ import fold_file, parts, read_all

    recipe = read_recipe(recipe_file)
    names = {one.testset: folder.folder for folder in recipe.train for one in read_judged_folder(data / folder.folder)}
    found: dict[str, list[Scored]] = {}
    for number, (_, held) in enumerate(parts(recipe, read_all(recipe, data)), 1):
        encoder = str(fold_file(file, number))
        mix = mix_of(encoder, data)
        for texts in held:
            folder = names[texts.testset]
            found.setdefault(folder, []).append(scored(folder, texts, encoder, precision, mix))
    return {folder: joined(several) for folder, several in found.items()}


def of_encoder(encoder: str, data: Path, folders: Sequence[str], precision: str) -> dict[str, list[Scored]]:
    """By folder, all of it scored by one encoder."""
    mix = mix_of(encoder, data)
    found = {}
    for folder in folders:
        texts = [one for one in read_judged_folder(data / folder) if one.pair.endswith("-en")]
        found[folder] = [scored(folder, one, encoder, precision, mix) for one in texts]
    return found


def line(name: str, table: Sequence[Scored], against: Sequence[Scored] | None) -> str:
    """The mean and every language pair, and the difference to the published encoder with its interval."""
    pairs = "  ".join(f"{one.pair} {one.statistic():.2f}" for one in table)
    shown = f"{name:34}{mean(table):6.2f}   ({pairs})"
    if against is None:
        return shown
    low, high = interval(table, against)
    return f"{shown}   {mean(table) - mean(against):+.2f} [{low:+.2f}, {high:+.2f}]"


def by_parts(name: str, table: Sequence[Scored]) -> list[str]:
    """Agreement by length of the reference and by quality, in thirds of the rows of every language pair."""
    shown = []
    for what in ("words", "quality"):
        found = []
        for part in range(3):
            values = []
            for one in table:
                column = getattr(one, what)
                low, high = np.quantile(column, [part / 3, (part + 1) / 3])
                inside = (column >= low) & ((column < high) | (part == 2))
                values.append(one.statistic(chosen=inside))
            found.append(float(np.mean(values)))
        shown.append(f"  {name}, by {what}: low {found[0]:.2f}, middle {found[1]:.2f}, high {found[2]:.2f}")
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.encoder.figures", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt12/, wmt13/ and the DA folders")
    parser.add_argument("--folders", nargs="+", default=["wmt12", "wmt15-da", "wmt17-da"])
    parser.add_argument("--encoder", nargs="*", default=[])
    parser.add_argument("--folds", nargs=2, type=Path, metavar=("RECIPE", "FILE"))
    parser.add_argument("--precision", choices=["int8", "float32"], default="int8")
    parser.add_argument("--parts", action="store_true", help="also by length and quality")
    arguments = parser.parse_args()
    tables: dict[str, Mapping[str, list[Scored]]] = {}
    for encoder in (PUBLISHED, *arguments.encoder):
        tables[Path(encoder).stem] = of_encoder(encoder, arguments.data, arguments.folders, arguments.precision)
    if arguments.folds:
        tables["cross-fitted"] = of_folds(*arguments.folds, arguments.data, arguments.precision)
    for folder in arguments.folders:
        against: Any = tables[PUBLISHED][folder]
        print(
            f"{folder}, {'strict tau' if against[0].kind == 'comparison' else 'Pearson'} × 100, {arguments.precision}"
        )
        for name, table in tables.items():
            if folder in table:
                print(line(name, table[folder], None if name == PUBLISHED else against))
                if arguments.parts:
                    print("\n".join(by_parts(name, table[folder])))


if __name__ == "__main__":
    main()
