"""Signatures: everything that changes a number, in one line that can be pasted into a paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import tercet

Value = str | int | float | bool


@dataclass(frozen=True)
class Signature:
    """A name and ordered `key:value` items, in sacreBLEU's form; the version stands last."""

    name: str
    items: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, name: str, **items: Value | None) -> Self:
        """Items that are None are left out; True and False read yes and no."""
        return cls(name, tuple((key, _show(value)) for key, value in items.items() if value is not None))

    def also(self, **items: Value | None) -> Self:
        """The same with further items, which stand first: `nrefs`, `bs`, `seed`."""
        added = type(self).of(self.name, **items).items
        return type(self)(self.name, added + self.items)

    def __str__(self) -> str:
        items = (*self.items, ("version", f"tercet-{tercet.__version__}"))
        return "|".join([self.name, *(f"{key}:{value}" for key, value in items)])


def _show(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
