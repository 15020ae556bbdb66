"""Recipes of word vectors: which text, and the settings of skip-gram."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from tercet.errors import OptionError
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
    for name in ("title", "licence"):
        if not isinstance(top.get(name, ""), str):
            raise lines.error(f"{name} is not text", name)
    given = lines.mapping(top.get("skipgram", {}), [one.name for one in fields(SkipGramOptions)], "skipgram")
    try:
        options = SkipGramOptions(**given)
    except OptionError as error:
        at = next((name for name in given if f" {name}=" in str(error)), "")
        raise lines.error(str(error), "skipgram", *filter(None, [at])) from error
    return SkipGramRecipe(folders, options, top.get("title", ""), top.get("licence", ""))
