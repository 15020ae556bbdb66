"""Which format a file of judgments has: told by its header, never by its name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tercet.corpus.files import load
from tercet.corpus.judgment_formats.appraise import read_appraise
from tercet.corpus.judgment_formats.da_lines import is_da_lines, read_da_lines_judgments
from tercet.corpus.judgment_formats.da_tables import read_da_table
from tercet.corpus.judgment_formats.darr import read_darr
from tercet.corpus.judgment_formats.evalset import is_evalset, read_evalset_judgments
from tercet.corpus.judgment_formats.mqm import read_mqm
from tercet.corpus.judgment_formats.pairwise import read_pairwise
from tercet.corpus.judgment_formats.rankings import read_rankings
from tercet.corpus.judgments import Judgments
from tercet.errors import InputError, OptionError


@dataclass(frozen=True)
class Format:
    """A format: what it is, for the message that lists them all, and its reader."""

    summary: str
    read: Callable[..., Judgments]

    @property
    def options(self) -> list[str]:
        """The options that its reader takes."""
        parameters = inspect.signature(self.read).parameters.values()
        return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "rankings": Format("WMT07-14 five-way CSV with system1Id … system5rank", read_rankings),
        "pairwise": Format("WMT15/16 CSV with system1Id,system1rank,system2Id,system2rank", read_pairwise),
        "appraise": Format("Appraise XML with ranking-result", read_appraise),
        "da": Format("DA-seglevel.csv or DA-syslevel.csv with LP, SYSTEM, HUMAN", read_da_table),
        "da-lines": Format(
            "a folder with DAseg.TESTSET.{human,mt-system,reference,source}.PAIR", read_da_lines_judgments
        ),
        "darr": Format("daRR table LP DATA SID BETTER WORSE", read_darr),
        "mqm": Format("MQM TSV with system, seg_id, rater, category, severity", read_mqm),
        "evalset": Format("an mt-metrics-eval folder with human-scores/", read_evalset_judgments),
    }
)


def read_judgments(path: str | PathLike[str], format: str = "auto", **options: Any) -> Judgments:
    """The judgments of a file or folder, whatever its format; options go to the reader of that format."""
    path = Path(path)
    if format != "auto" and format not in FORMATS:
        raise OptionError(f"there is no format {format!r} of judgments; there are {', '.join(FORMATS)}")
    name = recognise(path) if format == "auto" else format
    chosen = FORMATS[name]
    for option in options:
        if option not in chosen.options:
            allowed = ", ".join(chosen.options) or "none"
            raise OptionError(f"{path}: the format {name} has no option {option!r}; it has {allowed}")
    return chosen.read(path, **options)


def recognise(path: Path) -> str:
    """The name of the format that the file or folder has."""
    if path.is_dir():
        if is_evalset(path):
            return "evalset"
        if is_da_lines(path):
            return "da-lines"
    else:
        head = _head(path)
        names = {name.strip().lower() for name in re.split(r"[,\s]+", head)}
        if head.startswith("<"):
            return "appraise"
        if {"system1rank", "system2rank"} <= names:
            return "rankings" if "system3rank" in names else "pairwise"
        if {"better", "worse"} <= names:
            return "darr"
        if {"lp", "system", "human"} <= names:
            return "da"
        if {"system", "rater", "category", "severity"} <= names:
            return "mqm"
    known = "; ".join(f"{name}: {chosen.summary}" for name, chosen in FORMATS.items())
    raise InputError("this is no format of judgments that tercet knows", file=path, remedy=f"it knows {known}")


def _head(path: Path) -> str:
    """The first line that is not blank."""
    text = load(path).data[: 1 << 16].tobytes().decode("utf-8-sig", errors="replace")
    return next((line for line in text.split("\n") if line.strip()), "").strip()
