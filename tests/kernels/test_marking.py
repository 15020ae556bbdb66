"""REL, by hand and by its definition."""

from __future__ import annotations

from hypothesis import given

from tercet.kernels import REL, marked
from tercet.kernels.marking import unmarked
from tercet.language.trees import Tree, read, read_one
from tests.kernels.test_tree_kernels import trees


def test_both_directions_by_hand():
    hypothesis, reference = read(
        "(S (NP (D the) (N cat)) (VP (V sat) (O (. .))))  (S (VP (V sat)) (NP (N cat) (D the)) (ADVP (R down)))"
    )
    assert str(marked(hypothesis, reference)) == (
        "(S (REL-NP (REL-D REL-the) (REL-N REL-cat)) (VP (REL-V REL-sat) (O (. .))))"
    )
    assert str(marked(reference, hypothesis)) == (
        "(S (REL-VP (REL-V REL-sat)) (REL-NP (REL-N REL-cat) (REL-D REL-the)) (ADVP (R down)))"
    )


def test_words_match_by_form():
    assert str(marked(read_one("(S The cat)"), read_one("(S the cat)"))) == "(S The REL-cat)"


def test_a_text_without_words():
    empty = Tree("EDU:NUCLEUS")
    assert marked(empty, read_one("(S a)")) == empty
    assert marked(read_one("(S a)"), empty) == read_one("(S a)")


@given(trees, trees)
def test_a_node_is_linked_when_all_below_it_is(tree, other):
    words = set(other.leaves())
    found = marked(tree, other)
    pairs = list(zip(tree.nodes(), found.nodes(), strict=True))
    assert len(pairs) == sum(1 for _ in tree.nodes())
    if tree.children:
        for before, after in pairs:
            linked = all(word in words for word in before.leaves())
            assert after.label == (REL + before.label if linked else before.label)
            assert unmarked(after.label) == before.label
