"""Names of systems that fit on a screen."""

from __future__ import annotations

from collections.abc import Sequence


def short_names(names: Sequence[str]) -> list[str]:
    """The names without what they all begin with up to a dot, such as `newstest2012.de-en.`."""
    if len(names) < 2:
        return list(names)
    least, most = min(names), max(names)  # what these two share, all share
    shared = next((i for i, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), min(len(least), len(most)))
    cut = least.rfind(".", 0, shared) + 1
    return [name[cut:] for name in names] if all(name[cut:].strip() for name in names) else list(names)
