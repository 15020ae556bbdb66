"""AddCos by its formula, vectors in files, and GAP by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError, ResourceError
from tercet.language.skipgram import SkipGram
from tercet.lattice.addcos import AddCos, vectors_named
from tercet.lattice.substitution import Task, gap, generalized_average_precision, random_gap

WORDS = ["the", "bright", "clever", "light", "boy", "lamp"]


@pytest.fixture
def vectors() -> SkipGram:
    generator = np.random.default_rng(4)
    word, context = generator.normal(size=(2, len(WORDS), 5)).astype(np.float32)
    return SkipGram.of(WORDS, word, context, "0" * 64)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("window", [0, 1, 2])
@pytest.mark.parametrize("context", [True, False])
def test_scores_are_those_of_the_formula(vectors: SkipGram, window: int, context: bool) -> None:
    sentence = ["the", "bright", "boy", "unheard", "lamp"]
    contexts = vectors.context if context else vectors.word
    assert contexts is not None
    judge = AddCos(vectors, window=window, context=context)
    for place in (0, 1, 2, 4):
        [score, unknown] = judge.scores(sentence, place, ["clever", "unheard"])
        around = [w for i, w in enumerate(sentence) if i != place and abs(i - place) <= window and w in vectors]
        s, t = (vectors.word[vectors.rows[word]] for word in ("clever", sentence[place]))
        expected = cosine(s, t) + sum(cosine(s, contexts[vectors.rows[word]]) for word in around)
        assert score == pytest.approx(expected / (len(around) + 1), abs=1e-5)
        assert np.isnan(unknown)
    assert np.isnan(judge.scores(sentence, 3, ["clever"])).all()


def test_the_filter_and_the_whole_vocabulary(vectors: SkipGram) -> None:
    sentence = ["the", "bright", "boy"]
    judge = AddCos(vectors, lowest=0.0)
    scores = dict(zip(WORDS, judge.scores(sentence, 1, WORDS).tolist(), strict=True))
    others = [word for word in WORDS if word != "bright"]
    fitting = [w for w in others if scores[w] >= 0] + ["unheard"]
    assert judge.kept(sentence, {1: [*others, "unheard"], 2: []}) == {1: fitting, 2: []}
    assert AddCos(vectors, unknown=False, lowest=-2).kept(sentence, {1: [*others, "unheard"]}) == {1: others}
    assert [word for word, _ in judge.nearest(sentence, 1, 3)] == sorted(others, key=lambda w: -scores[w])[:3]
    assert judge.signature != AddCos(vectors, context=False).signature != AddCos(vectors, lowest=0.1).signature


def test_substitutes_take_the_tag_of_the_word(vectors: SkipGram) -> None:
    names = ("JJ", "NN", "NNP", "VB")
    bits = {"bright": 1, "clever": 1, "light": 0b1011, "boy": 0b0010, "lamp": 0b0100, "the": 0}
    tagged = replace(vectors, tags=np.array([bits[word] for word in WORDS], np.uint64), tag_names=names)
    sentence, tags = ["the", "bright", "boy"], ["DT", "JJ", "NN"]
    candidates = {1: [*WORDS, "unheard"], 2: WORDS}
    judge = AddCos(tagged, lowest=-2)
    assert judge.kept(sentence, candidates, tags) == {
        1: ["the", "bright", "clever", "light", "unheard"],
        2: ["the", "light", "boy", "lamp"],  # names are nouns
    }
    assert judge.kept(sentence, {1: WORDS}) == {1: WORDS}  # nobody says what the word is
    assert AddCos(tagged, lowest=-2, inflection=False).kept(sentence, {1: WORDS}, tags) == {1: WORDS}
    assert judge.signature != AddCos(tagged, lowest=-2, inflection=False).signature


def test_tags_are_kept_in_files(tmp_path: Path, vectors: SkipGram) -> None:
    path = tmp_path / "vectors.safetensors"
    tags = np.array([1, 2, 3, 0, 1 << 63, 5], np.uint64)
    replace(vectors, tags=tags, tag_names=("JJ", "NN")).save(path, {})
    again = SkipGram.read(path)
    assert again.tags is not None
    assert (again.tags.tolist(), again.tag_names) == (tags.tolist(), ("JJ", "NN"))
    replace(vectors, tags=tags[:2], tag_names=("JJ",)).save(path, {})
    with pytest.raises(InputError, match="its tags are not those of its words"):
        SkipGram.read(path)


def test_files_keep_directions(tmp_path: Path, vectors: SkipGram) -> None:
    path = tmp_path / "vectors.safetensors"
    vectors.save(path, {"about": "a test"})
    again = SkipGram.read(path)
    assert list(again.rows) == WORDS
    assert (again.word * vectors.word).sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert again.context is not None
    assert vectors.context is not None
    assert (again.context * vectors.context).sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert again.spaces == "word+context"


def test_word2vec_files_with_and_without_contexts(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("2 2\na 1 0\nb 0 2\n")
    single = SkipGram.read(tmp_path / "v.txt")
    assert single.spaces == "single"
    assert single.word.tolist() == [[1, 0], [0, 1]]
    (tmp_path / "v.contexts.txt").write_text("2 2\nb 3 0\na 0 1\n")
    both = SkipGram.read(tmp_path / "v.txt")
    assert both.context is not None
    assert both.context.tolist() == [[0, 1], [1, 0]]
    assert both.sha256 != single.sha256
    (tmp_path / "v.contexts.txt").write_text("1 2\nb 3 0\n")
    with pytest.raises(InputError, match="no context vector of 'a'"):
        SkipGram.read(tmp_path / "v.txt")


def test_vectors_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    shipped = vectors_named("shipped")
    assert (shipped.spaces, len(shipped.rows) > 20_000) == ("word+context", True)
    assert shipped.tags is not None
    judge = AddCos(shipped, lowest=-1)
    assert judge.kept(["the", "bright", "boy"], {1: ["clever", "boys"]}, ["DT", "JJ", "NN"]) == {1: ["clever"]}
    with pytest.raises(ResourceError, match="tercet resources install glove-6b-50d"):
        vectors_named("glove-6b-50d")
    with pytest.raises(InputError, match="nowhere"):
        vectors_named("nowhere.txt")


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "v.safetensors"
    with pytest.raises(InputError, match="cannot be read"):
        SkipGram.read(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="not a file of skip-gram vectors"):
        SkipGram.read(path)


def test_gap_by_hand() -> None:
    # gold weights 3 and 1; ranked second and third: p2 = 3/2, p3 = 4/3; ideal 3/1 and 4/2
    assert generalized_average_precision([0, 3, 1]) == pytest.approx((3 / 2 + 4 / 3) / (3 + 2))
    assert generalized_average_precision([3, 1, 0]) == 1


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any))
def test_gap_is_highest_in_the_ideal_order(weights: list[int]) -> None:
    assert (
        0
        < generalized_average_precision(weights)
        <= generalized_average_precision(sorted(weights, reverse=True)) + 1e-12
    )


def test_a_task(tmp_path: Path) -> None:
    (tmp_path / "lst.gold.candidates").write_text("bright.a::clever;light;well lit\n")
    (tmp_path / "lst_all.gold").write_text("bright.a 1 :: clever 3;most able 1;\nbright.a 2 :: well lit 1;\n")
    (tmp_path / "lst_all.preprocessed").write_text("bright.a\t1\t1\ta bright boy\nbright.a\t2\t0\tbright lamp\n")
    task = Task.read(tmp_path)
    assert [(i.words[i.place], dict(i.gold)) for i in task.instances] == [("bright", {"clever": 3})]
    assert gap(task, lambda _, some: [1.0 if word == "clever" else 0.0 for word in some]) == 1
    assert gap(task, lambda _, some: [float("nan") if word == "clever" else 0.0 for word in some]) == 0.5
    assert 0.5 < random_gap(task, seed=1) < 1
    (tmp_path / "lst_all.preprocessed").write_text("bright.a\t1\t9\ta bright boy\n")
    with pytest.raises(InputError, match="preprocessed:1: no such place"):
        Task.read(tmp_path)


@pytest.mark.data
def test_the_floor_of_semeval(data: Path) -> None:
    task = Task.read(data / "lexsub")
    assert len(task.instances) == 1986
    assert random_gap(task, seed=1, times=3) == pytest.approx(0.297, abs=0.01)
