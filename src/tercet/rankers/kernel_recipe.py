"""Recipes of kernel rankers: `ranker: kernel`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tercet.rankers.kernel import KernelOptions
from tercet.rankers.recipe import TEXTS, PairsRecipe, names_in, pairs_data, read_yaml
from tercet.rankers.tree_pairs import TreeOptions

_TOP = ("ranker", *TEXTS, "data", "trees", "features", "svm")
_LISTS = ("costs", "weights")


@dataclass(frozen=True, kw_only=True)
class KernelRecipe(PairsRecipe):
    """All that the training of a kernel ranker needs but the data themselves."""

    options: KernelOptions = field(default_factory=KernelOptions)


def read_kernel_recipe(path: Path) -> KernelRecipe:
    """The recipe of a file, every key checked."""
    content, lines = read_yaml(path)
    top = lines.mapping(content, _TOP)
    texts, data = lines.texts(top), pairs_data(top, lines)
    trees = lines.options(TreeOptions, top.get("trees", {}), "trees")
    features = names_in(top.get("features", []), lines, "features")
    svm = top.get("svm", {})
    if isinstance(svm, Mapping):
        svm = {name: _listed(value) if name in _LISTS else value for name, value in svm.items()}
    options = lines.options(KernelOptions, svm, "svm", trees=trees, features=features)
    return KernelRecipe(options=options, **data, **texts)


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)
