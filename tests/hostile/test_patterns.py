"""Regular expressions: no text makes one take time that grows faster than the text."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import tercet
from tercet.corpus.files import Content
from tercet.corpus.reading import detect
from tercet.corpus.sgm import read_sgm
from tercet.errors import InputError
from tercet.language.english import tokens
from tercet.language.running_text import _TAGGED
from tercet.language.trees import read as read_trees
from tests.hostile.conftest import Within

ROOT = Path(tercet.__file__).parent
LENGTH = 10_000


@dataclass(frozen=True)
class Used:
    """An expression, and the ways in which the package uses it."""

    pattern: re.Pattern[Any]
    ways: frozenset[str]


@cache
def patterns() -> dict[str, Used]:
    """Every compiled expression of the package, by module and name, and those that stand in a call."""
    found: dict[str, Used] = {}
    for file in sorted(ROOT.rglob("*.py")):
        text, place = file.read_text("utf-8"), file.relative_to(ROOT).as_posix()
        for name in re.findall(r"^(\w+) = re\.compile\(", text, re.MULTILINE):
            module = importlib.import_module("tercet." + place.removesuffix(".py").replace("/", "."))
            ways = frozenset(re.findall(rf"\b{name}\.(\w+)\(", text)) or frozenset(["search"])
            found[f"{place}:{name}"] = Used(getattr(module, name), ways)
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=way),
                    args=[ast.Constant(value=str() as source), *_],
                ) if way not in ("compile", "escape"):
                    found[f"{place}:{node.lineno}"] = Used(re.compile(source), frozenset([way]))
    return found


def run(used: Used, text: Any) -> None:
    """As the package would."""
    for way in used.ways:
        if way in ("match", "fullmatch", "search", "sub", "split"):
            getattr(used.pattern, way)(*((b"" if isinstance(text, bytes) else "", text) if way == "sub" else (text,)))
        else:
            for _ in used.pattern.finditer(text):
                pass


def attacks(pattern: re.Pattern[Any], length: int) -> list[Any]:
    """Long runs of what the expression speaks of, with an end that it does not expect."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode()
    letters = [*sorted(set(source) - set("\\?*+|[]{}^$\n")), "\\"]
    units = [*letters, *(re.sub(r"\W", "", word) for word in re.findall(r"\w{3,}", source))]
    units += ["".join(two) for two in product("a0 <-.'/", repeat=2)] + ["<!--", "-->", "<!---->", "a.B", " a"]
    texts = [unit * (length // len(unit)) + end for unit in dict.fromkeys(filter(None, units)) for end in ("", "\x00")]
    return texts if isinstance(pattern.pattern, str) else [text.encode() for text in texts]


# These see no long texts: names of files, of test sets, of languages; the head of a file.
SHORT = {"corpus/wmt.py": 300, "corpus/languages.py": 300, "da_lines.py": 300, "mqm.py": 300, "reading.py": 4096}


def test_there_are_expressions_to_test() -> None:
    assert len(patterns()) > 25
    assert all(used.ways for used in patterns().values())


@pytest.mark.parametrize("name", sorted(patterns()))
def test_no_expression_takes_long(name: str, within: Within) -> None:
    used = patterns()[name]
    length = next((most for file, most in SHORT.items() if file in name), LENGTH)
    for text in attacks(used.pattern, length):
        with within(0.5):
            run(used, text)


@pytest.mark.parametrize(
    "head",
    [
        "<!---->" * 500,  # comments that can be taken for one or for many
        "<!-- a -->\n" * 300 + "<!--",
        "<?xml?>" * 400,
        " " * 4000,
    ],
)
def test_the_head_of_a_file_is_looked_at_once(head: str, within: Within) -> None:
    with within(1.0):
        assert detect(Content.of("x", head.encode()), "x") == "text"
        assert detect(Content.of("x", head.rstrip("<!-").encode()[:3900] + b"<refset >"), "x") == "sgm"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<!--" * 200_000, "x.sgm:1: <!-- has no -->; mend the file there"),
        ("<seg " * 200_000, "x.sgm:1: <seg has no >; mend the file there"),
        ("<doc docid=a>" + "<seg id=1>" * 200_000, "x.sgm:1: segment 1 of a has no </seg>; mend the file there"),
        ("<doc docid=a><seg>a</seg " + "</seg " * 200_000, "x.sgm:1: </seg has no >; mend the file there"),
        ("<doc " + "a" * 800_000 + ">", "x.sgm:1: a <doc> without docid; mend the file there"),
        ("<doc " + "a " * 400_000 + ">", "x.sgm:1: a <doc> without docid; mend the file there"),
        ("<doc a" + " " * 800_000 + ">", "x.sgm:1: a <doc> without docid; mend the file there"),
    ],
)
def test_sgml_is_read_in_time(text: str, problem: str, within: Within) -> None:
    with within(3.0), pytest.raises(InputError) as error:
        read_sgm(Content.of("x.sgm", text.encode()), "references", name="x")
    assert str(error.value) == problem


@pytest.mark.parametrize("unit", ["AA.BB.", "a@", "a@b-", "a.b@c.d", "a_", "é-", "''"])
def test_tokens_are_found_in_time(unit: str, within: Within) -> None:
    text = unit * (400_000 // len(unit))
    with within(5.0):
        assert tokens(text).forms


def test_tagged_text_is_recognised_in_time(within: Within) -> None:
    with within(1.0):
        assert not _TAGGED.search("/a" * 100_000 + "/A")
        assert _TAGGED.search("a/b/nn " + "x" * 100_000)


def test_trees_are_read_in_time(within: Within) -> None:
    with within(3.0):
        assert read_trees("(" * 100_000 + "a" + ")" * 100_000)[0].depth() == 100_001 - 1
        assert len(read_trees("(S " + "\\(" * 200_000 + ")")[0].leaves()[0]) == 200_000
