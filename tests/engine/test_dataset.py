"""Datasets in every layout hold the same texts; what cannot be one is an error of one line."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from tercet.engine.dataset import open_dataset
from tercet.engine.texts import Texts, read_texts
from tercet.errors import TercetError
from tests.engine.conftest import SEGMENTS, SYSTEMS, World


def texts_of(name: Path | str, **options) -> list[Texts]:
    dataset = open_dataset(str(name), **options)
    return [read_texts(dataset, partition) for partition in dataset.partitions]


def joined(parts: list[Texts]) -> tuple[dict[str, list[str]], list[tuple[str, ...]]]:
    systems = {name: [text for part in parts for text in part.systems[name]] for name in parts[0].systems}
    return systems, [references for part in parts for references in part.references]


@pytest.fixture
def layouts(world: World, tmp_path: Path) -> dict[str, Path]:
    """The same dataset in every way that it may stand in files."""
    found = {}
    for name, table in {"stacked": world.long(), "grouped": world.grouped(), "wide": world.wide()}.items():
        found[f"{name}.parquet"] = tmp_path / f"{name}.parquet"
        table.write_parquet(found[f"{name}.parquet"], row_group_size=10)
        lines = tmp_path / f"{name}.jsonl"
        table.write_ndjson(lines)
        lines.write_text(
            "\n".join(lines.read_text().splitlines()[:7]) + "\n\n" + "\n".join(lines.read_text().splitlines()[7:])
        )
        found[f"{name}.jsonl"] = lines
        packed = tmp_path / f"{name}.jsonl.gz"
        packed.write_bytes(gzip.compress(lines.read_bytes()))
        found[packed.name] = packed
        folder = tmp_path / name
        folder.mkdir()
        for number, start in enumerate(range(0, len(table), 20)):
            table[start : start + 20].write_parquet(folder / f"part-{number:03d}.parquet")
        table[:0].write_parquet(folder / "part-001-empty.parquet")  # as Spark writes them
        (folder / "_SUCCESS").write_text("")
        found[f"{name} in a folder"] = folder
    return found


@pytest.mark.parametrize("size", [1, 10, 56, 57, 1000])
def test_every_layout_holds_the_same_texts(layouts: dict[str, Path], world: World, size: int) -> None:
    wanted = world.systems, [(text,) for text in world.references]
    for name, path in layouts.items():
        parts = texts_of(path, size=size)
        assert joined(parts) == wanted, name
        assert [len(part) for part in parts[:-1]] == [size] * (len(parts) - 1), name
        assert [part.ids[0] for part in parts][:1] == (["1"] if "wide" in name else ["s0"]), name
    pattern = str(layouts["stacked in a folder"] / "*.parquet")
    assert joined(texts_of(pattern, size=size)) == wanted


def test_some_systems_of_every_layout(layouts: dict[str, Path], world: World) -> None:
    for name, path in layouts.items():
        parts = texts_of(path, size=20, systems=["literal", "careful"])
        assert joined(parts)[0] == {system: world.systems[system] for system in ("careful", "literal")}, name


def test_one_hypothesis_without_a_system_is_called_after_the_file(world: World, tmp_path: Path) -> None:
    file = tmp_path / "mine.parquet"
    pl.DataFrame({"src": world.references, "ref": world.references, "mt": world.systems["hasty"]}).write_parquet(file)
    (part,) = texts_of(file)
    assert part.systems == {"mine": world.systems["hasty"]}
    assert part.sources == world.references


def one_line(name: Path | str, **options) -> str:
    with pytest.raises(TercetError) as error:
        texts_of(name, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_missing_columns(world: World, tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    world.long().drop("reference").write_parquet(file)
    assert "x.parquet: has no column 'reference'; its columns are segment, system, hypothesis" in one_line(file)
    world.long().drop("hypothesis").write_parquet(file)
    assert "has no column 'hypothesis'" in one_line(file)
    world.long().drop("segment").write_parquet(file)
    assert "has a column 'system' but none of segments" in one_line(file)
    world.long().with_columns(ref="reference").write_parquet(file)
    assert "has both 'reference' and 'ref'" in one_line(file)
    world.wide().with_columns(mt=pl.lit("x")).write_parquet(file)
    assert "has 'systems' beside a system of its own" in one_line(file)
    world.long().with_columns(hypothesis=pl.lit(3)).write_parquet(file)
    assert "column 'hypothesis' is Int32, not text" in one_line(file)
    lines = tmp_path / "x.jsonl"
    lines.write_text('{"hypothesis": "a"}\n')
    assert "x.jsonl:1: has no 'reference'" in one_line(lines)
    lines.write_text('{"reference": "a"}\n')
    assert "x.jsonl:1: has no 'hypothesis'" in one_line(lines)


def test_mixed_schemas_and_kinds(world: World, tmp_path: Path) -> None:
    world.long().write_parquet(tmp_path / "a.parquet")
    world.long().drop("segment").with_columns(segment=pl.lit(1)).write_parquet(tmp_path / "b.parquet")
    assert "b.parquet: column 'segment' is Int32 and in a.parquet String" in one_line(tmp_path)
    (tmp_path / "b.parquet").unlink()
    (tmp_path / "b.jsonl").write_text("{}\n")
    assert "holds both kinds: a.parquet and b.jsonl" in one_line(tmp_path)


def test_unequal_segments(world: World, tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    world.long()[:-2].write_parquet(file)
    assert "system 'literal' has 55 segments but 'careful' has 57" in one_line(file)
    table = world.long()
    renamed = table.with_columns(
        segment=pl.when((pl.col("segment") == "s9") & (pl.col("system") == "hasty"))
        .then(pl.lit("other"))
        .otherwise("segment")
    )
    renamed.write_parquet(file)
    assert "system 'careful' lacks segment other" in one_line(file, size=20)


def test_unknown_systems(stacked: Path, tmp_path: Path) -> None:
    assert "has no system 'bold'; it has careful, hasty, literal" in one_line(stacked, systems=["bold"])
    lines = tmp_path / "x.jsonl"
    lines.write_text('{"reference": "a", "systems": {"x": "b"}}\n{"reference": "a", "systems": {"y": "b"}}\n')
    assert "x.jsonl:2: lacks system 'x'" in one_line(lines)
    assert "has system 'y', which its first record lacks" in one_line(lines, size=1)


def test_nothing_there(world: World, tmp_path: Path) -> None:
    assert "no such file" in one_line(tmp_path / "none.parquet")
    assert "without Parquet or JSON lines" in one_line(tmp_path)
    file = tmp_path / "x.parquet"
    world.long()[:0].write_parquet(file)
    assert "holds no segments" in one_line(file)
    file.write_bytes(b"")
    assert "not a Parquet table" in one_line(file)
    file.unlink()
    (tmp_path / "x.jsonl").write_text("\n\n")
    assert "holds no segments" in one_line(tmp_path / "x.jsonl")
    (tmp_path / "x.tmx").write_text("<tmx>")
    assert "neither Parquet nor JSON lines" in one_line(tmp_path / "x.tmx")


def test_a_scattered_dataset_is_sent_back(world: World, tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    world.long().sample(fraction=1, shuffle=True, seed=1).write_parquet(file)
    message = one_line(file, size=20)
    assert "every system has the same segments in the same order" in message


def test_a_hole_in_a_row_is_named(world: World, tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    table = world.wide()
    table.with_columns(
        pl.when(pl.int_range(pl.len()) == 40).then(None).otherwise(pl.col("systems.hasty")).alias("systems.hasty")
    ).write_parquet(file)
    assert "x.parquet:41: 'systems.hasty' is null" in one_line(file, size=20)
    world.long().with_columns(
        system=pl.when(pl.int_range(pl.len()) == 40).then(None).otherwise(pl.col("system"))
    ).write_parquet(file)
    assert "x.parquet:41: has no 'system'" in one_line(file, size=20)


def test_broken_lines_are_named(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    good = '{"reference": "a", "hypothesis": "b"}\n'
    file.write_text(good * 5 + '{"reference": \n')
    assert "x.jsonl:6: not JSON" in one_line(file, size=2)
    file.write_bytes((good * 5).encode() + b'{"reference": "\xff", "hypothesis": "b"}\n')
    assert "x.jsonl:6: invalid UTF-8" in one_line(file, size=2)
    packed = tmp_path / "x.jsonl.gz"
    packed.write_bytes(gzip.compress((good * 500).encode())[:-20])
    assert "cannot be unpacked" in one_line(packed)


def test_the_systems_are_those_of_the_dataset(layouts: dict[str, Path]) -> None:
    for path in layouts.values():
        dataset = open_dataset(str(path))
        assert dataset.systems == SYSTEMS
        assert len(dataset) == SEGMENTS
