"""The folder of a run: parts that are whole or not there, a receipt for each, and what the run is about.

    run.json            the plan, the dataset's fingerprints and cuts, and the key: a hash of all of them
    parts/000012.parquet, parts/000012.json      a part's numbers, and its receipt: sha256, rows, sums
    manifest.json       all checksums, written when the run is complete

Whoever computes a part writes it under another name, waits until it is on the disk, renames it, and does the same with
the receipt. So a part with a receipt is whole, one without is computed again, and to compute one twice does no harm.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tercet import output
from tercet.errors import InputError, TercetError
from tercet.resources.cache import sha256_of
from tercet.resources.lock import exclusive

if TYPE_CHECKING:
    import polars as pl

RUN, MANIFEST, PARTS = "run.json", "manifest.json", "parts"
FORMAT = "tercet-run"
_AGAIN = "free some space and run the same command again: what is done is kept"


@dataclass(frozen=True)
class Receipt:
    """What is known of a part without opening it."""

    key: str
    """Of the run that wrote it: what a worker of an earlier run still writes is not taken for ours."""
    number: int
    sha256: str
    rows: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Sums and counts, which later steps add up in the order of parts."""

    def as_json(self) -> str:
        """The text of its file. Numbers are written with all their digits."""
        return json.dumps(vars(self), separators=(",", ":"), allow_nan=False) + "\n"


@dataclass(frozen=True)
class Store:
    """A folder of parts, and the key of the run that they must be of."""

    folder: Path
    key: str

    def part(self, number: int) -> Path:
        """The file of a part."""
        return self.folder / PARTS / f"{number:06d}.parquet"

    def receipt(self, number: int) -> Receipt | None:
        """The receipt of a part, if it has one that can be read."""
        try:
            content = json.loads(self.part(number).with_suffix(".json").read_text("utf-8"))
            found = Receipt(
                str(content["key"]),
                int(content["number"]),
                str(content["sha256"]),
                int(content["rows"]),
                dict(content["facts"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if (found.key, found.number) == (self.key, number) else None

    def write(self, number: int, table: pl.DataFrame, facts: Mapping[str, Any]) -> Receipt:
        """A part and its receipt, on the disk when this returns."""
        buffer = io.BytesIO()
        table.write_parquet(buffer, compression="zstd", statistics=False)
        content = buffer.getvalue()
        receipt = Receipt(self.key, number, hashlib.sha256(content).hexdigest(), len(table), facts)
        part = self.part(number)
        part.with_suffix(".json").unlink(missing_ok=True)  # an old receipt does not vouch for a new part
        output.write_bytes(part, content, remedy=_AGAIN)
        output.write_bytes(part.with_suffix(".json"), receipt.as_json().encode(), remedy=_AGAIN)
        flush(part.parent)
        return receipt

    def read(self, number: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows of a part."""
        import polars as pl

        try:
            return pl.read_parquet(self.part(number), columns=list(columns) if columns else None, glob=False)
        except (pl.exceptions.PolarsError, OSError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                f"cannot be read ({reason})", file=self.part(number), remedy="run the same command again"
            ) from error

    def columns(self) -> list[str]:
        """The names of the columns that every part has."""
        import polars as pl

        return list(pl.read_parquet_schema(self.part(0)))

    def whole(self, number: int) -> Receipt | None:
        """The receipt of a part whose file is, byte for byte, the one that was written."""
        receipt = self.receipt(number)
        try:
            return receipt if receipt is not None and sha256_of(self.part(number)) == receipt.sha256 else None
        except OSError:
            return None


@dataclass(frozen=True)
class About:
    """What a run computes from what: two runs with the same key have the same parts."""

    work: Mapping[str, Any]
    """The plan, as JSON has it."""
    inputs: Sequence[Mapping[str, Any]]
    cuts: Mapping[str, Any]

    @property
    def key(self) -> str:
        """A hash of all of it."""
        return hashlib.sha256(
            json.dumps([self.work, list(self.inputs), self.cuts], sort_keys=True).encode()
        ).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """What run.json holds."""
        return {
            "format": FORMAT,
            "key": self.key,
            "work": dict(self.work),
            "inputs": list(self.inputs),
            "cuts": dict(self.cuts),
        }


@contextmanager
def opened(folder: Path, about: About, *, anew: bool = False) -> Iterator[Store]:
    """The store in a folder, new or continued, which no other process works on meanwhile.

    A folder of another run is refused unless `anew` says that it may go; one of something else always is.
    """
    store = Store(folder, about.key)
    known = _known(folder)
    try:
        (folder / PARTS).mkdir(parents=True, exist_ok=True)
        with exclusive(folder / ".lock", lambda: _busy(folder)):
            if known is not None and (anew or known.get("key") != about.key):
                if not anew:
                    raise InputError(
                        _difference(known, about), file=folder, remedy="choose another --into, or add --anew"
                    )
                _clear(folder)
            _tidy(folder)
            output.write_bytes(folder / RUN, (json.dumps(about.as_json(), indent=1) + "\n").encode(), remedy=_AGAIN)
            yield store
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})", file=folder, remedy="choose another --into"
        ) from error


def complete(store: Store, about: About, receipts: Sequence[Receipt]) -> None:
    """Writes the manifest: what all parts are, by their checksums."""
    parts = [
        {"file": str(store.part(one.number).relative_to(store.folder)), "sha256": one.sha256, "rows": one.rows}
        for one in receipts
    ]
    content = about.as_json() | {"rows": sum(one.rows for one in receipts), "parts": parts}
    output.write_bytes(store.folder / MANIFEST, (json.dumps(content, indent=1) + "\n").encode(), remedy=_AGAIN)
    flush(store.folder)


def flush(folder: Path) -> None:
    """Waits until a folder's listing is on the disk."""
    if os.name == "nt":  # Windows opens no folders
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _known(folder: Path) -> dict[str, Any] | None:
    """What run.json says; None for a folder that is new or empty."""
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise InputError("is a file where a folder is meant", file=folder, remedy="choose another --into")
    try:
        found = json.loads((folder / RUN).read_text("utf-8"))
    except FileNotFoundError:
        if {path.name for path in folder.iterdir()} - {".lock", PARTS} or any((folder / PARTS).glob("*")):
            raise InputError("exists and is something else", file=folder, remedy="choose another --into") from None
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", file=folder / RUN, remedy="choose another --into") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InputError("exists and is something else", file=folder, remedy="choose another --into")
    return found


def _difference(known: Mapping[str, Any], about: About) -> str:
    if known.get("work") != json.loads(json.dumps(about.work)):
        return "holds the parts of another command"
    before = {str(one.get("file")): one for one in known.get("inputs", [])}
    for one in about.inputs:
        if before.get(one["file"]) != dict(one):
            return f"its input has changed since: {one['file']}"
    return "holds parts of another input" if len(before) != len(about.inputs) else "is cut into other partitions"


def _busy(folder: Path) -> None:
    raise TercetError(f"{folder}: another tercet is at work in it; wait for it, or choose another --into")


def _tidy(folder: Path) -> None:
    """Removes what processes that were killed have left unfinished."""
    for path in [*folder.glob(f".{RUN}.*"), *folder.glob(f".{MANIFEST}.*"), *(folder / PARTS).glob(".*")]:
        path.unlink(missing_ok=True)


def _clear(folder: Path) -> None:
    (folder / MANIFEST).unlink(missing_ok=True)
    (folder / RUN).unlink(missing_ok=True)
    shutil.rmtree(folder / PARTS)
    (folder / PARTS).mkdir()
