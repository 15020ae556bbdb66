"""Word vectors in all their files, and the sentences that they make."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tercet.errors import InputError, OptionError
from tercet.features import sentence_vectors
from tercet.features.base import without_vector
from tercet.language.word_vectors import WordVectors, words_of

WORDS = ["the", "cat", "do", "n't", "é"]
NUMBERS = np.arange(15, dtype=np.float32).reshape(5, 3) / 4 - 1


def lines(separator: str = "\n") -> str:
    return separator.join(" ".join([word, *map(str, row)]) for word, row in zip(WORDS, NUMBERS.tolist(), strict=True))


def written(folder: Path, form: str) -> Path:
    if form == "npy":
        np.save(folder / "v.npy", NUMBERS)
        (folder / "v.txt").write_text("\n".join(WORDS) + "\n")
        return folder / "v.npy"
    path = folder / "v.vectors"
    if form == "binary":
        records = [
            word.encode() + b" " + struct.pack("<3f", *row) + b"\n" for word, row in zip(WORDS, NUMBERS, strict=True)
        ]
        path.write_bytes(b"5 3\n" + b"".join(records))
    else:
        path.write_text(("5 3\n" if form == "word2vec" else "") + lines() + "\n")
    return path


@pytest.mark.parametrize("form", ["glove", "word2vec", "binary", "npy"])
@pytest.mark.parametrize("again", [False, True], ids=["fresh", "from the cache"])
def test_every_form_gives_the_same_vectors(tmp_path, form, again):
    path = written(tmp_path, form)
    if again:
        WordVectors.read(path)
    vectors = WordVectors.read(path)
    assert list(vectors.rows) == WORDS
    assert np.array_equal(vectors.matrix, NUMBERS)


def test_a_sentence_is_the_mean_of_its_known_words(tmp_path):
    spec = f"vectors:path={written(tmp_path, 'glove')}"
    found = sentence_vectors(spec).encode(["The cat zzz", "don't", "", "zzz !", "CAT"])
    expected = [NUMBERS[[0, 1]].mean(0), NUMBERS[[2, 3]].mean(0), np.zeros(3), np.zeros(3), NUMBERS[1]]
    assert found == pytest.approx(np.array(expected, np.float32))
    assert without_vector(found) == 2
    assert sentence_vectors(spec).encode([]).shape == (0, 3)


def test_contractions_are_split_and_quotes_made_plain():
    assert list(words_of(["It’s fine, they'll say. Don't!", "'s", ""])) == [
        ["It", "'s", "fine", ",", "they", "'ll", "say", ".", "Do", "n't", "!"],
        ["'s"],
        [],
    ]


def test_words_with_spaces_and_words_that_stand_twice(tmp_path):
    path = tmp_path / "crawl.txt"
    path.write_text("a 1 2\n. . . 3 4\na 5 6\n")
    vectors = WordVectors.read(path)
    assert vectors.matrix[vectors.row(". . .")].tolist() == [3, 4]
    assert vectors.matrix[vectors.row("a")].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 1\n", r"v:2: not a word and 2 finite numbers"),
        (b"a 1 2\nb 1 nan\n", r"v:2: not a word and 2 finite numbers"),
        (b"a 1 2\nb 1 x2\n", r"v:2: not a word"),
        (b"", "these are no word vectors"),
        (b"hello world\n", "these are no word vectors"),
        (b"3 2\na 1 2\nb 3 4\n", "2 vectors where its first line states 3"),
        (b"99999999 300\na 1 2\n", "more than it holds"),
        (b"2 3\na " + struct.pack("<3f", 1, 2, 3) + b"\nb \0\0", "more than it holds|ends within vector 2"),
    ],
)
def test_damaged_files_are_named_with_their_line(tmp_path, content, message):
    path = tmp_path / "v"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        WordVectors.read(path)


def test_npy_needs_its_words(tmp_path):
    path = written(tmp_path, "npy")
    (tmp_path / "v.txt").write_text("one\n")
    with pytest.raises(InputError, match="1 words for 5 vectors"):
        WordVectors.read(path)
    (tmp_path / "v.txt").unlink()
    with pytest.raises(InputError, match=r"has no file of words; put v\.txt beside it"):
        WordVectors.read(path)
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "v.txt").write_text("one\n")
    with pytest.raises(InputError, match="not an npy file that can be read"):
        WordVectors.read(path)


def test_no_such_file():
    with pytest.raises(OptionError, match=r"there is no file nowhere\.txt"):
        sentence_vectors("vectors:path=nowhere.txt")


def test_another_file_is_another_signature(tmp_path):
    path = written(tmp_path, "npy")
    before = sentence_vectors(f"vectors:path={path}").signature
    (tmp_path / "v.txt").write_text("\n".join(reversed(WORDS)) + "\n")
    assert sentence_vectors(f"vectors:path={path}").signature != before
