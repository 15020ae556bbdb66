"""What the models learn from is read as it was meant."""

from __future__ import annotations

from random import Random

import pytest

from tercet.errors import InputError
from tercet.language.discourse import Relation, Span
from tercet.language.trees import read_one
from training import noise, rst
from training.chunker import f1, spans, whole
from training.clauses import clause_ends, clause_labels
from training.corpora import conll2000, english, gum_documents, treebank, without_traces

TREE = "(S (NP (DT the) (NN cat)) (VP (VBD said) (SBAR (-NONE- 0) (S (NP (PRP it)) (VP (VBD ran))))) (. .))"


@pytest.fixture
def folder(tmp_path):
    for name in ("conll2000", "gum/const", "gum/rst/lisp_nary", "treebank/combined"):
        (tmp_path / "english" / name).mkdir(parents=True)
    return english_folder(tmp_path)


def english_folder(path):
    assert english(path) == path / "english"
    assert english(path / "english") == path / "english"
    return path / "english"


def test_a_folder_without_the_data_is_named(tmp_path):
    with pytest.raises(InputError, match="neither english/conll2000 nor conll2000 is here"):
        english(tmp_path)


def test_conll(folder):
    (folder / "conll2000" / "train.txt").write_text(
        "`` `` O\nHe PRP B-NP\nran VBD B-VP\n\n-LRB- ( O\n1\\/2 CD B-NP\n\n"
    )
    first, second = conll2000(folder, "train")
    assert (first.words, first.tags, first.chunks) == (('"', "He", "ran"), ("``", "PRP", "VBD"), ("O", "B-NP", "B-VP"))
    assert second.words == ("(", "1/2")


def test_treebank_by_parts(folder):
    for number in (150, 165, 199):
        (folder / "treebank" / "combined" / f"wsj_0{number}.mrg").write_text(f"( (S (NN n{number}) (-NONE- *T*-1)) )")
    assert [treebank(folder, part)[0].words for part in ("train", "dev", "test")] == [("n150",), ("n165",), ("n199",)]


def test_traces_go_with_all_that_stands_over_them_alone():
    assert str(without_traces(read_one("(S (NP (-NONE- *)) (VP (VB go)))"))) == "(S (VP (VB go)))"


DOCUMENT = """( Root (span 1 4)
  ( Satellite (leaf 1) (rel2par attribution-positive) (text _!He said (twice)_!) )
  ( Nucleus (span 2 4) (rel2par span)
    ( Nucleus (span 2 3) (rel2par joint-list)
      ( Nucleus (leaf 2) (rel2par span) (text _!it ran_!) )
      ( Satellite (leaf 3) (rel2par causal-cause) (text _!because it rained ._!) )
    )
    ( Nucleus (leaf 4) (rel2par joint-list) (text _!`` Yes_!) )
  )
)"""


def test_discourse_trees_are_cut_into_sentences(folder):
    (folder / "gum" / "splits.md").write_text("# Splits\n\n## dev\n\n  * GUM_b\n  * GUM_gone\n\n## test\n\n  * GUM_c\n")
    words = (
        "(S (PRP He) (VBD said) (-LRB- -LRB-) (RB twice) (-RRB- -RRB-) (PRP it) (VBD ran) "
        "(IN because) (PRP it) (VBD rained) (. .))"
    )
    (folder / "gum" / "const" / "GUM_b.ptb").write_text(f"{words}\n(S (`` ``) (UH Yes))\n")
    (folder / "gum" / "rst" / "lisp_nary" / "GUM_b.dis").write_text(DOCUMENT)
    assert gum_documents(folder, "dev") == ["GUM_b"]
    first, second = rst.part(folder, "dev")
    assert (first.starts, first.tree) == (
        (0, 5, 7),
        None,
    )  # its units are no subtree: the second hangs on the last as well
    assert (second.starts, second.tree) == ((0,), Span(0, 1))
    whole_tree = rst.binary(rst.read(folder / "gum" / "rst" / "lisp_nary" / "GUM_b.dis"))
    cause = Span(1, 3, Relation("causal", "NS"), (Span(1, 2), Span(2, 3)))
    joint = Span(1, 4, Relation("joint", "NN"), (cause, Span(3, 4)))
    assert whole_tree == Span(0, 4, Relation("attribution", "SN"), (Span(0, 1), joint))
    assert rst.subtree(whole_tree, 1, 3) == cause.moved(-1)


def test_more_than_two_parts_are_joined_in_twos():
    def leaf(role, relation):
        return rst.Node(role, relation, "x", [])

    many = rst.Node("Root", "", None, [leaf("Nucleus", "same-unit")] * 3)
    assert [(span.start, span.end) for span in rst.binary(many).spans()] == [(0, 3), (1, 3)]
    sides = rst.Node(
        "Root", "", None, [leaf("Satellite", "context-x"), leaf("Nucleus", "span"), leaf("Satellite", "causal-y")]
    )
    outer, inner = rst.binary(sides).spans()
    assert (outer.relation, inner.relation) == (Relation("context", "SN"), Relation("causal", "NS"))
    with pytest.raises(InputError, match="without a nucleus"):
        rst.binary(rst.Node("Root", "", None, [leaf("Satellite", "a"), leaf("Satellite", "b")]))


def test_a_broken_discourse_file_is_named(tmp_path):
    (tmp_path / "x.dis").write_text(DOCUMENT[:-5])
    with pytest.raises(InputError, match=r"x\.dis: not one whole tree"):
        rst.read(tmp_path / "x.dis")


def test_clauses():
    tree = without_traces(read_one(TREE))
    assert clause_labels(tree) == ("O", "O", "O", "SBAR<VP", "O", "O")
    both = read_one("(S (NP (PRP I)) (VP (VP (VBD came)) (CC and) (VP (VBD left) (S-PRP (VP (TO to) (VP (VB eat)))))))")
    assert clause_labels(both) == ("O", "VP<VP", "O", "VP<VP", "S-PRP<VP", "O")


def test_chunks_are_counted_as_conlleval_counts():
    chunks = ["B-NP", "I-NP", "O", "B-NP", "B-NP", "B-VP"]
    assert list(spans(chunks)) == [(0, 2, "NP"), (3, 4, "NP"), (4, 5, "NP"), (5, 6, "VP")]
    assert f1({1, 2, 3}, {2, 3, 4}) == pytest.approx(200 / 3)
    assert whole(["I-NP", "I-NP", "O", "I-VP"]) == ["B-NP", "I-NP", "O", "B-VP"]


LAYERS: noise.Layers = [("The", "Cat", ",", "ran", "."), ("DT", "NN", ",", "VBD", "."), ("B", "I", "I", "B", "I")]


def test_noises_keep_layers_together():
    random = Random(3)
    assert noise.lowercase(LAYERS, random)[0] == ("the", "cat", ",", "ran", ".")
    bare = noise.without_punctuation(LAYERS, Random(1))
    assert bare == [("The", "Cat", "ran"), ("DT", "NN", "VBD"), ("B", "I", "B")]
    assert noise.without_punctuation([(".",), (".",)], random) == [(".",), (".",)]
    foreign = [noise.untranslated(LAYERS, Random(i))[0] for i in range(60)]
    assert {words[0] for words in foreign} == {"The"}
    assert len({words[1] for words in foreign}) > 3
    assert all(words[1][0].isupper() for words in foreign)
    for made in noise.with_noise([LAYERS] * 100, 0.5):
        assert len({len(layer) for layer in made}) == 1
    assert len(noise.with_noise([LAYERS] * 100, 0.5)) > 120


def test_where_a_sentence_goes_on_after_a_clause():
    text = (
        "(S (NP (NP (DT the) (NN joke)) (SBAR (S (NP (PRP you)) (VP (VBP tell))))) (, ,) (PP (IN from) (NP (NN end))) "
        "(VP (VBZ is) (ADJP (JJ good))) (. .))"
    )
    assert clause_ends(read_one(text)) == ("O", "O", "O", "O", "O", "SBAR<NP", "O", "O", "O", "O")
    assert set(clause_ends(without_traces(read_one(TREE)))) == {"O"}  # nothing but the full stop follows
