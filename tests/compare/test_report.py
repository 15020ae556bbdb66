"""The report: everything escaped, everything in it, and small."""

from __future__ import annotations

import base64
import hashlib
import random
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet.compare import MetricJudge, compare
from tercet.compare.explanation import Explainer
from tercet.compare.matching import Link, Matcher, Matching, shown, words_of
from tercet.compare.report import LIMIT, report, write_report
from tercet.compare.report.packing import BOUNDARY, Payload, decoded, packed_edits, packed_links
from tercet.corpus import Corpus
from tercet.errors import InputError
from tercet.metrics import TER, ChrF
from tests.compare.conftest import HOSTILE, by_metric, compared
from tests.strategies import any_text


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and what stands in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.cdata_elem:
            self.raw.append((self.cdata_elem, data))
        else:
            self.words.append(data)

    def content(self, tag: str, number: int = 0) -> str:
        return [data for name, data in self.raw if name == tag][number]

    def data(self) -> tuple[dict, dict]:
        return decoded(self.content("script"))


def made(corpus: Corpus, judge=None) -> Page:
    judge, comparison = compared(corpus, judge)
    return Page(report(corpus, judge, comparison))


def test_nothing_hostile_becomes_markup(hostile):
    page = made(hostile)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 2
    assert not {"img", "b", "iframe", "link", "base", "form", "object"} & set(tags)
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes), tag
        assert not {"src", "style"} & set(attributes), tag
        assert attributes.get("href", "#").startswith("#")
    assert "window.pwned" not in page.content("script", 1)
    visible = "".join(page.words)
    assert "<b>&amp;" in visible  # as text, to the letter
    header, _ = page.data()
    assert header["systems"] == list(hostile.systems)
    for segment, row in enumerate(header["texts"]):
        plain = [text.replace(BOUNDARY, "") for text in row]
        assert plain[0] == shown(hostile.sources[segment])
        assert plain[1] == shown(HOSTILE[segment])
        assert plain[2:] == [shown(texts[segment]) for texts in hostile.systems.values()]


def test_nothing_but_its_own_script_and_style_may_run(demo):
    page = made(demo)
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for rule, content in (("script-src", page.content("script", 1)), ("style-src", page.content("style"))):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    script, style = page.content("script", 1), page.content("style")
    assert "innerHTML" not in script
    assert "insertAdjacentHTML" not in script
    assert "fetch(" not in script
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in style
    assert "@import" not in style


def test_the_numbers_are_those_of_the_comparison(demo):
    judge, comparison = compared(demo)
    header, arrays = Page(report(demo, judge, comparison)).data()
    names = list(comparison.systems)
    assert [pair["p_value"] for pair in header["pairs"]] == [pair.p_value for pair in comparison.pairs]
    assert header["model"] == "joint"
    assert header["additive"] is True
    spread = np.stack(list(comparison.margins.values())).std()
    of_first = arrays["margins"].reshape(2, 20)
    assert of_first[0] == pytest.approx(comparison.margins[names[0], names[1]], abs=spread / 1000)
    assert of_first[1] - of_first[0] == pytest.approx(comparison.margins[names[1], names[2]], abs=spread / 500)
    verdicts = arrays["verdicts"].reshape(3, 20).astype(int) - 1
    for row, found in zip(verdicts, comparison.verdicts.values(), strict=True):
        assert row.tolist() == found.tolist()
    parts = arrays["contributions"].reshape(2, 20, len(header["groups"]) - 1)
    found = Explainer(demo, judge, comparison).explain(6, names[0], names[1])
    for name, value in found.groups:
        if name != header["groups"][-1]:
            assert parts[0, 5, header["groups"].index(name)] == pytest.approx(value, abs=spread / 250)
    assert header["full"]["segments"] == list(range(20))
    every = arrays["every"].reshape(2, 20, len(header["features"]))
    assert every[0, 5].sum() == pytest.approx(found.margin, abs=len(header["features"]) * spread / 500)
    assert len(header["full"]["trees"][0]) == 4
    most, chances = header["curve"]
    margin = found.margin
    near = chances[round((margin / most + 1) / 2 * 512)]
    assert near == pytest.approx(found.probability, abs=0.02)


def test_without_a_script_the_ranking_can_be_read(corpus):
    judge, comparison = by_metric(corpus)
    words = "".join(Page(report(corpus, judge, comparison)).words)
    for ranked in comparison.ranking:
        assert ranked.system in words
        assert f"{ranked.score:.1f}" in words
    for pair in comparison.pairs:
        assert f"{100 * pair.win_rate:.0f}" in words
    assert comparison.signature in words
    assert "metric chrF2" in words
    assert "good is best" in words


def test_margins_that_are_no_differences_are_kept_for_every_pair():
    class Circle(MetricJudge):
        """The first beats the second, the second the third, the third the first."""

        def margins(self, systems, references, sources):
            ring = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)
            return np.repeat(ring[:, :, None], len(references), axis=2)

    references = [("a",)] * 6
    corpus = Corpus(references=references, systems={name: ["a"] * 6 for name in "xyz"})
    judge = Circle(ChrF())
    header, arrays = Page(report(corpus, judge, compare(corpus, judge, samples=50))).data()
    assert header["additive"] is False
    assert arrays["margins"].reshape(3, 6)[:, 0] == pytest.approx([1, -1, 1], abs=1e-3)


def test_three_thousand_segments_of_five_systems_fit_into_two_megabytes():
    chance = random.Random(1)
    letters = "abcdefghijklmnoprstuvwyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(6000)]
    common = ["the", "of", "and", "to", "in", "a", "is", "that", "for", "it"]  # enough to be taken for English

    def word() -> str:
        return chance.choice(common) if chance.random() < 0.4 else chance.choice(words)

    references = [" ".join(word() for _ in range(chance.randint(8, 36))) for _ in range(3000)]
    systems = {
        f"system {number}": [
            " ".join(word() if chance.random() < 0.1 + 0.05 * number else old for old in text.split())
            for text in references
        ]
        for number in range(5)
    }
    corpus = Corpus(references=[(text,) for text in references], systems=systems)
    judge, comparison = compared(corpus)
    found = report(corpus, judge, comparison)
    assert len(found.encode()) <= LIMIT
    header, _ = Page(found).data()
    assert len(header["texts"]) == 3000
    assert len(header["full"]["segments"]) >= 10
    assert "trees" in header["full"]


def test_full_explanations_give_way_where_there_is_no_room(demo):
    judge, comparison = compared(demo)
    found = report(demo, judge, comparison, limit=1000)
    header, _ = Page(found).data()
    assert len(header["full"]["segments"]) == 10
    assert len(header["texts"]) == 20


@pytest.mark.parametrize(
    "systems",
    [{"a": ["x y"], "b": ["x z"]}, {"a": [""], "b": [""]}, {"a": ["same"] * 3, "b": ["same"] * 3, "c": ["same"] * 3}],
    ids=["one segment", "nothing at all", "no difference"],
)
def test_the_least_there_can_be(systems):
    corpus = Corpus(references=[("x y",)] * len(systems["a"]), systems=systems)
    for judge, comparison in (compared(corpus), by_metric(corpus)):
        header, arrays = Page(report(corpus, judge, comparison)).data()
        assert header["segments"] == len(corpus)
        assert np.isfinite(arrays["margins"]).all()
        assert len(header["full"]["segments"]) == len(corpus)


def test_the_same_input_gives_the_same_report(demo):
    assert report(demo, *compared(demo)) == report(demo, *compared(demo))


@given(st.lists(st.integers(-40_000, 40_000), min_size=1, max_size=30))
def test_numbers_come_back(values):
    packed = Payload({"a": "ü\u2028"})
    packed.numbers("n", np.array(values, float), 0.5)
    packed.bytes("b", bytes(range(256)))
    header, arrays = decoded(packed.encoded())
    assert header["a"] == "ü\u2028"
    assert arrays["n"].tolist() == [max(-16384, min(16383.5, value)) for value in values]
    assert arrays["b"].tolist() == list(range(256))


def _unpacked(places: bytes, stages: bytes, words: int) -> list[tuple[int, int]]:
    """As the page's script reads links: slowly, by their definition."""
    found, at, expected = [], 0, 0
    for i in range(words):
        code = places[at]
        at += 1
        if code == 0:
            continue
        if code == 255:
            to = places[at] + 256 * places[at + 1]
            at += 2
        else:
            jump = code - 1
            to = expected + (-(jump + 1) // 2 if jump % 2 else jump // 2)
        found.append((i, to))
        expected = to + 1
    assert at == len(places)
    assert len(stages) == len(found)
    return found


@given(st.integers(1, 400), st.integers(0, 1000))
def test_links_come_back(size, seed):
    order = random.Random(seed).sample(range(size), size)
    links = tuple(Link(i, to, "exact") for i, to in enumerate(order) if to % 3)
    words = ("w",) * size
    assert _unpacked(*packed_links(Matching(words, words, links)), size) == [
        (link.hypothesis, link.reference) for link in links
    ]


@settings(max_examples=100)
@given(any_text, any_text)
def test_edits_and_words_of_any_text_can_be_packed(hypothesis, reference):
    one, other = shown(hypothesis), shown(reference)
    matching = Matcher(language=None).match(words_of(one), words_of(other))
    assert len(_unpacked(*packed_links(matching), len(matching.hypothesis))) == len(matching.links)
    alignment = TER().alignment(one, other)
    letters, *_shifts = packed_edits(alignment, 0).split("|")
    assert sum(letter != "i" for letter in letters) == len([word for word in one.split(" ") if word])
    assert sum(letter != "d" for letter in letters) == len([word for word in other.split(" ") if word])


def test_a_report_appears_whole_or_not_at_all(tmp_path, demo):
    judge, comparison = compared(demo)
    with pytest.raises(InputError, match="is a directory; give --html a file"):
        write_report(tmp_path, demo, judge, comparison)
    with pytest.raises(InputError, match="cannot be written"):
        write_report(tmp_path / "nowhere" / "report.html", demo, judge, comparison)
    done = []
    write_report(tmp_path / "report.html", demo, judge, comparison, progress=done.append)
    assert sum(done) == 20
    assert [path.name for path in tmp_path.glob("*.html")] == ["report.html"]
