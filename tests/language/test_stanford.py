"""What stands around the Stanford parser: the store, the cap, threads, errors. The parser here is a stand-in."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tercet import resources
from tercet.errors import OptionError, ResourceError, TercetWarning
from tercet.features.registry import feature_set, sentence_vectors
from tercet.features.stanford import Stanford25
from tercet.language import analyze, get_analyzer
from tercet.language.parse_store import Parse, ParseStore
from tercet.language.stanford import Stanford
from tercet.language.stanford_java import Words, escaped, started_jvm


class Java:
    """Tokens between blanks, all of them nouns under one phrase; some words are special."""

    def __init__(self, fail_at: str = "") -> None:
        self.parsed: list[tuple[str, ...]] = []
        self.fail_at = fail_at
        self._lock = threading.Lock()

    def tokenize(self, text: str) -> Words:
        return escaped(text.split())

    def parse(self, words: Words) -> Parse:
        with self._lock:
            self.parsed.append(words.forms)
        if self.fail_at and self.fail_at in words.forms:
            raise KeyboardInterrupt
        nouns = " ".join(f"(NN {i})" for i in range(len(words.forms)))
        tree = None if "Unsinn" in words.forms else f"(ROOT (NP {nouns}))"
        vector = np.full(25, len(words.forms[0]), np.float32)
        return Parse(words.starts, words.ends, tree, None if tree is None or "odd" in words.forms else vector)


def made(path: Path | None, java: Java, **options) -> Stanford:
    parser = Stanford(ParseStore(path), **options)
    parser.java = java
    return parser


def test_every_text_is_parsed_once(tmp_path):
    java = Java()
    texts = ["a b", "ccc", "a b", "", " \t", "ccc d"]
    parser = made(tmp_path / "p.log", java, threads=2)
    steps: list[int] = []
    assert parser.parse(texts, steps.append) == 3
    assert sum(steps) == len(texts)
    assert sorted(java.parsed) == [("a", "b"), ("ccc",), ("ccc", "d")]
    later = Java()
    vectors, counts = made(tmp_path / "p.log", later).vectors(texts)
    assert later.parsed == []
    assert vectors[:, 0].tolist() == [1, 3, 1, 0, 0, 3]
    assert (counts.texts, counts.empty, counts.failed, str(counts)) == (6, 2, 0, "")


def test_a_run_that_is_ended_goes_on_where_it_stopped(tmp_path):
    texts = [f"w{i}" for i in range(40)]
    first = Java(fail_at="w25")
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "p.log", first, threads=1).parse(texts)
    kept = len(ParseStore(tmp_path / "p.log"))
    assert 20 <= kept <= 25
    second = Java()
    assert made(tmp_path / "p.log", second, threads=2).parse(texts) == 40 - kept
    assert len(second.parsed) == 40 - kept
    assert len(ParseStore(tmp_path / "p.log")) == 40


def test_the_order_and_the_number_of_threads_change_nothing():
    texts = [f"{'x' * (i % 7 + 1)} {i}" for i in range(60)]
    one, _ = made(None, Java(), threads=1).vectors(texts)
    four, _ = made(None, Java(), threads=4).vectors(texts[::-1])
    assert np.array_equal(one, four[::-1])


def test_what_has_no_vector_is_counted(tmp_path):
    texts = ["fine", "w " * 6, "Unsinn", "odd", "w " * 5]
    java = Java()
    parser = made(tmp_path / "p.log", java, cap=5)
    vectors, counts = parser.vectors(texts)
    assert vectors.any(axis=1).tolist() == [True, False, False, False, True]
    assert (counts.long, counts.unparsed, counts.without_vector, counts.failed) == (1, 1, 1, 3)
    assert str(counts) == ("1 longer than the cap, 1 without a tree, 1 with a tree that the network cannot read")
    assert ("w",) * 6 not in java.parsed
    # a text that was too long is not looked at again under the same cap, and is parsed under a higher one
    again = made(tmp_path / "p.log", Java(), cap=5)
    again.vectors(texts)
    assert again.java.parsed == []
    higher = made(tmp_path / "p.log", Java(), cap=6)
    vectors, counts = higher.vectors(texts)
    assert higher.java.parsed == [("w",) * 6]
    assert (counts.long, bool(vectors[1].any())) == (0, True)
    # and what was parsed under a higher cap is still too long under a lower one
    vectors, counts = made(tmp_path / "p.log", Java(), cap=5).vectors(texts)
    assert (counts.long, bool(vectors[1].any())) == (1, False)


def test_only_what_is_kept(tmp_path):
    parser = made(tmp_path / "p.log", Java())
    parser.parse(["a"])
    vectors, counts = parser.vectors(["a", "b"], parse=False)
    assert (vectors.any(axis=1).tolist(), counts.absent, str(counts)) == ([True, False], 1, "1 not parsed yet")
    assert parser.java.parsed == [("a",)]


def test_analyses():
    parser = made(None, Java(), cap=8)
    texts = ["A dog (barks)", "", "Unsinn here", "w " * 9, ["two words", "(", '"']]
    dog, empty, unparsed, long, given = analyze(texts, analyzer=parser)
    assert dog.tokens == ("A", "dog", "(barks)")
    assert dog.tags == ("NN", "NN", "NN")
    assert str(dog.constituents) == r"(ROOT (NP (NN A) (NN dog) (NN \(barks\))))"
    assert dog.units == (0,)
    assert len(dog.chunks) == 3
    assert (empty.tokens, empty.constituents) == ((), None)
    assert (unparsed.tokens, unparsed.constituents) == (("Unsinn", "here"), None)
    assert unparsed.tags[1] == "RB"  # by our own tagger
    assert (len(long.tokens), long.constituents) == (9, None)
    assert given.tokens == ("two words", "(", '"')
    assert given.text == 'two words ( "'
    assert analyze(["a b"], analyzer=parser, discourse=False)[0].units == ()


def test_tokens_are_written_as_in_the_treebank():
    words = escaped(["(", "He", '"', "x", '"', "]", "\ud800"])
    assert words.forms == ("-LRB-", "He", "``", "x", "''", "-RSB-", "\ufffd")
    assert words.starts == (0, 2, 5, 7, 9, 11, 13)
    assert words.ends == (1, 4, 6, 8, 10, 12, 14)


def test_the_feature_set(monkeypatch, tmp_path):
    features = Stanford25(cap=3)
    parser = made(tmp_path / "p.log", Java(), cap=3)
    monkeypatch.setitem(features.__dict__, "_stanford", parser)
    assert len(features.names) == 25
    assert features.transform(["ab", ""], [("x",), ("y",)])[:, 0].tolist() == [2, 0]
    with pytest.warns(TercetWarning, match=r"stanford25: 1 of 2 sentences have the zero vector \(1 longer than the"):
        vectors = features.encode(["a b c d", "abc"])
    assert vectors.dtype == np.float32
    assert vectors[:, 24].tolist() == [0, 3]
    monkeypatch.setattr(resources, "fingerprint", lambda name: "f" * 64)
    assert "cap:3|sha256:ffffffffffffffff" in str(features.signature)
    kept = Stanford25(parse=False)
    monkeypatch.setitem(kept.__dict__, "_stanford", parser)
    first = str(kept.signature)
    parser.parse(["more"])
    assert str(kept.signature) != first
    assert sentence_vectors("stanford25:cap=50").cap == 50
    with pytest.raises(OptionError, match="cap=0 is not allowed"):
        feature_set("stanford25:cap=0")


def test_a_missing_resource_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path))
    with pytest.raises(ResourceError, match=r"not installed; run `tercet resources install stanford-parser`"):
        Stanford()
    with pytest.raises(ResourceError, match=r"not installed; run `tercet resources install stanford-parser`"):
        sentence_vectors("stanford25").encode(["a"])
    with pytest.raises(OptionError, match="choose english, stanford, spacy:MODEL"):
        get_analyzer("stanford:3.9")


def test_a_missing_jpype_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jpype", None)
    with pytest.raises(ResourceError, match=r"needs the package JPype1; install it with: pip install 'tercet\[stanf"):
        started_jvm([])


@pytest.fixture
def jpype(monkeypatch) -> ModuleType:
    """A stand-in for the package, without a JVM."""
    module = ModuleType("jpype")
    module.JVMNotFoundException = type("JVMNotFoundException", (ValueError,), {})
    module.isJVMStarted = lambda: False
    module.getDefaultJVMPath = lambda: "libjvm.so"
    monkeypatch.setitem(sys.modules, "jpype", module)
    return module


def test_a_missing_java_is_named(jpype):
    def nowhere():
        raise jpype.JVMNotFoundException("No JVM shared library file (libjvm.so) found.")

    jpype.getDefaultJVMPath = nowhere
    with pytest.raises(ResourceError, match="needs Java 11 or later, and there is none; install one"):
        started_jvm([])


def test_a_java_that_does_not_start_is_told(jpype, monkeypatch):
    given: list[str] = []

    def start(*options, **others):
        given.extend(options)
        raise RuntimeError("Unrecognized option: -Xmany\nmore")

    jpype.startJVM = start
    monkeypatch.setenv("TERCET_JAVA_OPTIONS", "-Xmx1g -Xmany")
    with pytest.raises(ResourceError, match=r"Java does not start \(Unrecognized option: -Xmany\)"):
        started_jvm([])
    assert given[-2:] == ["-Xmx1g", "-Xmany"]


def test_a_jvm_that_runs_already_is_used(jpype):
    added: list[Path] = []
    jpype.isJVMStarted = lambda: True
    jpype.addClassPath = added.append
    assert started_jvm([Path("/a.jar"), Path("/b.jar")]) is jpype
    assert added == [Path("/a.jar"), Path("/b.jar")]
