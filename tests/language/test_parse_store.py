"""The store of parses: what was added is there, whatever happened to the process that added it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.language.parse_store import Parse, ParseStore, key_of
from tests import strategies

vectors = st.lists(st.floats(-1, 1, width=32), min_size=25, max_size=25).map(lambda v: np.array(v, np.float32))
parses = st.builds(
    lambda words, tree, vector: Parse(tuple(range(len(words))), tuple(map(len, words)), tree, vector),
    st.lists(strategies.words, max_size=5),
    st.one_of(st.none(), strategies.texts),
    st.one_of(st.none(), vectors),
)


def parse(number: int) -> Parse:
    return Parse((0, 2), (1, 3 + number), f"(ROOT (NN 0) (NN {number}))", np.full(25, number, np.float32))


def same(one: Parse | None, other: Parse) -> bool:
    return (
        one is not None
        and (one.starts, one.ends, one.tree) == (other.starts, other.ends, other.tree)
        and (one.vector is None) == (other.vector is None)
        and (one.vector is None or np.array_equal(one.vector, other.vector))
    )


@settings(max_examples=50)
@given(st.dictionaries(strategies.any_text, parses, max_size=4))
def test_what_was_added_is_found_by_another(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("store") / "deep" / "parses.log"
    store = ParseStore(path)
    for text, one in content.items():
        store.add(key_of(text), one)
    for reader in (store, ParseStore(path)):
        assert len(reader) == len(content)
        assert all(same(reader.get(key_of(text)), one) for text, one in content.items())
    assert store.get(key_of("not there\x00")) is None
    store.close()


def test_a_record_that_a_kill_cut_off_is_absent_and_does_no_harm(tmp_path: Path):
    whole = tmp_path / "whole.log"
    store = ParseStore(whole)
    store.add(key_of("first"), parse(1))
    before = whole.stat().st_size
    store.add(key_of("second"), parse(2))
    store.close()
    content = whole.read_bytes()
    for length in range(before, len(content)):
        path = tmp_path / "cut.log"
        path.write_bytes(content[:length])
        cut = ParseStore(path)
        assert key_of("first") in cut
        assert key_of("second") not in cut
        cut.add(key_of("third"), parse(3))
        cut.close()
        again = ParseStore(path)
        assert same(again.get(key_of("first")), parse(1))
        assert same(again.get(key_of("third")), parse(3))
        # all but the line's end was there, and whoever came next has ended the line
        assert (key_of("second") in again) == (length == len(content) - 1)


def test_a_record_that_was_changed_is_absent(tmp_path: Path):
    path = tmp_path / "parses.log"
    store = ParseStore(path)
    store.add(key_of("a"), parse(1))
    store.add(key_of("b"), parse(2))
    store.close()
    content = bytearray(path.read_bytes())
    content[60] ^= 1
    path.write_bytes(bytes(content))
    assert key_of("a") not in ParseStore(path)
    assert same(ParseStore(path).get(key_of("b")), parse(2))


def test_two_processes_may_share_it(tmp_path: Path):
    one, two = ParseStore(tmp_path / "p.log"), ParseStore(tmp_path / "p.log")
    one.add(key_of("a"), parse(1))
    two.add(key_of("b"), parse(2))
    one.add(key_of("c"), parse(3))
    two.refresh()
    one.refresh()
    for store in (one, two):
        assert [same(store.get(key_of(text)), parse(i)) for i, text in enumerate("abc", 1)] == [True] * 3
        store.close()


@pytest.mark.parametrize("path", [None, "file/parses.log"])
def test_without_a_folder_parses_are_kept_in_memory(tmp_path: Path, path):
    (tmp_path / "file").write_text("a file is no folder")
    store = ParseStore(None if path is None else tmp_path / path)
    store.add(key_of("a"), parse(1))
    assert same(store.get(key_of("a")), parse(1))
    assert (key_of("a") in store, len(store)) == (True, 1)
    store.close()


def test_a_text_and_its_tokens_have_two_keys():
    assert len({key_of("a b"), key_of(["a", "b"]), key_of(["a b"]), key_of(["a", "b", ""]), key_of("a  b")}) == 5
