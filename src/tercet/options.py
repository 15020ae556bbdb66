"""Options in a word: `ter:normalized=true,no_punct=true` names a thing and sets the fields of its dataclass."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tercet.errors import OptionError


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """`name:key=value,key=value` as the name and the raw options."""
    name, _, rest = spec.partition(":")
    options: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            raise OptionError(f"{spec!r}: {item!r} is not an option; write {name}:option=value,option=value")
        options[key.strip().replace("-", "_")] = value.strip()
    return name.strip(), options


def parse_options(cls: type, options: dict[str, str], *, of: str) -> dict[str, Any]:
    """Raw options turned into the types that the dataclass's fields declare."""
    hints = get_type_hints(cls)
    known = [field.name for field in fields(cls) if field.init]
    parsed: dict[str, Any] = {}
    for key, text in options.items():
        if key not in known:
            raise OptionError(f"{of} has no option {key!r}; it has {', '.join(known) or 'none'}")
        parsed[key] = _parse(hints[key], text, f"{of}:{key}")
    return parsed


def check_options(instance: Any) -> None:
    """Every field of a dataclass holds what its annotation allows; numbers given as the wrong kind are errors too."""
    hints = get_type_hints(type(instance))
    for field in fields(instance):
        if not field.init:
            continue
        value = getattr(instance, field.name)
        if not _fits(hints[field.name], value):
            raise OptionError(
                f"{type(instance).__name__}: {field.name}={value!r} is not allowed; "
                f"it takes {_describe(hints[field.name])}"
                + (f" (default {field.default!r})" if field.default is not MISSING else "")
            )


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _fits(hint: Any, value: Any) -> bool:
    for kind in _alternatives(hint):
        if get_origin(kind) is Literal:
            if value in get_args(kind):
                return True
        elif kind is float:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return True
        elif kind is int:
            if isinstance(value, int) and not isinstance(value, bool):
                return True
        elif isinstance(value, get_origin(kind) or kind):
            return True
    return False


def _parse(hint: Any, text: str, name: str) -> Any:
    for kind in _alternatives(hint):
        if kind is type(None) and text.lower() == "none":
            return None
        if kind is bool and text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        if kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        if kind is str or (get_origin(kind) is Literal and text in get_args(kind)):
            return text
    raise OptionError(f"{name}={text!r} is not allowed; it takes {_describe(hint)}")


def _describe(hint: Any) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text", type(None): "none"}
    return " or ".join(
        ", ".join(map(str, get_args(kind))) if get_origin(kind) is Literal else names.get(kind, str(kind))
        for kind in _alternatives(hint)
    )
