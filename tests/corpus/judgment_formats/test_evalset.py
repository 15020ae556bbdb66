"""An EvalSet folder: texts, human scores with None in them, and the scores of metrics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tercet.corpus.judgment_formats.evalset import read_evalset, read_evalset_judgments, write_human_scores
from tercet.errors import InputError, OptionError, ShapeError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "wmt22"
    files = {
        "sources/en-de.txt": "a\nb\nc\n",
        "sources/en-de.extra": "",
        "documents/en-de.docs": "news d1\nnews d1\nsocial d2\n",
        "references/en-de.refA.txt": "A\nB\nC\n",
        "references/en-de.refB.txt": "AA\nBB\nCC\n",
        "system-outputs/en-de/sys.1.txt": "x\n\nz\n",
        "system-outputs/en-de/refB.txt": "AA\nBB\nCC\n",
        "human-scores/en-de.mqm.seg.score": "sys.1\t-1.5\nsys.1\tNone\nsys.1\t0\nrefB\tNone\nrefB -2\nrefB\tNone\n",
        "human-scores/en-de.mqm.sys.score": "refB\t-2\nsys.1\tNone\n",
        "human-scores/en-de.mqm.domain.score": "news sys.1 -1.5\nsocial sys.1 0\nnews refB -2\nsocial refB None\n",
        "human-scores/en-de.wmt-z.sys.score": "sys.1\t0.1\nrefB\t0.2\n",
        "metric-scores/en-de/BLEU-refA.seg.score": "refB\t1\nrefB\t2\nrefB\t3\nsys.1\t4\nsys.1\t5\nsys.1\t6\n",
        "metric-scores/en-de/BLEU-refA.sys.score": "refB\t1\nsys.1\t2\n",
        "metric-scores/en-de/x-y-refA.refB.sys.score": "sys.1\t2\n",
    }
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def test_texts(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    assert (evalset.testset, evalset.pair, list(evalset.sources)) == ("wmt22", "en-de", ["a", "b", "c"])
    assert {name: list(texts) for name, texts in evalset.references.items()} == {
        "refA": ["A", "B", "C"],
        "refB": ["AA", "BB", "CC"],
    }
    assert {name: list(texts) for name, texts in evalset.systems.items()} == {
        "refB": ["AA", "BB", "CC"],
        "sys.1": ["x", "", "z"],
    }
    assert evalset.documents == ["d1", "d1", "d2"]
    assert evalset.domains == ["news", "news", "social"]


def test_a_corpus_with_some_references(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    one, all_of_them = evalset.corpus("refA"), evalset.corpus()
    assert list(one.systems) == ["refB", "sys.1"]
    assert list(one.references) == [("A",), ("B",), ("C",)]
    assert list(all_of_them.systems) == ["sys.1"]
    assert all_of_them.references[2] == ("C", "CC")
    with pytest.raises(OptionError, match="no reference 'refC'; it has refA, refB"):
        evalset.corpus("refC")


def test_human_scores(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    assert evalset.human_scores() == [("mqm", "domain"), ("mqm", "seg"), ("mqm", "sys"), ("wmt-z", "sys")]
    rows = evalset.judgments("mqm").frame.select("testset", "pair", "segment", "system", "value", "line").rows()
    assert rows == [
        ("wmt22", "en-de", 0, "sys.1", -1.5, 1),
        ("wmt22", "en-de", 2, "sys.1", 0.0, 3),
        ("wmt22", "en-de", 1, "refB", -2.0, 5),
    ]
    assert evalset.judgments("mqm", "sys").frame.select("segment", "system", "value").rows() == [(None, "refB", -2.0)]
    domains = evalset.judgments("mqm", "domain").frame.select("testset", "system", "value").rows()
    assert domains == [("wmt22/news", "sys.1", -1.5), ("wmt22/social", "sys.1", 0.0), ("wmt22/news", "refB", -2.0)]


def test_scores_of_metrics(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    assert evalset.metric_scores() == [("BLEU", "refA", "seg"), ("BLEU", "refA", "sys"), ("x-y", "refA.refB", "sys")]
    scores = evalset.scores("BLEU", "refA")
    assert (scores.name, scores.level) == ("BLEU-refA", "segment")
    np.testing.assert_array_equal(scores.matrix(["sys.1", "refB"]), [[4, 5, 6], [1, 2, 3]])
    assert evalset.scores("BLEU", "refA", "sys").level == "system"
    # What was the reference is no system: its scores are not missing.
    whole = evalset.scores("x-y", "refA.refB", "sys")
    assert (whole.level, whole.systems) == ("system", ["sys.1"])


def test_scores_that_do_not_fit(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    bleu = folder / "metric-scores/en-de/BLEU-refA.seg.score"
    bleu.write_text("refB\t1\nrefB\t2\nrefB\t3\nsys.1\t4\n")
    with pytest.raises(InputError, match=r":4: system 'sys.1' has 1 scores where there are 3 segments"):
        evalset.scores("BLEU", "refA")
    bleu.write_text("refB\t1\nrefB\t2\nrefB\t3\n")
    with pytest.raises(InputError, match=r"no scores for sys\.1"):
        evalset.scores("BLEU", "refA")
    with pytest.raises(OptionError, match="level='doc'"):
        evalset.scores("BLEU", "refA", "doc")


def test_human_scores_that_do_not_fit(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    file = folder / "human-scores/en-de.mqm.seg.score"
    for text, problem in {
        "sys.1\t1\nsys.1\t2\n": ":2: system 'sys.1' has 2 scores where 3 are meant",
        "nobody\t1\n": ":1: system 'nobody' has no output in system-outputs/en-de",
        "sys.1\tnan\nsys.1\t2\nsys.1\t3\n": ":1: score 'nan' is not a finite number",
        "news\tsys.1\t1\n": ":1: 3 columns where 2 are meant",
    }.items():
        file.write_text(text)
        with pytest.raises(InputError) as error:
            evalset.judgments("mqm")
        assert str(error.value).startswith(f"{file}{problem}")
    with pytest.raises(InputError, match=r"there are mqm\.domain, mqm\.seg, mqm\.sys, wmt-z\.sys"):
        evalset.judgments("esa")
    with pytest.raises(OptionError, match="level='doc'"):
        evalset.judgments("mqm", "doc")


def test_folders_that_do_not_fit(folder: Path) -> None:
    with pytest.raises(InputError, match="no de-en here; there are en-de"):
        read_evalset(folder, "de-en")
    with pytest.raises(InputError, match="this is no EvalSet folder"):
        read_evalset(folder / "sources", "en-de")
    (folder / "system-outputs/en-de/short.txt").write_text("x\n")
    with pytest.raises(ShapeError, match=r"short\.txt has 1 lines but .* has 3"):
        read_evalset(folder, "en-de")


def test_judgments_by_name(folder: Path) -> None:
    assert len(read_evalset_judgments(folder)) == 3
    assert read_evalset_judgments(folder, name="wmt-z", level="sys", pair="en-de").systems() == ["refB", "sys.1"]
    with pytest.raises(InputError, match="human scores at level sys: mqm, wmt-z; say which: name='mqm'"):
        read_evalset_judgments(folder, level="sys")
    with pytest.raises(InputError, match="no human scores 'esa' at level seg; there are mqm"):
        read_evalset_judgments(folder, name="esa")


def test_there_and_back(folder: Path) -> None:
    evalset = read_evalset(folder, "en-de")
    for level, segments in (("seg", 3), ("sys", None)):
        table = evalset.judgments("mqm", level)
        write_human_scores(table, folder / f"human-scores/en-de.back.{level}.score", segments=segments)
        back = evalset.judgments("back", level)
        order = ["system", "segment"]
        assert back.without_place().frame.equals(table.without_place().frame.sort(order))
    with pytest.raises(OptionError, match="beyond 2"):
        write_human_scores(evalset.judgments("mqm"), folder / "x", segments=2)
    with pytest.raises(OptionError, match="number of segments, or None"):
        write_human_scores(evalset.judgments("mqm"), folder / "x", segments=None)
