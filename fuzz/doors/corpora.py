"""Files of texts and of scores."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl

from fuzz.target import target, written
from tercet.corpus import read
from tercet.corpus.columns import read_columns
from tercet.corpus.files import Content
from tercet.corpus.jsonl import read_jsonl
from tercet.corpus.lines import Lines
from tercet.corpus.nbest import read_nbest
from tercet.corpus.part import Part
from tercet.corpus.reading import detect
from tercet.corpus.scores import read_scores
from tercet.corpus.sgm import read_sgm
from tercet.corpus.wmt_xml import read_wmt_xml

MOST = 4_000_000
"""Bytes that a packed file may become here: the limit is a door's own, and it is given one."""

SGM = """<srcset setid="t" srclang="de"><DOC docid="a" sysid="x"><seg id="1"> A &amp; b &#65;&#x41; </seg><seg id=2>
c</seg></DOC></srcset>
<!-- no --><refset setid="t" srclang="de">
<doc docid="a" refid='r'><seg id="1">y</seg><seg id="2"/></doc></refset>
<tstset setid="t" srclang="de"><doc docid="a" sysid="s"><seg id="1">y</seg><seg id="2">z</seg></doc></tstset>
"""
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="t"><doc id="a" origlang="de"><src lang="de"><p><seg id="1">A &amp; b</seg><seg id="2">c</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">x</seg><seg id="2">y</seg></p></ref>
<hyp system="s" language="en"><p><seg id="1">x</seg><seg id="2"></seg></p></hyp></doc>
<doc id="b" testsuite="q"><src lang="de"><p><seg id="1">no</seg></p></src></doc></dataset>
"""
WIDE = """{"source": "q", "references": ["a", "b"], "systems": {"s": "a", "t": "\\u00e4"}, "segment": 1}
{"source": "r", "references": ["c"], "systems": {"s": "a", "t": "b"}, "segment": 2}
"""
LONG = """{"segment": "1", "system": "s", "mt": "a", "ref": "b", "src": "c"}
{"segment": "1", "system": "t", "mt": "d", "ref": "b", "src": "c"}
"""
MOSES = "0 ||| a b ||| f= 1 ||| -1\n0 ||| a ||| f= 1 ||| -2\n1 ||| c ||| f= 2 ||| -1\n"
TAGS = ("<seg", "</seg>", "<doc docid='", "<refset", "<tstset", "<!--", "-->", "&#x", "&#", "<!DOCTYPE", "<![CDATA[")


def all_of(part: Part) -> None:
    """Every text that a file brought."""
    for lines in (*part.systems.values(), *filter(None, (part.sources,))):
        list(lines)
    if part.references is not None:
        list(part.references)


def parquet(**columns: object) -> bytes:
    """A table as a file."""
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return stream.getvalue()


@target("lines", ["a b\n\nc\r\n", "\ufeffä\u2028b\x00\n", gzip.compress(b"a\nb\n"), b"\xff\xfea\x00", b"\x1f\x8b\x08"])
def _lines(data: bytes, folder: Path) -> None:
    lines = Lines.of(Content.of("x", data, most=MOST))
    assert len(list(lines)) == len(lines) == len(lines[:])


@target("columns", ["a\tb\nc\td\n", "a\n\tb\n"], ["\t", "\n"])
def _columns(data: bytes, folder: Path) -> None:
    for number in (None, 2):
        for lines in read_columns(Content.of("x.tsv", data, most=MOST), number):
            list(lines)


@target("jsonl", [WIDE, LONG, '{"ref": "a", "mt": "b"}\n'], ['"systems"', '"ref"', '"mt"', "\\ud800", "1e999", "null"])
def _jsonl(data: bytes, folder: Path) -> None:
    all_of(read_jsonl(Content.of("x.jsonl", data, most=MOST), name="x"))


@target(
    "parquet",
    [
        parquet(source=["a", "b"], reference=["x", "y"], hypothesis=["p", ""]),
        parquet(segment=[1, 2], references=[["a"], ["b", "c"]], systems=[{"s": "a", "t": "b"}] * 2),
    ],
    ["PAR1"],
)
def _parquet(data: bytes, folder: Path) -> None:
    from tercet.corpus.parquet import read_parquet

    all_of(read_parquet(Content.of("x.parquet", data, most=MOST), name="x"))


@target("sgm", [SGM, "<doc docid=a><seg>x</seg></doc>"], TAGS)
def _sgm(data: bytes, folder: Path) -> None:
    content = Content.of("x.sgm", data, most=MOST)
    for role in ("references", "systems"):
        all_of(read_sgm(content, role, name="x"))  # type: ignore[arg-type]


@target("wmt-xml", [XML], [*TAGS, "<dataset", "<src lang='", "<ref lang='", "<hyp system='", "<!ENTITY a 'b'>", "&a;"])
def _wmt_xml(data: bytes, folder: Path) -> None:
    all_of(read_wmt_xml(Content.of("x.xml", data, most=MOST)))


@target("any-format", [SGM, XML, "a\nb\n", "<!-- a --><!-- b --><?xml?><!DOCTYPE mteval><mteval>"], [*TAGS, "<?xml"])
def _any_format(data: bytes, folder: Path) -> None:
    detect(Content.of("x", data, most=MOST), "x")
    for ending in ("txt", "tsv", "jsonl", "xml", "sgm"):
        content = Content.of(f"x.{ending}", data, most=MOST)
        try:
            corpus = read([content], [Content.of("r.txt", b"a\nb\n")])
        except Exception as error:
            from tercet.errors import TercetError

            if not isinstance(error, TercetError):
                raise
            continue
        list(zip(corpus.references, *corpus.systems.values(), strict=True))


@target("nbest", [MOSES, '{"hypotheses": ["a", "b"]}\n', "a\nb\nc\nd\n"], ["|||", '"hypotheses"', "0 ||| "])
def _nbest(data: bytes, folder: Path) -> None:
    content = Content.of("x", data, most=MOST)
    read_nbest(content, number=1)
    read_nbest(content)


@target("scores", ["a\t0.5\na\t1\nb\t2\nb\t-1e3\n", '{"system": "a", "segment": 0, "score": 1.5}\n', "1\n2\n"], ["nan"])
def _scores(data: bytes, folder: Path) -> None:
    read_scores(written(folder, "x.score", data), system="s")
