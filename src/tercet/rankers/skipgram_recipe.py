"""Recipes of word vectors: which text, and the settings of skip-gram."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tercet.language.skipgram_training import SkipGramOptions
from tercet.rankers.recipe import names_in, read_yaml

_TOP = ("vectors", "title", "licence", "data", "skipgram")


@dataclass(frozen=True)
class SkipGramRecipe:
    """All that a training of vectors needs but the text itself."""

    folders: tuple[str, ...]
    """Of running text, under the data folder."""
    options: SkipGramOptions
    title: str = ""
    licence: str = ""


def read_skipgram_recipe(path: Path) -> SkipGramRecipe:
    """The recipe, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    data = lines.mapping(top.get("data"), ("text",), "data")
    folders = names_in(data.get("text"), lines, "data", "text")
    if not folders:
        raise lines.error("data.text names no folder", "data", "text")
    texts = lines.texts(top, ("title", "licence"))
    options = lines.options(SkipGramOptions, top.get("skipgram", {}), "skipgram")
    return SkipGramRecipe(folders, options, **texts)
