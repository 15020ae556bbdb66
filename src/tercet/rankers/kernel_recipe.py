"""Recipes of kernel rankers: `ranker: kernel`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tercet.errors import OptionError
from tercet.rankers.kernel import KernelOptions
from tercet.rankers.recipe import Folder, folders, names_in, read_yaml
from tercet.rankers.tree_pairs import TreeOptions

_TOP = ("ranker", "title", "description", "licence", "data", "trees", "features", "svm")
_DATA = ("train", "validation", "test", "split_seed")
_LISTS = ("costs", "weights")


@dataclass(frozen=True)
class KernelRecipe:
    """All that a training needs but the data themselves."""

    train: tuple[Folder, ...]
    validation: int | tuple[Folder, ...] = 5000
    """Pairs held out of the training data, by whole segments; or folders of their own."""
    test: tuple[Folder, ...] = ()
    split_seed: int = 1
    options: KernelOptions = field(default_factory=KernelOptions)
    title: str = ""
    description: str = ""
    licence: str = ""


def read_kernel_recipe(path: Path) -> KernelRecipe:
    """The recipe of a file, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    for name in ("title", "description", "licence"):
        if not isinstance(top.get(name, ""), str):
            raise lines.error(f"{name} is not text", name)
    data = lines.mapping(top.get("data"), _DATA, "data")
    if "train" not in data:
        raise lines.error("data has no key 'train'", "data", remedy="name the folders to learn from")
    seed, validation = data.get("split_seed", 1), data.get("validation", 5000)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise lines.error("data.split_seed is not a whole number of 0 or more", "data", "split_seed")
    if isinstance(validation, bool) or (isinstance(validation, int) and validation < 1):
        raise lines.error("data.validation is a number of pairs, or folders", "data", "validation")
    trees = lines.mapping(top.get("trees", {}), [one.name for one in fields(TreeOptions)], "trees")
    own = [one.name for one in fields(KernelOptions) if one.name not in ("trees", "features")]
    svm: dict[str, Any] = dict(lines.mapping(top.get("svm", {}), own, "svm"))
    for name in _LISTS:
        if name in svm:
            svm[name] = tuple(svm[name]) if isinstance(svm[name], list) else (svm[name],)
    features = names_in(top.get("features", []), lines, "features")
    try:
        grown = TreeOptions(**trees)
    except OptionError as error:
        at = next((name for name in trees if f"{name}=" in str(error)), "")
        raise lines.error(str(error), "trees", *filter(None, [at])) from error
    try:
        options = KernelOptions(trees=grown, features=features, **svm)
    except OptionError as error:
        at = next((name for name in svm if f" {name}=" in str(error)), "")
        raise lines.error(str(error), "svm", *filter(None, [at])) from error
    return KernelRecipe(
        train=folders(data["train"], lines, "train"),
        validation=validation if isinstance(validation, int) else folders(validation, lines, "validation"),
        test=folders(data.get("test", []), lines, "test"),
        split_seed=seed,
        options=options,
        **{name: top.get(name, "") for name in ("title", "description", "licence")},
    )
