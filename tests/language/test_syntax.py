"""The syntax network: equal to its JAX twin, independent of the company, and of any input."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.errors import ResourceError
from tercet.language import english, sequence, syntax
from tercet.language.pipeline import english_pipeline
from tercet.language.syntax import DIMENSION, ROWS, Vocabulary, normalized, read_columns, syntax_network

SENTENCES = [
    "The committee has approved the plan, although nobody liked it.",
    "committee plan the has approve , although it liked nobody",
    "Oui.",
    "Two sentences. In one segment!",
    "He said: “It’s 1,024 °C”, and они ушли.",
    "the the the",
    "\x00 \t ?",
]
WRONG = [
    ("She has been working there for two years .", "She have been work there since for two year ."),
    ("The government will publish the report in March .", "The government will the report in March publish ."),
    ("They did not want to leave the old house .", "They not did want leave the house old the ."),
    ("The minister said that the talks would continue next week .", "Minister said the talks that would continue of ."),
]


def test_a_vector_for_every_text_and_zeros_for_none():
    found = syntax_network().encode([*SENTENCES, "", " \n"])
    assert found.shape == (len(SENTENCES) + 2, DIMENSION)
    assert found.dtype == np.float32
    assert (np.abs(found) <= 1).all()
    assert found[: len(SENTENCES)].any(axis=1).all()
    assert not found[len(SENTENCES) :].any()
    assert syntax_network().encode([]).shape == (0, DIMENSION)


def test_well_formed_sentences_are_above_their_spoilt_copies():
    network = syntax_network()
    right, wrong = (network.well_formed(network.encode(side)) for side in zip(*WRONG, strict=True))
    assert (right > wrong).all()
    assert network.well_formed(network.encode([""])).tolist() == [0]


def test_a_thousand_words():
    network = syntax_network()
    long = " ".join(["the cat , which sat on the mat ,"] * 125)
    found = network.encode([long, "The cat sat on the mat."])
    assert np.isfinite(found).all()
    assert np.array_equal(found[1], network.encode(["The cat sat on the mat."])[0])


@settings(deadline=None, max_examples=12)
@given(st.lists(st.sampled_from([*SENTENCES, "", " ".join(["word"] * 90)]) | st.text(max_size=40), max_size=ROWS + 6))
def test_the_company_does_not_matter(texts):
    network = syntax_network()
    together = network.encode(texts)
    turned = network.encode(texts[::-1])[::-1]
    assert np.array_equal(together, turned)
    assert np.array_equal(network.well_formed(together)[:1], network.well_formed(together[:1]))
    for text, vector in list(zip(texts, together, strict=True))[:3]:
        assert np.array_equal(network.encode([text])[0], vector)


def test_equals_the_network_that_was_trained():
    pytest.importorskip("jax")
    import jax.numpy as jnp

    from training.syntax_network import forward, scores

    network, pipeline = syntax_network(), english_pipeline()
    texts = [*(text for text in SENTENCES), *(text for pair in WRONG for text in pair), "word " * 300]
    columns = read_columns([english.tokens(text) for text in texts], network.vocabulary, pipeline)
    sizes = np.diff(columns.ends, prepend=0)
    time = np.arange(sizes.max())[:, None]
    places = np.where(time < sizes, columns.ends - sizes + time, 0)
    batch = {name: getattr(columns, name)[places] for name in ("words", "tags", "chunks")} | {"size": sizes}
    params = {name: jnp.asarray(array) for name, array in network.weights.items()}
    vectors, _ = forward(params, batch)
    found = network.apply(columns)
    assert np.abs(found - np.asarray(vectors)).max() < 1e-5
    assert network.well_formed(found) == pytest.approx(np.asarray(scores(params, vectors)), abs=1e-4)


def test_words_as_the_network_knows_them():
    assert [normalized(form) for form in ("The", "“", "``", "1,024", "It’s", "e-mail")] == [
        *("the", '"', '"', "0,000", "it's", "e-mail"),
    ]
    known = Vocabulary(np.sort(syntax._native.hash_words(["the", "cat"])), 16)
    rows = known.rows(["The", "CAT", "walking", "talking", "the"])
    assert rows[0] == rows[4] < 2
    assert {int(rows[0]), int(rows[1])} == {0, 1}
    assert rows[2] == rows[3] >= 2
    assert known.rows([]).shape == (0,)


@pytest.fixture
def folder(tmp_path):
    for name in ("syntax", "tagger", "chunker"):
        for end in ("npz", "json"):
            shutil.copy(sequence.MODELS / f"{name}.{end}", tmp_path)
    return tmp_path


def test_loaded_from_another_folder(folder):
    again = syntax.load(folder)
    assert again.sha256 == syntax_network().sha256
    assert np.array_equal(again.encode(SENTENCES), syntax_network().encode(SENTENCES))


def test_another_tagger_is_another_fingerprint(folder):
    shutil.copy(folder / "chunker.npz", folder / "tagger.npz")
    assert syntax.load(folder).sha256 != syntax_network().sha256


@pytest.mark.parametrize("end", ["npz", "json"])
def test_a_missing_file_is_named(folder, end):
    (folder / f"syntax.{end}").unlink()
    with pytest.raises(ResourceError, match=rf"syntax\.npz: cannot be read .*syntax\.{end}.*; install tercet again"):
        syntax.load(folder)


def test_weights_of_something_else(folder):
    shutil.copy(folder / "tagger.npz", folder / "syntax.npz")
    with pytest.raises(ResourceError, match=r"syntax\.npz: not the weights of a syntax network: .*; install tercet"):
        syntax.load(folder)


@pytest.mark.parametrize(("name", "change"), [("layer1.bias", np.zeros(3)), ("real.weight", np.full(25, np.nan))])
def test_weights_that_do_not_fit(folder, name, change):
    with np.load(folder / "syntax.npz") as file:
        arrays = {key: file[key] for key in file.files}
    np.savez(folder / "syntax.npz", **{**arrays, name: change})
    with pytest.raises(ResourceError, match=name):
        syntax.load(folder)


def test_labels_of_another_tagger():
    network = syntax_network()
    other = syntax.SyntaxNetwork(network.weights, network.vocabulary, network.tags[1:], network.chunks)
    with pytest.raises(ResourceError, match=r"made for a tagger and a chunker with other labels"):
        other.encode(["a"])
