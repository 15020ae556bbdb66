"""The native sequence model against its definition, and training on what can be learned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import _native
from tercet.errors import ResourceError
from tercet.language import sequence
from tests import strategies
from tests.oracles import sequence as oracle

TEMPLATES = [
    "",
    "form[0]",
    "lower[0]",
    "shape[0]",
    "prefix1[0] suffix3[0]",
    "suffix2[-1]",
    "class[0] class[1]",
    "column0[0]",
    "column0[-1] column1[2] lower[0]",
]
tokens = st.text(strategies.characters, min_size=1, max_size=8)
sentences = st.lists(st.lists(st.one_of(strategies.words, tokens), max_size=7).map(tuple), max_size=4)


def columns_for(batch: list[tuple[str, ...]]) -> np.ndarray:
    size = sum(map(len, batch))
    return np.array([[7 * i % 5 - 1 for i in range(size)], [i % 3 for i in range(size)]], np.int32).reshape(2, size)


def lexicon() -> tuple[_native.Lexicon, dict[int, int]]:
    keys = _native.hash_words(["the", "cat", "été"])
    order = np.argsort(keys)
    native = _native.Lexicon(keys[order], np.array([1, 2, 3], np.uint16)[order])
    return native, dict(zip(keys.tolist(), [1, 2, 3], strict=True))


@given(st.lists(tokens, max_size=20))
def test_hashes_of_words(words):
    expected = [oracle.hash_bytes(oracle.encode(oracle.lowered(word))) for word in words]
    assert _native.hash_words(words).tolist() == expected


@given(sentences)
def test_keys_agree_with_the_definition(batch):
    native, plain = lexicon()
    columns = columns_for(batch)
    found = _native.feature_keys(TEMPLATES, native, batch, columns).reshape(-1, len(TEMPLATES)).tolist()
    expected, place = [], 0
    for words in batch:
        part = columns[:, place : place + len(words)].tolist()
        expected += oracle.keys(TEMPLATES, words, part, plain)
        place += len(words)
    assert found == expected


@given(sentences, st.data())
def test_viterbi_finds_the_best_path(batch, data):
    native, plain = lexicon()
    columns = columns_for(batch)
    numbers = st.integers(-50, 50)
    keys = np.unique(_native.feature_keys(TEMPLATES, native, batch, columns))[::2].copy()
    weights = data.draw(st.lists(numbers, min_size=2 * len(keys), max_size=2 * len(keys)))
    transitions = data.draw(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=4, max_size=4))
    labels = np.tile(np.array([0, 2], np.uint8), len(keys))
    table = _native.WeightTable(
        keys, np.arange(0, 2 * len(keys) + 1, 2, dtype=np.uint32), labels, np.array(weights, np.int16)
    )
    flat = np.array(transitions, np.int32).ravel()
    found = _native.SequenceModel(TEMPLATES, native, table, flat, 3).label(batch, columns).tolist()

    weight_of = {key: (weights[2 * i], 0, weights[2 * i + 1]) for i, key in enumerate(keys.tolist())}
    place = 0
    for words in batch:
        path = found[place : place + len(words)]
        rows = oracle.keys(TEMPLATES, words, columns[:, place : place + len(words)].tolist(), plain)
        scores = [[sum(weight_of.get(key, (0, 0, 0))[y] for key in row) for y in range(3)] for row in rows]
        if words:
            assert oracle.path_score(path, scores, transitions) == oracle.best_path(scores, transitions)
        place += len(words)


def test_threads_change_nothing():
    batch = [tuple(f"w{i * j % 17}" for i in range(20)) for j in range(200)]
    model = sequence.load("tagger")
    alone = model.label(batch)
    _native.set_threads(4)
    try:
        assert (model.label(batch) == alone).all()
    finally:
        _native.set_threads(1)


def train(batch, gold, **options):
    given = {"labels": 2, "epochs": 5, "cutoff": 1, "seed": 1} | options
    empty = np.empty((0, 0), np.int32)
    return _native.train_sequence(
        ["", "lower[0]"], sequence.lexicon({}), batch, empty, np.array(gold, np.int32), **given
    )


def test_perceptron_learns_what_is_linear_and_repeats_itself():
    batch = [("a", "b", "a"), ("b", "b"), ("a",), ("c", "a")]
    gold = [0, 1, 0, 1, 1, 0, 1, 0]
    first, second = train(batch, gold), train(batch, gold)
    for one, two in zip(first, second, strict=True):
        assert (one == two).all()
    keys, starts, labels, weights, transitions = first
    table = _native.WeightTable(keys, starts, labels, np.rint(weights * 64).astype(np.int16))
    model = _native.SequenceModel(
        ["", "lower[0]"], sequence.lexicon({}), table, np.rint(transitions * 64).astype(np.int32), 2
    )
    assert model.label(batch, np.empty((0, 0), np.int32)).tolist() == gold


def test_the_cutoff_leaves_rare_features_out():
    batch, gold = [("a", "b", "a", "rare")], [0, 1, 0, 1]
    assert len(train(batch, gold, cutoff=2)[0]) < len(train(batch, gold, cutoff=1)[0])


@pytest.mark.parametrize("template", ["lower", "lower[x]", "colour[0]", "prefix[0]", "column99[0]", "lower[0"])
def test_templates_that_mean_nothing(template):
    with pytest.raises(ValueError, match=r"template|attribute"):
        _native.feature_keys([template], sequence.lexicon({}), [("a",)], np.empty((0, 0), np.int32))


def test_parts_that_do_not_fit():
    with pytest.raises(ValueError, match="do not fit"):
        _native.feature_keys(["column0[0]"], sequence.lexicon({}), [("a",)], np.empty((0, 0), np.int32))
    with pytest.raises(ValueError, match="do not fit"):
        train([("a", "b")], [0])
    with pytest.raises(ValueError, match="out of range"):
        train([("a",)], [2])
    keys, one = np.array([1], np.uint32), np.array([0, 1], np.uint32)
    table = _native.WeightTable(keys, one, np.array([7], np.uint8), np.array([1], np.int16))
    with pytest.raises(ValueError, match="do not fit"):  # a weight for a label that the model does not have
        _native.SequenceModel([""], sequence.lexicon({}), table, np.zeros(6, np.int32), 2)
    with pytest.raises(ValueError, match="do not fit"):
        _native.WeightTable(keys, np.array([0, 2], np.uint32), np.array([0], np.uint8), np.array([1], np.int16))


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "tagger.json").write_text("{}")
    (tmp_path / "tagger.npz").write_bytes(b"no weights")
    with pytest.raises(ResourceError, match=r"tagger\.npz: cannot be read"):
        sequence.load("tagger", tmp_path)
    np.savez(tmp_path / "tagger.npz", other=np.zeros(1))
    with pytest.raises(ResourceError, match=r"tagger\.npz: not the weights of a sequence model"):
        sequence.load("tagger", tmp_path)


def test_objects_in_a_file_are_refused(tmp_path):
    (tmp_path / "tagger.json").write_text("{}")
    np.savez(tmp_path / "tagger.npz", weights=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ResourceError, match="cannot be read"):
        sequence.load("tagger", tmp_path)
