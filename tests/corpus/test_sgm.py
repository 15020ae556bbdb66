"""NIST's SGML, sound and broken."""

from __future__ import annotations

import pytest

from tercet.corpus import Corpus, files, read
from tercet.corpus.part import Part, Role
from tercet.corpus.sgm import read_sgm
from tests.corpus.conftest import Write, complaint

SOURCE = """<srcset setid="test" srclang="de">
<doc docid="one" genre="news" origlang="de">
<hl>
<seg id="1">Titel</seg>
</hl>
<p>
<seg id="2">Erster Satz.</seg>
</p>
</doc>
<doc docid="two"><p><seg id="1">Zweiter Satz.</seg></p></doc>
</srcset>
"""
REFERENCE = """<refset setid="test" srclang="de" trglang="en">
<doc sysid="ref" docid="one"><hl><seg id="1"> Title </seg></hl><p><seg id="2">First sentence.</seg></p></doc>
<doc sysid="ref" docid="two"><p><seg id="1">Second sentence.</seg></p></doc>
</refset>
"""
SYSTEM = """<tstset setid="test" srclang="de" trglang="en">
<DOC docid="two" sysid="A"><p><seg id=1>Second phrase.</seg></p></DOC>
<DOC docid="one" sysid="A"><seg id="002">First phrase.</seg><seg id="001">Heading</seg></DOC>
</tstset>
"""


def parsed(text: str, role: Role = "references", **options: object) -> Part:
    data = files.np.frombuffer(text.encode(), files.np.uint8)
    return read_sgm(files.Content("set.sgm", data), role, name="set", **options)  # type: ignore[arg-type]


def references(text: str) -> list[tuple[str, ...]]:
    found = parsed(text).references
    assert found is not None
    return list(found)


def one(segment: str) -> str:
    return f'<refset><doc docid="d">{segment}</doc></refset>'


def test_a_test_set_in_three_files_is_matched_by_name_not_by_order(write: Write) -> None:
    corpus: Corpus = read([write("A.sgm", SYSTEM)], [write("ref.sgm", REFERENCE)], write("src.sgm", SOURCE))
    assert corpus.sources is not None
    assert list(corpus.sources) == ["Titel", "Erster Satz.", "Zweiter Satz."]
    assert list(corpus.references) == [("Title",), ("First sentence.",), ("Second sentence.",)]
    assert {name: list(texts) for name, texts in corpus.systems.items()} == {
        "A": ["Heading", "First phrase.", "Second phrase."]
    }
    assert list(corpus.ids or ()) == ["one:1", "one:2", "two:1"]


def test_a_test_set_against_plain_text_goes_by_order(write: Write) -> None:
    corpus = read([write("A.txt", "x\ny\nz\n")], [write("ref.sgm", REFERENCE)])
    assert list(corpus.systems["A"]) == ["x", "y", "z"]
    assert list(corpus.ids or ()) == ["one:1", "one:2", "two:1"]


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ('<seg id="1"></seg>', ""),
        ('<seg id="1"/>', ""),
        ('<seg id="1">\n  a\n\t b \n</seg>', "a b"),
        ('<seg id="1">AT&T & Co &c. &nbsp; R&D;</seg>', "AT&T & Co &c. &nbsp; R&D;"),
        ('<seg id="1">&amp;&lt;&gt;&quot;&apos;&#233;&#xe9;</seg>', "&<>\"'éé"),
        ('<seg id="1">&amp;lt;</seg>', "&lt;"),
        ('<seg id="1">&#xD800; &#9999999; &#0;</seg>', "&#xD800; &#9999999; &#0;"),
        ('<seg id="1">1 < 2 > 0 <b>bold</b></seg>', "1 < 2 > 0 <b>bold</b>"),
        ("<SEG ID='1'>a</SEG>", "a"),
        ("<seg id=1>a</seg>", "a"),
        ("<seg>a</seg>", "a"),
        ('<!-- <seg id="1">no</seg> --><seg id="1">a</seg>', "a"),
        ("<segment>no</segment><seg id='1'>a</seg>", "a"),
    ],
)
def test_a_segment(segment: str, text: str) -> None:
    assert references(one(segment)) == [(text,)]


def test_several_references_and_fewer_for_some_segments() -> None:
    text = """<refset>
    <doc docid="d" sysid="r1"><seg id="1">a</seg><seg id="2">b</seg></doc>
    <doc docid="d" sysid="r2"><seg id="2">c</seg></doc></refset>"""
    assert references(text) == [("a",), ("b", "c")]
    chosen = parsed(text, translators=["r1"]).references
    assert chosen is not None
    assert list(chosen) == [("a",), ("b",)]
    assert complaint(lambda: parsed(text, translators=["r3"])) == (
        "set.sgm: has no reference by 'r3'; it has those by r1, r2"
    )


def test_everything_in_one_file_of_mtevals_xml() -> None:
    part = parsed(
        """<?xml version="1.0"?><!DOCTYPE mteval SYSTEM "mteval-xml-v1.6.dtd"><mteval>
        <srcset setid="t"><doc docid="d"><p><seg id="1">s</seg></p></doc></srcset>
        <refset setid="t" refid="r1"><doc docid="d"><p><seg id="1">a</seg></p></doc></refset>
        <refset setid="t" refid="r2"><doc docid="d"><p><seg id="1">b</seg></p></doc></refset>
        <tstset setid="t" sysid="X"><doc docid="d"><p><seg id="1">h</seg></p></doc></tstset>
        <tstset setid="t"><doc docid="d"><p><seg id="1">i</seg></p></doc></tstset></mteval>"""
    )
    assert part.references is not None
    assert part.sources is not None
    assert list(part.references) == [("a", "b")]
    assert list(part.sources) == ["s"]
    assert {name: list(texts) for name, texts in part.systems.items()} == {"X": ["h"], "set": ["i"]}


@pytest.mark.parametrize(
    ("role", "held"), [("references", "references"), ("systems", "systems"), ("sources", "sources")]
)
def test_without_a_root_it_is_what_it_was_given_for(role: Role, held: str) -> None:
    part = parsed('<doc docid="d"><seg id="1">a</seg></doc>', role)
    assert [name for name in ("references", "systems", "sources") if getattr(part, name)] == [held]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<refset></refset>", "set.sgm: holds no segments; see docs/formats.md for what can be read"),
        ("no markup at all", "set.sgm: holds no segments; see docs/formats.md for what can be read"),
        ("<refset>\n<doc>", "set.sgm:2: a <doc> without docid; mend the file there"),
        ("<refset>\n\n<seg id='1'>a</seg>", "set.sgm:3: a <seg> outside of a <doc>; mend the file there"),
        (one("\n<seg id='1'>a"), "set.sgm:2: segment 1 of d has no </seg>; mend the file there"),
        (one("\n<seg id='1'>a\n<seg id='2'>b</seg>"), "set.sgm:2: segment 1 of d has no </seg>; mend the file there"),
        (
            one("<seg id='1'>a</seg>\n<seg id='01'>b</seg>"),
            "set.sgm:2: segment d:1 of the reference 'ref' stands here for the second time",
        ),
        (
            "<tstset><doc docid='d' sysid='A'><seg id='1'>a</seg><seg id='2'>b</seg></doc>"
            "<doc docid='d' sysid='B'><seg id='2'>b</seg></doc></tstset>",
            "set.sgm: the system 'B' lacks segment d:1; give it a text, which may be empty",
        ),
        (
            "<srcset><doc docid='d'><seg id='1'>a</seg></doc></srcset>"
            "<tstset><doc docid='d' sysid='B'><seg id='1'>a</seg><seg id='2'>b</seg></doc></tstset>",
            "set.sgm: the system 'B' has segment d:2, which nothing else in the file has",
        ),
        (
            "<srcset><doc docid='d'><seg id='1'>a</seg></doc></srcset>"
            "<refset><doc docid='d' sysid='r'><seg id='2'>b</seg></doc></refset>",
            "set.sgm: the reference 'r' has segment d:2, which nothing else in the file has",
        ),
        (
            "<srcset><doc docid='d'><seg id='1'>a</seg><seg id='2'>a</seg></doc></srcset>"
            "<refset><doc docid='d' sysid='r'><seg id='2'>b</seg></doc></refset>",
            "set.sgm: segment d:1 has no reference; give it one or more",
        ),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    assert complaint(lambda: parsed(text)) == message


def test_files_with_different_segments_are_refused(write: Write) -> None:
    ref = write("ref.sgm", REFERENCE)
    short = write("B.sgm", SYSTEM.replace('<seg id="001">Heading</seg>', ""))
    assert complaint(lambda: read([short], [ref])) == (
        "B.sgm: segment one:1 of ref.sgm is missing; all files must hold the same segments"
    )
    long = write("C.sgm", SYSTEM.replace("</tstset>", "<doc docid='three'><seg id='1'>x</seg></doc></tstset>"))
    assert "C.sgm: the system 'A' lacks segment three:1" in complaint(lambda: read([long], [ref]))
    long = write(
        "D.sgm", SYSTEM.replace("</tstset>", "<doc docid='three' sysid='A'><seg id='1'>x</seg></doc></tstset>")
    )
    assert complaint(lambda: read([long], [ref])) == (
        "D.sgm: segment three:1 is not in ref.sgm; all files must hold the same segments"
    )
    assert complaint(lambda: read([ref], [ref])) == "ref.sgm: holds references but no systems"
