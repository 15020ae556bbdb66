"""Results on stdout or in a file that appears whole or not at all; everything else on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tercet.errors import InputError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file that takes the place of `path` when the block ends without an error."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy="choose another -o") from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)  # mkstemp's file is private; a result is not
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy="choose another -o") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_result(text: str, path: Path | None) -> None:
    """The result, to a file or to stdout."""
    if path is None or str(path) == "-":
        sys.stdout.write(text)
        return
    if path.is_dir():
        raise InputError("is a directory", file=path, remedy="give -o a file")
    with whole_file(path) as file:
        file.write(text)
