"""Pictures of lattices: well-formed, every word and state in them, nothing on top of anything."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given, settings

from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.drawing import draw
from tests.lattice.lattices import lattices

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=100)
@given(lattices())
def test_every_word_has_a_place_of_its_own(lattice: Lattice) -> None:
    root = ET.fromstring(draw(lattice))
    assert len(root.findall(f".//{SVG}path")) == len(root.findall(f".//{SVG}text")) == lattice.arcs
    finals = len(lattice.finals)
    assert len(root.findall(f".//{SVG}circle")) == lattice.states + finals
    boxes = [
        tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for box in root.findall(f"{SVG}rect")[1:]
    ]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for i, (x, y, w, h) in enumerate(boxes):
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
        assert all(x + w <= a or a + c <= x or y + h <= b or b + d <= y for a, b, c, d in boxes[:i])


def test_many_words_are_counted_and_the_straight_way_is_that_of_most_paths() -> None:
    lattice = Lattice(
        4, (Edge(0, 1, tuple("abcdef")), Edge(0, 2, ("x",)), Edge(2, 3, ("y",)), Edge(1, 3, ("z", "<&>"))), (3,)
    )
    text = [element.text for element in ET.fromstring(draw(lattice, most=3)).findall(f"{SVG}text")]
    assert text[:2] == ["a", "z"]
    assert "… 3 more" in text
    assert "<&>" in text
    assert "e" not in text
