"""Real WMT files: counts and taus known from other programs, or counted here a second time by a plain loop."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tercet.corpus.judgment_formats import read_judgments
from tercet.corpus.judgment_formats.da_lines import read_da_lines
from tercet.corpus.judgment_formats.rankings import read_rankings, write_rankings
from tercet.corpus.languages import language_code
from tercet.corpus.wmt import read_plain
from tercet.metrics import BLEU

pytestmark = pytest.mark.data

WMT12 = {"cs-en": 5420, "de-en": 6244, "es-en": 5125, "fr-en": 5905}


def test_untied_pairs_of_wmt12(data: Path) -> None:
    table = read_judgments(data / "wmt12" / "wmt12.RNK_results.csv")
    assert {pair: len(table.of(pair).untied()) for pair in table.pairs()} == WMT12


def test_untied_pairs_of_wmt13(data: Path) -> None:
    table = read_judgments(data / "wmt13" / "wmt13.fr-en.RNK_results.csv")
    assert (table.rankings(), len(table.untied()), len(table.repeats())) == (10_196, 82_296, 548)


def counted(file: Path) -> Counter[tuple[str, str]]:
    """Untied pairs by the languages' names, row by row."""
    pairs: Counter[tuple[str, str]] = Counter()
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            ranks = [rank for i in range(1, 6) if (rank := int(row[f"system{i}rank"])) != -1]
            pairs[row["srclang"], row["trglang"]] += sum(a != b for a, b in combinations(ranks, 2))
    return pairs


@pytest.mark.parametrize("name", ["HC-combosystems", "HC-indivsystems", "combosystems", "indivsystems"])
def test_wmt11(data: Path, name: str) -> None:
    file = data / "wmt11-judgments" / f"wmt11-maneval-{name}.RNK_results.csv"
    table = read_judgments(file)
    assert "_ref" in table.systems()
    assert "blank" not in table.systems()
    expected = {f"{language_code(a)}-{language_code(b)}": count for (a, b), count in counted(file).items()}
    assert {pair: len(table.of(pair).untied()) for pair in table.pairs()} == expected
    assert len(expected) == (2 if name.startswith("HC") else 8)


def test_rankings_written_and_read_again(data: Path, tmp_path: Path) -> None:
    table = read_rankings(data / "wmt13" / "wmt13.fr-en.RNK_results.csv")
    write_rankings(table, tmp_path / "back.csv")
    assert read_rankings(tmp_path / "back.csv").without_place() == table.without_place()


def test_direct_assessments_of_wmt15(data: Path) -> None:
    texts = read_da_lines(data / "wmt15-da")
    assert {pair: len(one.judgments) for pair, one in texts.items()} == dict.fromkeys(
        ["cs-en", "de-en", "en-ru", "fi-en", "ru-en"], 500
    )
    for one in texts.values():
        kept, skipped = one.judgments.check(one.corpus.systems, len(one.corpus))
        assert (len(kept), skipped.total, skipped.unjudged) == (500, 0, ())


def test_direct_assessments_of_wmt17(data: Path) -> None:
    file = data / "wmt17-da" / "DA-seglevel.csv"
    table, joined = read_judgments(file), read_judgments(file, joined="keep")
    assert {pair: len(table.of(pair)) for pair in table.pairs()} == dict.fromkeys(
        ["cs-en", "de-en", "fi-en", "lv-en", "ru-en"], 560
    )
    together = 0
    tree = read_plain(data / "wmt17-da")
    for pair in table.pairs():
        texts = tree["newstest2017", pair].systems
        _, skipped = table.of(pair).check(texts, len(tree["newstest2017", pair]))
        assert not skipped
        for segment, names in joined.of(pair).frame.select("segment", "system").iter_rows():
            # Why one judgment may stand for all of them: they said the same.
            assert len({texts[name][segment] for name in names.split("+")}) == 1
            together += "+" in names
        whole = read_judgments(data / "wmt17-da" / "DA-syslevel.csv").of(pair)
        assert sorted(whole.systems()) == sorted(texts)
    assert together == 89


@pytest.mark.parametrize(
    ("year", "file", "pair", "tau"),
    [
        ("12", "wmt12.RNK_results.csv", "cs-en", 16.53),
        ("12", "wmt12.RNK_results.csv", "de-en", 17.65),
        ("12", "wmt12.RNK_results.csv", "es-en", 17.23),
        ("12", "wmt12.RNK_results.csv", "fr-en", 15.83),
        ("13", "wmt13.fr-en.RNK_results.csv", "fr-en", 12.19),
    ],
)
def test_strict_tau_of_sentence_bleu(data: Path, year: str, file: str, pair: str, tau: float) -> None:
    folder, testset = data / f"wmt{year}", f"newstest20{year}"
    corpus = read_plain(folder)[testset, pair]
    table, skipped = read_judgments(folder / file).of(pair).check(corpus.systems, len(corpus))
    assert not skipped
    systems = table.systems()
    metric = BLEU(lowercase=True)
    scores = np.stack([metric.segments(corpus.systems[system], corpus.references) for system in systems])
    pairs = table.untied().indices(systems)
    difference = pairs.value * (scores[pairs.system, pairs.segment] - scores[pairs.other, pairs.segment])
    strict = (np.sum(difference > 0) - np.sum(difference <= 0)) / len(difference)
    assert round(100 * strict, 2) == tau
