"""Recipes of joint-objective metrics: `ranker: joint`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tercet.errors import OptionError
from tercet.rankers.joint import JointOptions
from tercet.rankers.recipe import Folder, Lines, folders, names_in, read_yaml

_TOP = ("ranker", "title", "description", "licence", "data", "features", "joint", "alphas", "folds")
_DATA = ("train", "validation", "test", "split_seed")


@dataclass(frozen=True)
class JointRecipe:
    """All that a training needs but the data themselves."""

    train: tuple[Folder, ...]
    validation: float | tuple[Folder, ...] = 0.1
    """A part of all references of the training data, or folders of their own."""
    test: tuple[Folder, ...] = ()
    split_seed: int = 1
    features: tuple[str, ...] = ("beer57",)
    options: JointOptions = field(default_factory=JointOptions)
    alphas: tuple[float, ...] = ()
    """Values of α to choose from on the validation data; none: the α of the options."""
    folds: int = 0
    """Trainings that each leave a part of all references out, to measure agreement on it; 0: none."""
    title: str = ""
    description: str = ""
    licence: str = ""


def read_joint_recipe(path: Path) -> JointRecipe:
    """The recipe of a file, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    for name in ("title", "description", "licence"):
        if not isinstance(top.get(name, ""), str):
            raise lines.error(f"{name} is not text", name)
    data = lines.mapping(top.get("data"), _DATA, "data")
    if "train" not in data:
        raise lines.error("data has no key 'train'", "data", remedy="name the folders to learn from")
    seed = data.get("split_seed", 1)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise lines.error("data.split_seed is not a whole number of 0 or more", "data", "split_seed")
    validation = data.get("validation", 0.1)
    if not isinstance(validation, list) and not (_is_number(validation) and 0 < validation < 1):
        raise lines.error("data.validation is a part between 0 and 1, or folders", "data", "validation")
    options = lines.mapping(top.get("joint", {}), [one.name for one in fields(JointOptions)], "joint")
    features = names_in(top.get("features", ["beer57"]), lines, "features")
    if not features:
        raise lines.error("features names none", "features", remedy="write [beer57]")
    try:
        chosen = JointOptions(**options)
    except OptionError as error:
        at = next((name for name in options if f" {name}=" in str(error)), "")
        raise lines.error(str(error), "joint", *filter(None, [at])) from error
    number = top.get("folds", 0)
    if isinstance(number, bool) or not isinstance(number, int) or number < 0 or number == 1:
        raise lines.error("folds is not 0, or a whole number of 2 or more", "folds")
    return JointRecipe(
        train=folders(data["train"], lines, "train"),
        validation=folders(validation, lines, "validation") if isinstance(validation, list) else float(validation),
        test=folders(data.get("test", []), lines, "test"),
        split_seed=seed,
        features=features,
        options=chosen,
        folds=number,
        alphas=_alphas(top.get("alphas", []), lines, chosen),
        **{name: top.get(name, "") for name in ("title", "description", "licence")},
    )


def _alphas(value: Any, lines: Lines, options: JointOptions) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or not all(_is_number(one) and 0 <= one <= 1 for one in value):
        raise lines.error("alphas is not a list of numbers from 0 to 1", "alphas", remedy="write [0.1, 0.5, 0.9]")
    if value and options.objective != "joint":
        raise lines.error(f"the objective {options.objective} has no α", "alphas", remedy="leave alphas out")
    return tuple(float(one) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
