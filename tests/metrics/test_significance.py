"""Resampling against its oracle, tests against sacreBLEU and against what must hold."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sacrebleu.significance import PairedTest

import tercet
from tercet import _native
from tercet.errors import OptionError, ShapeError
from tercet.metrics import BLEU, ChrF
from tercet.metrics.significance import confidence, holm, paired_bootstrap, paired_randomization
from tests.oracles import resample as oracle

tables = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 130), st.integers(1, 4)), elements=st.integers(-9, 9).map(float)
)


@given(tables, st.integers(1, 20), st.integers(0, 2**32))
def test_sums_agree_with_their_definition(rows, samples, seed):
    np.testing.assert_array_equal(
        _native.bootstrap_sums(rows, samples, seed), oracle.bootstrap_sums(rows, samples, seed)
    )
    np.testing.assert_array_equal(_native.coin_sums(rows, samples, seed), oracle.coin_sums(rows, samples, seed))
    systems = np.stack([rows, rows + 1, -rows])
    np.testing.assert_array_equal(
        _native.mixture_sums(systems, samples, seed), oracle.mixture_sums(systems, samples, seed)
    )


@given(tables, st.integers(1, 20), st.integers(0, 2**32), st.data())
def test_sums_of_a_table_that_comes_in_runs_are_those_of_the_whole(rows, samples, seed, data):
    rows = rows / 3  # so that the order of additions shows
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    middle = data.draw(st.integers(0, samples - 1))
    for draws, whole in (("bootstrap", _native.bootstrap_sums), ("coins", _native.coin_sums)):
        parts = []
        for first, number in ((0, middle), (middle, samples - middle)):
            if number:
                running = _native.RunningSums(draws, *rows.shape, first=first, samples=number, seed=seed)
                for run in np.split(rows, cuts):
                    running.add(np.ascontiguousarray(run))
                parts.append(running.sums(number))
        np.testing.assert_array_equal(np.concatenate(parts), whole(rows, samples, seed))


def test_running_sums_refuse_rows_that_do_not_fit():
    running = _native.RunningSums("coins", 3, 2, first=0, samples=4, seed=1)
    with pytest.raises(ValueError, match="does not fit"):
        running.add(np.ones((4, 2)))
    with pytest.raises(ValueError, match="missing"):
        running.sums(4)


def test_any_number_of_threads_gives_the_same_sums():
    rows = np.random.default_rng(0).normal(size=(501, 7))
    once = _native.bootstrap_sums(rows, 99, 1), _native.coin_sums(rows, 99, 1), _native.mixture_sums(rows[None], 99, 1)
    tercet.set_threads(3)
    try:
        again = (
            _native.bootstrap_sums(rows, 99, 1),
            _native.coin_sums(rows, 99, 1),
            _native.mixture_sums(rows[None], 99, 1),
        )
    finally:
        tercet.set_threads(1)
    for a, b in zip(once, again, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def systems():
    """A reference and systems that drop ever more of its words."""
    random = np.random.default_rng(7)
    reference = [" ".join(random.choice([f"w{i}" for i in range(50)], size=12)) for _ in range(150)]

    def worse(share):
        return [" ".join(w for w in line.split() if random.random() > share) for line in reference]

    return reference, {"a": worse(0.10), "b": worse(0.12), "c": worse(0.3)}


def test_p_values_agree_with_sacrebleu_within_sampling_error(systems):
    reference, outputs = systems
    bleu = BLEU()
    rows = {name: bleu.statistics(lines, [(line,) for line in reference]) for name, lines in outputs.items()}
    for kind, test in (("bs", paired_bootstrap), ("ar", paired_randomization)):
        _, peer = PairedTest(
            list(outputs.items()), {"BLEU": sacrebleu.BLEU()}, [reference], test_type=kind, n_samples=2000
        )()
        ours = test(bleu, rows, baseline="a", samples=2000)
        for result, comparison in zip(peer["BLEU"][1:], ours, strict=True):
            error = np.sqrt(result.p_value * (1 - result.p_value) / 2000)
            assert comparison.p_value == pytest.approx(result.p_value, abs=5 * error + 1e-3)
            if kind == "bs":
                assert confidence(bleu, rows[comparison.first]).half_width == pytest.approx(result.ci, rel=0.15)


def test_far_apart_is_significant_and_the_same_is_not(systems):
    reference, outputs = systems
    chrf = ChrF()
    rows = {name: chrf.statistics(lines, [(line,) for line in reference]) for name, lines in outputs.items()}
    rows["a again"] = rows["a"]
    for test in (paired_bootstrap, paired_randomization):
        found = {(c.first, c.second): c for c in test(chrf, rows)}
        assert len(found) == 6
        assert found["a", "c"].p_holm < 0.01
        assert found["a", "a again"].difference == 0
        assert found["a", "a again"].p_value == 1
        assert all(c.p_holm >= c.p_value for c in found.values())


@pytest.mark.parametrize(
    ("given_values", "expected"),
    [([], []), ([0.2], [0.2]), ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]), ([0.9, 0.9], [1.0, 1.0])],
)
def test_holm(given_values, expected):
    assert holm(given_values).tolist() == pytest.approx(expected)


def test_what_cannot_be_tested_is_refused(systems):
    row = np.ones((3, 10))
    with pytest.raises(ShapeError, match="two systems"):
        paired_bootstrap(BLEU(), {"a": row})
    with pytest.raises(ShapeError, match="same segments"):
        paired_bootstrap(BLEU(), {"a": row, "b": np.ones((4, 10))})
    with pytest.raises(OptionError, match="unknown baseline 'z'; the systems are a, b"):
        paired_randomization(BLEU(), {"a": row, "b": row}, baseline="z", samples=10)
    with pytest.raises(OptionError, match="0 samples"):
        confidence(BLEU(), row, samples=0)
