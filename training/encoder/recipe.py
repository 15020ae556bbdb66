"""Recipes of the encoder's training: what to learn from, how, and in how many folds. Unknown keys are errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tercet.errors import OptionError
from tercet.rankers.recipe import Folder, Lines, folders, read_yaml
from training.encoder.model import Losses
from training.encoder.training import Options

_TOP = ("title", "description", "start", "data", "encoder", "losses")
_DATA = ("train", "validation", "split_seed", "folds")


@dataclass(frozen=True)
class Recipe:
    """All that a training needs but the data themselves."""

    train: tuple[Folder, ...]
    validation: float = 0.1
    """The part of all references that is held out to see how far the training is; 0: none."""
    split_seed: int = 1
    folds: int = 0
    """Trainings that each leave a part of all references out; 0: one training on everything."""
    start: str = ""
    """Adapters to go on from, beside the recipe's own output: `NAME.safetensors`."""
    options: Options = field(default_factory=Options)
    title: str = ""
    description: str = ""


def read_recipe(path: Path) -> Recipe:
    """The recipe in a file, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    for name in ("title", "description", "start"):
        if not isinstance(top.get(name, ""), str):
            raise lines.error(f"{name} is not text", name)
    data = lines.mapping(top.get("data"), _DATA, "data")
    if "train" not in data:
        raise lines.error("data has no key 'train'", "data", remedy="name the folders to learn from")
    numbers = {"validation": data.get("validation", 0.1), "folds": data.get("folds", 0)}
    if not _number(numbers["validation"]) or not 0 <= numbers["validation"] < 1:
        raise lines.error("data.validation is a part between 0 and 1", "data", "validation")
    if type(numbers["folds"]) is not int or numbers["folds"] < 0 or numbers["folds"] == 1:
        raise lines.error("data.folds is 0, or a whole number of 2 or more", "data", "folds")
    seed = data.get("split_seed", 1)
    if type(seed) is not int or seed < 0:
        raise lines.error("data.split_seed is not a whole number of 0 or more", "data", "split_seed")
    return Recipe(
        folders(data["train"], lines, "train"),
        float(numbers["validation"]),
        seed,
        numbers["folds"],
        top.get("start", ""),
        _options(top, lines),
        top.get("title", ""),
        top.get("description", ""),
    )


def _options(top: Mapping[str, Any], lines: Lines) -> Options:
    given = _fields(Options, top.get("encoder", {}), lines, "encoder")
    try:
        return Options(**given, losses=Losses(**_fields(Losses, top.get("losses", {}), lines, "losses")))
    except OptionError as error:
        raise lines.error(str(error), "encoder") from error


def _fields(kind: type, value: Any, lines: Lines, where: str) -> dict[str, Any]:
    """Values for the fields of a dataclass, each of its default's type."""
    known = {one.name: one.default for one in fields(kind) if one.name != "losses"}
    found = {}
    for name, given in lines.mapping(value, tuple(known), where).items():
        default = known[name]
        right = type(given) is type(default) or (isinstance(default, float) and _number(given))
        if not right or (name == "precision" and given not in ("float32", "bfloat16")):
            raise lines.error(f"{where}.{name} cannot be {given!r}; it is {default!r} by default", where, name)
        found[name] = float(given) if isinstance(default, float) else given
    return found


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
