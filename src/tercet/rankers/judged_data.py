"""Judged texts of any kind for training: folders as WMT publishes them, and splits that share no reference."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts, read_judged
from tercet.corpus.judgment_formats import read_judgments
from tercet.corpus.judgment_formats.da_lines import is_da_lines
from tercet.corpus.judgment_formats.evalset import is_evalset
from tercet.corpus.judgments import Judgments, OnMissing
from tercet.corpus.wmt import OUTPUTS, read_plain
from tercet.errors import InputError, OptionError
from tercet.rankers.pairs import Pairs

Places = NDArray[np.int64]


def read_judged_folder(
    folder: Path, language_pairs: Sequence[str] = (), *, on_missing: OnMissing = "error"
) -> list[JudgedTexts]:
    """The judged texts of a WMT tree with CSV files of judgments beside it, a DA folder or an EvalSet.

    Comparisons and assessments both do; assessments of segments and of whole systems go into one table.
    """
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="give --data the folder that holds it")
    if is_da_lines(folder) or is_evalset(folder):
        return read_judged(folder, pairs=language_pairs, on_missing=on_missing)
    files = sorted(path for path in folder.glob("*.csv") if path.is_file())
    if not files:
        raise InputError("holds no judgments", file=folder, remedy=f"put their CSV beside {OUTPUTS}/")
    judgments = Judgments.concat([read_judgments(file) for file in files])
    tree = read_plain(folder)
    present = sorted({pair for _, pair in tree})
    for pair in language_pairs:
        if pair not in present:
            raise InputError(f"holds no texts of {pair}; it has {', '.join(present)}", file=folder)
    found = []
    for (testset, pair), corpus in tree.items():
        if language_pairs and pair not in language_pairs:
            continue
        alone = sum(other == pair for _, other in tree) == 1
        chosen = judgments.of(pair, None if alone else testset)
        if len(chosen):
            found.append(JudgedTexts(testset, pair, corpus, chosen).checked(on_missing))
    if not found:
        raise InputError("none of its judgments is about its texts", file=folder)
    return found


def from_pairs(pairs: Pairs) -> list[JudgedTexts]:
    """Pairs as tables of comparisons, a text each; texts that no pair is about are left out."""
    found = []
    for number, texts in enumerate(pairs.texts):
        part = pairs.where(pairs.text == number)
        if not len(part):
            continue
        names = np.array(list(texts.corpus.systems), object)
        testset = texts.name.removesuffix(f" {texts.pair}")
        frame = pl.DataFrame(
            {
                "segment": part.segment,
                "system": names[part.first].tolist(),
                "other": names[part.second].tolist(),
                "value": part.value,
            }
        ).with_columns(pl.lit(testset).alias("testset"), pl.lit(texts.pair).alias("pair"))
        found.append(JudgedTexts(testset, texts.pair, texts.corpus, Judgments.make("comparison", frame)))
    return found


def only(texts: JudgedTexts, segments: Places) -> JudgedTexts:
    """The same with some of the segments, renumbered; judgments of whole systems go, for they are of all segments."""
    corpus = texts.corpus
    references = list(corpus.references)

    def chosen(lines: Sequence[str]) -> list[str]:
        every = list(lines)
        return [every[i] for i in segments]

    smaller = Corpus(
        references=[tuple(references[i]) for i in segments],
        systems={name: chosen(lines) for name, lines in corpus.systems.items()},
        sources=None if corpus.sources is None else chosen(corpus.sources),
    )
    numbers = pl.DataFrame({"segment": segments, "new": np.arange(len(segments))})
    frame = texts.judgments.frame.join(numbers, on="segment", how="inner", maintain_order="left")
    frame = frame.with_columns(pl.col("new").alias("segment")).drop("new")
    return replace(texts, corpus=smaller, judgments=Judgments.make(texts.judgments.kind, frame))


def hold_out(judged: Sequence[JudgedTexts], part: float, seed: int) -> tuple[list[JudgedTexts], list[JudgedTexts]]:
    """The rest and a random part of all references, with all that was judged of them; no reference is in both."""
    if not 0 < part < 1:
        raise OptionError(f"a part of {part:g} cannot be held out; it lies between 0 and 1")
    folds = _folds(judged, seed)
    every = np.unique(np.concatenate(folds))
    held = every[: round(part * len(every))]
    return _parted(judged, folds, held)


def folds(
    judged: Sequence[JudgedTexts], number: int, seed: int
) -> Iterator[tuple[list[JudgedTexts], list[JudgedTexts]]]:
    """The rest and the fold, for each of some folds; no reference is on both sides."""
    groups = _folds(judged, seed)
    every = np.unique(np.concatenate(groups))
    if len(every) < number:
        raise OptionError(f"{number} folds of {len(every)} segments are not possible; take fewer folds")
    for fold in range(number):
        yield _parted(judged, groups, every[fold::number])


def leave_out(parts: Sequence[list[JudgedTexts]]) -> Iterator[tuple[list[JudgedTexts], list[JudgedTexts]]]:
    """The rest and the part, for each of some parts; what shares a reference with the part is not in the rest."""
    for part in parts:
        others = [texts for other in parts if other is not part for texts in other]
        references = {tuple(one) for texts in part for one in texts.corpus.references}
        rest = []
        for texts in others:
            apart = np.array([tuple(one) not in references for one in texts.corpus.references])
            if apart.all():
                rest.append(texts)
            elif apart.any():
                rest.append(only(texts, np.flatnonzero(apart)))
        yield rest, part


def sha256(judged: Sequence[JudgedTexts]) -> str:
    """A digest of the texts and of what was said of them."""
    digest = hashlib.sha256()
    for texts in judged:
        digest.update(f"{texts.testset} {texts.pair}\n".encode())
        lines = [*texts.corpus.systems.values(), ["\x1e".join(one) for one in texts.corpus.references]]
        for column in lines:
            digest.update(hashlib.sha256("\n".join(column).encode("utf-8", "surrogatepass")).digest())
        columns = ("segment", "system", "other", "value")
        rows = texts.judgments.frame.select(columns).sort(columns).rows()
        digest.update(repr(rows).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _folds(judged: Sequence[JudgedTexts], seed: int) -> list[Places]:
    """A number for each segment of each text, in random order of the references: equal where these are the same."""
    numbers: dict[tuple[str, ...], int] = {}
    found = [
        np.array([numbers.setdefault(tuple(one), len(numbers)) for one in texts.corpus.references]) for texts in judged
    ]
    order = np.random.default_rng(seed).permutation(len(numbers))
    return [order[groups] for groups in found]


def _parted(
    judged: Sequence[JudgedTexts], groups: Sequence[Places], held: Places
) -> tuple[list[JudgedTexts], list[JudgedTexts]]:
    rest: list[JudgedTexts] = []
    part: list[JudgedTexts] = []
    for texts, numbers in zip(judged, groups, strict=True):
        inside = np.isin(numbers, held)
        for where, into in ((~inside, rest), (inside, part)):
            if where.any():
                into.append(only(texts, np.flatnonzero(where)))
    return rest, part
