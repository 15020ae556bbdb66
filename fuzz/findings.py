"""What went wrong: one entry for each place in the code, with the bytes that led there."""

from __future__ import annotations

import hashlib
import json
import traceback
from dataclasses import dataclass, field
from pathlib import Path


class HangError(BaseException):
    """A door that has computed for too long."""


@dataclass
class Findings:
    """The findings of one target, in a folder; a place in the code that is known already is not kept again."""

    folder: Path
    known: set[str] = field(default_factory=set)

    def add(self, error: BaseException, data: bytes) -> bool:
        """Keeps what is new; whether it was."""
        place = _place(error)
        if place in self.known:
            return False
        self.known.add(place)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = hashlib.sha256(place.encode()).hexdigest()[:12]
        (self.folder / f"{stem}.bin").write_bytes(data)
        said = "".join(traceback.format_exception(error, limit=-12))
        (self.folder / f"{stem}.txt").write_text(f"{place}\n{data[:300]!r}\n\n{said}", "utf-8", "replace")
        return True


def _place(error: BaseException) -> str:
    """The kind of error and the innermost line of tercet's that it went through."""
    kind = type(error).__name__
    if isinstance(error, HangError):
        return kind  # where it stood when time was up is chance
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "tercet" in Path(f.filename).parts]
    last = frames[-1] if frames else None
    return f"{kind} at {Path(last.filename).name}:{last.lineno}" if last else kind


@dataclass
class Tally:
    """How much a target was run, over all its runs."""

    file: Path
    executions: int = 0
    seconds: float = 0.0
    """Of processor time."""

    @classmethod
    def read(cls, file: Path) -> Tally:
        """What earlier runs left."""
        try:
            found = json.loads(file.read_text("utf-8"))
            return cls(file, int(found["executions"]), float(found["seconds"]))
        except (OSError, ValueError, KeyError):
            return cls(file)

    def write(self) -> None:
        """Whole or not at all: a run may be ended at any time."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps({"executions": self.executions, "seconds": self.seconds}) + "\n", "utf-8")
        part.replace(self.file)
