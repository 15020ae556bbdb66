"""A test set as mt-metrics-eval keeps it: a folder with texts, human scores and the scores of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import polars as pl

from tercet.corpus.corpus import Corpus
from tercet.corpus.judgments import Judgments
from tercet.corpus.lines import Lines
from tercet.corpus.references import ParallelReferences
from tercet.corpus.scores import Scores, read_scores
from tercet.corpus.text_tables import LINE, numbers, read_table
from tercet.errors import InputError, OptionError, ShapeError
from tercet.output import write_result

LEVELS = ("seg", "sys", "domain")
MISSING = "None"


def is_evalset(folder: Path) -> bool:
    """Whether the folder is a test set of mt-metrics-eval."""
    return (folder / "human-scores").is_dir() and (folder / "system-outputs").is_dir()


def evalset_pairs(folder: str | PathLike[str]) -> list[str]:
    """The language pairs that have sources."""
    return sorted(file.stem for file in (Path(folder) / "sources").glob("*.txt"))


@dataclass(frozen=True)
class EvalSet:
    """One language pair of such a folder: its texts, and its scores by name."""

    folder: Path
    testset: str
    pair: str
    sources: Lines
    references: Mapping[str, Lines]
    systems: Mapping[str, Lines]
    documents: Sequence[str] | None
    domains: Sequence[str] | None

    def corpus(self, *references: str) -> Corpus:
        """The texts with these references, or with all; a reference is then no system, where it was both."""
        names = references or tuple(self.references)
        unknown = [name for name in names if name not in self.references]
        if unknown:
            raise OptionError(f"{self.pair} has no reference {unknown[0]!r}; it has {', '.join(self.references)}")
        return Corpus(
            references=ParallelReferences([self.references[name] for name in names]),
            systems={name: lines for name, lines in self.systems.items() if name not in names},
            sources=self.sources,
        )

    def human_scores(self) -> list[tuple[str, str]]:
        """Names and levels of the human scores there are: ("mqm", "seg"), …"""
        return _human(self.folder, self.pair)

    def metric_scores(self) -> list[tuple[str, str, str]]:
        """Metrics, the references that they used, and levels: ("BLEU", "refA", "seg"), …"""
        names = (file.name.removesuffix(".score") for file in self._metrics.glob("*.score"))
        split = [(*stem.rpartition("-")[::2], level) for stem, _, level in (name.rpartition(".") for name in names)]
        # A reference list holds dots itself ("refA.refB"), so the level is what stands after the last one.
        return sorted((metric, references, level) for metric, references, level in split if metric)

    @property
    def _metrics(self) -> Path:
        return self.folder / "metric-scores" / self.pair

    def judgments(self, name: str, level: str = "seg") -> Judgments:
        """The human scores of that name; those that are None are left out.

        At level `domain` the test set of a judgment is `testset/domain`.
        """
        if level not in LEVELS:
            raise OptionError(f"level={level!r} is not allowed; it takes {', '.join(LEVELS)}")
        path = self.folder / "human-scores" / f"{self.pair}.{name}.{level}.score"
        if not path.exists():
            there = ", ".join(f"{name}.{level}" for name, level in self.human_scores()) or "none"
            raise InputError(f"no such human scores; there are {there}", file=path)
        _, table = read_table(path, None, headed=False)
        width = 3 if level == "domain" else 2
        if table.width - 1 != width:
            raise InputError(f"{table.width - 1} columns where {width} are meant", file=path, line=table[LINE][0])
        table = table.rename({str(width - 2): "system", str(width - 1): "score"})
        unknown = table.filter(~pl.col("system").is_in(list(self.systems)))
        if not unknown.is_empty():
            problem = f"system {unknown['system'][0]!r} has no output in system-outputs/{self.pair}"
            raise InputError(problem, file=path, line=unknown[LINE][0])
        table = table.with_columns(
            (pl.int_range(pl.len()).over("system") if level == "seg" else pl.lit(None, pl.Int64)).alias("segment"),
            (self.testset + "/" + pl.col("0") if level == "domain" else pl.lit(self.testset)).alias("testset"),
            pl.lit(self.pair).alias("pair"),
            pl.lit(str(path)).alias("file"),
        )
        self._check_blocks(path, table, level)
        given = table.filter(pl.col("score") != MISSING)
        values = numbers(path, given, "score", "score").alias("value")
        columns = ["testset", "pair", "segment", "system", "file", LINE]
        return Judgments.make("assessment", given.select(columns).with_columns(values))

    def _check_blocks(self, path: Path, table: pl.DataFrame, level: str) -> None:
        expected = len(self.sources) if level == "seg" else 1
        sizes = table.group_by(["testset", "system"], maintain_order=True).agg(pl.len(), pl.col(LINE).last())
        wrong = sizes.filter(pl.col("len") != expected)
        if not wrong.is_empty():
            _, system, count, line = wrong.row(0)
            problem = f"system {system!r} has {count} scores where {expected} {'are' if expected > 1 else 'is'} meant"
            raise InputError(problem, file=path, line=line)

    def scores(self, metric: str, references: str, level: str = "seg") -> Scores:
        """The scores of a metric with these references (`refA`, `refA.refB`, `all`, or `src` for none)."""
        if level not in ("seg", "sys"):
            raise OptionError(f"level={level!r} is not allowed; it takes seg or sys")
        path = self._metrics / f"{metric}-{references}.{level}.score"
        used = set(self.references) if references == "all" else set(references.split("."))
        systems = [system for system in self.systems if system not in used]
        segments = len(self.sources) if level == "seg" else None
        scores = read_scores(path, systems=systems, segments=segments, name=f"{metric}-{references}")
        if level == "sys" and any(len(values) != 1 for values in scores.values.values()):
            raise InputError("more than one score for a system", file=path)
        return Scores(scores.name, "system", scores.values) if level == "sys" else scores


def read_evalset(folder: str | PathLike[str], pair: str) -> EvalSet:
    """The texts of one language pair, checked to be parallel; scores are read when they are asked for."""
    folder = Path(folder)
    if not is_evalset(folder):
        raise InputError("this is no EvalSet folder", file=folder, remedy="it has human-scores/ and system-outputs/")
    if pair not in evalset_pairs(folder):
        raise InputError(f"no {pair} here; there are {', '.join(evalset_pairs(folder)) or 'none'}", file=folder)
    source = folder / "sources" / f"{pair}.txt"
    sources = Lines.read(source)

    def parallel(file: Path) -> Lines:
        lines = Lines.read(file)
        if len(lines) != len(sources):
            raise ShapeError(f"{file} has {len(lines)} lines but {source} has {len(sources)}; they are parallel")
        return lines

    references = {
        file.name.removeprefix(f"{pair}.").removesuffix(".txt"): parallel(file)
        for file in sorted((folder / "references").glob(f"{pair}.*.txt"))
    }
    outputs = sorted((folder / "system-outputs" / pair).glob("*.txt"))
    systems = {file.name.removesuffix(".txt"): parallel(file) for file in outputs}
    if not references or not systems:
        raise InputError(f"no {'references' if not references else 'system outputs'} for {pair}", file=folder)
    documents = domains = None
    file = folder / "documents" / f"{pair}.docs"
    if file.exists():
        rows = [line.split(None, 1) for line in parallel(file)]
        for i, row in enumerate(rows, start=1):
            if len(row) != 2:
                raise InputError("a line here is DOMAIN DOCUMENT", file=file, line=i)
        domains, documents = [row[0] for row in rows], [row[1].strip() for row in rows]
    return EvalSet(folder, folder.resolve().name, pair, sources, references, systems, documents, domains)


def read_evalset_judgments(
    folder: str | PathLike[str], *, pair: str | None = None, name: str | None = None, level: str = "seg"
) -> Judgments:
    """The human scores of that name, of one language pair or of all that have them."""
    folder = Path(folder)
    pairs = evalset_pairs(folder) if pair is None else [pair]
    there = sorted({human for one in pairs for human, of in _human(folder, one) if of == level})
    if name is None:
        if len(there) != 1:
            remedy = "say which: name='" + (there[0] if there else "mqm") + "'"
            raise InputError(
                f"human scores at level {level}: {', '.join(there) or 'none'}",
                file=folder,
                remedy=remedy if there else "",
            )
        name = there[0]
    have = [one for one in pairs if (name, level) in _human(folder, one)] if pair is None else pairs
    if not have:
        raise InputError(f"no human scores {name!r} at level {level}; there are {', '.join(there)}", file=folder)
    return Judgments.concat(read_evalset(folder, one).judgments(name, level) for one in have)


def _human(folder: Path, pair: str) -> list[tuple[str, str]]:
    files = (folder / "human-scores").glob(f"{pair}.*.score")
    names = (file.name.removeprefix(f"{pair}.").removesuffix(".score").rpartition(".") for file in files)
    return sorted((name, level) for name, _, level in names if name)


def write_human_scores(judgments: Judgments, path: str | PathLike[str], *, segments: int | None) -> None:
    """Assessments of one pair in mt-metrics-eval's form, None where a segment has none; `segments` None for systems."""
    if judgments.kind != "assessment" or len(judgments.pairs()) > 1 or len(judgments.repeats()):
        raise OptionError("human scores are one assessment for each system and segment of one pair; see .averaged()")
    wrong = judgments.of_systems() if segments is not None else judgments.of_segments()
    if len(wrong):
        raise OptionError("segments is the number of segments, or None where whole systems were assessed")
    lines = []
    for system in judgments.systems():
        rows = judgments.frame.filter(pl.col("system") == system)
        values = dict(rows.select("segment", "value").iter_rows())
        if segments is not None and max(values) >= segments:
            raise OptionError(f"segment {max(values)} of {system!r} is beyond {segments}")
        for segment in [None] if segments is None else range(segments):
            lines.append(f"{system}\t{values[segment]!r}" if segment in values else f"{system}\t{MISSING}")
    write_result("".join(line + "\n" for line in lines), Path(path))
