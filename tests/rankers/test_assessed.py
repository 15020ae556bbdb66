"""Assessments of different segments as pairs to learn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.corpus.judgments import Judgments
from tercet.errors import OptionError
from tercet.features.cache import FeatureCache
from tercet.features.scaling import MinMax
from tercet.rankers.architecture import Architecture
from tercet.rankers.assessed import LEAST, NUMBER, Assessed
from tercet.rankers.inputs import Bounds, FeatureSpecs, Inputs
from tercet.rankers.judged_data import from_pairs
from tests import world

SEGMENTS = 12


@pytest.fixture
def judged() -> JudgedTexts:
    """One system that gets ever more words wrong, and people who see it."""
    references, systems = world.texts(SEGMENTS, seed=4)
    corpus = Corpus(references=[(text,) for text in references], systems=systems)
    frame = pl.DataFrame(
        {"segment": range(SEGMENTS), "system": ["fair"] * SEGMENTS, "value": np.linspace(2, -2, SEGMENTS)}
    )
    frame = frame.with_columns(pl.lit("toy").alias("testset"), pl.lit("xx-en").alias("pair"))
    return JudgedTexts("toy", "xx-en", corpus, Judgments.make("assessment", frame))


def bounds(columns: int) -> Bounds:
    empty = MinMax(np.zeros(0, np.float32), np.zeros(0, np.float32))
    return Bounds(MinMax(np.zeros(columns, np.float32), np.full(columns, 100, np.float32)), empty, empty, empty)


def test_rows_say_which_translation_people_liked_more(judged: JudgedTexts) -> None:
    inputs = Inputs(FeatureSpecs(("chrf", "bleu"), ()), FeatureCache())
    found = Assessed.of(inputs, [judged, judged])
    assert found.names == ("toy xx-en", "toy xx-en")
    assert found.starts == (0, SEGMENTS, 2 * SEGMENTS)
    expected = inputs.side(list(judged.corpus.systems["fair"]), [one[0] for one in judged.corpus.references], None)
    assert np.array_equal(found.similarity[:SEGMENTS], expected.similarity)
    architecture = Architecture(vectors=0, source=0, similarity=2, hidden=0, form="antisymmetric")
    rows, signs = found.rows(architecture, bounds(2), 1)
    assert NUMBER / 2 < len(rows) <= NUMBER
    values = {tuple(row): value for row, value in zip(2 * found.similarity / 100 - 1, found.values, strict=True)}
    first, second = (
        [values[min(values, key=lambda v: np.abs(np.array(v) - part).sum())] for part in rows[:50, at]]
        for at in (slice(0, 2), slice(2, 4))
    )
    difference = np.array(first) - np.array(second)
    assert (np.abs(difference) > LEAST).all()
    assert np.array_equal(np.sign(difference), signs[:50])
    assert np.array_equal(found.rows(architecture, bounds(2), 1)[1], signs)


def test_what_does_not_fit(judged: JudgedTexts) -> None:
    inputs = Inputs(FeatureSpecs(("chrf",), ()), FeatureCache())
    with pytest.raises(OptionError, match="holds comparisons; name it under train"):
        Assessed.of(inputs, from_pairs(world.pairs(4)))
    deep = Architecture(vectors=2, source=0, similarity=1, hidden=2, form="antisymmetric")
    with pytest.raises(OptionError, match="hidden=0"):
        replace(Assessed.of(inputs, [judged])).rows(deep, bounds(1), 1)
