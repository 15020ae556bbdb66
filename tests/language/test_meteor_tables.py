"""METEOR's tables: compiled from its files, mapped, looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.errors import ResourceError
from tercet.language.meteor_compile import compile_tables
from tercet.language.meteor_tables import HEADER, MeteorTables
from tests import toy_meteor as toy


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("meteor")
    compile_tables(toy.wheel(folder), folder / "meteor.tables")
    return folder / "meteor.tables"


@pytest.fixture(scope="module")
def tables(path: Path) -> MeteorTables:
    return MeteorTables.open(path)


def test_every_paraphrase_is_found_with_its_score_in_the_order_of_the_file(tables):
    assert len(tables) == len(toy.PARAPHRASES)
    for phrase in {phrase for _, phrase, _ in toy.PARAPHRASES}:
        expected = [(other, score) for score, same, other in toy.PARAPHRASES if same == phrase]
        assert tables.paraphrases(phrase) == expected


def test_items_gives_all_paraphrases_by_phrase(tables):
    pairs = {(score, phrase, other) for phrase, others in tables.items() for other, score in others}
    assert pairs == set(toy.PARAPHRASES)


@pytest.mark.parametrize("phrase", ["", "unheard of", "of", "of course not", "course of", "\ud800", "the size of a"])
def test_phrases_without_paraphrases_have_none(tables, phrase):
    assert tables.paraphrases(phrase) == []


def test_synonym_sets_tell_which_words_share_one(tables):
    assert tables.synsets("dog") & tables.synsets("hound")
    assert not tables.synsets("dog") & tables.synsets("tooth")
    assert tables.synsets("went") == tables.synsets("unheard") == frozenset()


def test_base_forms_of_irregular_forms(tables):
    assert tables.bases("went") == ["go", "travel"]
    assert tables.bases("dog") == []


def test_lists_of_words_by_language(tables):
    assert tables.function_words == {name: frozenset(words) for name, words in toy.FUNCTION_WORDS.items()}
    assert tables.abbreviations == {"english": {"Mr": False, "Dr": False, "No": True}}


def test_a_folder_gives_the_same_file_as_a_wheel(path, tmp_path):
    compile_tables(toy.unpacked(tmp_path / "contents"), tmp_path / "new" / "meteor.tables")
    assert (tmp_path / "new" / "meteor.tables").read_bytes() == path.read_bytes()


def test_what_is_not_meteor_is_refused_and_leaves_nothing_behind(tmp_path):
    source = toy.unpacked(tmp_path / "contents")
    paraphrases = source / "pycocoevalcap" / "meteor" / "data" / "paraphrase-en.gz"
    paraphrases.write_bytes(paraphrases.read_bytes()[:-20])
    for broken in (source, tmp_path, tmp_path / "missing.whl"):
        with pytest.raises(ResourceError, match="does not hold METEOR"):
            compile_tables(broken, tmp_path / "target" / "meteor.tables")
    assert not (tmp_path / "target").exists()


def test_damage_is_found_by_verify(path, tables, tmp_path):
    tables.verify()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    damaged = tmp_path / "meteor.tables"
    damaged.write_bytes(content)
    with pytest.raises(ResourceError, match="damaged"):
        MeteorTables.open(damaged).verify()


def test_a_file_that_cannot_be_used_is_refused_with_the_remedy(path, tmp_path):
    whole = path.read_bytes()
    newer = whole[:8] + b"\xff" + whole[9:]
    for content, reason in (
        (b"", "cannot be opened"),
        (whole[:10], "cut short"),
        (b"x" * 100, "not a file"),
        (newer, "format 255"),
        (whole[: HEADER.size + 10], "cut short"),
        (whole[:-64], "cut short"),
    ):
        file = tmp_path / "meteor.tables"
        file.write_bytes(content)
        with pytest.raises(ResourceError, match=rf"{reason}.*tercet resources install meteor"):
            MeteorTables.open(file)
    with pytest.raises(ResourceError, match="cannot be opened"):
        MeteorTables.open(tmp_path / "nowhere")
