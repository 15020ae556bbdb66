"""Training with JAX against the definition, and what it promises about seeds, interruptions and the best epoch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tercet.rankers.architecture import Architecture, Weights, margins
from tests.oracles import network as oracle
from tests.rankers.test_architecture import examples

pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")
pytest.importorskip("optax", reason="training needs optax: pip install 'tercet[train]'")

import jax.numpy as jnp

from tercet.rankers import fitting, seeds, training

OPTIONS = training.Hyperparameters(
    epochs=1, batch=6, learning_rate=0.05, l2=0.01, gamma=3.0, beta=5.0, tie_weight=0.5, patience=None, both_ways=False
)
NAMES = ("input", "bias", "output", "offset")


def data(architecture: Architecture, number: int, seed: int = 3) -> tuple[training.Data, list[oracle.Pair], list[int]]:
    pairs = examples(architecture, number, seed)
    signs = np.random.default_rng(seed).choice([-1, 1], number).tolist()
    rows = np.stack([pair.row() for pair in pairs])
    return training.Data.of(rows, np.array(signs, np.float32)), pairs, signs


def learnable(number: int, seed: int) -> tuple[Architecture, training.Data]:
    """Pairs whose better hypothesis has the higher first feature."""
    architecture = Architecture(vectors=2, source=0, similarity=2, hidden=2)
    random = np.random.default_rng(seed)
    rows = random.uniform(-1, 1, (number, architecture.width)).astype(np.float32)
    place = architecture.parts["p1"].start
    sign = np.sign(rows[:, place] - rows[:, place + 2])
    return architecture, training.Data.of(rows, sign)


PAPER = Architecture(vectors=2, source=0, similarity=2, hidden=2)
SHARED = Architecture(vectors=2, source=1, similarity=1, hidden=1, form="antisymmetric")
BETWEEN = Architecture(vectors=2, source=1, similarity=2, hidden=3, between=2)
FLAT = Architecture(vectors=1, source=0, similarity=2, hidden=0)
MANY = tuple(range(1, seeds.MANY + 2))
"""So many seeds that their weights are laid out in another way."""


@pytest.mark.parametrize(
    ("architecture", "cost", "members"),
    [
        (PAPER, "logistic", (1, 2)),
        (PAPER, "kendall", (1, 2, 3)),
        (SHARED, "logistic", (1, 2)),
        (SHARED, "kendall", (1,)),
        (FLAT, "logistic", (1,)),
        (PAPER, "logistic", MANY),
        (PAPER, "kendall", MANY),
        (SHARED, "logistic", MANY),
        (FLAT, "logistic", MANY),
    ],
)
def test_one_step_is_adagrad_down_the_slope_of_the_definition(architecture, cost, members):
    batch, pairs, signs = data(architecture, 6)
    start = training.initial(architecture, members, 1)
    before = training.weights_of(architecture, start.params)
    end, interrupted = training.train(architecture, cost, OPTIONS, start, batch, batch)
    after = training.weights_of(architecture, end.params)
    assert not interrupted

    def value(weights: Weights, member: int) -> float:
        options = {"gamma": 3.0, "beta": 5.0, "tie_weight": 0.5, "l2": 0.01}
        return oracle.cost(architecture, weights, member, pairs, signs, kendall=cost == "kendall", **options)

    member = len(members) - 1
    for name in NAMES:
        array = getattr(before, name).astype(np.float64)
        for place in np.ndindex(array.shape[1:]):
            at = (member, *place)
            if name == "input" and not architecture.mask[place]:
                assert getattr(after, name)[at] == 0
                continue
            sides = []
            for step in (1e-4, -1e-4):
                moved = array.copy()
                moved[at] += step
                sides.append(value(replace(before, **{name: moved}), member))
            slope = (sides[0] - sides[1]) / 2e-4
            expected = -0.05 * slope / np.sqrt(slope**2 + 1e-6)
            assert getattr(after, name)[at] - array[at] == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("among", [(4, 5, 6), MANY])
def test_a_seed_alone_learns_what_it_learns_among_others(among):
    architecture, batch = learnable(60, 1)
    options = replace(OPTIONS, epochs=5, batch=7)
    every = training.train(architecture, "logistic", options, training.initial(architecture, among, 5), batch, batch)
    alone = training.train(architecture, "logistic", options, training.initial(architecture, (5,), 5), batch, batch)
    place = among.index(5)
    assert np.asarray(alone[0].taus)[:, 0] == pytest.approx(np.asarray(every[0].taus)[:, place], abs=0.05)
    one = training.weights_of(architecture, alone[0].params)
    together = training.weights_of(architecture, every[0].params)
    assert one.input[0] == pytest.approx(together.input[place], abs=1e-4)
    assert not np.allclose(together.input[place - 1], together.input[place], atol=1e-2)


@pytest.mark.parametrize("number", [1, 3, seeds.MANY, 2 * seeds.MANY])
@pytest.mark.parametrize("architecture", [PAPER, SHARED, FLAT, BETWEEN])
def test_weights_come_back_as_they_were_packed_and_do_the_same(architecture, number):
    random = np.random.default_rng(1)
    layout = seeds.Seeds(architecture, number)
    shapes = {name: shape[1:] for name, shape in Weights.shapes(architecture, number).items()}
    weights = {name: random.normal(size=(*shape, number)).astype(np.float32) for name, shape in shapes.items()}
    weights["input"] *= architecture.mask[..., None]
    back = layout.unpacked(layout.packed(weights))
    better = random.random(number) < 0.5
    none = {name: 0 * value for name, value in weights.items()}
    new, old = ({k: jnp.asarray(v) for k, v in layout.packed(every).items()} for every in (weights, none))
    chosen = layout.unpacked(layout.chosen(jnp.asarray(better), new, old))
    assert back.keys() == chosen.keys() == weights.keys()
    for name, value in weights.items():
        assert np.array_equal(back[name], value)
        assert np.array_equal(chosen[name], value * better)
    rows = random.uniform(-1, 1, (7, architecture.width)).astype(np.float32)
    one, other = (layout.activations(new, jnp.asarray(x)) for x in (rows, rows[:, architecture.swapped]))
    found = np.asarray(one - other).T if layout.upright else np.asarray(one - other)
    scale = 0.5 if architecture.form == "paper" else 1.0
    applied = margins(architecture, training.weights_of(architecture, new), rows)
    assert scale * found == pytest.approx(applied, abs=1e-4)


def test_both_ways_the_hypotheses_change_places_and_the_sign_with_them():
    """Where the winner always stands first, only coins keep a network from learning the place."""
    architecture, mixed = learnable(200, 1)
    number = int(mixed.number)
    rows, sign = np.asarray(mixed.rows)[:number], np.asarray(mixed.sign)[:number]
    sorted_rows = np.where(sign[:, None] > 0, rows, rows[:, architecture.swapped])
    batch = training.Data.of(sorted_rows, np.ones(number, np.float32))
    offsets = []
    for both_ways in (False, True):
        options = replace(OPTIONS, epochs=30, both_ways=both_ways)
        end, _ = training.train(
            architecture, "logistic", options, training.initial(architecture, (1,), 30), batch, mixed
        )
        offsets.append(abs(float(end.params["offset"][0])))
    assert float(end.best_tau[0]) > 0.9
    assert offsets[1] < offsets[0] / 3


def test_the_same_seed_gives_the_same_weights():
    architecture, batch = learnable(60, 1)
    options = replace(OPTIONS, epochs=4)
    ends = [
        training.train(architecture, "kendall", options, training.initial(architecture, (3,), 4), batch, batch)[0]
        for _ in range(2)
    ]
    for name in NAMES:
        assert np.array_equal(ends[0].best[name], ends[1].best[name])


def test_the_best_epoch_is_kept_and_of_equals_the_latest():
    architecture, batch = learnable(90, 2)
    options = replace(OPTIONS, epochs=30, learning_rate=0.3)
    end, _ = training.train(architecture, "logistic", options, training.initial(architecture, (1, 2), 30), batch, batch)
    taus = np.asarray(end.taus)
    for seed in range(2):
        best = taus[:, seed].max()
        assert float(end.best_tau[seed]) == best
        assert int(end.best_epoch[seed]) == np.flatnonzero(taus[:, seed] == best)[-1] + 1
    kept = margins(architecture, training.weights_of(architecture, end.best), np.asarray(batch.rows)[:90])
    found = 2 * np.mean(kept * np.asarray(batch.sign)[:90] > 0, axis=1) - 1
    assert found == pytest.approx(np.asarray(end.best_tau), abs=0.03)
    assert found.min() > 0.8


@pytest.mark.parametrize("members", [(1, 2), MANY])
def test_two_translations_alike_tie_whatever_rounding_does(members):
    architecture = Architecture(vectors=20, source=0, similarity=3, hidden=4)
    rows = np.random.default_rng(1).uniform(-1, 1, (1000, architecture.width)).astype(np.float32)
    for one, other in (("x1", "x2"), ("p1", "p2")):
        rows[:, architecture.parts[other]] = rows[:, architecture.parts[one]]
    _, batch = learnable(30, 1)
    learned = training.Data.of(rows[:30], np.asarray(batch.sign)[:30])
    held = training.Data.of(rows, np.random.default_rng(2).choice([-1.0, 1.0], 1000).astype(np.float32))
    end, _ = training.train(
        architecture, "logistic", OPTIONS, training.initial(architecture, members, 1), learned, held
    )
    assert (np.asarray(end.taus) == -1).all()


def test_ties_count_against():
    architecture = Architecture(vectors=0, source=0, similarity=1, hidden=0)
    batch = training.Data.of(np.zeros((4, 2), np.float32), np.ones(4, np.float32))
    options = replace(OPTIONS, epochs=2, batch=2)
    end, _ = training.train(architecture, "logistic", options, training.initial(architecture, (1,), 2), batch, batch)
    assert np.asarray(end.taus).tolist() == [[-1], [-1]]


def test_patience_ends_a_training():
    architecture, batch = learnable(30, 2)
    options = replace(OPTIONS, epochs=500, learning_rate=1e-7, patience=3)
    start = training.initial(architecture, (1,), 500)
    end, interrupted = training.train(architecture, "logistic", options, start, batch, batch)
    assert not interrupted
    # equal taus count as better, so only a worse one can end it: with no validation pair ever won, every epoch is equal
    lost = batch._replace(rows=batch.rows * 0)
    never, _ = training.train(architecture, "logistic", options, start._replace(best_tau=jnp.ones(1)), batch, lost)
    assert int(never.epoch) == 4
    assert int(never.best_epoch[0]) == 0
    assert int(end.epoch) <= 500


def test_an_interruption_keeps_the_best_so_far(monkeypatch):
    architecture, batch = learnable(40, 3)
    monkeypatch.setattr(training, "RUN_SECONDS", 1e-9)  # one epoch a run
    options = replace(OPTIONS, epochs=50)

    def progress(done: int, taus: np.ndarray) -> None:
        if done == 3:
            raise KeyboardInterrupt

    start = training.initial(architecture, (1,), 50)
    end, interrupted = training.train(architecture, "logistic", options, start, batch, batch, progress)
    assert interrupted
    assert int(end.epoch) == 3
    assert float(end.best_tau[0]) == np.nanmax(np.asarray(end.taus))


@pytest.mark.parametrize("members", [(3,), MANY])
def test_a_checkpoint_gives_the_state_back(members):
    fresh = training.initial(PAPER, members, 4)
    random = np.random.default_rng(1)
    arrays = {name: random.random(array.shape).astype(np.float32) for name, array in fresh.params.items()}
    state = fresh._replace(params=arrays, epoch=jnp.int32(2), taus=fresh.taus.at[:2].set(0.5))
    back, phase = fitting._resumed(fitting._checkpoint("key", 0, state), "key", training.initial(PAPER, members, 9), 1)
    assert phase == 0
    assert back.taus.shape == (9, len(members))
    assert int(np.isfinite(np.asarray(back.taus)).all(axis=1).sum()) == int(back.epoch) == 2
    for name, array in arrays.items():
        assert np.array_equal(back.params[name], array)
        assert np.array_equal(back.sums[name], fresh.sums[name])


@pytest.mark.parametrize("number", [1, 2, 7, 1000])
def test_a_shuffle_is_a_permutation(number):
    import jax

    orders = [np.asarray(training._shuffled(jax.random.key(seed), 1024, number))[:number] for seed in range(3)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(number))
    if number == 1000:
        assert not np.array_equal(orders[0], orders[1])
        assert abs(np.corrcoef(orders[0], np.arange(number))[0, 1]) < 0.15
