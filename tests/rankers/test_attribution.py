"""What features add to margins: exactly all of it, on random networks of both forms and on a trained one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.rankers.architecture import Architecture, Weights, margins
from tercet.rankers.attribution import attributed, slopes
from tests import world


def _weights(architecture: Architecture, members: int, chance: np.random.Generator) -> Weights:
    shapes = Weights.shapes(architecture, members)
    found = {name: chance.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    found["input"] *= architecture.mask
    return Weights(**found)


def _integrated(architecture: Architecture, weights: Weights, row: np.ndarray, steps: int = 2000) -> np.ndarray:
    """Integrated gradients by the definition: small steps along the line, gradients by differences."""
    middle = (row + row[architecture.swapped]) / 2
    total = np.zeros(len(row))
    for step in range(steps):
        at = middle + (step + 0.5) / steps * (row - middle)
        for column in range(len(row)):
            if row[column] == middle[column]:
                continue
            ends = np.stack([at, at])
            ends[0, column] += 1e-4
            ends[1, column] -= 1e-4
            up, down = margins(architecture, weights, ends).mean(axis=0)
            total[column] += (up - down) / 2e-4 * (row[column] - middle[column]) / steps
    return total


@pytest.mark.parametrize("form", ["paper", "antisymmetric"])
@pytest.mark.parametrize("hidden", [0, 3])
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), source=st.sampled_from([0, 2]))
def test_columns_sum_to_the_margin_and_turn_with_it(form, hidden, seed, source):
    chance = np.random.default_rng(seed)
    architecture = Architecture(vectors=3, source=source, similarity=2, hidden=hidden, form=form)
    weights = _weights(architecture, 2, chance)
    rows = chance.normal(size=(5, architecture.width)).astype(np.float32)
    rows[0] = rows[0][architecture.swapped]
    rows[1, architecture.parts["x2"]] = rows[1, architecture.parts["x1"]]
    rows[1, architecture.parts["p2"]] = rows[1, architecture.parts["p1"]]  # equal translations
    found = attributed(architecture, weights, rows)
    assert found.sum(axis=1) == pytest.approx(margins(architecture, weights, rows).mean(axis=0), abs=1e-6)
    assert np.abs(found[1]).max() == 0
    back = attributed(architecture, weights, rows[:, architecture.swapped])
    assert back[:, np.argsort(architecture.swapped)] == pytest.approx(-found, abs=1e-6)
    assert np.abs(found[:, architecture.parts["xr"]]).max() == 0


def test_they_are_integrated_gradients():
    chance = np.random.default_rng(7)
    architecture = Architecture(vectors=2, source=0, similarity=1, hidden=2, form="paper")
    weights = _weights(architecture, 1, chance)
    row = chance.normal(size=architecture.width).astype(np.float32).astype(np.float64)
    found = attributed(architecture, weights, row[None].astype(np.float32))[0]
    # margins round their input to float32, so differences are taken in wide steps
    assert found == pytest.approx(_integrated(architecture, weights, row, steps=60), abs=5e-3)


def test_slopes_where_nothing_moves():
    z = np.array([0.0, 0.5, -3.0])
    assert slopes(z, z) == pytest.approx(1 - np.tanh(z) ** 2)
    assert slopes(z, z + 1e-5) == pytest.approx(1 - np.tanh(z) ** 2, abs=1e-4)


def test_a_trained_network_says_what_it_looked_at(trained):
    pairs = world.pairs(20, seed=9, references=1)
    corpus = pairs.texts[0].corpus
    systems = [list(texts) for texts in corpus.systems.values()]
    several = [
        (one[0], " ".join(reversed(one[0].split()))) if i % 2 else one for i, one in enumerate(corpus.references)
    ]
    for references in (list(corpus.references), several):
        every = trained.margins(systems, references)
        between = trained.contributions(systems, references)
        for i, j in ((0, 1), (0, 2), (2, 1)):
            found = between(i, j)
            assert found.names[:2] == ("bleu", "ter")
            assert len(found.names) == 3
            assert found.values.sum(axis=1) == pytest.approx(every[i, j], abs=1e-6)
            assert between(j, i).values == pytest.approx(-found.values, abs=1e-6)
            assert np.isnan(found.first[:, 2]).all()
            assert np.isfinite(found.first[:, :2]).all()
