"""Files of people's judgments."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from fuzz.target import target, written
from tercet.agreement.challenge import read_challenge
from tercet.corpus.judgment_formats.recognise import FORMATS, read_judgments

FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system1rank,system2rank,system3rank\n"
    "Czech,English,4,-1,4,anna,1,newstest2012.cs-en.a,2,b,3,_ref,1,2,-1\n"
    'Czech,English,5,-1,5,"bert",1,a,2,b,3,c,3,3,1\n'
)
PAIRWISE = (
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    "deu,eng,3,3,anna,newstest2015.a.1.de-en.txt+newstest2015.b.2.de-en.txt,1,newstest2015.c.3.de-en.txt,2,7\n"
)
APPRAISE = """<?xml version="1.0" encoding="UTF-8"?>
<results><HIT source-language="deu" target-language="eng"><ranking-task id="12"><ranking-result user="anna">
<translation system="newstest2015.a.0.de-en.txt" rank="3" /><translation system="ref" rank="1" />
<translation system="b,c" rank="2" /></ranking-result></ranking-task></HIT></results>
"""
DA = "LP DATA SYSTEM SID HUMAN\ncs-en newstest2017 a+b 3 0.5\ncs-en newstest2017 c 1 -1.25\n"
DA_SYSTEMS = "LP HUMAN SYSTEM\ncs-en 0.5 a\ncs-en -0.5 b\n"
DARR = "LP DATA SID BETTER WORSE\nde-en newstest2018 7 a.1 b.2\nde-en newstest2018 8 b.2 a.1\n"
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "a\td\t1\t1\tr1\ts\tt\tFluency/Punctuation\tMinor\n"
    "a\td\t2\t2\tr1\ts\tt\tNo-error\tno-error\n"
)
TABLES = {
    "rankings": (FIVE,),
    "pairwise": (PAIRWISE,),
    "appraise": (APPRAISE,),
    "da": (DA, DA_SYSTEMS, DA.replace(" ", ",")),
    "darr": (DARR,),
    "mqm": (MQM,),
}
WORDS = ("-1", "9" * 19, "99999999999999999999", "1e400", "nan", '"', ",", "+", "\t", "_ref", "\u0663", "encoding='")


def _table(name: str, data: bytes, folder: Path) -> None:
    path = written(folder, "mqm_newstest2020_ende.tsv" if name == "mqm" else "x.csv", data)
    options = {"collapsed": "keep"} if "collapsed" in FORMATS[name].options and data[:1] > b"m" else {}
    judgments = read_judgments(path, name, **options)
    judgments.repeats()
    judgments.check(["a", "b"], 10, on_missing="skip") if len(judgments.pairs()) == 1 else None


for _name, _seeds in TABLES.items():
    target(f"judgments-{_name}", _seeds, WORDS)(partial(_table, _name))


@target("judgments-any", [seed for seeds in TABLES.values() for seed in seeds], WORDS)
def _any(data: bytes, folder: Path) -> None:
    read_judgments(written(folder, "mqm_newstest2020_ende.tsv", data))


@target("challenge", ["kind\treference\tbetter\tworse\nnegation\ta b\ta c\td\n"], ["kind", "all", "\t"])
def _challenge(data: bytes, folder: Path) -> None:
    read_challenge(written(folder, "x.tsv", data))


@target("judgments-da-lines", ["0.5\n-1\n", "1e400\nx\n"], WORDS)
def _da_lines(data: bytes, folder: Path) -> None:
    texts = _emptied(folder / "lines")
    for part in ("mt-system", "reference", "source"):
        written(texts, f"DAseg.newstest2015.{part}.cs-en", b"a\nb\n")
    written(texts, "DAseg.newstest2015.human.cs-en", data)
    read_judgments(texts)


@target("judgments-evalset", ["a\t0.5\na\tNone\nb\t1\nb\t2\n"], ["None", *WORDS])
def _evalset(data: bytes, folder: Path) -> None:
    root = _emptied(folder / "set")
    for name in ("sources/cs-en.txt", "references/cs-en.refA.txt", *(f"system-outputs/cs-en/{s}.txt" for s in "ab")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        written(root, name, b"x\ny\n")
    (root / "human-scores").mkdir()
    written(root, "human-scores/cs-en.wmt.seg.score", data)
    read_judgments(root)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
