"""Small datasets, and the same texts as files."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from tercet import cli
from tercet.engine import Driver, driver
from tests.cli.conftest import Run

SYSTEMS = ("careful", "hasty", "literal")
SEGMENTS = 57


@dataclass(frozen=True)
class World:
    """References and systems of some segments; `long` has them as records, system by system."""

    references: list[str]
    systems: dict[str, list[str]]

    def long(self) -> pl.DataFrame:
        return pl.concat(
            pl.DataFrame(
                {
                    "segment": [f"s{i}" for i in range(len(texts))],
                    "system": [name] * len(texts),
                    "hypothesis": texts,
                    "reference": self.references,
                }
            )
            for name, texts in self.systems.items()
        )

    def grouped(self) -> pl.DataFrame:
        return (
            self.long()
            .with_columns(place=pl.col("segment").str.slice(1).cast(pl.Int64))
            .sort("place", maintain_order=True)
        )

    def wide(self) -> pl.DataFrame:
        return pl.DataFrame(
            {"reference": [[text] for text in self.references]}
            | {f"systems.{name}": texts for name, texts in self.systems.items()}
        )


def make_world(segments: int = SEGMENTS, seed: int = 5) -> World:
    draw = random.Random(seed)
    words = ["the", "old", "tree", "señor", "naïve", "river", "runs", "slowly", "未来", "past", "houses", ",", "."]
    references = [" ".join(draw.choices(words, k=draw.randint(0, 14))) for _ in range(segments)]
    systems = {
        name: [" ".join(word for word in text.split(" ") if draw.random() > share) for text in references]
        for name, share in zip(SYSTEMS, (0.1, 0.3, 0.5), strict=True)
    }
    return World(references, systems)


@pytest.fixture(scope="session")
def world() -> World:
    return make_world()


@pytest.fixture(scope="session")
def workers() -> Iterator[Driver]:
    """Two workers, started once for all tests of a process."""
    with driver("dask", "local:2", threads=1) as found:
        yield found


@pytest.fixture
def stacked(world: World, tmp_path: Path) -> Path:
    """The dataset as one Parquet file, system by system."""
    file = tmp_path / "stacked.parquet"
    world.long().write_parquet(file)
    return file


@pytest.fixture
def plain(world: World, tmp_path: Path) -> list[str | Path]:
    """The same as files, as arguments of the command line."""
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "reference.txt").write_text("".join(f"{text}\n" for text in world.references))
    for name, texts in world.systems.items():
        (folder / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    return ["-r", folder / "reference.txt", "-t", *(folder / f"{name}.txt" for name in world.systems)]


@pytest.fixture
def tercet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Runs `tercet ARGUMENTS` in this process; gives exit code, stdout and stderr."""

    def run(*arguments: str | Path | int) -> Run:
        monkeypatch.setattr(sys, "argv", ["tercet", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        captured = capsys.readouterr()
        return Run(int(end.value.code or 0), captured.out, captured.err)

    return run
