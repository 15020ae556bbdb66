"""Tokenizers against sacreBLEU's."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from tercet.language.tokenizers import tokenize
from tests import strategies

NAMES = ["none", "13a", "intl", "char", "zh"]
PEERS = {name: _get_tokenizer(name)() for name in NAMES}


def peer(name: str, line: str) -> list[str]:
    return PEERS[name](line.rstrip()).split()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "line",
    [
        "",
        "  ",
        "Hello, world.",
        ".5 and 5. and 5.5 and ..5.. a.,b",
        " (3.) «4.» ¿5?",
        "10-12 a-b -3 3- 3-",
        "&quot;&amp;lt;&quot; &lt;tag&gt; &apos;",
        "soft-\nhyphen\nnew <skipped>line",
        "他说：“3.14。”OK！①㈱☃",
        "1.\u30002,３.４",
        "a\x85b\x1cc\u2028d",
        "price€5 x²=4 ½.",
    ],
)
def test_edge_cases(name, line):
    assert tokenize([line], name) == [peer(name, line)]


def _same_class_everywhere(text: str) -> bool:
    # sacreBLEU's \p{…} knows a later Unicode than this Python: characters that are new there are left out
    return all(unicodedata.category(c) != "Cn" for c in text)


@given(strategies.any_text, st.sampled_from(NAMES))
def test_any_text(line, name):
    if name == "intl" and not _same_class_everywhere(line):
        return
    assert tokenize([line], name) == [peer(name, line)]
