"""Direct assessment of WMT15/16 as parallel lines: a folder with a file of sources, references, outputs and scores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import polars as pl

from tercet.corpus.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.corpus.judgments import Judgments
from tercet.corpus.languages import pair_code
from tercet.corpus.lines import Lines
from tercet.corpus.references import ParallelReferences
from tercet.corpus.text_tables import LINE, numbers, read_lines
from tercet.errors import InputError, ShapeError

# The outputs are of many systems, but the files do not say which: together they pass for one.
SYSTEM = "mt-system"

_PARTS = ("human", SYSTEM, "reference", "source")
_NAME = re.compile(rf"(?:DAseg\.)?(?P<testset>.+)\.(?P<part>{'|'.join(_PARTS)})\.(?P<pair>[^.]+)")


def is_da_lines(folder: Path) -> bool:
    """Whether the folder holds such files."""
    return any(match["part"] == "human" for file in folder.iterdir() if (match := _NAME.fullmatch(file.name)))


def read_da_lines(folder: str | PathLike[str]) -> dict[str, JudgedTexts]:
    """For each language pair of the folder, the texts and their scores: each line is a segment of its own."""
    folder = Path(folder)
    found: dict[tuple[str, str], dict[str, Path]] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = _NAME.fullmatch(file.name)
        pair = pair_code(match["pair"]) if match else None
        if match and pair:
            found.setdefault((pair, match["testset"]), {})[match["part"]] = file
    if not any("human" in files for files in found.values()):
        raise InputError(
            "no scores here", file=folder, remedy="a DA folder has files such as DAseg.newstest2015.human.cs-en"
        )
    texts: dict[str, JudgedTexts] = {}
    for (pair, testset), files in found.items():
        if pair in texts:
            problem = f"two test sets for {pair}: {texts[pair].testset} and {testset}"
            raise InputError(problem, file=folder, remedy="put each into a folder of its own")
        texts[pair] = _read(folder, testset, pair, files)
    return texts


def _read(folder: Path, testset: str, pair: str, files: Mapping[str, Path]) -> JudgedTexts:
    for part in ("human", SYSTEM, "reference"):
        if part not in files:
            raise InputError(f"no file of {part} for {testset} {pair}", file=folder)
    corpus = Corpus(
        references=ParallelReferences([Lines.read(files["reference"])]),
        systems={SYSTEM: Lines.read(files[SYSTEM])},
        sources=Lines.read(files["source"]) if "source" in files else None,
    )
    human = read_lines(files["human"])
    if len(human) != len(corpus):
        raise ShapeError(f"{files['human']} has {len(human)} scores for {len(corpus)} segments; they are parallel")
    rows = pl.DataFrame({"human": human, LINE: range(1, len(human) + 1)}, {"human": pl.String, LINE: pl.Int64})
    table = pl.DataFrame(
        {"segment": range(len(human)), "value": numbers(files["human"], rows, "human", "score"), LINE: rows[LINE]}
    ).with_columns(
        pl.lit(testset).alias("testset"),
        pl.lit(pair).alias("pair"),
        pl.lit(SYSTEM).alias("system"),
        pl.lit(str(files["human"])).alias("file"),
    )
    return JudgedTexts(testset, pair, corpus, Judgments.make("assessment", table))


def read_da_lines_judgments(folder: str | PathLike[str]) -> Judgments:
    """The scores alone, of all language pairs of the folder."""
    return Judgments.concat(texts.judgments for texts in read_da_lines(folder).values())
