"""Skip-gram vectors with both of their matrices: what a word means, and which words it stands beside.

A file is safetensors: `words` (UTF-8, a line a word), `word` and `context`, a row a word. Rows are int8, each scaled to
the full range: only their directions count, since all that is asked of them is a cosine. `tags`, where there, has for
every word a bit for each part of speech that it was seen as.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import InputError
from tercet.output import write_bytes

Matrix = NDArray[np.float32]
Bits = NDArray[np.uint64]

SHIPPED = Path(__file__).parents[1] / "models" / "skipgram.safetensors"


@dataclass(frozen=True, eq=False)
class SkipGram:
    """Vectors of unit length."""

    rows: Mapping[str, int]
    word: Matrix
    context: Matrix | None
    """None where only one space is known, as of GloVe; the word vectors then stand in for it."""
    sha256: str
    tags: Bits | None = None
    """Of every row the parts of speech that the word was seen as, one bit for each of `tag_names`; 0: not known."""
    tag_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, words: Sequence[str], word: Matrix, context: Matrix | None, sha256: str) -> SkipGram:
        """From matrices of any scale."""
        if len({len(words), len(word), len(word if context is None else context)}) != 1:
            raise InputError(f"{len(words)} words do not fit matrices of {len(word)} rows and of as many contexts")
        rows: dict[str, int] = {}
        for row, name in enumerate(words):
            rows.setdefault(name, row)
        return cls(rows, _unit(word), None if context is None else _unit(context), sha256)

    @classmethod
    def read(cls, path: Path) -> SkipGram:
        """tercet's own safetensors, or word vectors as word2vec, gensim and GloVe write them.

        The context vectors of `NAME.txt` are expected in `NAME.contexts.txt`, which may list the words in any order;
        where there is no such file, there is one space only.
        """
        if path.suffix == ".safetensors":
            return _read_safetensors(path)
        from tercet.language.word_vectors import WordVectors

        words = WordVectors.read(path)
        names = sorted(words.rows, key=words.rows.__getitem__)
        contexts = path.with_name(f"{path.stem}.contexts{path.suffix}")
        if not contexts.is_file():
            return cls.of(names, words.matrix[[words.rows[name] for name in names]], None, words.sha256)
        others = WordVectors.read(contexts)
        missing = next((name for name in names if name not in others.rows), None)
        if missing is not None:
            raise InputError(f"no context vector of {missing!r}", file=contexts, remedy=f"it has the words of {path}")
        both = [vectors.matrix[[vectors.rows[name] for name in names]] for vectors in (words, others)]
        return cls.of(names, both[0], both[1], hashlib.sha256((words.sha256 + others.sha256).encode()).hexdigest())

    @property
    def spaces(self) -> str:
        """Which spaces there are, as a signature says it."""
        return "word+context" if self.context is not None else "single"

    def __contains__(self, word: str) -> bool:
        return word in self.rows

    def save(self, path: Path, about: Mapping[str, str]) -> None:
        """Writes tercet's own format, whole or not at all."""
        from safetensors.numpy import save

        if self.context is None:
            raise InputError("vectors without contexts have no file format of ours", file=path)
        names = sorted(self.rows, key=self.rows.__getitem__)
        tensors: dict[str, NDArray[Any]] = {
            "words": np.frombuffer("\n".join(names).encode(), np.uint8),
            "word": _quantized(self.word),
            "context": _quantized(self.context),
        }
        if self.tags is not None:
            tensors |= {"tags": self.tags, "tag_names": np.frombuffer(json.dumps(self.tag_names).encode(), np.uint8)}
        # one entry: safetensors writes several in another order each time
        write_bytes(path, save(tensors, metadata={"about": json.dumps(dict(about), ensure_ascii=False)}))


def _unit(matrix: NDArray[np.generic]) -> Matrix:
    rows = np.asarray(matrix, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1, lengths), np.float32)


def _quantized(matrix: Matrix) -> NDArray[np.int8]:
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    return np.rint(matrix / np.where(largest == 0, 1, largest) * 127).astype(np.int8)


def _read_safetensors(path: Path) -> SkipGram:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        data = path.read_bytes()
        tensors = load(data)
        words = tensors["words"].tobytes().decode().split("\n")
        for name in ("word", "context"):
            array = tensors[name]
            if array.ndim != 2 or array.dtype.kind not in "if" or not np.isfinite(array).all():
                raise ValueError(f"{name!r} is not a matrix of numbers")
        found = SkipGram.of(words, tensors["word"], tensors["context"], hashlib.sha256(data).hexdigest())
        if "tags" not in tensors:
            return found
        names = tuple(map(str, json.loads(tensors["tag_names"].tobytes())))
        if tensors["tags"].shape != (len(words),) or len(names) > 64:
            raise ValueError("its tags are not those of its words")
        return replace(found, tags=tensors["tags"].astype(np.uint64), tag_names=names)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except (SafetensorError, KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"not a file of skip-gram vectors ({str(error)[:200]})", file=path) from error
