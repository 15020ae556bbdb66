"""One spelling for language pairs and systems, whatever the files say."""

from __future__ import annotations

import pytest

from tercet.corpus.languages import bare_system, language_code, pair_code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Czech", "cs"),
        ("cze", "cs"),
        ("cz", "cs"),
        (" German ", "de"),
        ("Haitian Creole (Raw)", "htraw"),
        ("Haitian Creole (Clean)", "htclean"),
        ("ptb", "pt"),
        ("zh_CN", "zh_CN"),
        ("Klingonese", None),
        ("", None),
    ],
)
def test_languages(name: str, code: str | None) -> None:
    assert language_code(name) == code


@pytest.mark.parametrize(
    ("text", "pair"),
    [("cz-en", "cs-en"), ("eng-tur", "en-tr"), ("French-English", "fr-en"), ("ende", "en-de"), ("zhen", "zh-en")],
)
def test_pairs(text: str, pair: str) -> None:
    assert pair_code(text) == pair


@pytest.mark.parametrize("text", ["", "cs", "word", "cs-", "online-A", "a-b-c", "cs en"])
def test_what_is_no_pair(text: str) -> None:
    assert pair_code(text) is None


@pytest.mark.parametrize(
    ("name", "testset", "system"),
    [
        ("newstest2013.fr-en.online-A", "newstest2013", "online-A"),
        ("newstest2013.fr-en.cu-zeman.2738", "newstest2013", "cu-zeman.2738"),
        ("newstest2015.online-A.0.fr-en.txt", "newstest2015", "online-A.0"),
        ("newstest2012.fr-en.LIUM_FR-EN_12", "newstest2012", "LIUM_FR-EN_12"),
        ("newstest2016.KIT.fre-eng", "newstest2016", "KIT"),
        ("onlineA", None, "onlineA"),
        ("online-A.0", None, "online-A.0"),
        ("newstest2013.de-en.online-A", None, "newstest2013.de-en.online-A"),
        ("_ref", None, "_ref"),
        ("fr-en.online-A", None, "fr-en.online-A"),
    ],
)
def test_bare_names_of_systems(name: str, testset: str | None, system: str) -> None:
    assert bare_system(name, "fr-en") == (testset, system)
