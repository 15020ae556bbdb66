"""WMT's XML: everything in one file, and nothing that grows or reaches outside."""

from __future__ import annotations

import pytest

from tercet.corpus import files, read
from tercet.corpus.part import Part
from tercet.corpus.wmt_xml import read_wmt_xml
from tests.corpus.conftest import Write, complaint

DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest">
  <doc origlang="en" id="one">
    <src lang="en"><p><seg id="1">A &amp; B</seg><seg id="2">C</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">a</seg><seg id="2">c</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">aa</seg></p></ref>
    <hyp system="X" language="de"><p><seg id="2">x2</seg><seg id="1">x1</seg></p></hyp>
    <hyp system="Y" language="de"><p><seg id="1">y1</seg><seg id="2"></seg></p></hyp>
    <supplemental><p><seg id="1">not read</seg></p></supplemental>
  </doc>
  <collection id="more">
  <doc origlang="en" id="two">
    <src lang="en"><p><seg id="1">D</seg><seg id="2">never translated</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">
       d  e </seg><seg id="2"/></p></ref>
    <hyp system="X" language="de"><p><seg id="1">x3</seg><seg id="2">x4</seg></p></hyp>
    <hyp system="Y" language="de"><p><seg id="1">y3</seg></p></hyp>
  </doc>
  <doc origlang="en" id="suite" testsuite="pronouns">
    <src lang="en"><p><seg id="1">not scored</seg></p></src>
  </doc>
  </collection>
</dataset>
"""


def parsed(text: str, translators: list[str] | None = None) -> Part:
    data = files.np.frombuffer(text.encode(), files.np.uint8)
    return read_wmt_xml(files.Content("wmt.xml", data), translators=translators)


def test_everything_in_one_file(write: Write) -> None:
    corpus = read([write("wmt.xml", DATASET)])
    assert list(corpus.ids or ()) == ["one:1", "one:2", "two:1"]
    assert list(corpus.sources or ()) == ["A & B", "C", "D"]
    assert list(corpus.references) == [("a", "aa"), ("c",), ("d e",)]
    assert {name: list(texts) for name, texts in corpus.systems.items()} == {
        "X": ["x1", "x2", "x3"],
        "Y": ["y1", "", "y3"],
    }


def test_agrees_with_sacrebleu(tmp_path) -> None:
    from sacrebleu.dataset.wmt_xml import WMTXMLDataset

    path = tmp_path / "wmt.xml"
    path.write_text(
        DATASET.replace("</seg></p></hyp>\n  </doc>\n  <doc", '</seg><seg id="2"/></p></hyp>\n  </doc>\n  <doc')
    )
    theirs = WMTXMLDataset._unwrap_wmt21_or_later(str(path))
    corpus = read([path], translators=["A"])
    assert list(corpus.sources or ()) == theirs["src"]
    assert [row[0] for row in corpus.references] == [" ".join(text.split()) for text in theirs["ref:A"]]
    for system in ("X", "Y"):
        assert list(corpus.systems[system]) == theirs[system]


def test_references_by_chosen_translators(write: Write) -> None:
    corpus = read([write("wmt.xml", DATASET)], translators=["A"])
    assert list(corpus.references) == [("a",), ("c",), ("d e",)]
    assert complaint(lambda: read(["wmt.xml"], translators=["C"])) == (
        "wmt.xml: has no reference by 'C'; it has those by A, B"
    )
    plain = write("A.txt", "a\n")
    assert complaint(lambda: read([plain], [plain], translators=["A"])) == (
        "translators are told apart in SGML and XML files only; none is given"
    )


def test_systems_of_ones_own_against_a_wmt_file(write: Write) -> None:
    corpus = read([write("mine.txt", "p\nq\nr\n")], [write("wmt.xml", DATASET)])
    assert {name: list(texts) for name, texts in corpus.systems.items()} == {"mine": ["p", "q", "r"]}
    assert list(corpus.sources or ()) == ["A & B", "C", "D"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "A &amp; B",
            "A & B",
            "wmt.xml:4: broken XML: not well-formed (invalid token); mend the file there (an ampersand",
        ),
        (
            "A &amp; B",
            "&eacute;",
            "wmt.xml:4: broken XML: undefined entity; mend the file there (an ampersand is written &amp;)",
        ),
        (
            "</dataset>",
            "",
            "wmt.xml:24: broken XML: no element found; mend the file there (an ampersand is written &amp;)",
        ),
        ('id="two"', 'id="one"', "wmt.xml:12: document one stands here for the second time (first in line 3)"),
        ('origlang="en" id="two"', "", "wmt.xml:12: <doc> without id; mend the file there"),
        ('<hyp system="X"', "<hyp", "wmt.xml:7: <hyp> without system; mend the file there"),
        ('<seg id="1">A', "<seg>A", "wmt.xml:4: <seg> without id; mend the file there"),
        ('<ref lang="de" translator="B"', '<ref lang="fr"', "wmt.xml:6: <ref> is in 'fr' here but in 'de' in line 5"),
        (
            '<seg id="2">c',
            '<seg id="1">c',
            "wmt.xml:5: segment one:1 of the reference 'A' stands here for the second time",
        ),
        ('<seg id="1">y3</seg>', "", "wmt.xml: the system 'Y' lacks segment two:1; give it a text, which may be empty"),
        ('<seg id="1">y3</seg>', '<seg id="3">y3</seg>', "wmt.xml: the system 'Y' lacks segment two:1"),
    ],
)
def test_what_is_refused(old: str, new: str, message: str) -> None:
    assert old in DATASET
    assert complaint(lambda: parsed(DATASET.replace(old, new, 1))).startswith(message)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://example.org/evil.dtd"> %a;',
    ],
)
def test_entities_cannot_be_declared(declaration: str) -> None:
    text = DATASET.replace("<dataset", f"<!DOCTYPE dataset [{declaration}]>\n<dataset", 1).replace(
        "A &amp; B", "&a;", 1
    )
    assert complaint(lambda: parsed(text)) == (
        "wmt.xml:2: has declarations in its DOCTYPE, which are not allowed; remove them"
    )


def test_an_entity_from_an_outside_dtd_is_not_lost() -> None:
    text = DATASET.replace("<dataset", '<!DOCTYPE dataset SYSTEM "wmt.dtd">\n<dataset', 1).replace(
        "&amp;", "&eacute;", 1
    )
    assert complaint(lambda: parsed(text)) == "wmt.xml:5: unknown entity &eacute;; write the character itself"
