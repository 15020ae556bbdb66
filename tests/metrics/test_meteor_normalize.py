"""METEOR's normalisation: what its program gives, and the kernel against the regular expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import _native
from tests import strategies
from tests.oracles import meteor_normalize as oracle

ABBREVIATIONS = {"Mr": False, "No": True}


def normalize(line: str, style: str, *, punctuation: bool = True) -> list[str]:
    text = _native.MeteorText([line], [("",)], style=style, punctuation=punctuation, abbreviations=ABBREVIATIONS)
    return text.words()  # distinct, in order of appearance


# Printed by the program's own normaliser, version 1.5, for lines written for this test.
GOLDEN = {
    "english": {
        "Mr. Gray said: \"It's 5,000 km, isn't it?\"": "Mr. Gray said : \" It 's 5,000 km , isn 't it ? \"",
        "The U.S. and the U.N. (again) agreed...": "The US and the UN ( again ) agreed ...",
        "No. 5 is well-known. No. It is not.": "No. 5 is well known . No . It is not .",
        "In the 1990's, rock'n'roll – and more -- ended.": "In the 1990 's , rock 'n'roll - and more - ended .",
        "“Quotes” ‘single’ ``old''": '" Quotes " \' single \' " old "',
    },
    "french": {"L'eau n'est pas d'ici, dit-il.": "L' eau n' est pas d' ici , dit il ."},
    "other": {"Das geht's nicht.": "Das geht ' s nicht ."},
}


@pytest.mark.parametrize(("style", "line"), [(style, line) for style, lines in GOLDEN.items() for line in lines])
def test_lines_are_normalized_as_the_program_does(style, line):
    expected = GOLDEN[style][line].split(" ")
    assert normalize(line, style) == list(dict.fromkeys(expected))
    assert oracle.normalize(line, style, True, ABBREVIATIONS) == expected


pieces = st.sampled_from(
    ["Mr.", "U.S.", "No.", "no", "don't", "l'eau", "1990's", "'90s", "a,b", "1,2", "3,", "x.", "...", "..", "'s", "5",
     "well-known", "--", "a.-b", " ", "  ", "‘", "’", "“", "''", "–", "`", ".", ",", "-", "'", "ж", "é", "中", "\x1c"]
)  # fmt: skip
lines = st.one_of(strategies.any_text, st.lists(pieces, max_size=12).map("".join))


@given(lines, st.sampled_from(["english", "french", "other", "any_script"]), st.booleans())
def test_agrees_with_the_regular_expressions(line, style, punctuation):
    line = line.replace("\0", "")
    expected = oracle.normalize(line, style, punctuation, ABBREVIATIONS)
    assert normalize(line, style, punctuation=punctuation) == list(dict.fromkeys(expected))
