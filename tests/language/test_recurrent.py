"""Recurrent networks as numpy applies them, against their definition."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet import _native
from tercet.errors import ResourceError
from tercet.language import recurrent
from tests import strategies
from tests.oracles import recurrent as oracle

WORDS = ["the", "cat", "ran", "ß"]
HIDDEN, MEMBERS = 5, 2


def network(seed=3):
    """Configuration and arrays of a network with weights by chance."""
    random = np.random.default_rng(seed)

    def whole(rows, columns):
        return random.integers(-127, 128, (MEMBERS, rows, columns)).astype(np.int8)

    def floats(size):
        return random.normal(0, 0.3, (MEMBERS, size)).astype(np.float32)

    keys = np.sort(_native.hash_words(WORDS))
    arrays = {
        "key_gaps": np.diff(keys.astype(np.int64), prepend=0).astype(np.uint32),
        "vectors": random.integers(-127, 128, (len(WORDS) + 1, 7)).astype(np.int8),
        "words": whole(7, HIDDEN),
        "table_tag": random.integers(-9999, 9999, (MEMBERS, 4, HIDDEN)).astype(np.int32),
        "bias": floats(HIDDEN),
        "hidden_bias": floats(HIDDEN),
        "out": whole(HIDDEN, 1),
        "out_bias": floats(1)[:, 0],
    }
    for side in ("forward", "backward"):
        arrays |= {f"{side}_inputs": whole(HIDDEN, 3 * HIDDEN), f"{side}_states": whole(HIDDEN, 3 * HIDDEN)}
        arrays |= {f"{side}_bias": floats(3 * HIDDEN), f"hidden_{side}": whole(HIDDEN, HIDDEN)}
    units = {name: 1 / 60 for name, array in arrays.items() if array.dtype == np.int8 and name != "vectors"}
    configuration = {"columns": ["tag"], "threshold": 0.1, "units": [units | {"words": 1 / 9000}] * MEMBERS}
    return configuration, arrays


CONFIGURATION, ARRAYS = network()
sentences = st.lists(
    st.lists(st.sampled_from([*WORDS, "THE"]) | strategies.any_text, max_size=12).map(tuple), max_size=6
)


def tags_of(given):
    return np.array([len(word) % 4 for sentence in given for word in sentence], np.int32)


@settings(max_examples=50)
@given(sentences)
def test_agrees_with_the_definition(given):
    found = recurrent.make(CONFIGURATION, ARRAYS).scores(given, [tags_of(given)])
    keys = {int(key): i + 1 for i, key in enumerate(np.sort(_native.hash_words(WORDS)))}
    expected = []
    for sentence in given:
        rows = [keys.get(int(key), 0) for key in _native.hash_words(list(sentence))]
        members = [
            oracle.scores(CONFIGURATION, ARRAYS, member, ARRAYS["vectors"][rows], [tags_of([sentence])])
            for member in range(MEMBERS)
        ]
        expected += np.mean(members, axis=0).tolist() if sentence else []
    # a state that lies between two levels may be rounded to either: a level is 1/1023
    assert found.tolist() == pytest.approx(expected, abs=0.02)


def test_a_sentence_does_not_depend_on_its_neighbours():
    random = np.random.default_rng(1)
    given = [tuple(random.choice(WORDS, size=n)) for n in (*random.integers(0, 60, 300), 3000)]
    model = recurrent.make(CONFIGURATION, ARRAYS)
    together = model.scores(given, [tags_of(given)])
    alone = [model.scores([sentence], [tags_of([sentence])]) for sentence in given]
    assert together.tolist() == np.concatenate(alone).tolist()
    assert (model.starts(given, [tags_of(given)]) == (together > np.float32(0.1))).all()


def test_nothing():
    model = recurrent.make(CONFIGURATION, ARRAYS)
    assert model.scores([], [np.empty(0, np.int32)]).shape == (0,)
    assert model.scores([(), ()], [np.empty(0, np.int32)]).shape == (0,)
    with pytest.raises(ValueError, match="2 columns"):
        model.scores([("a",)], [np.zeros(1, np.int32)] * 2)


def test_a_broken_file_is_named(tmp_path):
    with pytest.raises(ResourceError, match=r"x\.npz: cannot be read"):
        recurrent.load("x", tmp_path)
    (tmp_path / "x.json").write_text(json.dumps(CONFIGURATION))
    for broken in ({"vectors": ARRAYS["vectors"][1:]}, {"words": np.ones((MEMBERS, 129, HIDDEN), np.int8)}):
        np.savez(tmp_path / "x.npz", **(ARRAYS | broken))
        with pytest.raises(ResourceError, match=r"x\.npz: not the weights of a recurrent network"):
            recurrent.load("x", tmp_path)
    np.savez(tmp_path / "x.npz", **ARRAYS)
    assert len(recurrent.load("x", tmp_path).members) == MEMBERS
