"""Trees: brackets there and back, depth, pictures."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError, ShapeError
from tercet.language import Tree, draw
from tercet.language.trees import read, read_one
from tests import strategies

labels = st.text(strategies.characters, max_size=6)
trees = st.recursive(
    labels.map(Tree), lambda children: st.builds(Tree, labels, st.lists(children, max_size=4).map(tuple)), max_leaves=12
)


@given(trees)
def test_brackets_there_and_back(tree):
    text = str(tree)
    assert "\n" not in text
    assert read_one(text) == tree
    assert hash(read_one(text)) == hash(tree)
    assert read(f"{text}\n  {text}") == [tree, tree]


def test_shapes():
    tree = Tree.of("S", [Tree.of("NP", ["the", "cat"]), "."])
    assert str(tree) == "(S (NP the cat) .)"
    assert tree.leaves() == ("the", "cat", ".")
    assert [node.label for node in tree.nodes()] == ["S", "NP", "the", "cat", "."]
    assert (tree.depth(), tree.is_leaf, tree.children[1].is_leaf) == (3, False, True)
    assert tree != Tree.of("S", ["the", "cat", "."])
    assert tree != "(S (NP the cat) .)"
    assert repr(tree) == "<Tree (S (NP the cat) .)>"


def test_trees_do_not_change():
    with pytest.raises(AttributeError):
        Tree("a").label = "b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NP a)", r"a bracket that is never closed \(line 1, column 1\)"),
        ("(S\n (NP a)\n  (VP b", r"a bracket that is never closed \(line 3, column 3\)"),
        ("(S a))", r"a closing bracket that nothing opened \(line 1, column 6\)"),
        ("(S a) b", r"'b' outside of any bracket \(line 1, column 7\)"),
        ("(S a\\", r"a backslash at the end, which escapes nothing \(line 1, column 5\)"),
    ],
)
def test_broken_brackets_are_named_with_their_place(text, message):
    with pytest.raises(InputError, match=message):
        read(text)


def test_a_file_is_named():
    with pytest.raises(InputError, match=r"^bank\.mrg:2: a bracket that is never closed \(column 1\)"):
        read("(S a)\n(S b", file="bank.mrg")


def test_one_tree_is_one():
    with pytest.raises(InputError, match="2 trees where one is expected"):
        read_one("(a) (b)")


def test_penn_escapes():
    (tree,) = read("( (S (-LRB- -LRB-) (CD 1\\/2) (NN friend-LRB-s-RRB-)) )", penn=True)
    assert (tree.label, tree.leaves()) == ("", ("(", "1/2", "friend(s)"))
    assert tree.children[0].children[0].label == "-LRB-"


def test_as_deep_as_memory_allows():
    depth = 30_000
    tree = read_one("(a " * depth + "x" + ")" * depth)
    assert tree.depth() == depth + 1
    assert tree == read_one(str(tree))
    assert tree.leaves() == ("x",)
    assert draw(read_one("(a " * 3000 + "x" + ")" * 3000)).svg.count("<text") == 3001


@given(trees)
def test_pictures_hold_every_node(tree):
    drawing = draw(tree)
    root = ElementTree.fromstring(drawing.svg)
    texts = [element for element in root.iter() if element.tag.endswith("text")]
    assert len(texts) == sum(1 for _ in tree.nodes())
    assert str(drawing) == drawing.text
    assert len(drawing.text.split("\n")) <= len(texts)


def test_a_picture_in_text():
    tree = Tree.of(
        "S", [Tree.of("NP", [Tree.of("DT", ["the"]), Tree.of("NN", ["cat"])]), Tree.of("O", [Tree.of(".", ["."])])]
    )
    assert draw(tree).text == "S\n├─ NP\n│  ├─ DT the\n│  └─ NN cat\n└─ O\n   └─ . ."


def test_words_do_not_overlap_in_a_picture():
    tree = Tree.of("S", [Tree.of("NN", [word]) for word in ("internationalisation", "a", "b", "WWWWWWWW")])
    root = ElementTree.fromstring(draw(tree).svg)
    words = [element for element in root.iter() if element.get("class") == "word"]
    places = [float(word.get("x")) for word in words]
    for (one, left), (two, right) in pairwise(zip(words, places, strict=True)):
        assert right - left > 0.55 * 14 * (len(one.text) + len(two.text)) / 2


def test_weights_shade_a_picture():
    tree = Tree.of("S", [Tree.of("NN", ["cat"]), "."])
    svg = draw(tree, [0.5, -1.0, 0.0, 0.25]).svg
    assert svg.count("<title>") == 3
    assert 'fill-opacity="1.00"><title>-1.0000</title>' in svg
    assert draw(tree, [0.0] * 4).svg == draw(tree).svg
    with pytest.raises(ShapeError, match="1 weights for a tree of 4 nodes"):
        draw(tree, [1.0])
