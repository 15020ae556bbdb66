"""Features once computed are kept on disk, under a hash of everything that they came from."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tercet.features.base import Array, FeatureSet, SentenceVectors, checked

LIMIT = 2 << 30  # bytes of all files together; those that were not used for longest go first


def folder() -> Path:
    """Where features are kept: in $TERCET_CACHE, or in the user's cache folder."""
    from tercet import resources

    return resources.root().parent / "features"


@dataclass(frozen=True)
class FeatureCache:
    """Features by content; `root` None keeps nothing. A folder that cannot be written is as good as none."""

    root: Path | None = None
    limit: int = LIMIT

    @classmethod
    def default(cls) -> FeatureCache:
        """The one in the user's cache folder."""
        return cls(folder())

    def transform(
        self,
        features: FeatureSet,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        """What `features.transform` gives."""
        if isinstance(features, SentenceVectors):
            return self.encode(features, hypotheses)
        key = _digest("transform", features, hypotheses, ("\x1e".join(texts) for texts in references), sources or ())
        found = self._load(key, len(hypotheses), len(features.names))
        if found is None:
            found = features.transform(hypotheses, references, sources)
            self._keep(key, found)
        return found

    def encode(self, vectors: SentenceVectors, texts: Sequence[str]) -> Array:
        """What `vectors.encode` gives."""
        key = _digest("encode", vectors, texts)
        found = self._load(key, len(texts), len(vectors.names))
        if found is None:
            found = vectors.encode(texts)
            self._keep(key, found)
        return found

    def between(self, features: FeatureSet, first: Sequence[str], second: Sequence[str]) -> Array:
        """What `features.between` gives."""
        key = _digest("between", features, first, second)
        found = self._load(key, len(first), len(features.between_names))
        if found is None:
            found = features.between(first, second)
            self._keep(key, found)
        return found

    def numbers(self, key: str, rows: int, columns: int) -> Array | None:
        """Numbers of that shape that `keep_numbers` wrote under a key of the caller's, if they are still there."""
        return self._load(hashlib.sha256(f"other\x1d{key}".encode()).hexdigest(), rows, columns)

    def keep_numbers(self, key: str, numbers: Array) -> None:
        """Keeps numbers that are not features but dear, under a key that says all that they depend on."""
        self._keep(hashlib.sha256(f"other\x1d{key}".encode()).hexdigest(), numbers)

    def _load(self, key: str, rows: int, columns: int) -> Array | None:
        if self.root is None:
            return None
        path = self.root / f"{key}.npy"
        try:
            found = checked(np.load(path, allow_pickle=False), rows, columns, path.name)
            with contextlib.suppress(OSError):
                os.utime(path)
        except Exception:  # missing, cut short, of another shape: it is computed anew and written over
            return None
        return found

    def _keep(self, key: str, features: Array) -> None:
        if self.root is None:
            return
        with contextlib.suppress(OSError):
            self.root.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self.root, prefix=".", suffix=".npy")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    np.save(file, features, allow_pickle=False)
                Path(name).replace(self.root / f"{key}.npy")
            finally:
                Path(name).unlink(missing_ok=True)
            self._shrink()

    def _shrink(self) -> None:
        assert self.root is not None
        files = [(path.stat().st_mtime, path.stat().st_size, path) for path in self.root.glob("*.npy")]
        excess = sum(size for _, size, _ in files) - self.limit
        for _, size, path in sorted(files):
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= size


@dataclass(frozen=True)
class MemoryCache(FeatureCache):
    """Features kept as long as this object lives: for many trainings on the same texts."""

    kept: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)

    def _load(self, key: str, rows: int, columns: int) -> Array | None:
        return self.kept.get(key)

    def _keep(self, key: str, features: Array) -> None:
        self.kept[key] = features


def _digest(kind: str, features: FeatureSet, *texts: Iterable[str]) -> str:
    digest = hashlib.sha256(f"{kind}\x1d{features.signature}".encode())
    for column in texts:
        digest.update(b"\x1d")
        for text in column:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\x1f")
    return digest.hexdigest()
