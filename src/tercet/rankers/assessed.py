"""Translations that were assessed one by one, as pairs to learn from: of two segments, the one that people liked more.

Direct assessments have hardly ever two translations of one segment. A network without hidden nodes gives every
translation a score of its own beside its own reference, so it can also learn from translations of different segments:
that makes the scores of single translations comparable from one segment to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import OptionError
from tercet.features.base import Array
from tercet.rankers.architecture import Architecture
from tercet.rankers.inputs import Bounds, Inputs
from tercet.rankers.judged_data import sha256

NUMBER = 20_000
LEAST = 0.3
"""Assessments nearer to each other than this, in deviations of the judges' scores, say nothing about a pair."""


@dataclass(frozen=True)
class Assessed:
    """Assessed translations with their unscaled features."""

    names: tuple[str, ...]
    similarity: Array
    vectors: Array
    values: NDArray[np.float64]
    starts: tuple[int, ...]
    """Where each text starts, and the end: only translations of one text are compared."""
    digest: str

    @classmethod
    def of(cls, inputs: Inputs, judged: Sequence[JudgedTexts]) -> Assessed:
        """The segments of some texts that were assessed, each with the first of its references."""
        similarity, vectors, values, starts = [], [], [], [0]
        for texts in judged:
            if texts.judgments.kind != "assessment":
                raise OptionError(f"{texts.testset} {texts.pair} holds comparisons; name it under train, not assessed")
            frame = texts.judgments.of_segments().frame
            lines = {name: list(text) for name, text in texts.corpus.systems.items()}
            references = [one[0] for one in texts.corpus.references]
            places = list(zip(frame["system"], frame["segment"], strict=True))
            sources = None if texts.corpus.sources is None else list(texts.corpus.sources)
            side = inputs.side(
                [lines[system][segment] for system, segment in places],
                [references[segment] for _, segment in places],
                None if sources is None else [sources[segment] for _, segment in places],
            )
            similarity.append(side.similarity)
            vectors.append(side.vectors)
            values.append(frame["value"].to_numpy().astype(np.float64))
            starts.append(starts[-1] + len(places))
        names = tuple(f"{texts.testset} {texts.pair}" for texts in judged)
        joined = np.concatenate(similarity), np.concatenate(vectors), np.concatenate(values)
        return cls(names, *joined, tuple(starts), sha256(judged))

    def rows(self, architecture: Architecture, bounds: Bounds, seed: int) -> tuple[Array, NDArray[np.float32]]:
        """Rows of input for pairs drawn at random, and 1 where people liked the first more, -1 where the second."""
        if architecture.sees_references or architecture.between or architecture.source:
            raise OptionError("assessments of different segments fit only networks with hidden=0 and no sources")
        random = np.random.default_rng(seed)
        texts = len(self.starts) - 1
        pairs = []
        for start, end in zip(self.starts[:-1], self.starts[1:], strict=True):
            drawn = random.integers(start, end, (2, NUMBER // texts))
            apart = np.abs(self.values[drawn[0]] - self.values[drawn[1]]) > LEAST
            pairs.append(drawn[:, apart])
        first, second = np.concatenate(pairs, axis=1)
        similarity, vectors = bounds.similarity.scale(self.similarity)[0], bounds.vectors.scale(self.vectors)[0]
        empty = np.zeros((len(first), architecture.vectors), np.float32), np.zeros((len(first), 0), np.float32)
        rows = architecture.row(
            vectors[first], vectors[second], empty[0], empty[1], similarity[first], similarity[second]
        )
        return rows, np.sign(self.values[first] - self.values[second]).astype(np.float32)
