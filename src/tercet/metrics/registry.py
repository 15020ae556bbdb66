"""Metrics by name: those of this package, and those that other installed packages bring.

A package adds a metric with an entry point in the group `tercet.metrics` that names a subclass of `Metric`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from tercet.errors import OptionError
from tercet.metrics.base import Metric
from tercet.options import parse_options, split_spec

GROUP = "tercet.metrics"
BUILT_IN = (
    "bleu",
    "chrf",
    "hter",
    "hyter",
    "meteor",
    "nist",
    "sbleu",
    "ter",
    "treekernel",
    "wer",
)  # modules of this package, imported when first asked for

M = TypeVar("M", bound=type[Metric])
_known: dict[str, tuple[type[Metric], Mapping[str, Any]]] = {}


def register(name: str, *, aliases: Mapping[str, Mapping[str, Any]] | None = None) -> Callable[[M], M]:
    """Class decorator: the metric is called `name`; an alias stands for the metric with certain options."""

    def add(cls: M) -> M:
        cls.name = name
        _known[name] = (cls, {})
        for other, options in (aliases or {}).items():
            _known[other] = (cls, options)
        return cls

    return add


def names() -> list[str]:
    """Every metric that `-m` knows here."""
    for module in BUILT_IN:
        importlib.import_module(f"tercet.metrics.{module}")
    return sorted({*_known, *_installed()})


def metric(spec: str, **usual: Any) -> Metric:
    """The metric that `name` or `name:option=value,...` describes.

    `usual` are values of options that stand where a metric has such an option and the description does not give it.
    """
    name, raw = split_spec(spec)
    cls, preset = _find(name)
    own = {field.name for field in fields(cls) if field.init} if is_dataclass(cls) else ()
    given = {option: value for option, value in usual.items() if option in own}
    return cls(**{**given, **preset, **parse_options(cls, raw, of=name)})


def _find(name: str) -> tuple[type[Metric], Mapping[str, Any]]:
    if name not in _known:
        names()
    if name in _known:
        return _known[name]
    if name not in _installed():
        raise OptionError(f"unknown metric {name!r}; there are {', '.join(names())}")
    cls = _installed()[name].load()
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        raise OptionError(f"the installed metric {name!r} is not a tercet.metrics.Metric; see its package")
    register(name)(cls)
    return cls, {}


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
