"""The Stanford parser itself: skipped, with the reason, where Java, JPype or the resource is not there."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess

import numpy as np
import pytest

from tercet import resources
from tercet.errors import ResourceError
from tercet.language import analyze, draw
from tercet.language.parse_store import ParseStore
from tercet.language.stanford import Stanford
from tercet.language.stanford_java import RESOURCE

pytestmark = [pytest.mark.java, pytest.mark.resource]

TEXTS = [
    "The company said that it will close the plant because sales have fallen.",
    'He (maybe) can\'t favour the "U.S."',
    "dass the Haus which nicht gesagt werden a",
    "It rained. Nobody came.",
]


@pytest.fixture(scope="module")
def folder():
    if importlib.util.find_spec("jpype") is None:
        pytest.skip("JPype is not installed: pip install 'tercet[stanford]'")
    if shutil.which("java") is None:
        pytest.skip("there is no java on the PATH")
    try:
        return resources.find(RESOURCE)
    except ResourceError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def stanford(folder) -> Stanford:
    return Stanford(ParseStore(None), threads=2, cap=60)


def test_tags_and_trees(stanford):
    analysis = analyze(TEXTS[:1], analyzer=stanford)[0]
    assert " ".join(analysis.tags) == "DT NN VBD IN PRP MD VB DT NN IN NNS VBP VBN ."
    assert str(analysis.constituents) == (
        "(ROOT (S (NP (DT The) (NN company)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP it)) (VP (MD will) "
        "(VP (VB close) (NP (DT the) (NN plant)) (SBAR (IN because) (S (NP (NNS sales)) (VP (VBP have) "
        "(VP (VBN fallen)))))))))) (. .)))"
    )
    assert analysis.units == (0, 3, 9)
    assert draw(analysis.constituents).svg.startswith("<svg")


def test_trees_are_those_of_the_program_by_itself(stanford, folder, tmp_path):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    jars = ":".join(str(folder / name) for name in ("stanford-parser.jar", "ejml.jar"))
    main = "edu.stanford.nlp.parser.lexparser.LexicalizedParser"
    options = ["-sentences", "newline", "-outputFormat", "oneline", str(folder / "englishRNN.ser.gz"), str(file)]
    run = subprocess.run(["java", "-Xmx2g", "-cp", jars, main, *options], capture_output=True, text=True, check=True)
    theirs = [line for line in run.stdout.splitlines() if line.startswith("(ROOT")]
    stanford.parse(TEXTS)
    for text, line in zip(TEXTS, theirs, strict=True):
        words = stanford.java.tokenize(text).forms
        tree = stanford._found(text).tree
        for number in reversed(range(len(words))):
            tree = tree.replace(f" {number})", f" {words[number]})")
        assert tree == line


def test_the_vector_is_that_of_the_definition(stanford):
    """Socher et al. (2013): a node is tanh(W [left; right; 1]) with W by the children's categories, a word tanh(x)."""
    java = stanford.java
    for text in TEXTS:
        query = java._parser.parserQuery()
        words = java._list()
        for form in java.tokenize(text).forms:
            words.add(java._word(form))
        assert query.parse(words)
        model = field(java._parser.reranker, "model")
        options = field(model, "op")
        tree = java._parser.buildTrainTransformer(options).transformTree(query.getBestParse())
        if options.trainOptions.useContextWords:
            pytest.fail("this grammar looks at neighbouring words, and the definition here does not")

        def vector(node, model=model):
            children = list(node.children())
            if node.isPreTerminal():
                return np.tanh(numbers(model.getWordVector(children[0].value())))
            below = np.concatenate([*(vector(child) for child in children), [1.0]])
            weights = model.getWForNode(node)
            return np.tanh(numbers(weights).reshape(weights.numRows(), weights.numCols()) @ below)

        found, counts = stanford.vectors([text])
        assert counts.failed == 0
        assert found[0] == pytest.approx(vector(tree), abs=1e-6)


def field(thing, name: str):
    """A field that Java keeps to itself."""
    declared = thing.getClass().getDeclaredField(name)
    declared.setAccessible(True)
    return declared.get(thing)


def numbers(matrix) -> np.ndarray:
    return np.array(matrix.getMatrix().getData(), np.float64)


def test_a_query_that_is_used_again_says_the_same(stanford, folder):
    texts = [*TEXTS, "Nobody came.", "Sales of the new plant have fallen since the company closed it."]
    vectors, _ = stanford.vectors(texts)
    for text, vector in zip(texts[::-1], vectors[::-1], strict=True):
        stanford.java._own.__dict__.clear()
        alone, _ = Stanford(ParseStore(None), threads=1).vectors([text])
        assert np.array_equal(alone[0], vector)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\x01\x02",
        "word " * 1000,
        "a" * 20_000,
        "!?." * 10,
        "Все счастливые семьи похожи друг на друга. 所有幸福的家庭都十分相似。",
        "🙂👩‍👩‍👧 sat on 𝒳 \ud800 \udfff.",
        "1 1/2 ½ cannot \xad etc.",
        ") ( -LRB- :-) \\ / 5\\/6 http://a.b/c(d)",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_bad_input_gives_an_analysis_and_a_vector(stanford, text):
    (analysis,) = analyze([text], analyzer=stanford)
    size = len(analysis.tokens)
    assert len(analysis.tags) == size
    assert [analysis.text[a:b] for a, b in zip(analysis.starts, analysis.ends, strict=True)] == list(analysis.tokens)
    if analysis.constituents is not None:
        assert analysis.constituents.leaves() == analysis.tokens
    vectors, counts = stanford.vectors([text])
    assert np.isfinite(vectors).all()
    assert bool(vectors.any()) == (counts.failed == 0 and size > 0)
    assert counts.long == (size > 60)
