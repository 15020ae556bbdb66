"""Feature sets by name: those of this package, any metric or its components, and those that other packages bring.

A package adds a set with an entry point in the group `tercet.features` that names a subclass of `FeatureSet`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from tercet.errors import OptionError
from tercet.features.base import FeatureSet, SentenceVectors
from tercet.metrics import registry as metrics
from tercet.options import parse_options, split_spec

GROUP = "tercet.features"
# modules of this package, imported when first asked for
BUILT_IN = ("beer57", "context", "metric_scores", "softmatch", "stanford", "syntax", "word_means")
COMPONENTS = ".components"

F = TypeVar("F", bound=type[FeatureSet])
_known: dict[str, type[FeatureSet]] = {}


def register(name: str) -> Callable[[F], F]:
    """Class decorator: the feature set is called `name`."""

    def add(cls: F) -> F:
        cls.name = name
        _known[name] = cls
        return cls

    return add


def names() -> list[str]:
    """Every feature set that has a name of its own; any metric `M` and `M.components` are feature sets too."""
    for module in BUILT_IN:
        importlib.import_module(f"tercet.features.{module}")
    return sorted({*_known, *_installed()})


def feature_set(spec: str) -> FeatureSet:
    """The feature set that `name` or `name:option=value,...` describes: a set, a metric, or `METRIC.components`."""
    name, raw = split_spec(spec)
    sets = names()
    if name in sets:
        cls = _find(name)
        return cls(**parse_options(cls, raw, of=name))

    from tercet.features.metric_scores import Components, Scores

    metric = name.removesuffix(COMPONENTS)
    if metric not in metrics.names():
        raise OptionError(
            f"unknown feature set {name!r}; there are {', '.join(sets)}, the metrics {', '.join(metrics.names())}, "
            f"and METRIC{COMPONENTS}"
        )
    if name.endswith(COMPONENTS):
        return Components(metric=metric + spec.strip()[len(name) :])
    return Scores(metrics=(spec.strip(),))


def sentence_vectors(spec: str) -> SentenceVectors:
    """The same, for a set that gives a vector to each sentence."""
    found = feature_set(spec)
    if not isinstance(found, SentenceVectors):
        raise OptionError(f"{spec!r} compares a hypothesis with its reference; sentence vectors are wanted here")
    return found


def _find(name: str) -> type[FeatureSet]:
    if name in _known:
        return _known[name]
    cls = _installed()[name].load()
    if not (isinstance(cls, type) and issubclass(cls, FeatureSet)):
        raise OptionError(f"the installed feature set {name!r} is not a tercet.features.FeatureSet; see its package")
    return register(name)(cls)


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
