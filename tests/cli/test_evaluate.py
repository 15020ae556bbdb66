"""`tercet evaluate` on small judged texts and on WMT's."""

from __future__ import annotations

import json

import pytest

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    f"system{k}Number,system{k}Id" for k in range(1, 6)
)
HEADER += "," + ",".join(f"system{k}rank" for k in range(1, 6))

REFERENCES = ["the cat sat on the mat", "a dog barked at night", "it rained all day long"]
OUTPUTS = {
    "good": ["the cat sat on the mat", "a dog barked at night", "it rained the whole day"],
    "fair": ["the cat sat on a mat", "dog barked in the night", "rained all day"],
    "poor": ["cat mat", "night dog", "the rain it day"],
}


@pytest.fixture
def wmt(tmp_path):
    """A small tree with judgments in which good beats fair beats poor, but once."""
    pair = tmp_path / "system-outputs" / "newstest2012" / "cs-en"
    pair.mkdir(parents=True)
    for name, lines in OUTPUTS.items():
        (pair / f"newstest2012.cs-en.{name}").write_text("\n".join(lines) + "\n")
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / "newstest2012-ref.en").write_text("\n".join(REFERENCES) + "\n")
    rows = [HEADER]
    for segment, ranks in ((1, "1,2,3"), (2, "1,2,3"), (3, "2,1,3"), (3, "1,2,2")):
        rows.append(f"Czech,English,{segment},d,{segment},j{len(rows)},1,good,2,fair,3,poor,0,,0,,{ranks},-1,-1")
    (tmp_path / "judgments.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def evaluate(tercet, wmt, *arguments):
    return tercet("evaluate", "--corpus", wmt, "--judgments", wmt / "judgments.csv", "--samples", "100", *arguments)


def test_json_has_the_shape_that_others_rely_on(tercet, wmt):
    found = json.loads(evaluate(tercet, wmt, "-m", "bleu", "chrf", "-f", "json").out)
    results = {(row["scorer"], row["pair"]): row for row in found["results"]}
    row = results["chrf", "cs-en"]
    assert set(row) == {"scorer", "statistic", "pair", "value", "n", "low", "high"}
    assert row["n"] == 11  # four rankings of three, one pair of them tied
    assert row["value"] == pytest.approx(
        (10 - 1) / 11
    )  # chrF prefers good to fair on the third segment, a judge did not
    assert row["low"] <= row["value"] <= row["high"]
    assert found["tests"][0].keys() >= {"pair", "test", "first", "second", "p_value"}


def test_the_table_has_scorers_pairs_ceiling_and_counts(tercet, wmt):
    run = evaluate(tercet, wmt, "-m", "bleu", "chrf", "-f", "markdown")
    assert run.code == 0
    assert "| Scorer | cs-en | 95 % |" in run.out
    assert "one judge against another" in run.out
    assert "| judgments | 11 |" in run.out


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b", "accuracy"])
def test_systems(tercet, wmt, statistic):
    found = json.loads(
        evaluate(tercet, wmt, "-m", "chrf", "ter", "--level", "system", "--statistic", statistic, "-f", "json").out
    )
    assert {row["n"] for row in found["results"]} == {3}
    assert all(row["value"] > 0.8 for row in found["results"])  # TER is turned round: less is better


def test_rankings_and_judges(tercet, wmt):
    found = json.loads(evaluate(tercet, wmt, "--rank", "--people", "-f", "json").out)
    assert [row["system"] for row in found["rankings"]["cs-en"]] == ["good", "fair", "poor"]
    assert found["people"][0]["tau_meetings"] == 2
    assert "systems by expected_wins" in evaluate(tercet, wmt, "--rank", "--people").out


def test_scores_computed_elsewhere_take_part(tercet, wmt, tmp_path):
    scores = tmp_path / "length.seg.score"
    values = {name: [len(line) for line in lines] for name, lines in OUTPUTS.items()}
    scores.write_text("".join(f"{name}\t{value}\n" for name, column in values.items() for value in column))
    found = json.loads(evaluate(tercet, wmt, "-m", "chrf", "--scores", scores, "-f", "json").out)
    assert {row["scorer"] for row in found["results"]} >= {"chrf", "length"}
    turned = json.loads(evaluate(tercet, wmt, "--scores", scores, "--lower-is-better", "length", "-f", "json").out)
    value = {row["scorer"]: row["value"] for row in found["results"]}["length"]
    assert turned["results"][0]["value"] < value


def test_the_matrix_is_a_picture(tercet, wmt, tmp_path):
    evaluate(tercet, wmt, "-m", "bleu", "chrf", "ter", "--matrix", tmp_path / "matrix.svg")
    assert (tmp_path / "matrix.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("j1,1,good", None),
        ("9,d,9,j1,1,good", "segment 9"),
        ("1,d,1,j1,1,gone", "system 'gone' was judged but has no cs-en output"),
    ],
)
def test_judgments_without_output_are_errors_or_counted(tercet, wmt, change, message):
    file = wmt / "judgments.csv"
    text = file.read_text()
    if message:
        file.write_text(text.replace("1,d,1,j1,1,good", change))
        run = evaluate(tercet, wmt, "-m", "chrf")
        assert run.code == 2
        assert message in run.err
        assert "judgments.csv:2:" in run.err
        skipped = evaluate(tercet, wmt, "-m", "chrf", "--on-missing", "skip")
        assert skipped.code == 0
        assert "left out" in skipped.out
    else:
        assert evaluate(tercet, wmt, "-m", "chrf").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to evaluate"),
        (["-m", "chrf", "--pairs", "de-en"], "has no judgments of de-en"),
        (["-m", "chrf", "--test", "williams"], "taus of comparisons are tested by bootstrap"),
        (["-m", "chrf", "--level", "system", "--statistic", "acc-eq"], "for systems use --statistic accuracy"),
        (["-m", "chrf", "--lower-is-better", "x"], "there is no scorer x"),
    ],
)
def test_mistakes_are_one_line(tercet, wmt, arguments, message):
    run = evaluate(tercet, wmt, *arguments)
    assert run.code == 2
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_constant_scorer_is_named(tercet, tmp_path):
    for part, lines in (("mt-system", ["a b", "c d"]), ("reference", ["x", "y"]), ("human", ["0.1", "0.9"])):
        (tmp_path / f"DAseg.newstest2015.{part}.cs-en").write_text("\n".join(lines) + "\n")
    run = tercet("evaluate", "--corpus", tmp_path, "-m", "bleu")
    assert run.code == 2
    assert "pearson" in run.err
    assert "undefined" in run.err


# --- the reference figures of the data folder, to the second decimal of tau x 100 -----------------------------------

STRICT_TAU_WMT12 = {
    "bleu:lowercase=true": [16.53, 17.65, 17.23, 15.83, 16.81],
    "chrf": [23.51, 27.03, 22.77, 23.15, 24.12],
    "chrf++": [22.77, 28.32, 23.63, 23.32, 24.51],
    "ter": [-3.58, 3.30, 2.48, -0.86, 0.33],
}


@pytest.mark.data
def test_wmt12_reference_figures(tercet, data):
    folder = data / "wmt12"
    run = tercet(
        *("evaluate", "--corpus", folder, "--judgments", folder / "wmt12.RNK_results.csv", "-f", "json"),
        *("--samples", "20", "-m", *STRICT_TAU_WMT12),
    )
    found = json.loads(run.out)["results"]
    pairs = ["cs-en", "de-en", "es-en", "fr-en", "mean"]
    values = {(row["scorer"], row["pair"]): row for row in found}
    for scorer, expected in STRICT_TAU_WMT12.items():
        assert [round(100 * values[scorer, pair]["value"], 2) for pair in pairs] == expected
    assert [values["chrf", pair]["n"] for pair in pairs] == [5420, 6244, 5125, 5905, 22694]
    assert values["one judge against another", "mean"]["value"] == pytest.approx(0.388, abs=5e-4)


@pytest.mark.data
def test_wmt13_reference_figures(tercet, data):
    folder = data / "wmt13"
    run = tercet(
        *("evaluate", "--corpus", folder, "--judgments", folder / "wmt13.fr-en.RNK_results.csv", "-f", "json"),
        *("--samples", "20", "-m", "bleu:lowercase=true", "chrf", "chrf++"),
    )
    found = {row["scorer"]: row for row in json.loads(run.out)["results"]}
    expected = {"bleu:lowercase=true": 12.19, "chrf": 22.58, "chrf++": 22.78}
    assert {name: round(100 * found[name]["value"], 2) for name in expected} == expected
    assert found["chrf"]["n"] == 82_296


@pytest.mark.data
@pytest.mark.resource
def test_meteor_reference_figures(tercet, data):
    from tercet import resources

    if resources.status("meteor").state != "installed":
        pytest.skip("METEOR's tables are not installed: tercet resources install meteor")
    for year, expected in (("wmt12", [21.14, 26.43, 21.91, 23.12, 23.15]), ("wmt13", [19.64])):
        (judgments,) = (data / year).glob("*.csv")
        run = tercet("evaluate", "--corpus", data / year, "--judgments", judgments, "-m", "meteor", "-f", "json")
        found = [100 * row["value"] for row in json.loads(run.out)["results"] if row["scorer"] == "meteor"]
        assert found == pytest.approx(expected, abs=0.05)
