"""Trees in files: brackets, parents, arrays; and what is no tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.kernels.files import from_parents, lay_flat, raise_trees, read_trees
from tercet.kernels.forest import vocabulary_of
from tercet.language.trees import Tree, read_one
from tests.kernels.test_tree_kernels import trees


def test_parents():
    assert from_parents(["S", "a", "NP", "b"], [-1, 2, 0, 0]) == read_one("(S (NP a) b)")
    assert from_parents(["a"], [-1]) == Tree("a")


@pytest.mark.parametrize(
    ("labels", "parents", "message"),
    [
        (["a", "b", "c"], [-1, 2, 1], r"node 1 \('b'\) is its own ancestor: a cycle"),
        (["a"], [0], r"node 0 \('a'\) is its own ancestor"),
        (["a", "b"], [-1, -1], "2 roots"),
        (["a", "b"], [-1, 7], r"node 1 \('b'\) has the parent 7, which is not there"),
        (["a", "b"], [-1], "2 labels and 1 parents"),
        ([], [], "one or more"),
        ([1], [-1], "labels are texts"),
        (["a"], ["b"], "has the parent 'b'"),
    ],
)
def test_what_is_no_tree(labels, parents, message):
    with pytest.raises(InputError, match=message):
        from_parents(labels, parents)


def test_files(tmp_path):
    brackets = tmp_path / "trees.txt"
    brackets.write_text("(S a)\n(S (b c))\n", "utf-8")
    assert read_trees(brackets) == [read_one("(S a)"), read_one("(S (b c))")]
    brackets.write_text("(S a)\n(S (b c)\n", "utf-8")
    with pytest.raises(InputError, match=r"trees\.txt:2: a bracket that is never closed \(column 1\)"):
        read_trees(brackets)
    rows = tmp_path / "trees.jsonl"
    rows.write_text('{"labels": ["S", "a"], "parents": [-1, 0]}\n\n', "utf-8")
    assert read_trees(rows) == [read_one("(S a)")]
    rows.write_text('{"labels": ["S"], "parents": [-1]}\n{"labels": ["S", "a"], "parents": [1, 0]}\n', "utf-8")
    with pytest.raises(InputError, match=r"trees\.jsonl:2: node . \('.'\) is its own ancestor"):
        read_trees(rows)
    rows.write_text('{"labels": ["S"]}\n', "utf-8")
    with pytest.raises(InputError, match=r"trees\.jsonl:1: is not a tree of labels and parents"):
        read_trees(rows)
    with pytest.raises(InputError, match="cannot be read"):
        read_trees(tmp_path / "none.txt")


@given(st.lists(trees, min_size=1, max_size=5))
def test_arrays_there_and_back(several):
    labels = vocabulary_of(several)
    arrays = lay_flat(several, {label: number for number, label in enumerate(labels)})
    assert raise_trees(*arrays, labels, file="x") == several
    with pytest.raises(InputError, match="other sizes than it says"):
        raise_trees(*arrays[:2], arrays[2] + 1, labels, file="x")
    assert all(array.dtype == np.int32 for array in arrays)
