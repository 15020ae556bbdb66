"""What a model makes of the challenge set, written into its card."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tercet.agreement.challenge import Accuracy
from tercet.output import whole_file
from tercet.rankers import card, joint_card, kernel_card
from tercet.rankers.base import Ranker
from tercet.rankers.joint import JointRanker
from tercet.rankers.kernel import KernelRanker
from tercet.rankers.models import CARD, CONFIG


def write_into_card(folder: Path, ranker: Ranker, sha256: str, accuracies: Sequence[Accuracy]) -> None:
    """The accuracies by kind, in the card of the model that was loaded from this folder; nothing else changes."""
    kinds = {row.kind: {"right": row.right, "ties": row.ties, "n": row.n} for row in accuracies}
    config: dict[str, Any] = json.loads((folder / CONFIG).read_text("utf-8"))
    config["card"]["challenge"] = {"sha256": sha256, "kinds": kinds}
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    for name, content in ((CONFIG, text), (CARD, _card(config, ranker))):
        with whole_file(folder / name) as file:
            file.write(content)


def _card(config: dict[str, Any], ranker: Ranker) -> str:
    if isinstance(ranker, JointRanker):
        return joint_card.model_card(config, ranker.explained())
    if isinstance(ranker, KernelRanker):
        return kernel_card.model_card(config)
    return card.model_card(config)
