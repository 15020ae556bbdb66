"""A target: a door of tercet, examples of what it is meant to read, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

Door = Callable[[bytes, Path], object]
"""Takes hostile bytes, and a folder of its own to put them in where the door wants a file."""


@dataclass(frozen=True)
class Target:
    """A door under its name; `seeds` are whole and sound examples, from which mutation starts."""

    name: str
    door: Door
    seeds: tuple[bytes, ...]
    room: str
    """The module that holds the door."""
    words: tuple[bytes, ...] = ()
    """What the format gives a meaning to: mutation puts these in more often than chance would."""


TARGETS: dict[str, Target] = {}


def target(
    name: str, seeds: Iterable[bytes | str], words: Iterable[bytes | str] = ()
) -> Callable[[Callable[[bytes, Path], object]], Door]:
    """Puts a function into the table."""

    def add(door: Door) -> Door:
        room = getattr(door, "func", door).__module__  # some are partial
        TARGETS[name] = Target(name, door, tuple(map(_bytes, seeds)), room, tuple(map(_bytes, words)))
        return door

    return add


def written(folder: Path, name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = folder / name
    path.write_bytes(data)
    return path


def _bytes(text: bytes | str) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
