"""The network against its definition, group by group."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.rankers.architecture import Architecture, Weights, margins
from tests.oracles import network as oracle

architectures = st.builds(
    Architecture,
    vectors=st.integers(0, 3),
    source=st.just(0),
    similarity=st.integers(1, 3),
    hidden=st.integers(0, 3),
    form=st.sampled_from(["paper", "antisymmetric"]),
    between=st.integers(0, 2),
) | st.builds(
    Architecture,
    vectors=st.integers(1, 3),
    source=st.integers(1, 2),
    similarity=st.integers(0, 2),
    hidden=st.integers(0, 2),
    form=st.sampled_from(["paper", "antisymmetric"]),
)


def drawn(architecture: Architecture, members: int, seed: int) -> Weights:
    random = np.random.default_rng(seed)
    shapes = Weights.shapes(architecture, members)
    arrays = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    arrays["input"] *= architecture.mask
    return Weights(**arrays)


def examples(architecture: Architecture, number: int, seed: int) -> list[oracle.Pair]:
    random = np.random.default_rng(seed)
    sizes = {"x1": architecture.vectors, "x2": architecture.vectors, "xr": architecture.vectors}
    sizes |= {"xs": architecture.source, "p1": architecture.similarity, "p2": architecture.similarity}
    sizes |= {"b": architecture.between}
    return [
        oracle.Pair(**{name: random.uniform(-1, 1, size).astype(np.float32) for name, size in sizes.items()})
        for _ in range(number)
    ]


@settings(max_examples=60)
@given(architectures, st.integers(0, 1000))
def test_margins_agree_with_the_definition(architecture, seed):
    weights, pairs = drawn(architecture, 2, seed), examples(architecture, 3, seed)
    found = margins(architecture, weights, np.stack([pair.row() for pair in pairs]))
    for member in range(2):
        for i, pair in enumerate(pairs):
            one = oracle.activation(architecture, weights, member, pair)
            other = oracle.activation(architecture, weights, member, pair.swapped())
            expected = (one - other) * (0.5 if architecture.form == "paper" else 1)
            assert found[member, i] == pytest.approx(expected, abs=1e-5)
            delta = oracle.delta(architecture, weights, member, pair)
            assert delta == pytest.approx(0, abs=1e-6) or np.sign(delta) == np.sign(found[member, i])


@settings(max_examples=60)
@given(architectures, st.integers(0, 1000))
def test_to_change_places_is_to_change_the_sign(architecture, seed):
    weights, pairs = drawn(architecture, 2, seed), examples(architecture, 4, seed)
    one = margins(architecture, weights, np.stack([pair.row() for pair in pairs]))
    other = margins(architecture, weights, np.stack([pair.swapped().row() for pair in pairs]))
    assert np.array_equal(one, -other)


def test_the_groups_of_the_paper():
    deep = Architecture(vectors=50, source=0, similarity=4)
    assert deep.groups == (("x1", "x2"), ("x1", "xr"), ("x2", "xr"))
    assert deep.nodes == 12
    assert deep.width == 158
    assert deep.mask.sum(axis=0).tolist() == [100] * 12 + [8]
    flat = Architecture(vectors=50, source=0, similarity=4, hidden=0)
    assert flat.nodes == 0
    assert flat.mask.sum() == 158
    shared = Architecture(vectors=50, source=30, similarity=4, form="antisymmetric")
    assert shared.groups == (("x1", "x2"), ("x1", "xr"), ("x1", "xs"))
    assert shared.mask[:, -1].sum() == 4


def test_what_is_between_two_hypotheses_acts_through_hidden_nodes_only():
    flat = Architecture(vectors=0, source=0, similarity=3, hidden=0, form="antisymmetric", between=2)
    assert (flat.groups, flat.mask.sum()) == ((), 3)
    deep = Architecture(vectors=0, source=0, similarity=3, hidden=2, form="antisymmetric", between=2)
    assert deep.groups == (("p1", "p2", "b"),)
    assert deep.mask.sum(axis=0).tolist() == [8, 8, 3]
    beside = Architecture(vectors=4, source=0, similarity=3, hidden=2, between=2)
    assert beside.groups == (("x1", "x2"), ("x1", "xr"), ("x2", "xr"), ("p1", "p2", "b"))
    assert beside.mask[:, -1].sum() == 6


def test_a_translation_and_itself_tie():
    architecture = Architecture(vectors=3, source=0, similarity=2)
    pair = examples(architecture, 1, 5)[0]
    pair.x2, pair.p2 = pair.x1, pair.p1
    assert margins(architecture, drawn(architecture, 3, 1), pair.row()[None]).tolist() == [[0], [0], [0]]
