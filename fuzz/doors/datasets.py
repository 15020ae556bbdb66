"""Datasets that stream: files of JSON lines and of Parquet, cut into partitions, and the parts that are written."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path

from fuzz.doors.corpora import LONG, WIDE, parquet
from fuzz.target import target, written
from tercet.engine import jsonl_runs, parquet_runs
from tercet.engine.dataset import open_dataset

SEEDS = {
    "jsonl": [WIDE, LONG, '{"ref": "a", "mt": "b"}\n', gzip.compress(WIDE.encode())],
    "parquet": [
        parquet(source=["a", "b"], reference=["x", "y"], hypothesis=["p", ""]),
        parquet(segment=["1", "1"], system=["s", "t"], reference=["x", "x"], mt=["p", "q"]),
    ],
}


def _dataset(kind: str, data: bytes, folder: Path) -> None:
    dataset = open_dataset(str(written(folder, f"x.{kind}", data)), size=1)
    for partition in dataset.partitions[:20]:
        if kind == "jsonl":
            list(jsonl_runs.records(partition.runs))
        else:
            list(parquet_runs.records(parquet_runs.read_runs(dataset.columns, partition.runs), partition.runs))


for _kind, _seeds in SEEDS.items():
    target(f"dataset-{_kind}", _seeds, ['"systems"', '"system"', '"ref"', '"mt"', "PAR1"])(partial(_dataset, _kind))
