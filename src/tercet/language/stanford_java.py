"""The door to the Stanford parser: one JVM in this process, entered through JPype. Nothing else knows Java."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tercet.errors import ResourceError
from tercet.language.parse_store import Parse

RESOURCE = "stanford-parser"
DIMENSION = 25
JAVA_OPTIONS = "TERCET_JAVA_OPTIONS"
_TOKENIZER = "untokenizable=noneKeep"  # otherwise as the parser reads text by itself
_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


class Words(NamedTuple):
    """Tokens as the parser wants them, and where they stand in the text, in characters."""

    forms: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


class JavaParser:
    """The parser with englishRNN, loaded; any number of threads may use it."""

    def __init__(self, folder: Path) -> None:
        jpype = started_jvm([folder / "stanford-parser.jar", folder / "ejml.jar"])
        self._jpype = jpype
        nlp = jpype.JPackage("edu").stanford.nlp
        # the program tells on stderr what it loads; its words would stand among ours
        nlp.util.logging.RedwoodConfiguration.empty().apply()
        try:
            self._parser = nlp.parser.lexparser.LexicalizedParser.loadModel(str(folder / "englishRNN.ser.gz"))
        except jpype.JException as error:
            raise ResourceError(
                f"the Stanford parser cannot be loaded ({_first_line(error)}); run `tercet resources verify {RESOURCE}`"
            ) from error
        self._tokenizers = nlp.process.PTBTokenizer.factory(nlp.process.CoreLabelTokenFactory(), _TOKENIZER)
        self._word = nlp.ling.Word
        self._list = jpype.JClass("java.util.ArrayList")
        self._reader = jpype.JClass("java.io.StringReader")
        self._own = threading.local()  # a query keeps its chart, and is for one thread

    def tokenize(self, text: str) -> Words:
        """The tokens of a text by Stanford's own tokenizer."""
        # half a surrogate pair is no character, and Java would take it for one
        clean = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text) if not text.isascii() else text
        tokens = self._tokenizers.getTokenizer(self._reader(clean)).tokenize()
        forms, starts, ends = [], [], []
        for token in tokens:
            forms.append(str(token.word()))
            starts.append(int(token.beginPosition()))
            ends.append(int(token.endPosition()))
        if not clean.isascii() and max(clean) > "\uffff":
            places = _characters(clean)
            starts, ends = [places[i] for i in starts], [places[i] for i in ends]
        return Words(tuple(forms), tuple(starts), tuple(ends))

    def parse(self, words: Words) -> Parse:
        """The best tree and the vector of its root, from the vectors that the reranker DVParser keeps of its nodes."""
        sentence = self._list()
        for form in words.forms:
            sentence.add(self._word(form))
        query = getattr(self._own, "query", None)
        if query is None:
            query = self._own.query = self._parser.parserQuery()
        try:
            found = bool(query.parse(sentence))
            if not found and (bool(query.parseNoMemory()) or bool(query.parseSkipped())):
                raise self._memory_error(words)
            return _read(query, words) if found else Parse(words.starts, words.ends, None, None)
        except self._jpype.JException as error:
            self._own.query = None  # whatever state it is in, the next sentence gets a new one
            if "OutOfMemory" in type(error).__name__:
                raise self._memory_error(words) from error
            return Parse(words.starts, words.ends, None, None)

    @staticmethod
    def _memory_error(words: Words) -> ResourceError:
        return ResourceError(
            f"Java has too little memory to parse a sentence of {len(words.forms)} tokens; "
            f"give it more with {JAVA_OPTIONS}=-Xmx8g, use fewer threads or a lower cap"
        )


def escaped(tokens: Sequence[str]) -> Words:
    """Tokens that somebody else has made, as the Penn Treebank writes them, over their join by blanks."""
    forms, starts, place, quoted = [], [], 0, False
    for token in tokens:
        form = _BRACKETS.get(token, token)
        if token == '"':
            form, quoted = "''" if quoted else "``", not quoted
        forms.append("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in form))
        starts.append(place)
        place += len(token) + 1
    ends = [start + len(token) for start, token in zip(starts, tokens, strict=True)]
    return Words(tuple(forms), tuple(starts), tuple(ends))


def started_jvm(jars: Sequence[Path]) -> Any:
    """The module jpype, with a JVM that runs and knows the jars."""
    try:
        import jpype
    except ImportError as error:
        raise ResourceError(
            "the Stanford parser needs the package JPype1; install it with: pip install 'tercet[stanford]'"
        ) from error
    if jpype.isJVMStarted():
        for jar in jars:
            jpype.addClassPath(jar)
        return jpype
    try:
        library = jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException as error:
        raise ResourceError(
            "the Stanford parser needs Java 11 or later, and there is none; install one "
            "(apt-get install default-jre-headless, brew install openjdk) or set JAVA_HOME"
        ) from error
    options = os.environ.get(JAVA_OPTIONS, "").split()
    try:
        jpype.startJVM("-Xrs", *options, jvmpath=library, classpath=[str(jar) for jar in jars], interrupt=False)
    except Exception as error:  # OSError, RuntimeError or Java's own, by version of JPype
        raise ResourceError(
            f"Java does not start ({_first_line(error)}); the Stanford parser needs Java 11 or later, "
            f"and {JAVA_OPTIONS} may hold only options that it knows"
        ) from error
    return jpype


@cache
def java_parser(folder: Path) -> JavaParser:
    """The parser of an installed resource, loaded once."""
    return JavaParser(folder)


def _read(query: Any, words: Words) -> Parse:
    best = query.getBestParse()
    vector = None
    # trees that are equal have equal vectors; a tree with a rule that the network does not know has none
    for deep in query.rerankerQuery().getDeepTrees():
        if deep.getTree().equals(best):
            vector = _root_vector(deep)
            break
    for number, leaf in enumerate(best.getLeaves()):
        leaf.setValue(str(number))
    return Parse(words.starts, words.ends, str(best.toString()), vector)


def _root_vector(deep: Any) -> Any:
    for entry in deep.getVectors().entrySet():
        if str(entry.getKey().value()) == "ROOT":
            return np.array(entry.getValue().getMatrix().getData(), np.float64).astype(np.float32)
    raise AssertionError("the tree of a DVParser has a root")


def _characters(text: str) -> list[int]:
    """For each place in Java's UTF-16, the place in Python's characters."""
    places = []
    for i, character in enumerate(text):
        places += [i, i] if character > "\uffff" else [i]
    return [*places, len(text)]


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
