"""WMT's trees of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.corpus.wmt import read_plain
from tests.corpus.conftest import Write, complaint


def test_the_older_layout(write: Write) -> None:
    write("w/references/newstest2012-ref.en", "r1\nr2\n")
    write("w/sources/newstest2012-src.cs", "s1\ns2\n")
    write("w/system-outputs/newstest2012/cs-en/newstest2012.cs-en.onlineA", "a1\na2\n")
    write("w/system-outputs/newstest2012/cs-en/newstest2012.cs-en.uedin.2.cs-en", "b1\nb2\n")
    write("w/system-outputs/newstest2012/de-en/newstest2012.de-en.onlineA", "c1\nc2\n")
    write("w/system-outputs/newstest2012/de-en/.hidden", "")
    corpora = read_plain("w")
    assert list(corpora) == [("newstest2012", "cs-en"), ("newstest2012", "de-en")]
    corpus = corpora["newstest2012", "cs-en"]
    assert {name: list(texts) for name, texts in corpus.systems.items()} == {
        "onlineA": ["a1", "a2"],
        "uedin.2.cs-en": ["b1", "b2"],
    }
    assert list(corpus.references) == [("r1",), ("r2",)]
    assert list(corpus.sources or ()) == ["s1", "s2"]
    assert corpora["newstest2012", "de-en"].sources is None


def test_the_newer_layouts(write: Write) -> None:
    for top in ("w/system-outputs", "v/system-outputs/newstest2017"):
        write(f"{top}/cs-en/newstest2017.online-A.0.cs-en", "a\n")
    for folder in "wv":
        write(f"{folder}/references/newstest2017-csen-ref.en", "r\n")
        write(f"{folder}/references/newstest2017-ref.en", "of all pairs, so not as near\n")
        write(f"{folder}/source/newstest2017-csen-src.cs", "s\n")
        ((key, corpus),) = read_plain(folder).items()
        assert key == ("newstest2017", "cs-en")
        assert list(corpus.systems) == ["online-A.0"]
        assert list(corpus.references) == [("r",)]
        assert list(corpus.sources or ()) == ["s"]


def test_references_with_the_pair_as_their_ending(write: Write) -> None:
    write("w/system-outputs/newstest2014/hi-en/newstest2014.online-B.0.hi-en", "a\n")
    write("w/references/newstest2014-ref.hi-en", "r\n")
    assert list(read_plain("w")["newstest2014", "hi-en"].references) == [("r",)]


def test_what_is_refused(write: Write, tmp_path: Path) -> None:
    assert complaint(lambda: read_plain("none")) == "none: no such folder"
    write("file", "")
    assert complaint(lambda: read_plain("file")) == "file: is a file where a folder is meant"
    (tmp_path / "w").mkdir()
    assert complaint(lambda: read_plain("w")) == "w: has no folder system-outputs/; give the top of a WMT tree"
    (tmp_path / "w/system-outputs").mkdir()
    assert complaint(lambda: read_plain("w")) == (
        "w/system-outputs: holds no system outputs; it needs PAIR/ or TESTSET/PAIR/ with files"
    )
    write("w/system-outputs/t/cs-en/t.cs-en.A", "a\nb\n")
    assert complaint(lambda: read_plain("w")) == (
        "w/references: no references for t cs-en; add one of t-csen-ref.en, t-ref.cs-en, t-ref.en"
    )
    write("w/references/t-ref.en", "r\n")
    assert complaint(lambda: read_plain("w")).startswith(
        "system 'A' (w/system-outputs/t/cs-en/t.cs-en.A) has 2 segments but the references (w/references/t-ref.en)"
    )
    write("w/system-outputs/t/cs-en/t.A.cs-en", "a\n")
    assert complaint(lambda: read_plain("w")) == (
        "w/system-outputs/t/cs-en/t.cs-en.A: system 'A' of t cs-en is also w/system-outputs/t/cs-en/t.A.cs-en"
    )


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("readme", "w/system-outputs/readme: is a file where folders of language pairs are meant"),
        ("t/readme", "w/system-outputs/t/readme: is not a folder of a language pair such as de-en"),
        ("t/english/t.A", "w/system-outputs/t/english: is not a folder of a language pair such as de-en"),
        (
            "t/cs-en/u.cs-en.A",
            "w/system-outputs/t/cs-en/u.cs-en.A: is not called like a system output; "
            "call it t.cs-en.SYSTEM or t.SYSTEM.cs-en, or take it away",
        ),
        ("t/cs-en/t.cs-en.", "w/system-outputs/t/cs-en/t.cs-en.: is not called like a system output; "),
        ("cs-en/readme", "w/system-outputs/cs-en/readme: is not called like a system output; "),
    ],
)
def test_strange_files_are_refused(write: Write, file: str, message: str) -> None:
    write(f"w/system-outputs/{file}", "a\n")
    assert complaint(lambda: read_plain("w")).startswith(message)


@pytest.mark.data
@pytest.mark.parametrize(
    ("folder", "numbers"),
    [
        ("wmt12", {"cs-en": (6, 1500), "de-en": (16, 1500), "es-en": (12, 1500), "fr-en": (15, 1500)}),
        ("wmt13", {"fr-en": (19, 3000)}),
        (
            "wmt17-da",
            {"cs-en": (4, 3005), "de-en": (11, 3004), "fi-en": (6, 3002), "lv-en": (9, 2001), "ru-en": (9, 3001)},
        ),
    ],
)
def test_real_trees(data: Path, folder: str, numbers: dict[str, tuple[int, int]]) -> None:
    corpora = read_plain(data / folder)
    assert {pair: (len(corpus.systems), len(corpus)) for (_, pair), corpus in corpora.items()} == numbers
    for (testset, pair), corpus in corpora.items():
        assert corpus.sources is not None
        for name, texts in corpus.systems.items():
            (file,) = [
                path
                for path in (data / folder / "system-outputs").rglob(f"*{name}*")
                if path.name in (f"{testset}.{pair}.{name}", f"{testset}.{name}.{pair}")
            ]
            expected = [line.rstrip() for line in file.read_bytes().decode("utf-8-sig").removesuffix("\n").split("\n")]
            assert list(texts) == expected


@pytest.mark.data
def test_names_agree_with_the_judgments(data: Path) -> None:
    import polars as pl

    judged = pl.read_csv(data / "wmt13" / "wmt13.fr-en.RNK_results.csv", infer_schema_length=0)
    names = {name for k in range(1, 6) for name in judged[f"system{k}Id"].unique()}
    corpus = read_plain(data / "wmt13")["newstest2013", "fr-en"]
    assert names <= {f"newstest2013.fr-en.{name}" for name in corpus.systems}
