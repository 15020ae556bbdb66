"""A few bytes that stand for very many: refused before the memory is taken."""

from __future__ import annotations

import gzip
import io
import resource
import zipfile
from pathlib import Path

import polars as pl
import pytest

from tercet.corpus import read
from tercet.corpus.files import Content
from tercet.corpus.judgment_formats.recognise import read_judgments
from tercet.corpus.lines import Lines
from tercet.corpus.parquet import read_parquet
from tercet.corpus.wmt_xml import read_wmt_xml
from tercet.engine import jsonl_runs
from tercet.engine.dataset import open_dataset
from tercet.errors import InputError, ResourceError
from tercet.lattice.automaton import Lattice
from tercet.lattice.paraphrase_files import read_pairs
from tercet.rankers.recipe import read_recipe
from tercet.resources.entry import Wanted
from tercet.resources.installation import _unpack
from tests.hostile.conftest import Within


def peak() -> int:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def packed(megabytes: int) -> bytes:
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=9) as file:
        for _ in range(megabytes):
            file.write(bytes(1_000_000))
    return stream.getvalue()


def test_a_packed_file_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "big.gz"
    path.write_bytes(packed(200))
    before = peak()
    with pytest.raises(InputError) as error:
        Lines.read(path)
    assert str(error.value) == (
        f"{path}: is over 200 times as large when unpacked, which no text is; unpack it with gzip -d if it is yours"
    )
    assert peak() - before < 150


def test_a_limit_of_the_reader_comes_first() -> None:
    with pytest.raises(InputError, match=r"^x: is larger than 5 MB when unpacked; split it$"):
        Content.of("x", packed(50), most=5_000_000)
    assert Content.of("x", packed(5), most=5_000_000).data.size == 5_000_000


def test_text_that_repeats_itself_is_read(tmp_path: Path) -> None:
    path = tmp_path / "same.gz"
    line = b"the same line again and again\n"
    path.write_bytes(gzip.compress(line * 100_000))  # 3 MB, of which 1 in 340 is left
    assert len(Lines.read(path)) == 100_000


def test_a_line_of_nothing_among_paraphrases(tmp_path: Path) -> None:
    path = tmp_path / "ppdb.gz"
    path.write_bytes(packed(100))
    with pytest.raises(InputError, match=r"ppdb.gz:1: a line of more than 1,000,000 bytes$"):
        list(read_pairs(path))


def table(**columns: object) -> Content:
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return Content.of("x.parquet", stream.getvalue())


def test_one_row_repeated_without_end() -> None:
    content = table(reference=pl.repeat("a", 3_000_000, eager=True), mt=pl.repeat("b", 3_000_000, eager=True))
    with pytest.raises(InputError, match=r"^x.parquet: states 3,000,000 rows in [\d,]+ bytes; write it as JSON lines"):
        read_parquet(content, name="x")


def test_one_long_text_in_every_row() -> None:
    content = table(reference=pl.repeat("a " * 500_000, 500, eager=True), mt=pl.repeat("b", 500, eager=True))
    with pytest.raises(InputError, match=r"^x.parquet:1: is over 1000 times as large when unpacked; write it as JSON"):
        read_parquet(content, name="x")


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize(
    "declared",
    [
        f'<!ENTITY l0 "ha">{LAUGHS}',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;',
        f'<!ATTLIST seg id CDATA "{"1" * 100_000}">',  # a value that every element would have
        "<!ELEMENT seg ANY>",
    ],
)
def test_xml_declares_nothing(declared: str, tmp_path: Path, within: Within) -> None:
    body = '<src lang="de"><p>' + "<seg>&l11;&x;</seg>" * 100 + "</p></src>"
    text = f'<?xml version="1.0"?>\n<!DOCTYPE dataset [{declared}]>\n<dataset><doc id="a">{body}</doc></dataset>'
    with (
        within(2.0),
        pytest.raises(InputError, match=r"^x.xml:2: has declarations in its DOCTYPE, which are not allowed"),
    ):
        read_wmt_xml(Content.of("x.xml", text.encode()))
    export = tmp_path / "x.xml"
    export.write_text(f'<?xml version="1.0"?>\n<!DOCTYPE r [{declared}]>\n<r></r>', "utf-8")
    with within(2.0), pytest.raises(InputError, match=r"x.xml:2: a document type declaration in an Appraise export"):
        read_judgments(export)
    with pytest.raises(InputError):  # SGML has no parser that would resolve any
        read([Content.of("x.sgm", text.encode())], [Content.of("r.txt", b"a\n")])


def test_aliases_of_aliases(tmp_path: Path, within: Within) -> None:
    path = tmp_path / "x.yaml"
    layers = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]" for i in range(1, 12)]
    path.write_text("\n".join(["l0: &l0 [ha]", *layers]), "utf-8")
    with within(3.0), pytest.raises(InputError, match=r"x.yaml:\d+: is nested deeper, or holds more, than any recipe"):
        read_recipe(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("&a [*a]", ":1: is nested deeper, or holds more, than any recipe does"),
        ("[" * 3000, ": is nested too deeply"),
        ("a: b\n" * 30_000, ": is larger than 100,000 bytes, which no recipe is"),
        ("a: 2001-99-99", ": holds a value that cannot be read (month must be in 1..12)"),
        ("a: !!int ''", ": holds a value that cannot be read (string index out of range)"),
        ("a: !!python/object/apply:os.system ['x']", ":1: could not determine a constructor for the tag"),
    ],
)
def test_recipes_of_strangers(text: str, problem: str, tmp_path: Path, within: Within) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, "utf-8")
    with within(5.0), pytest.raises(InputError) as error:
        read_recipe(path)
    assert str(error.value).startswith(f"{path}{problem}")


def test_empty_words_that_repeat_all_that_follows(within: Within) -> None:
    number = 2100
    arcs: list[tuple[int, int, str | None]] = [(i, i + 1, None) for i in range(number)]
    arcs += [(i, i + 1, f"w{i}") for i in range(number)]
    with within(20.0), pytest.raises(InputError, match="its empty words stand for more than 2,000,000 arcs"):
        Lattice.make(arcs, 0, [number])


def test_a_ranking_of_thousands(tmp_path: Path, within: Within) -> None:
    names = "+".join(f"s{i}" for i in range(20_000))
    header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank"
    pairwise = tmp_path / "pairwise.csv"
    pairwise.write_text(f"{header}\ndeu,eng,3,3,anna,a,1,b,2\ndeu,eng,3,3,anna,{names},1,c,2\n", "utf-8")
    appraise = tmp_path / "x.xml"
    appraise.write_text(
        '<r><HIT source-language="deu" target-language="eng"><ranking-task id="1">\n<ranking-result user="a">'
        f'<translation system="{names.replace("+", ",")}" rank="1"/></ranking-result></ranking-task></HIT></r>',
        "utf-8",
    )
    columns = [f"system{i}{what}" for i in range(1, 201) for what in ("Id", "rank")]
    rankings = tmp_path / "rankings.csv"
    rankings.write_text(
        ",".join(["srclang,trglang,srcIndex,segmentId,judgeId", *columns]) + "\n" + "a," * 404 + "a\n", "utf-8"
    )
    for path, problem in (
        (pairwise, ":3: 20,000 systems in one ranking, more than 100"),
        (appraise, ":2: 20,000 systems in one ranking, more than 100"),
        (rankings, ":1: 200 systems in one ranking, more than 100"),
    ):
        with within(3.0), pytest.raises(InputError) as error:
            read_judgments(path)
        assert str(error.value) == f"{path}{problem}"


def test_an_archive_that_unpacks_to_more_than_is_known(tmp_path: Path) -> None:
    path = tmp_path / "x.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil", b"x")
        archive.writestr("data", bytes(20_000_000))
    target = tmp_path / "kept" / "data"
    with pytest.raises(ResourceError, match=r"^data is larger than the 1,000 bytes expected; nothing was installed$"):
        _unpack(path, Wanted("data", "data", 1_000, "0"), target, lambda *_: None)
    assert target.stat().st_size <= 1 << 20
    # where a file goes is said by the table alone: no name of the archive is ever a path
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == ["kept", "kept/data", "x.whl"]


@pytest.mark.parametrize("damage", ["cut", "encrypted", "links"])
def test_archives_that_are_none(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "x.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if damage == "links":
            link = zipfile.ZipInfo("data")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
        else:
            archive.writestr("data", bytes(range(256)) * 40)
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content[45:60] = b"\xff" * 15
    elif damage == "encrypted":
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    target = tmp_path / "kept" / "data"
    with pytest.raises(ResourceError, match="nothing was installed"):
        _unpack(path, Wanted("data", "data", 20_000, "0" * 64), target, lambda *_: None)
    assert not target.is_symlink()


def test_a_dataset_of_one_endless_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl_runs, "_LONGEST", 1_000_000)
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"mt": "a", "ref": "a"}\n') + packed(100))
    with pytest.raises(InputError) as error:
        open_dataset(str(path))
    assert str(error.value) == f"{path}:2: a line of more than 1,000,000 bytes; write one object a line"
