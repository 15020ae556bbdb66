"""Vectors of words, looked up as they are written or in lower case, and their means over sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tercet.language.tokenizers import tokenize

Matrix = NDArray[np.float32]

# The treebank's way with English contractions, which vectors trained on tokenized news share: do n't, it 's.
_CLITIC = re.compile(r"(?i)(.+)(n't|'(?:s|re|ve|ll|d|m))")
_BATCH = 20_000


def words_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """The words of each text: 13a's tokens, with contractions split."""
    for start in range(0, len(texts), _BATCH):
        lines = [text.replace("’", "'") for text in texts[start : start + _BATCH]]
        for tokens in tokenize(lines, "13a"):
            words: list[str] = []
            for token in tokens:
                split = _CLITIC.fullmatch(token) if "'" in token else None
                words.extend(split.groups() if split else (token,))
            yield words


@dataclass(frozen=True, eq=False)
class WordVectors:
    """A row of a matrix for each word."""

    rows: Mapping[str, int]
    matrix: Matrix
    sha256: str
    """Of the file that they came from."""

    @classmethod
    def read(cls, path: Path, *, words: Path | None = None) -> Self:
        """Vectors from GloVe text, word2vec text or binary, or npy with a file of words."""
        from tercet.language.vector_files import read_vectors

        names, matrix, sha256 = read_vectors(path, words)
        rows: dict[str, int] = {}
        for row, name in enumerate(names):
            rows.setdefault(name, row)
        return cls(rows, matrix, sha256)

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return int(self.matrix.shape[1])

    def row(self, word: str) -> int:
        """The row of a word as written or else in lower case; -1 if it is unknown."""
        found = self.rows.get(word)
        return self.rows.get(word.lower(), -1) if found is None else found

    def means(self, texts: Sequence[str]) -> Matrix:
        """The mean of the vectors of the known words of each text; zeros where there is none."""
        from scipy.sparse import csr_array

        ends, columns = [0], []
        for words in words_of(texts):
            columns += [row for word in words if (row := self.row(word)) >= 0]
            ends.append(len(columns))
        used, places = np.unique(np.asarray(columns, np.int64), return_inverse=True)
        counts = csr_array((np.ones(len(columns)), places, np.asarray(ends)), shape=(len(texts), len(used)))
        sums = counts @ np.asarray(self.matrix[used], np.float64)
        return np.asarray(sums / np.maximum(np.diff(ends), 1)[:, None], np.float32)
