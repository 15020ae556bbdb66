"""METEOR against its definition, and what it does with the odd, the long and the missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tercet
from tercet.errors import OptionError, ResourceError, TercetWarning
from tercet.language import stems
from tercet.language.meteor_compile import compile_tables
from tercet.metrics import METEOR, metric
from tests import strategies
from tests import toy_meteor as toy
from tests.oracles import meteor as oracle
from tests.oracles import meteor_normalize

MODULES = ("exact", "stem", "synonym", "paraphrase")
KNOWN = replace(toy.KNOWN, stem=lambda word: stems.stem([word], "english")[0])


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of small tables."""
    folder = tmp_path_factory.mktemp("meteor")
    compile_tables(toy.unpacked(folder / "contents"), folder / "meteor.tables")
    return str(folder / "meteor.tables")


sentences = st.one_of(
    st.lists(st.sampled_from(toy.WORDS), max_size=12),
    st.lists(
        st.sampled_from(["a", "of", "course", "naturally", "the", "dog", "cat", "je", "l'", "baked"]), max_size=14
    ),
).map(" ".join)
some_modules = st.lists(st.sampled_from(MODULES), min_size=1, unique=True).map(
    lambda chosen: [module for module in MODULES if module in chosen]
)


@given(
    st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4),
    some_modules,
    st.sampled_from([1, 2, 3, 5, 40]),
    st.booleans(),
)
def test_statistics_agree_with_the_definition(tables, pairs, modules, beam, characters):
    hypotheses, references = zip(*pairs, strict=True)
    kernel = METEOR(tables=tables, modules=" ".join(modules), beam=beam, characters=characters, normalize=False)
    rows = kernel.statistics(hypotheses, [(text,) for text in references])
    for row, hypothesis, reference in zip(rows, hypotheses, references, strict=True):
        expected = oracle.statistics(
            hypothesis.split(), reference.split(), modules, KNOWN, beam=beam, characters=characters
        )
        assert row.tolist() == expected


long_sentences = st.lists(st.sampled_from(["a", "the", "dog", "dogs", "hound", "cat"]), min_size=60, max_size=140)


@settings(max_examples=15)
@given(long_sentences, long_sentences, st.sampled_from([1, 3, 6]))
def test_what_the_search_passes_by_in_long_sentences_makes_no_difference(tables, hypothesis, reference, beam):
    kernel = METEOR(tables=tables, beam=beam, normalize=False)
    row = kernel.statistics([" ".join(hypothesis)], [(" ".join(reference),)])[0]
    assert row.tolist() == oracle.statistics(hypothesis, reference, MODULES, KNOWN, beam=beam)


@given(strategies.any_text, strategies.any_text, st.booleans(), st.booleans())
def test_any_text_agrees_with_the_definition(tables, hypothesis, reference, normalize, lowercase):
    def words(text):
        if normalize:
            tokens = meteor_normalize.normalize(text, "english", True, {"Mr": False, "Dr": False, "No": True})
        else:
            tokens = [token for token in meteor_normalize.re.split(meteor_normalize.SEPARATORS, text) if token]
        return [token.lower() for token in tokens] if lowercase else tokens

    hypothesis, reference = hypothesis.replace("\0", ""), reference.replace("\0", "")
    kernel = METEOR(tables=tables, normalize=normalize, lowercase=lowercase)
    row = kernel.statistics([hypothesis], [(reference,)])[0]
    assert row.tolist() == oracle.statistics(words(hypothesis), words(reference), MODULES, KNOWN)


@given(st.lists(sentences, min_size=1, max_size=4), sentences)
def test_of_several_references_the_best_counts(tables, references, hypothesis):
    meteor = METEOR(tables=tables)
    alone = meteor.segments([hypothesis] * len(references), references)
    rows = meteor.statistics([hypothesis, hypothesis], [tuple(references), (references[0],)])
    assert meteor.score(rows).tolist() == [alone.max(), alone[0]]
    first = meteor.statistics([hypothesis], [(references[int(alone.argmax())],)])
    assert rows[0].tolist() == first[0].tolist()


@given(strategies.corpora)
def test_scores_lie_between_0_and_1_and_equal_sentences_score_1(corpus):
    hypotheses, references = zip(*corpus, strict=True)
    meteor = METEOR(tables="none")
    scores = meteor.segments(hypotheses, references)
    assert ((scores >= 0) & (scores <= 1)).all()
    same = meteor.segments(hypotheses, [(text,) for text in hypotheses])
    words = meteor.statistics(hypotheses, [(text,) for text in hypotheses])[:, 0]
    assert same.tolist() == pytest.approx((words > 0).astype(float).tolist())


def test_perfect_segments_carry_no_penalty_into_the_corpus():
    meteor = METEOR(tables="none")
    rows = meteor.statistics(["a b c", "a c b"], [("a b c",), ("a b c",)])
    assert rows[:, 20].tolist() == [0, 3]
    assert meteor.score(rows.sum(axis=0)) == pytest.approx(1 - 0.6 * (3 / 6) ** 0.2)


def test_components_are_named():
    meteor = METEOR(tables="none")
    parts = meteor.components(meteor.statistics(["the cats sat"], [("the cat sat down",)]))
    assert parts["precision"].tolist() == pytest.approx([2.6 / 3])
    assert parts["recall"].tolist() == pytest.approx([2.6 / 4])
    assert parts["chunks"].tolist() == [1]
    assert parts["stem_content_reference"].tolist() == [1]
    assert len(meteor.statistic_names) == 23


def test_empty_segments_score_0(tables):
    assert METEOR(tables=tables).segments(["", "a", "", " \t"], ["a b", "", "", "."]).tolist() == [0, 0, 0, 0]


LONG = 10_000


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        (" ".join(map(str, range(LONG))), " ".join(map(str, range(LONG, 0, -1)))),
        ("a " * LONG, "a " * (LONG - 1)),
        ("dogs " * LONG, "dog " * LONG),
        ("hound " * LONG, "dog " * LONG),
        ("naturally " * (LONG // 2), "of course " * (LONG // 4)),
        ("a lot of the dog " * (LONG // 5), "many cat a the " * (LONG // 4)),
    ],
    ids=["distinct", "equal", "stems", "synonyms", "paraphrases", "mixed"],
)
def test_10000_tokens(tables, hypothesis, reference):
    score = METEOR(tables=tables).segments([hypothesis], [reference])[0]
    assert 0 < score <= 1


def test_threads_do_not_change_the_numbers(tables):
    hypotheses = [" ".join(toy.WORDS[k % 7 : k % 40 : 1 + k % 3]) for k in range(500)]
    references = [(" ".join(toy.WORDS[k % 5 : k % 43 : 1 + k % 2]),) for k in range(500)]
    before = tercet.threads()
    try:
        tercet.set_threads(1)
        one = METEOR(tables=tables).statistics(hypotheses, references)
        tercet.set_threads(4)
        four = METEOR(tables=tables).statistics(hypotheses, references)
    finally:
        tercet.set_threads(before)
    np.testing.assert_array_equal(one, four)


class TestWithoutTables:
    @pytest.fixture(autouse=True)
    def _empty_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERCET_CACHE", str(tmp_path))

    def test_a_warning_names_the_remedy_and_the_signature_differs(self, tables):
        with pytest.warns(TercetWarning, match="tercet resources install meteor"):
            bare = METEOR()
        assert "modules:exact=1_stem=0.6|" in str(bare.signature)
        assert "tables:none" in str(bare.signature)
        assert str(bare.signature) != str(METEOR(tables=tables).signature)

    def test_none_says_that_none_are_meant(self):
        assert METEOR(tables="none").segments(["the cats"], ["the cat"])[0] > 0.7

    def test_modules_that_need_them_are_refused(self):
        with pytest.raises(ResourceError, match="tercet resources install meteor"):
            METEOR(tables="none", modules="exact synonym")


def test_everything_that_changes_the_number_is_in_the_signature(tables):
    variants = [
        METEOR(tables=tables),
        METEOR(tables="none"),
        METEOR(tables=tables, language="fr"),
        METEOR(tables=tables, task="adq"),
        METEOR(tables=tables, alpha=0.5),
        METEOR(tables=tables, beta=0.5),
        METEOR(tables=tables, gamma=0.5),
        METEOR(tables=tables, delta=0.5),
        METEOR(tables=tables, modules="exact stem"),
        METEOR(tables=tables, weights="1 1 1 1"),
        METEOR(tables=tables, normalize=False),
        METEOR(tables=tables, lowercase=False),
        METEOR(tables=tables, punctuation=False),
        METEOR(tables=tables, characters=True),
        METEOR(tables=tables, beam=10),
        METEOR(tables=tables, function_words="fr"),
    ]
    assert len({str(variant.signature) for variant in variants}) == len(variants)
    assert "PyStemmer" in str(variants[0].signature)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "klingon"}, "language='klingon' is not known"),
        ({"task": "nonsense"}, "task='nonsense' is not allowed"),
        ({"task": "adq", "language": "de"}, "task=adq is not tuned for language=de"),
        ({"modules": "stem exact"}, "in this order"),
        ({"modules": "exact guess"}, "in this order"),
        ({"modules": ""}, "in this order"),
        ({"modules": "exact synonym", "language": "de"}, "language=de has no module synonym"),
        ({"modules": "exact stem", "language": "cs"}, "language=cs has no module stem"),
        ({"weights": "1 0.5 0.5"}, "one a module"),
        ({"weights": "1 x"}, "not numbers"),
        ({"punctuation": False, "normalize": False}, "needs normalize=true"),
        ({"beam": 0}, "beam=0"),
        ({"function_words": "xy"}, "'xy' is not known"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        METEOR(tables="none", **options)


def test_options_from_the_command_line():
    meteor = metric("meteor:language=german,modules=exact stem,weights=1 0.5,alpha=0.9,tables=none")
    assert meteor == METEOR(language="de", modules="exact stem", weights="1 0.5", alpha=0.9, tables="none")


def test_languages_and_their_default_tasks():
    for language, task, modules in (
        ("fr", "rank", "exact=1_stem=0.2"),
        ("cz", "rank", "exact=1"),
        ("da", "li", "exact=1_stem=0.5"),
        ("swedish", "li", "exact=1_stem=0.5"),
        ("xx", "li", "exact=1"),
    ):
        signature = str(METEOR(language=language, tables="none").signature)
        assert f"|task:{task}|" in signature
        assert f"|modules:{modules}|" in signature


@pytest.mark.parametrize("language", ["ar", "da", "el", "hi", "tr", "xx"])
def test_any_language_can_be_normalized(language):
    text = "«Été» — naïve, 3.5! परीक्षा ψυχή سلام."
    assert METEOR(language=language, tables="none").segments([text], [text]) == [1]
