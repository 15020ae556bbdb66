"""Recipes of joint-objective metrics: `ranker: joint`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tercet.rankers.joint import JointOptions
from tercet.rankers.recipe import (
    TEXTS,
    Folder,
    JudgedRecipe,
    Lines,
    data_of,
    is_number,
    is_whole,
    names_in,
    read_yaml,
)

_TEXTS = (*TEXTS, "use")
_TOP = ("ranker", *_TEXTS, "data", "features", "joint", "choices", "choice_folds", "alphas", "folds")
BY_FOLDER = "folders"


@dataclass(frozen=True)
class Choice:
    """Features and options that a metric may be trained with."""

    features: tuple[str, ...]
    options: JointOptions
    said: str = ""
    """As a recipe says it."""


@dataclass(frozen=True, kw_only=True)
class JointRecipe(JudgedRecipe):
    """All that the training of a metric needs but the data themselves."""

    validation: float | tuple[Folder, ...] = 0.1
    """A part of all references of the training data, or folders of their own."""
    features: tuple[str, ...] = ("beer57",)
    options: JointOptions = field(default_factory=JointOptions)
    alphas: tuple[float, ...] = ()
    """Values of α to choose from on the validation data; none: the α of the options."""
    choices: tuple[Choice, ...] = ()
    """Settings to choose from by cross-validation within the training data; none: `features` and `options` as given."""
    choice_folds: int = 3
    folds: int | str = 0
    """Trainings that each leave a part of all references out, or a folder, to measure agreement on it; 0: none."""
    use: str = ""
    """What `-m` is given to score with the model; empty: its folder."""

    def total_epochs(self, folders: int) -> int:
        """Of all trainings together, for a bar."""
        each = len(self.choices) * self.choice_folds + max(1, len(self.alphas))
        parts = 0 if self.test else self.folds
        return self.options.epochs * each * (1 + (parts if isinstance(parts, int) else folders))


def read_joint_recipe(path: Path) -> JointRecipe:
    """The recipe of a file, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    texts = lines.texts(top, _TEXTS)
    data = data_of(
        top, lines, usual=0.1, fits=lambda part: is_number(part) and 0 < part < 1, is_="a part between 0 and 1"
    )
    chosen = _choice(top.get("features", ["beer57"]), top.get("joint", {}), lines, ("features",), ("joint",))
    number = top.get("folds", 0)
    if number != BY_FOLDER and not (is_whole(number) and number >= 0 and number != 1):
        raise lines.error(f"folds is not 0, a whole number of 2 or more, or {BY_FOLDER}", "folds")
    choice_folds = top.get("choice_folds", 3)
    if not (is_whole(choice_folds) and choice_folds >= 2):
        raise lines.error("choice_folds is not a whole number of 2 or more", "choice_folds")
    choices = _choices(top, lines)
    return JointRecipe(
        features=chosen.features,
        options=chosen.options,
        choices=choices,
        choice_folds=choice_folds,
        folds=number,
        alphas=_alphas(top.get("alphas", []), lines, [chosen, *choices]),
        **data,
        **texts,
    )


def _choices(top: Mapping[str, Any], lines: Lines) -> tuple[Choice, ...]:
    """Each has what the recipe has, but for the keys that it names."""
    given = top.get("choices", [])
    if not isinstance(given, list):
        raise lines.error("choices is not a list", "choices", remedy="write - {l2: 1.0e-4} and the like")
    options = [one.name for one in fields(JointOptions)]
    found = []
    for number, one in enumerate(given):
        at = ("choices", str(number))
        own = dict(lines.mapping(one, ["features", *options], *at))
        said = ", ".join(f"{name}={value}" for name, value in own.items()) or "as it stands"
        features = own.pop("features", top.get("features", ["beer57"]))
        choice = _choice(features, {**top.get("joint", {}), **own}, lines, (*at, "features"), at)
        found.append(replace(choice, said=said))
    return tuple(found)


def _choice(features: Any, options: Any, lines: Lines, at_features: tuple[str, ...], at: tuple[str, ...]) -> Choice:
    names = names_in(features, lines, *at_features)
    if not names:
        raise lines.error("features names none", *at_features, remedy="write [beer57]")
    return Choice(names, lines.options(JointOptions, options, *at))


def _alphas(value: Any, lines: Lines, choices: Sequence[Choice]) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or not all(is_number(one) and 0 <= one <= 1 for one in value):
        raise lines.error("alphas is not a list of numbers from 0 to 1", "alphas", remedy="write [0.1, 0.5, 0.9]")
    for choice in choices if value else ():
        if choice.options.objective != "joint":
            problem = f"the objective {choice.options.objective} has no α"
            raise lines.error(problem, "alphas", remedy="leave alphas out")
    return tuple(float(one) for one in value)
