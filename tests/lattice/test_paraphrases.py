"""Tables of paraphrases: files of every format, the compiled index, thresholds, broken lines."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.errors import InputError, OptionError, ResourceError, TercetWarning
from tercet.lattice.index import Pair, PhraseIndex, compile_index
from tercet.lattice.paraphrase_files import read_pairs
from tercet.lattice.sources import Source, open_source, parse_sources

PPDB2 = (
    "[NN] ||| diversity ||| variety ||| PPDB2.0Score=4.1 PPDB1.0Score=2.0 -logp(LHS|e1)=0.3 ||| 0-0 ||| Equivalence\n"
    "[NN] ||| diversity ||| range ||| PPDB2.0Score=1.9 PPDB1.0Score=2.0 ||| 0-0 ||| OtherRelated\n"
    "[VP] ||| played down ||| made little of ||| PPDB2.0Score=3.0 ||| 0-0 ||| Equivalence\n"
)


@settings(max_examples=50)
@given(
    pairs=st.lists(
        st.builds(
            Pair,
            st.sampled_from(["a", "a b", "a b c", "b", "é", "猫 犬", "\ud800"]),
            st.sampled_from(["x", "x y", "a b", "猫", "z z z z"]),
            st.floats(-5, 5),
            st.sampled_from(["", "NN", "VB"]),
        ),
        max_size=20,
    ),
    sentence=st.lists(st.sampled_from(["a", "b", "c", "é", "猫", "犬", "\ud800", "q"]), max_size=8),
)
def test_the_index_finds_what_a_scan_finds(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair], sentence: list[str]
) -> None:
    path = tmp_path_factory.mktemp("index") / "table.safetensors"
    compile_index(pairs, path, source="test")
    index = PhraseIndex.open(path)
    found = [
        (start, length, [(" ".join(p.words), p.score, p.tag) for p in index.paraphrases(phrase)])
        for start, length, phrase in index.spans(sentence)
    ]
    expected = []
    for start in range(len(sentence)):
        for length in range(1, len(sentence) - start + 1):
            phrase = " ".join(sentence[start : start + length])
            listed = [tuple(pair[1:]) for pair in pairs if pair.phrase == phrase]
            if listed:
                expected.append((start, length, listed))
    assert found == expected
    assert len(index) == len(pairs)


def test_a_file_that_is_no_index(tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    for content in (b"", b"short", b"\x05\x00\x00\x00\x00\x00\x00\x00{}   "):
        path.write_bytes(content)
        with pytest.raises(ResourceError, match="not a table of paraphrases"):
            PhraseIndex.open(path)


def test_ppdb_of_both_releases(tmp_path: Path) -> None:
    path = tmp_path / "ppdb.gz"
    path.write_bytes(gzip.compress(PPDB2.encode()))
    assert list(read_pairs(path)) == [
        Pair("diversity", "variety", 4.1, "NN"),
        Pair("diversity", "range", 1.9, "NN"),
        Pair("played down", "made little of", 3.0, "VP"),
    ]
    old = tmp_path / "ppdb-1.0"
    old.write_text(
        "[NN] ||| a ||| b ||| p(e|f)=1.5 p(f|e)=2 Lex(e|f)=9 ||| 0-0\n[X/NN] ||| [NN,1] of ||| the [NN,1] ||| x=1\n"
    )
    assert list(read_pairs(old)) == [Pair("a", "b", -3.5, "NN")]


def test_a_plain_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(
        "\ufefffawn crawl\n\nwoods wood forest\nplay down\tbelittle\tmake little of\n\x1d \x16\n", encoding="utf-8"
    )
    pairs = list(read_pairs(path))
    assert [pair[:2] for pair in pairs] == [
        ("fawn", "crawl"),
        ("woods", "wood"),
        ("woods", "forest"),
        ("play down", "belittle"),
        ("play down", "make little of"),
    ]
    assert all(math.isnan(pair.score) for pair in pairs)


@pytest.mark.parametrize(
    "line",
    ["lonely", "[NN] ||| a ||| b", "NN ||| a ||| b ||| PPDB2.0Score=1", "[NN] ||| a |||  ||| PPDB2.0Score=1",
     "[NN] ||| a ||| b ||| PPDB2.0Score=nan", "[NN] ||| a ||| b ||| PPDB2.0Score=x", "[NN] ||| a ||| b ||| q=1"],
)  # fmt: skip
def test_broken_lines_are_named_or_counted(tmp_path: Path, line: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(f"a b\n{line}\nc d\n{line}\n")
    with pytest.raises(InputError, match=r"pairs\.txt:2: .*--on-missing skip"):
        list(read_pairs(path))
    with pytest.warns(TercetWarning, match=r"2 broken lines left out, the first: .*pairs\.txt:2"):
        assert [pair.phrase for pair in read_pairs(path, on_missing="skip")] == ["a", "c"]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes(b"a b\n\xff\xfe c\n")
    with pytest.raises(InputError, match=r"pairs\.txt:2: not UTF-8"):
        list(read_pairs(path))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_pairs(tmp_path / "none"))


def test_sources_have_thresholds_and_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "ppdb.txt"
    path.write_text(PPDB2)

    def words(source: Source) -> list[tuple[int, int, list[str]]]:
        return [
            (s, n, [" ".join(p.words) for p in some])
            for s, n, some in source.spans(["diversity", "was", "played", "down"])
        ]

    assert words(open_source(str(path))) == [(0, 1, ["variety", "range"]), (2, 2, ["made little of"])]
    [filtered] = parse_sources(str(path), filtered=True)
    assert words(filtered) == [(0, 1, ["variety"]), (2, 2, ["made little of"])]
    [strict] = parse_sources(f"{path}>=3.5", filtered=False)
    assert words(strict) == [(0, 1, ["variety"])]
    assert strict.signature.startswith("ppdb.txt-")
    assert strict.signature.endswith(">=3.5")
    assert len(list((tmp_path / "cache" / "lattice").iterdir())) == 1
    with pytest.raises(OptionError, match="no source of paraphrases 'nothing'"):
        parse_sources("nothing", filtered=True)
    with pytest.raises(OptionError, match="is not a number"):
        parse_sources("meteor>=many", filtered=True)
