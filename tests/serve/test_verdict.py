"""POST /api/verdict: what the command line would say, and its errors."""

from __future__ import annotations

import json

import pytest

from tercet.compare import choose_judge, compare
from tercet.compare.explanation import Explainer
from tercet.compare.explanation_text import sentences
from tercet.corpus import Corpus

REFERENCE = "The council rejected the plan to close two of the town's three libraries."
TEXTS = {
    "A": "The council accepted the plan to close two of the town's libraries.",
    "B": "The council rejected the plan to close two of the three libraries in the town.",
    "C": "Council libraries no.",
}


def test_the_verdict_is_that_of_the_library(client):
    answer = client.post("/api/verdict", json={"references": [REFERENCE], "translations": TEXTS})
    assert answer.status_code == 200
    found = answer.json()
    corpus = Corpus(references=[(REFERENCE,)], systems={name: [text] for name, text in TEXTS.items()})
    judge = choose_judge("joint")
    comparison = compare(corpus, judge, samples=1)
    order = [ranked.system for ranked in comparison.ranking]
    assert [place["system"] for place in found["ranking"]] == order
    assert [(one["first"], one["second"]) for one in found["verdicts"]] == [
        (order[0], order[1]),
        (order[0], order[2]),
        (order[1], order[2]),
    ]
    for one in found["verdicts"]:
        expected = Explainer(corpus, judge, comparison).explain(1, one["first"], one["second"])
        assert one["sentences"] == sentences(expected)
        assert one["explanation"] == json.loads(json.dumps(expected.as_json()))
        assert one["verdict"] == "first"
        assert one["probability"] > 0.5
        assert one["margin"] == expected.margin
    assert found["signature"] == str(judge.signature)
    assert found.get("packed") is None


def test_more_references_and_a_source_and_the_data_of_the_page(client):
    from tercet.compare.report.packing import decoded

    wanted = {
        "references": [REFERENCE, TEXTS["B"]],
        "translations": {"A": TEXTS["A"], "B": TEXTS["B"]},
        "source": "Der Rat lehnte den Plan ab.",
        "packed": True,
    }
    found = client.post("/api/verdict", json=wanted).json()
    header, _ = decoded(found["packed"])
    assert header["systems"] == ["A", "B"]
    assert header["texts"][0][0] == "Der Rat lehnte den Plan ab."
    assert found["verdicts"][0]["first"] == "B"
    assert found["verdicts"][0]["explanation"]["reference"] == TEXTS["B"]


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ('{"references": ["a"]}', 422, "translations: Field required"),
        ('{"references": [], "translations": {"A": "a", "B": "b"}}', 422, "references: "),
        ('{"references": ["a"], "translations": {"A": "a"}}', 422, "translations: "),
        ('{"references": ["a"], "translations": {"A": "a", "B": 3}}', 422, "translations.B: "),
        ('{"references": "a", "translations": {"A": "a", "B": "b"}}', 422, "references: "),
        ('{"references": ["a"], "translations": {"A": "a", " ": "b"}}', 422, "a system is called ' '; give it a name"),
        (
            '{"references": ["a\\nb"], "translations": {"A": "a", "B": "b"}}',
            422,
            "reference 1 has 2 lines, but a verdict is on one segment; compare several as files",
        ),
        ('{"references": ["a"], "translations": {"A": "a", "B": "b"}, "model": "/etc"}', 422, "model: "),
        (
            '{"references": ["\\ud83d"], "translations": {"A": "a", "B": "b"}}',
            422,
            "reference 1 has half a surrogate pair",
        ),
        ('{"references": ["a"], "translations": {"\\ud800": "", "B": ""}}', 422, "the name of a translation has half"),
        ('{"references": ["a"], "translations": {"\\ud800": 1, "B": "b"}}', 422, "translations."),
        ("{", 400, "the request is not JSON"),
        ("", 422, ""),
        ("[" * 15_000, 400, ""),
        (
            '{"references": ["' + "a " * 1500 + '"], "translations": {"A": "a", "B": "b"}}',
            422,
            "the references: segment 1",
        ),
    ],
)
def test_bad_input_is_one_line(client, body, status, problem):
    answer = client.post("/api/verdict", content=body.encode(), headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].startswith(problem)
    assert "\n" not in answer.json()["error"]
    assert "Traceback" not in answer.text


def test_empty_and_strange_texts_have_a_verdict(client):
    for texts in (["", "", ""], [" ", "\x00\x1b", "\u202e"], ["中文", "👩‍👩‍👧", "e\u0301"]):
        body = {"references": [texts[0]], "translations": {"A": texts[1], "B": texts[2]}, "packed": True}
        answer = client.post("/api/verdict", json=body)
        assert answer.status_code == 200
        assert len(answer.json()["verdicts"]) == 1
