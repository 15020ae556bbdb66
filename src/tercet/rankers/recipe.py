"""Recipes: what to train, on what, in a small YAML file. A key that is not known is an error."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar, cast

from tercet.errors import InputError, OptionError, TercetError
from tercet.rankers.inputs import FeatureSpecs
from tercet.rankers.network import NetworkOptions

MOST_BYTES, MOST_NODES, MOST_DEPTH = 100_000, 10_000, 20

RANKERS = ("network", "joint", "kernel")
VECTORS = "skipgram"
TEXTS = ("title", "description", "licence")
_TOP = ("ranker", *TEXTS, "data", "features", "network")
_DATA = ("train", "validation", "test", "split_seed")
_ASSESSED = "assessed"
_FOLDER = ("folder", "pairs")

T = TypeVar("T")


@dataclass(frozen=True)
class Folder:
    """A folder of judged texts, under the data folder, and the language pairs that are used of it (none: all)."""

    folder: str
    pairs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JudgedRecipe:
    """What the recipe of every ranker has: folders of judged texts, how they are split, and what the card will say."""

    train: tuple[Folder, ...]
    validation: float | tuple[Folder, ...]
    """What is held out of the training data, or folders of their own."""
    test: tuple[Folder, ...] = ()
    split_seed: int = 1
    title: str = ""
    description: str = ""
    licence: str = ""


@dataclass(frozen=True, kw_only=True)
class PairsRecipe(JudgedRecipe):
    """The same for rankers that learn from pairs."""

    validation: int | tuple[Folder, ...] = 5000
    """Pairs held out of the training data, by whole segments; or folders of their own."""


@dataclass(frozen=True, kw_only=True)
class Recipe(PairsRecipe):
    """All that the training of a network needs but the data themselves."""

    features: FeatureSpecs = field(default_factory=FeatureSpecs)
    options: NetworkOptions = field(default_factory=NetworkOptions)
    assessed: tuple[Folder, ...] = ()
    """Folders of direct assessments that are learned from too, across segments; only without hidden nodes."""


def find_recipe(name: str) -> Path:
    """The file of that name, or the recipe of that name that ships with tercet."""
    path = Path(name)
    if path.is_file():
        return path
    shipped = Path(__file__).parents[1] / "recipes"
    known = sorted(file.stem for file in shipped.glob("*.yaml"))
    if path.stem in known and path.suffix in ("", ".yaml") and path.parent.name in ("", "recipes"):
        return shipped / f"{path.stem}.yaml"
    raise InputError("no such recipe", file=name, remedy=f"give a file, or one of {', '.join(known)}")


def read_recipe(path: Path) -> Recipe:
    """The recipe of a network, every key checked."""
    return _recipe(*read_yaml(path))


def read_yaml(path: Path) -> tuple[Any, Lines]:
    """What a recipe's file holds, and where each key stands."""
    try:
        import yaml
    except ImportError as error:  # pragma: no cover - only where the extra is not installed
        raise TercetError("recipes need PyYAML; run `pip install 'tercet[train]'`") from error
    lines = Lines(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"is larger than {MOST_BYTES:,} bytes, which no recipe is", file=path)
        text = path.read_text("utf-8-sig")
        node = yaml.compose(text, yaml.SafeLoader)
        lines.visit(node)
        content = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", file=path) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is not YAML"
        line = None if mark is None else mark.line + 1
        raise InputError(" ".join(str(problem).split()), file=path, line=line) from error
    except RecursionError as error:
        raise InputError("is nested too deeply", file=path) from error
    except TercetError:
        raise
    except Exception as error:  # dates and numbers that are none, and whatever else a tag makes of PyYAML
        raise InputError(f"holds a value that cannot be read ({str(error)[:200]})", file=path) from error
    return content, lines


def ranker_of(path: Path) -> str:
    """Which ranker a recipe is for, or `skipgram` where it is for word vectors."""
    content, lines = read_yaml(path)
    if isinstance(content, Mapping) and "vectors" in content:
        if content["vectors"] != VECTORS:
            raise lines.error(f"there are no vectors {content['vectors']!r}", "vectors", remedy=f"there is {VECTORS}")
        return VECTORS
    name = content.get("ranker", RANKERS[0]) if isinstance(content, Mapping) else RANKERS[0]
    if name not in RANKERS:
        raise lines.error(f"there is no ranker {name!r}", "ranker", remedy=f"there are {', '.join(RANKERS)}")
    return str(name)


class Lines:
    """Where each key stands, by its path; a key that stands twice is an error."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[tuple[str, ...], int] = {}
        self._visited = 0

    def visit(self, node: Any, path: tuple[str, ...] = ()) -> None:
        value: Any = getattr(node, "value", None)
        self._visited += 1  # what an alias stands for counts again: a few of them can stand for billions
        if self._visited > MOST_NODES or len(path) > MOST_DEPTH:
            line = node.start_mark.line + 1
            raise InputError("is nested deeper, or holds more, than any recipe does", file=self.file, line=line)
        if type(node).__name__ == "MappingNode":
            for key, inner in value:
                place = (*path, str(key.value))
                if place in self.known:
                    raise InputError(f"{key.value!r} stands twice", file=self.file, line=key.start_mark.line + 1)
                self.known[place] = key.start_mark.line + 1
                self.visit(inner, place)
        elif type(node).__name__ == "SequenceNode":
            for number, inner in enumerate(value):
                self.visit(inner, (*path, str(number)))

    def error(self, problem: str, *path: str, remedy: str = "") -> InputError:
        """An error at a key."""
        return InputError(problem, file=self.file, line=self.known.get(path), remedy=remedy)

    def texts(self, top: Mapping[str, Any], names: Sequence[str] = TEXTS) -> dict[str, Any]:
        """What a recipe says in words; empty where it says nothing."""
        for name in names:
            if not isinstance(top.get(name, ""), str):
                raise self.error(f"{name} is not text", name)
        return {name: top.get(name, "") for name in names}

    def options(self, kind: type[T], value: Any, *path: str, **more: Any) -> T:
        """The options under a key, checked; `more` are fields of theirs that the recipe has elsewhere."""
        own = [one.name for one in fields(cast("Any", kind)) if one.name not in more]
        given = self.mapping(value, own, *path)
        try:
            return kind(**given, **more)
        except OptionError as error:
            at = [name for name in given if re.search(rf"\b{name}=", str(error))][:1]
            raise self.error(str(error), *path, *at) from error

    def mapping(self, value: Any, known: Sequence[str], *path: str) -> Mapping[str, Any]:
        """The value as a mapping whose keys are all known."""
        where = ".".join(path) or "a recipe"
        if not isinstance(value, Mapping):
            raise self.error(f"{where} needs keys and values", *path, remedy=f"it takes {', '.join(known)}")
        for key in value:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1, 0.5)
                meant = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
                raise self.error(f"{where} has no key {str(key)!r}", *path, str(key), remedy=meant)
        return value


def _recipe(content: Any, lines: Lines) -> Recipe:
    top = lines.mapping(content, _TOP)
    if top.get("ranker", "network") != "network":
        raise lines.error(f"there is no ranker {top['ranker']!r}", "ranker", remedy=f"there are {', '.join(RANKERS)}")
    texts = lines.texts(top)
    given = top.get("data")
    apart = folders(given[_ASSESSED], lines, _ASSESSED) if isinstance(given, Mapping) and _ASSESSED in given else ()
    rest = {key: value for key, value in given.items() if key != _ASSESSED} if isinstance(given, Mapping) else given
    data = pairs_data({**top, "data": rest}, lines)
    kinds = [one.name for one in fields(FeatureSpecs)]
    sets = lines.mapping(top.get("features", {}), kinds, "features")
    try:
        features = FeatureSpecs(**{kind: names_in(value, lines, "features", kind) for kind, value in sets.items()})
    except OptionError as error:
        raise lines.error(str(error), "features") from error
    options = lines.options(NetworkOptions, top.get("network", {}), "network")
    return Recipe(features=features, options=options, assessed=apart, **data, **texts)


def pairs_data(top: Mapping[str, Any], lines: Lines) -> dict[str, Any]:
    """The folders of a recipe and their split, where pairs are held out: the fields of `PairsRecipe`."""
    return data_of(
        top, lines, usual=5000, fits=lambda number: is_whole(number) and number >= 1, is_="a number of pairs"
    )


def data_of(
    top: Mapping[str, Any], lines: Lines, *, usual: float, fits: Callable[[Any], bool], is_: str
) -> dict[str, Any]:
    """The folders of a recipe and their split: the fields of `JudgedRecipe` that are not texts.

    `validation` is folders, or a number that `fits`: what is held out, `usual` if the recipe does not say.
    """
    data = lines.mapping(top.get("data"), _DATA, "data")
    if "train" not in data:
        raise lines.error("data has no key 'train'", "data", remedy="name the folders to learn from")
    seed, validation = data.get("split_seed", 1), data.get("validation", usual)
    if not is_whole(seed) or seed < 0:
        raise lines.error("data.split_seed is not a whole number of 0 or more", "data", "split_seed")
    number = isinstance(validation, int | float)
    if number and not fits(validation):
        raise lines.error(f"data.validation is {is_}, or folders", "data", "validation")
    return {
        "train": folders(data["train"], lines, "train"),
        "validation": validation if number else folders(validation, lines, "validation"),
        "test": folders(data.get("test", []), lines, "test"),
        "split_seed": seed,
    }


def folders(value: Any, lines: Lines, name: str) -> tuple[Folder, ...]:
    """The folders under a key of data."""
    if not isinstance(value, list):
        raise lines.error(f"data.{name} is not a list of folders", "data", name, remedy="write - folder: NAME")
    found = []
    for number, item in enumerate(value):
        path = ("data", name, str(number))
        one = lines.mapping(item, _FOLDER, *path)
        if not isinstance(one.get("folder"), str):
            raise lines.error(f"data.{name} has an entry without a folder", "data", name, remedy="write - folder: NAME")
        found.append(Folder(one["folder"], names_in(one.get("pairs", []), lines, *path, "pairs")))
    if name == "train" and not found:
        raise lines.error("data.train names no folder", "data", name)
    return tuple(found)


def names_in(value: Any, lines: Lines, *path: str) -> tuple[str, ...]:
    """A list of names."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise lines.error(f"{'.'.join(path)} is not a list of names", *path, remedy="write [one, another]")
    return tuple(value)


def is_whole(value: Any) -> bool:
    """Whether YAML gave a whole number; yes and no are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether YAML gave a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
