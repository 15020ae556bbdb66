"""The files that word vectors come in: GloVe text, word2vec text and binary, npy with a file of words.

Text is slow to read, so a text or binary file is turned once into npy in the cache folder, under the file's hash, and
is mapped into memory from then on.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from tercet.errors import InputError
from tercet.language.word_vectors import Matrix

_MAX_DIMENSION = 10_000
_NPY = b"\x93NUMPY"
_FORMS = "it may be GloVe text (word and numbers), word2vec text or binary (a first line with two counts), or .npy"


def read_vectors(path: Path, words: Path | None = None) -> tuple[list[str], Matrix, str]:
    """The words, a matrix with a row for each, and a sha256 of what was read."""
    from tercet import resources
    from tercet.resources.cache import sha256_of

    try:
        digest = sha256_of(path)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    if path.suffix == ".npy":
        words = words or _words_beside(path)
        names, matrix = _numpy(path, words)
        return names, matrix, hashlib.sha256(f"{digest} {sha256_of(words)}".encode()).hexdigest()
    if words is not None:
        raise InputError("a file of words belongs to .npy vectors only", file=path)

    kept = resources.root().parent / "vectors" / digest
    if (kept / "vectors.npy").is_file() and (kept / "words.txt").is_file():
        return *_numpy(kept / "vectors.npy", kept / "words.txt"), digest
    names, matrix = _parse(path)
    with contextlib.suppress(OSError):  # a cache that cannot be written only costs time
        _keep(kept, names, matrix)
    return names, matrix, digest


def _keep(folder: Path, names: list[str], matrix: Matrix) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix="."))
    try:
        np.save(temporary / "vectors.npy", matrix, allow_pickle=False)
        (temporary / "words.txt").write_text("\n".join(names) + "\n", "utf-8", newline="\n")
        temporary.chmod(0o755)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _words_beside(path: Path) -> Path:
    for ending in (".txt", ".vocab", ".words"):
        if path.with_suffix(ending).is_file():
            return path.with_suffix(ending)
    remedy = f"put {path.with_suffix('.txt').name} beside it, a word a line, or give words=FILE"
    raise InputError("has no file of words", file=path, remedy=remedy)


def _numpy(path: Path, words: Path) -> tuple[list[str], Matrix]:
    try:
        with path.open("rb") as file:
            if file.read(len(_NPY)) != _NPY:  # it might be an archive, or a pickle
                raise ValueError("it does not begin as one")
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # whatever a damaged header makes of its readers: it is parsed as Python's literals are
        raise InputError(f"is not an npy file that can be read ({str(error)[:200]})", file=path) from error
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or not 0 < matrix.shape[1] <= _MAX_DIMENSION:
        raise InputError(
            f"holds {matrix.dtype} of shape {matrix.shape}", file=path, remedy="it needs a row of floats for each word"
        )
    if words.suffix == ".parquet":
        import polars as pl

        try:
            names = list(map(str, pl.read_parquet(words).to_series(0)))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, IndexError) as error:
            raise InputError(f"not a table of words ({str(error)[:200]})", file=words) from error
    else:
        try:
            names = words.read_text("utf-8-sig").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read ({error})", file=words) from error
    if len(names) != len(matrix):
        raise InputError(f"{len(names)} words for {len(matrix)} vectors", file=words, remedy=f"see {path}")
    return names, matrix


def _parse(path: Path) -> tuple[list[str], Matrix]:
    with path.open("rb") as file:
        first = file.readline(1 << 20)
        counts = first.split()
        if len(counts) == 2 and all(count.isdigit() for count in counts):
            rows, dimension = int(counts[0]), int(counts[1])
            smallest = rows * (dimension + 2)
            if not 0 < dimension <= _MAX_DIMENSION or smallest > path.stat().st_size:
                raise InputError(f"states {rows} vectors of {dimension} numbers, more than it holds", file=path, line=1)
            start = file.tell()
            if _is_text(file.readline(1 << 20), dimension):
                file.seek(start)
                return _text(file, path, dimension, 2, rows)
            file.seek(start)
            return _binary(file, path, rows, dimension)
        dimension = len(counts) - 1
        if not 0 < dimension <= _MAX_DIMENSION or not _is_text(first, dimension):
            raise InputError("these are no word vectors", file=path, line=1, remedy=_FORMS)
        file.seek(0)
        return _text(file, path, dimension, 1, None)


def _is_text(line: bytes, dimension: int) -> bool:
    numbers = line.split()[1:]
    try:
        return len(numbers) == dimension and bool(np.isfinite([float(number) for number in numbers]).all())
    except ValueError:
        return False


def _text(file: BinaryIO, path: Path, dimension: int, first: int, rows: int | None) -> tuple[list[str], Matrix]:
    names: list[str] = []
    vectors: list[Matrix] = []
    for number, line in enumerate(_lines(file), first):
        word, *numbers = line.rstrip(b"\n\r ").rsplit(b" ", dimension)  # words of Common Crawl may hold spaces
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                vector = np.fromstring(b" ".join(numbers).decode("ascii"), np.float32, sep=" ")
        except (ValueError, DeprecationWarning, UnicodeDecodeError):
            vector = np.empty(0, np.float32)
        if len(vector) != dimension or not np.isfinite(vector).all():
            raise InputError(f"not a word and {dimension} finite numbers", file=path, line=number)
        names.append(word.decode("utf-8", "replace"))
        vectors.append(vector)
    if rows is not None and rows != len(names):
        raise InputError(f"{len(names)} vectors where its first line states {rows}", file=path, line=1)
    return names, np.stack(vectors)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    return (line for line in file if line.strip())


def _binary(file: BinaryIO, path: Path, rows: int, dimension: int) -> tuple[list[str], Matrix]:
    if rows * (4 * dimension + 2) > path.stat().st_size:
        raise InputError(f"states {rows} vectors of {dimension} numbers, more than it holds", file=path, line=1)
    names: list[str] = []
    matrix = np.empty((rows, dimension), np.float32)
    for row in range(rows):
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            if not byte or len(word) > 1 << 16:
                raise InputError(f"ends within vector {row + 1} of {rows}", file=path)
            word += byte
        numbers = file.read(4 * dimension)
        if len(numbers) != 4 * dimension:
            raise InputError(f"ends within vector {row + 1} of {rows}", file=path)
        matrix[row] = np.frombuffer(numbers, "<f4")
        names.append(word.lstrip(b"\n").decode("utf-8", "replace"))
    if not np.isfinite(matrix).all():
        raise InputError("holds numbers that are not finite", file=path, remedy=_FORMS)
    return names, matrix
