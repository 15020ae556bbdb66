"""Features are computed once for the same content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tercet.features.base import Array, FeatureSet
from tercet.features.cache import FeatureCache, MemoryCache
from tercet.features.scaling import MinMax
from tercet.signature import Signature


@dataclass(frozen=True, kw_only=True)
class Lengths(FeatureSet):
    """Lengths, and how often they were asked for."""

    name = "lengths"
    option: int = 1
    calls: list[int] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return ("hypothesis", "reference")

    @property
    def signature(self) -> Signature:
        return Signature.of("lengths", option=self.option)

    def transform(
        self,
        hypotheses: Sequence[str],
        references: Sequence[tuple[str, ...]],
        sources: Sequence[str] | None = None,
    ) -> Array:
        self.calls.append(len(hypotheses))
        return np.array([[len(h), len(r[0])] for h, r in zip(hypotheses, references, strict=True)], np.float32)


def test_the_same_content_is_computed_once(tmp_path):
    cache, lengths = FeatureCache(tmp_path / "features"), Lengths()
    first = cache.transform(lengths, ["a", "bb\ud800"], [("c",), ("dd",)])
    again = cache.transform(lengths, ["a", "bb\ud800"], [("c",), ("dd",)])
    assert np.array_equal(first, again)
    assert len(lengths.calls) == 1
    assert not [path for path in (tmp_path / "features").iterdir() if path.name.startswith(".")]


def test_anything_else_is_computed_anew(tmp_path):
    cache, lengths = FeatureCache(tmp_path), Lengths()
    cache.transform(lengths, ["a", "b"], [("c",), ("d",)])
    for hypotheses, references in [(["ab", ""], [("c",), ("d",)]), (["a", "b"], [("c", "d"), ("d",)])]:
        cache.transform(lengths, hypotheses, references)
    cache.transform(Lengths(option=2, calls=lengths.calls), ["a", "b"], [("c",), ("d",)])
    cache.transform(lengths, ["a", "b"], [("c",), ("d",)], ["source", "source"])
    assert len(lengths.calls) == 5


def test_a_damaged_file_is_written_over(tmp_path):
    cache, lengths = FeatureCache(tmp_path), Lengths()
    found = cache.transform(lengths, ["a"], [("c",)])
    (file,) = tmp_path.glob("*.npy")
    file.write_bytes(file.read_bytes()[:-3])
    assert np.array_equal(cache.transform(lengths, ["a"], [("c",)]), found)
    assert np.array_equal(cache.transform(lengths, ["a"], [("c",)]), found)
    assert len(lengths.calls) == 2


def test_a_folder_that_cannot_be_written_is_no_matter(tmp_path):
    (tmp_path / "file").write_text("in the way")
    lengths = Lengths()
    FeatureCache(tmp_path / "file" / "features").transform(lengths, ["a"], [("c",)])
    FeatureCache(None).transform(lengths, ["a"], [("c",)])
    assert len(lengths.calls) == 2


def test_memory_keeps_as_long_as_it_lives():
    lengths, cache = Lengths(), MemoryCache()
    first = cache.transform(lengths, ["a"], [("c",)])
    assert cache.transform(lengths, ["a"], [("c",)]) is first
    cache.transform(lengths, ["ab"], [("c",)])
    MemoryCache().transform(lengths, ["a"], [("c",)])
    assert len(lengths.calls) == 3


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    import os

    lengths = Lengths()
    cache = FeatureCache(tmp_path, limit=300)
    cache.transform(lengths, ["a"], [("c",)])
    (old,) = tmp_path.glob("*.npy")
    os.utime(old, (1, 1))
    cache.transform(lengths, ["b"], [("c",)])
    cache.transform(lengths, ["c"], [("c",)])
    assert not old.exists()
    assert len(list(tmp_path.glob("*.npy"))) == 2


def test_scaling_clips_and_counts():
    bounds = MinMax.of(np.array([[0, 5, 7], [10, 5, 9]], np.float32))
    scaled, outside = bounds.scale(np.array([[5, 5, 8], [20, 6, 6], [0, 5, 9]], np.float32))
    assert scaled.tolist() == [[0, 0, 0], [1, 0, -1], [-1, 0, 1]]
    assert outside == 3
