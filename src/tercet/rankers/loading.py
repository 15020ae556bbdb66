"""Any trained ranker that compares, by what its folder says it is."""

from __future__ import annotations

import json
from pathlib import Path

from tercet.rankers.kernel import KernelRanker
from tercet.rankers.network import NetworkRanker


def load_ranker(path: Path) -> NetworkRanker | KernelRanker:
    """The network or the kernel ranker of a model's folder."""
    from tercet.rankers import kernel_models

    try:
        found = json.loads((path / "config.json").read_text("utf-8"))
        kind = found.get("format") if isinstance(found, dict) else None
    except (OSError, ValueError, RecursionError):
        kind = None  # a network's loader says what is wrong
    return KernelRanker.load(path) if kind == kernel_models.FORMAT else NetworkRanker.load(path)
