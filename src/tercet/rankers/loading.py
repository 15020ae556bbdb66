"""Any trained model by its folder or by the name that it ships under, whatever kind of ranker it is.

A package adds a kind of ranker with an entry point in the group `tercet.rankers`: its name is the `format` that the
configuration of such a model states, and it names the function that reads a model's folder.
"""

from __future__ import annotations

import importlib
import json
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import tercet
from tercet.errors import InputError, ResourceError
from tercet.rankers.base import Ranker

SHIPPED = Path(tercet.__file__).parent / "models"
CONFIG = "config.json"

PREFERRED = ("base", "lite", "joint")
"""Which shipped model decides when nobody names one: the first whose features are to be had here."""

# the format that a model's configuration states, and the function that reads such a folder; a new kind is a line here
LOADERS = {
    "tercet-network": ("tercet.rankers.models", "load"),
    "tercet-joint": ("tercet.rankers.joint_models", "load"),
    "tercet-trees": ("tercet.rankers.kernel_models", "load"),
}

GROUP = "tercet.rankers"
_MOST_JSON = 1 << 20


def shipped() -> list[str]:
    """The names of the models that ship with tercet."""
    return sorted(file.parent.name for file in SHIPPED.glob(f"*/{CONFIG}"))


def find_model(name: str | Path) -> Path:
    """The folder of that name, or the model of that name that ships with tercet."""
    path = Path(name)
    if path.is_dir():
        return path
    known = shipped()
    if str(name) in known:
        return SHIPPED / name
    problem = "is a file where a model's folder is meant" if path.is_file() else "no such model"
    remedy = "give the folder that `tercet train -o` wrote"
    raise InputError(problem, file=name, remedy=remedy + (f", or one of {', '.join(known)}" if known else ""))


def model_name(name: str | Path) -> str:
    """What outputs call a model: the name that it ships under, or that of its folder."""
    return find_model(name).resolve().name


def load_model(name: str | Path) -> Ranker:
    """The ranker of a folder or of a shipped name; its configuration tells its kind. Nothing in it is run."""
    folder = find_model(name)
    stated = _stated_format(folder / CONFIG)
    if stated in LOADERS:
        module, function = LOADERS[stated]
        found: Ranker = getattr(importlib.import_module(module), function)(folder)
        return found
    others = _installed()
    if stated not in others:
        raise InputError(
            f"is of the format {stated!r}; this tercet reads {', '.join((*LOADERS, *sorted(others)))}",
            file=folder / CONFIG,
            remedy="use the tercet that wrote it",
        )
    found = others[stated].load()(folder)
    if not isinstance(found, Ranker):
        raise InputError(f"is read as a {type(found).__name__}, which is no tercet.rankers.Ranker", file=folder)
    return found


def default_model() -> tuple[str, Ranker] | None:
    """The best shipped model that can be used here, with its name; None where none can."""
    known = shipped()
    for name in PREFERRED:
        if name in known:
            try:
                return name, load_model(name)
            except ResourceError:  # its features need what is not installed: the next one
                continue
    return None


def stronger_model(name: str) -> tuple[str, str] | None:
    """A shipped model that would be preferred to `name`, and why it cannot be used here."""
    known = shipped()
    for better in PREFERRED[: PREFERRED.index(name)] if name in PREFERRED else ():
        if better in known:
            try:
                load_model(better)
            except ResourceError as error:
                return better, str(error.__cause__ or error)  # what is missing, without the place of the package
    return None


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _stated_format(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_JSON:
            raise InputError("is too large for a model's configuration", file=file)
        config: Any = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=file, remedy="is this a model?") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON ({error})", file=file) from error
    return str(config.get("format")) if isinstance(config, dict) else "none"
