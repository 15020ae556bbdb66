"""What all trainings have in common: what they tell while they happen, and the place that their model will have."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tercet.errors import InputError
from tercet.rankers.models import CONFIG


@dataclass
class TrainingLog:
    """Lines of JSON, told as they come and kept for the model's folder."""

    log: Callable[[str], None] = lambda line: None
    """Called with every line of the training log."""
    lines: list[str] = field(default_factory=list)

    def write(self, **entry: Any) -> None:
        """One more line of the log."""
        line = json.dumps(entry, ensure_ascii=False)
        self.lines.append(line)
        self.log(line)

    def text(self) -> str:
        """All lines so far."""
        return "".join(f"{line}\n" for line in self.lines)


def counted(tell: Callable[[int, int], None] | None, total: int) -> Callable[[int], None]:
    """What is called with every bit that is done, and tells how much is done by then, of how much."""
    done = 0

    def advance(number: int) -> None:
        nonlocal done
        done += number
        if tell is not None:
            tell(done, total)

    return advance


def require_place(output: Path) -> None:
    """An error, before anything is learned, where the model would take the place of something that is none."""
    if output.exists() and not (output.is_dir() and ((output / CONFIG).is_file() or not any(output.iterdir()))):
        raise InputError("exists and is no model", file=output, remedy="choose another -o")
