"""Options that verbs share, and `-t a.txt b.txt`: several values after one flag."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from tercet import output
from tercet.errors import OptionError
from tercet.output import progress_bar as progress_bar

# Flags that take one value or more; click knows only flags that are repeated.
_SEVERAL = {
    "-r",
    "--references",
    "-t",
    "--translations",
    "-m",
    "--metrics",
    "-M",
    "--model",
    "--scores",
    "--pair",
    "--pairs",
    "--translators",
    "--from",
    "--post-edit",
    "--systems",
    "-F",
    "--features",
}

SHIPPED = "shipped"

# Flags whose value may be left out, and what it is then.
_USUALLY = {"--challenge": SHIPPED}

Format = Literal["text", "json", "tsv", "markdown", "latex"]

InputFormat = Literal["text", "tsv", "sgm", "xml", "jsonl", "parquet"]

References = Annotated[
    list[str], typer.Option("-r", "--references", help="Reference files, one for each reference of a segment.")
]
Translations = Annotated[
    list[str], typer.Option("-t", "--translations", help="Translations, one file a system; - is stdin.")
]
Source = Annotated[str | None, typer.Option("-s", "--source", help="The source file.")]
Metrics = Annotated[
    list[str],
    typer.Option("-m", "--metrics", help="Metrics, with options after a colon: bleu 'ter:normalized=true' chrf++."),
]
FormatOption = Annotated[Format, typer.Option("-f", "--format", help="How the result is written.")]
Decimals = Annotated[
    int | None, typer.Option("-w", "--width", min=0, max=17, help="Decimals; by default what suits each scale.")
]
OnMissing = Annotated[
    Literal["error", "skip"],
    typer.Option("--on-missing", help="Broken lines in a file of paraphrases: stop, or leave out and count."),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Nothing on stderr but errors.", callback=output.be_quiet)]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="A file for the result, instead of stdout.")]
Threads = Annotated[int, typer.Option("-j", "--threads", min=0, help="Threads; 0 for all cores.")]

# A dataset instead of files: verbs that take one share these.
Input = Annotated[
    str | None,
    typer.Option("-i", "--input", help="A dataset instead of -r and -t: Parquet or JSON lines, a file or a folder."),
]
Into = Annotated[
    Path | None,
    typer.Option("--into", help="With -i: the folder for the numbers of every segment; a rerun continues in it."),
]
Engine = Annotated[Literal["single", "dask"], typer.Option("--engine", help="With -i: this process, or Dask.")]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", help="With --engine dask: its address, its file, or local:N for N workers here."),
]
Partition = Annotated[
    int | None, typer.Option("--partition", min=1, help="With -i: segments of a partition; about 100,000 hypotheses.")
]
Systems = Annotated[list[str] | None, typer.Option("--systems", help="With -i: only these systems of the dataset.")]
Anew = Annotated[bool, typer.Option("--anew", help="With -i: drop what another run has left in --into.")]


def check_dataset(
    dataset: str | None,
    into: Path | None,
    engine: str,
    options: Mapping[str, object],
    *,
    instead_of: Mapping[str, object],
) -> None:
    """Options of a dataset come with -i, and -i comes without what is given in files."""
    if dataset is None:
        for flag, value in {"--into": into, **options, "--engine": engine != "single"}.items():
            if value:
                raise OptionError(f"{flag} is for a dataset; give it with -i")
        return
    for flag, value in instead_of.items():
        if value:
            raise OptionError(f"-i gives a dataset, and {flag} does not go with it; leave one of them out")
    if into is None:
        raise OptionError("-i needs a folder for the numbers of its segments; give --into DIR")


def repeat_flags(arguments: Sequence[str]) -> list[str]:
    """`-t a b` as `-t a -t b` for the flags that take several values, and the usual value of a flag that has none."""
    spread: list[str] = []
    flag = ""
    for i, argument in enumerate(arguments):
        if argument == "--":
            return spread + list(arguments[i:])
        if _is_flag(argument):
            flag = argument if argument in _SEVERAL else ""
            given = 0
            spread.append(argument)
            if argument in _USUALLY and (i + 1 == len(arguments) or _is_flag(arguments[i + 1])):
                spread.append(_USUALLY[argument])
            continue
        if flag:
            given += 1
            if given > 1:
                spread.append(flag)
        spread.append(argument)
    return spread


def _is_flag(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


def use_threads(threads: int) -> None:
    """Sets the number of threads that kernels use."""
    import tercet

    tercet.set_threads(
        threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )


def colored(output: Path | None) -> bool:
    """Whether the result may carry colour: only on a terminal that did not decline it."""
    return output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
