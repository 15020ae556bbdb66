"""A work that takes its time and writes down who computes what: to be interrupted."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tercet.engine import driver, open_dataset
from tercet.engine.running import finished
from tercet.engine.scoring import Scoring
from tercet.engine.texts import Texts


@dataclass(frozen=True)
class Slow(Scoring):
    """Scores that take `seconds` a partition; `log` gets the process and the first segment of each as it begins."""

    seconds: float = 0.0
    log: str = ""

    def part(self, loaded: Any, texts: Texts) -> tuple[pl.DataFrame, dict[str, Any]]:
        write_line(Path(self.log), f"{os.getpid()} {texts.ids[0]}")
        time.sleep(self.seconds)
        return super().part(loaded, texts)

    def load(self) -> Any:
        write_line(Path(self.log + ".loads"), str(os.getpid()))
        return super().load()


def die(task: int) -> int:
    """Ends the process in which it runs, as the system does with one that takes too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return task


def write_line(file: Path, line: str) -> None:
    """Adds a line in one piece, whoever else writes."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, f"{line}\n".encode())
    finally:
        os.close(descriptor)


def lines(file: Path) -> list[list[str]]:
    """What was written so far."""
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def run(data: str, folder: str, log: str, seconds: float, engine: str = "dask") -> None:
    """A client: two workers over partitions of three segments."""
    with driver("dask", "local:2", threads=1) if engine == "dask" else driver("single", None) as who:
        dataset = open_dataset(data, size=3)
        with finished(dataset, Slow(("bleu", "ter"), "error", seconds, log), Path(folder), who):
            pass
