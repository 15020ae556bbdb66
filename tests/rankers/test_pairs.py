"""Judged pairs and how they are divided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tercet.errors import InputError, OptionError, ShapeError
from tercet.rankers.data import read_pairs
from tercet.rankers.pairs import Pairs
from tests import world

TWO = ("cs-en", "de-en")


def references_of(pairs: Pairs) -> set[tuple[str, ...]]:
    return {tuple(pairs.texts[t].corpus.references[s]) for t, s in zip(pairs.text, pairs.segment, strict=True)}


@pytest.fixture
def both(tmp_path: Path) -> Pairs:
    """Two language pairs with the same references, as WMT has them."""
    return read_pairs(world.write_tree(tmp_path / "wmt", "newstest", {"cs-en": "Czech", "de-en": "German"}))


def test_a_folder_is_read_with_its_judgments(both):
    assert [one.name for one in both.texts] == ["newstest cs-en", "newstest de-en"]
    assert len(both) == 2 * 30 * 3
    assert set(np.unique(both.value)) == {-1, 0, 1}
    for place in range(0, len(both), 7):
        corpus = both.texts[both.text[place]].corpus
        reference = corpus.references[both.segment[place]][0].split()
        systems = list(corpus.systems.values())
        wrong = [
            sum(a != b for a, b in zip(systems[i[place]][both.segment[place]].split(), reference, strict=True))
            for i in (both.first, both.second)
        ]
        assert both.value[place] == np.sign(wrong[1] - wrong[0])


def test_no_reference_is_on_both_sides_of_a_fold(both):
    seen = []
    for rest, fold in both.folds(5, seed=3):
        assert not references_of(rest) & references_of(fold)
        assert len(rest) + len(fold) == len(both)
        assert set(fold.by_language_pair()) == set(TWO)
        seen += list(references_of(fold))
    assert len(seen) == len(set(seen)) == 30


def test_held_out_pairs_are_whole_segments(both):
    rest, held = both.hold_out(40, seed=1)
    assert not references_of(rest) & references_of(held)
    assert 40 <= len(held.untied()) <= 46
    assert held.value.tolist() == both.hold_out(40, seed=1)[1].value.tolist()
    with pytest.raises(OptionError, match="would leave none"):
        both.hold_out(10_000, seed=1)
    with pytest.raises(OptionError, match="31 folds of 30 segments"):
        next(both.folds(31, seed=1))


def test_who_stands_first_is_chance_and_changes_no_judgment(both):
    turned = both.turned(0)
    swapped = turned.first != both.first
    assert 0.3 < swapped.mean() < 0.7
    assert np.array_equal(turned.second[swapped], both.first[swapped])
    assert np.array_equal(turned.value, np.where(swapped, -both.value, both.value))


def test_ties_alone_teach_nothing():
    ties = world.pairs(5)
    ties = replace(ties, value=np.zeros_like(ties.value))
    with pytest.raises(ShapeError, match=r"training data hold no pair that anybody won \(15 ties\)"):
        ties.require_untied("training")


def test_a_digest_tells_data_apart():
    assert world.pairs(5).sha256() == world.pairs(5).sha256()
    assert world.pairs(5).sha256() != world.pairs(5, seed=2).sha256()
    assert world.pairs(5).sha256() != world.pairs(5).turned(0).sha256()


def test_folders_that_cannot_be_used(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        read_pairs(tmp_path / "nowhere")
    folder = world.write_tree(tmp_path / "wmt", "newstest", {"cs-en": "Czech"})
    with pytest.raises(InputError, match=r"holds no texts of fr-en; it has cs-en"):
        read_pairs(folder, ["fr-en"])
    (folder / "judgments.csv").unlink()
    with pytest.raises(InputError, match="holds no judgments"):
        read_pairs(folder)


@pytest.mark.data
def test_the_pairs_of_wmt12(data):
    pairs = read_pairs(data / "wmt12").untied()
    assert {pair: len(places) for pair, places in pairs.by_language_pair().items()} == {
        "cs-en": 5420,
        "de-en": 6244,
        "es-en": 5125,
        "fr-en": 5905,
    }
    for rest, fold in pairs.folds(5, seed=1):
        assert not references_of(rest) & references_of(fold)
