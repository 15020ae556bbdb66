"""The texts of a partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tercet.corpus.corpus import Corpus
from tercet.corpus.fields import HYPOTHESIS, REFERENCES, SEGMENT, SOURCE, SYSTEM, SYSTEMS
from tercet.corpus.part import Part
from tercet.corpus.records import read_records
from tercet.engine.dataset import Dataset, Partition
from tercet.errors import InputError, TercetError

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Texts:
    """What a partition holds, in the order of its segments."""

    ids: list[str]
    """What the dataset calls its segments; their numbers from 1 where it calls them nothing."""
    systems: Mapping[str, list[str]]
    references: list[tuple[str, ...]]
    sources: list[str] | None

    def __len__(self) -> int:
        return len(self.references)


def read_texts(dataset: Dataset, partition: Partition) -> Texts:
    """The texts of a partition; what is wrong with a record is an error that names its file and line."""
    if dataset.kind == "parquet":
        from tercet.engine import parquet_runs

        tables = parquet_runs.read_runs(dataset.columns, partition.runs)
        found = _at_once(dataset, partition, tables)
        if found is not None:
            return found
        records = parquet_runs.records(tables, partition.runs)
    else:
        from tercet.engine import jsonl_runs

        records = jsonl_runs.records(partition.runs)
    file = partition.runs[0].file  # runs of several files are rare; the line is right for the first
    try:
        part = read_records(records, file=file, name=dataset.system)
    except TercetError as error:
        if not dataset.long:
            raise
        raise InputError(
            f"{error} (segments {partition.first + 1} to {partition.first + partition.segments}; records of a segment, "
            "or of a system, stand together, and every system has the same segments in the same order)"
        ) from error
    return _checked(dataset, partition, part)


def _checked(dataset: Dataset, partition: Partition, part: Part) -> Texts:
    for system in part.systems:
        if system not in dataset.systems + dataset.others:
            raise InputError(f"has system {system!r}, which its first record lacks", file=part.file)
    for system in dataset.systems:
        if system not in part.systems:
            raise InputError(
                f"segments {partition.first + 1} to {partition.first + partition.segments} lack system {system!r}",
                file=part.file,
                remedy="give each system each segment once",
            )
    if part.references is None:
        raise InputError("has no 'reference'", file=part.file, remedy="see docs/scale.md for the fields of a dataset")
    systems = {system: part.systems[system] for system in dataset.systems}
    corpus = Corpus(part.references, systems, part.sources, part.ids)
    if len(corpus) != partition.segments:
        raise InputError(
            f"segments {partition.first + 1} to {partition.first + partition.segments} are {len(corpus)}",
            file=part.file,
            remedy="give each system each segment once",
        )
    return Texts(
        list(part.ids) if part.ids is not None else _numbers(partition),
        {system: list(texts) for system, texts in systems.items()},
        list(part.references),
        None if part.sources is None else list(part.sources),
    )


def _numbers(partition: Partition) -> list[str]:
    return [str(number) for number in range(partition.first + 1, partition.first + partition.segments + 1)]


def _at_once(dataset: Dataset, partition: Partition, tables: Sequence[pl.DataFrame]) -> Texts | None:
    """The same without looking at records one by one; None where one of them needs a closer look."""
    import polars as pl

    table = pl.concat(tables)
    if any(table[column].null_count() for column in table.columns) or SYSTEMS in table.columns:
        return None
    columns = {
        what: next((name for name in names if name in table.columns), None)
        for what, names in (("hypothesis", HYPOTHESIS), ("source", SOURCE), ("segment", SEGMENT))
    }
    reference = next(name for name in REFERENCES if name in table.columns)
    segment, source = columns["segment"], columns["source"]
    if isinstance(table.schema[reference], pl.List):
        lists = table[reference].list
        if (lists.len() == 0).any() or lists.eval(pl.element().is_null()).list.any().any():
            return None
    of_systems: dict[str, pl.Series] = {}
    shared = table
    if dataset.long:
        assert columns["hypothesis"] is not None
        parts = table.partition_by(SYSTEM, as_dict=True, maintain_order=True)
        if not {name for (name,) in parts} >= set(dataset.systems):
            return None
        shared = parts[(dataset.systems[0],)]
        for system in dataset.systems:
            rows = parts[(system,)]
            same = [name for name in (segment, source, reference) if name is not None]
            if len(rows) != len(shared) or not all(rows[name].equals(shared[name]) for name in same):
                return None
            of_systems[system] = rows[columns["hypothesis"]]
    elif columns["hypothesis"] is not None:
        of_systems[dataset.system] = table[columns["hypothesis"]]
    else:
        of_systems = {system: table[f"{SYSTEMS}.{system}"] for system in dataset.systems}
    if len(shared) != partition.segments:
        return None
    ids = _numbers(partition) if segment is None else shared[segment].cast(pl.String).to_list()
    if segment is not None and shared[segment].n_unique() < len(shared):
        return None
    texts = shared[reference].to_list()
    single = shared.schema[reference] == pl.String()
    references: list[tuple[str, ...]] = [(text,) for text in texts] if single else [tuple(some) for some in texts]
    return Texts(
        ids,
        {system: column.to_list() for system, column in of_systems.items()},
        references,
        None if source is None else shared[source].to_list(),
    )
